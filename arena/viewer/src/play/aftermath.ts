// A deal that is over, trick by trick: what lay on the table, and who held what before each.

import { sorted } from "../cards";
import type { CardName, Choice, Placed, Player, Result, Seat } from "./lines";
import type { Table } from "./state";

export interface PlayedTrick {
  cards: Placed[];
  /** Null where the deal ended within it. */
  winner: Player | null;
  points: number;
}

/** The tricks of a deal, in order. */
export function tricksOf({ told }: Pick<Table, "told">): PlayedTrick[] {
  const found: PlayedTrick[] = [];
  let cards: Placed[] = [];
  for (const event of told) {
    if (event.event === "card") cards.push({ seat: event.seat, card: event.card });
    if (event.event !== "trick") continue;
    found.push({ cards, winner: event.winner, points: event.points });
    cards = [];
  }
  return cards.length > 0 ? [...found, { cards, winner: null, points: 0 }] : found;
}

/** What a seat answered in a deal, in order; before a trick, from 0, or before the play. */
export function answersBefore(table: Pick<Table, "told" | "discards">, seat: Seat, trick: number | null): Choice[] {
  const found: Choice[] = [];
  let tricks = 0;
  for (const event of table.told) {
    if (event.event === "bid" && event.seat === seat) found.push({ bid: event.bid });
    if (event.event === "talon" && event.seat === seat) found.push({ choice: event.choice });
    if (event.event === "contract" && event.declarer === seat && table.discards.length > 0) found.push({ cards: table.discards });
    if (event.event === "card" && event.seat === seat && tricks < (trick ?? 0)) found.push({ card: event.card });
    if (event.event === "trick") tricks += 1;
  }
  return found;
}

/** The kinds of answers, as they follow each other in a deal, by what is in them. */
const ANSWERS = { bid: "bid", talon: "choice", discard: "cards", play: "card" };

/** Whether a question lies on a way of answers, and was not the reader's to answer. */
export function isRetraced(way: Choice[], { kind, trick }: { kind: string; trick: number | null }): boolean {
  const reached = Object.values(ANSWERS).findLastIndex((each) => way.some((choice) => each in choice));
  if (trick === null) return reached >= Object.keys(ANSWERS).indexOf(kind) && way.length > 0;
  return trick <= way.filter((choice) => "card" in choice).length;
}

/** What each seat held before a trick, from 0; `null` is the deal as it was dealt. */
export function heldBefore(result: Result, tricks: PlayedTrick[], trick: number | null): CardName[][] {
  const played = new Set(tricks.slice(0, trick ?? 0).flatMap(({ cards }) => cards.map(({ card }) => card)));
  return result.hands.map((hand, seat) => {
    const taken = trick !== null && seat === result.declarer && result.discards.length > 0 ? result.talon : [];
    const laid = taken.length > 0 ? result.discards : [];
    return sorted([...hand, ...taken].filter((card) => !laid.includes(card) && !played.has(card)));
  });
}

/** What each seat has taken before a trick: how many tricks, and their points. */
export function takenBefore(tricks: PlayedTrick[], trick: number, seats: number): { tricks: number; points: number }[] {
  const whose = (seat: Seat) => tricks.slice(0, trick).filter(({ winner }) => winner === seat);
  return Array.from({ length: seats }, (_, seat) => ({
    tricks: whose(seat).length,
    points: whose(seat).reduce((all, { points }) => all + points, 0),
  }));
}
