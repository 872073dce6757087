// What a bot writes on cards by its note, as in `{"cards": {"QC": 0.7, "9H": "?"}}`: beliefs, or what answers are worth.

import { createContext } from "preact";
import type { CardName } from "./match";
import { isCard } from "./words";

/** More signs than these do not fit a card. */
const MOST = 6;

export type Marked = Readonly<Record<CardName, string>>;

/** The marks of the cards on the felt. */
export const Marks = createContext<Marked>({});

/** The marks in a note; other notes have none. */
export function marksIn(note: string | undefined): Marked {
  let cards: unknown;
  try {
    cards = (JSON.parse(note ?? "null") as { cards?: unknown } | null)?.cards;
  } catch {
    return {};
  }
  if (typeof cards !== "object" || cards === null) return {};
  const told = Object.entries(cards).filter(([card, mark]) => isCard(card) && ["number", "string"].includes(typeof mark));
  return Object.fromEntries(told.map(([card, mark]) => [card, short(mark as number | string)]));
}

function short(mark: number | string): string {
  return typeof mark === "number" ? String(Number(mark.toPrecision(2))) : mark.slice(0, MOST);
}
