// How the page talks to the person at the table: who sits where, what happened, what is asked.

import { isTrump } from "../cards";
import { aGame, capital, cardWords, counted, dealNumber, gameOf, said } from "../words";
import type { AnyEvent, CardName, Dealt, Player, Request, Seat } from "./lines";
import type { Table } from "./state";

/** Where a seat is for whoever sits at the table; the seat to one's left is one's own plus one. */
function placeFrom(me: Seat, players: number, seat: Seat): string {
  const side = (seat - me + players) % players;
  if (side === 0) return "You";
  if (side === 1) return "Left";
  if (side === players - 1) return "Right";
  return players === 4 ? "Across" : side === 2 ? "Far left" : "Far right";
}

/** The names of all seats: of bots where they are known, with their place where two have the same one. */
export function names({ hello, dealt, called }: Table): string[] {
  const players = hello?.players ?? 0;
  const me = dealt?.seat ?? 0;
  return Array.from({ length: players }, (_, seat) => {
    const place = placeFrom(me, players, seat);
    const name = called[seat];
    if (seat === me || !name) return place;
    const alone = called.every((other, number) => number === seat || number === me || other !== name);
    return alone ? name : `${name} (${place.toLowerCase()})`;
  });
}

/** A name within a sentence. */
export function named(table: Table, player: Player): string {
  if (player === "talon") return "the talon";
  return player === table.dealt?.seat ? "you" : names(table)[player]!;
}

export function card(name: CardName): string {
  return `the ${cardWords(name).name}`;
}

/** What somebody does: the verb for others, and for the reader. */
function does(table: Table, player: Player, verb: string, own: string, rest = ""): string {
  return `${capital(named(table, player))} ${player === table.dealt?.seat ? own : verb}${rest && ` ${rest}`}.`;
}

/** An event in sentences, at the table before it. */
export function sentence(table: Table, event: AnyEvent): string[] {
  switch (event.event) {
    case "deal":
      return [dealing({ ...table, dealt: event }, event)];
    case "blind":
      return event.blind
        ? [does(table, event.seat, "declares", "declare", "a blind game")]
        : [does(table, event.seat, "looks at its cards", "look at your cards")];
    case "bid":
      return event.bid === "pass"
        ? [does(table, event.seat, "passes", "pass")]
        : [does(table, event.seat, "bids", "bid", said(event.bid))];
    case "talon":
      return event.choice === "take"
        ? [does(table, event.seat, "takes", "take", "the talon")]
        : [does(table, event.seat, "gives", "give", "the talon away")];
    case "contract":
      return [contract(table, event.contract, event.declarer)];
    case "card":
      return [does(table, event.seat, "plays", "play", card(event.card))];
    case "trick":
      return [`Trick ${event.number} is ${whose(table, event.winner)}, ${counted(event.points, "point")}.`];
    case "surrender":
      return [does(table, event.seat, "gives up", "give up")];
    case "offer":
      return [
        does(table, event.seat, "offers to give up", "offer to give up"),
        event.accepted ? "The declarer accepts." : "The declarer plays on.",
      ];
    case "fault":
      return [`Fault of ${named(table, event.seat)}: ${event.fault}, ${event.detail}.`];
    default:
      return [];
  }
}

function whose(table: Table, player: Player): string {
  return player === table.dealt?.seat ? "yours" : `${named(table, player)}’s`;
}

function dealing(table: Table, { deal, dealer, active, seat }: Dealt): string {
  const deals = does(table, dealer, "deals", "deal");
  if (!active.includes(seat)) return `Deal ${dealNumber(deal)}. ${deals} You sit out this deal.`;
  const first = active[0] === seat ? "You are forehand." : `${capital(named(table, active[0]!))} is forehand.`;
  return `Deal ${dealNumber(deal)}. ${deals} ${first}`;
}

function contract(table: Table, game: string, declarer: Seat | null): string {
  if (declarer !== null)
    return does(table, declarer, "plays", "play", `${aGame(game)} against the others`);
  return game === "table" ? "All pass: a table game, in which one takes few tricks." : "All pass: thrown in.";
}

/** The game in two or three words, for a heading. */
export function game(table: Table): string {
  if (table.contract === null) return table.dealt ? "The auction" : "";
  if (table.declarer === null) return table.contract === "table" ? "Table game" : capital(said(table.contract));
  const mine = table.declarer === table.dealt!.seat;
  return `${capital(gameOf(table.contract))}, ${mine ? "you are" : `${named(table, table.declarer)} is`} the declarer`;
}

/** What is asked, in a sentence. */
export function asking(table: Table, request: Request): string {
  switch (request.type) {
    case "blind":
      return "Declare a blind game, before you see your cards?";
    case "bid":
      return "Your turn to bid.";
    case "talon":
      return "Take the talon and lay two cards aside, or give it to the others and play a solo?";
    case "discard":
      return "You have the talon. Choose two cards to lay aside.";
    case "surrender":
      return "Do you want to give up? You would lose as with 31 to 60 points.";
    case "offer":
      return `${capital(named(table, request.from))} offers to give up: you would win as with 61 to 90 points. Accept?`;
    case "play": {
      const led = request.trick[0];
      if (!led) return "Your turn: you lead.";
      return `Your turn: ${named(table, led.seat)} led ${card(led.card)}.`;
    }
  }
}

/** What a seat said last, for all to see. */
export function spoken(word: string): string {
  return { take: "takes the talon", give: "gives the talon away" }[word] ?? said(word);
}

const BIDS: Record<string, string> = {
  pass: "Pass",
  ordinary: "Ordinary: take the talon",
  solo: "Solo: without the talon",
  small_solo: "Small solo: take no trick",
  blind: "Blind solo",
  take: "Take the talon",
  give: "Give it away, play solo",
};

/** What stands on the button of a bid or of a choice. */
export function button(word: string, afterBid: boolean): string {
  return word === "ordinary" && afterBid ? "Play: the talon is decided next" : (BIDS[word] ?? said(word));
}

/** Why a card may not be played now. */
export function whyNot(request: Request & { type: "play" }, name: CardName): string {
  const led = request.legal[0]!;
  if (isTrump(led)) return "Trumps were led, and you have one: queens, jacks and diamonds are trumps.";
  const { suit } = cardWords(led);
  const trump = isTrump(name) ? ` ${capital(card(name))} is a trump.` : "";
  return `${capital(suit)} were led, and you have one.${trump}`;
}
