// How the page talks to the person at the table: who sits where, what happened, what is asked.

import { isTrump } from "../cards";
import { sentence as happened } from "../events";
import { gameIn } from "../felt";
import { SUITS, say } from "../language";
import { type Doer, dealNumber } from "../words";
import type { AnyEvent, CardName, Dealt, Player, Request, Seat } from "./lines";
import { type Table, own } from "./state";

/** Where a seat is as seen from another one; the seat to one's left is one's own plus one. */
function placeFrom(me: Seat, players: number, seat: Seat): string {
  const side = (seat - me + players) % players;
  if (side === 0) return "you";
  if (side === 1) return "left";
  if (side === players - 1) return "right";
  return players === 4 ? "across" : side === 2 ? "far-left" : "far-right";
}

/** The names of all seats: of bots where they are known, with their place where two have the same one, or the place alone. */
export function names(table: Table, short = false): string[] {
  const { hello, called } = table;
  const players = hello?.players ?? 0;
  const me = own(table);
  return Array.from({ length: players }, (_, seat) => {
    const place = placeFrom(me ?? 0, players, seat);
    const name = called[seat];
    if (seat === me || !name) return say("place", { place });
    const alone = called.every((other, number) => number === seat || number === me || other !== name);
    return alone ? name : short ? say("place", { place }) : say("name-and-place", { name, place });
  });
}

/** Who does something at the table. */
export function doer(table: Table, player: Player): Doer {
  if (player === "talon") return { who: "talon", name: "" };
  return { who: player === table.dealt?.seat ? "you" : "other", name: names(table)[player]! };
}

/** A name within a sentence. */
export function named(table: Table, player: Player): string {
  return say("name", doer(table, player));
}

/** An event in sentences, at the table before it. */
export function sentence(table: Table, event: AnyEvent): string | null {
  if (event.event === "deal") return dealing({ ...table, dealt: event }, event);
  return happened(event, (player) => doer(table, player));
}

function dealing(table: Table, { deal, dealer, active, seat }: Dealt): string {
  const sits = seat === undefined || active.includes(seat) ? say("forehand-is", doer(table, active[0]!)) : say("you-sit-out");
  return [say("deal-begins", { deal: dealNumber(deal) }), say("dealing", doer(table, dealer)), sits].join(" ");
}

/** The game in two or three words, for a heading. */
export function game(table: Table): string {
  const { contract, declarer, dealt } = table;
  return dealt === null ? "" : gameIn(contract, declarer !== null && doer(table, declarer));
}

/** What is asked, in a sentence. */
export function asking(table: Table, request: Request): string {
  switch (request.type) {
    case "blind":
      return say("ask-blind");
    case "bid":
      return say("your-turn-to-bid");
    case "talon":
      return say("ask-talon");
    case "discard":
      return say("ask-discard");
    case "surrender":
      return ""; // the page answers it: see Session.question
    case "offer":
      return say("ask-offer", { name: named(table, request.from) });
    case "play": {
      const led = request.trick[0];
      return led ? say("ask-card", { ...doer(table, led.seat), card: led.card, trump: isTrump(led.card) ? "yes" : "no" }) : say("ask-lead");
    }
  }
}

/** What stands on the button of a bid or of a choice. */
export function button(word: string): string {
  return word === "take" || word === "give" ? say("answer-talon", { choice: word }) : say("answer-bid", { bid: word });
}

/** What a bid means, in a few words below it. */
export function underButton(bid: string, afterBid: boolean): string {
  return bid === "pass" || bid === "blind" ? "" : say("answer-bid-more", { bid, next: afterBid ? "yes" : "no" });
}

/** Why a card may not be played now. */
export function whyNot(request: Request & { type: "play" }, card: CardName): string {
  const led = request.legal[0]!;
  if (isTrump(led)) return say("why-not-trumps");
  return say("why-not-suit", { suit: SUITS[led[1]!]!, trump: isTrump(card) ? "yes" : "no", card });
}
