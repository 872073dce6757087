// Sets of cards as the solver has them: bit `card` of a word, cards numbered from the strongest.

import type { CardName } from "../match";
import { pointsOf } from "../words";

/** A card's number is its place here, as in `arena/zole/cards.py`. */
const NAMES = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H".split(" ");
const NUMBERS = new Map(NAMES.map((name, card) => [name, card]));
const TRUMPS = 14;
const NO_CARD = 0;

export type Card = number;
export type Cards = number;

/** The set of some cards; null where one of the names is none. */
export function setOf(names: CardName[]): Cards | null {
  const cards = names.map((name) => NUMBERS.get(name));
  return cards.includes(undefined) ? null : cards.reduce((set: Cards, card) => set | (1 << card!), NO_CARD);
}

export function numberOf(name: CardName): Card {
  return NUMBERS.get(name)!;
}

/** The cards of a set, the strongest first. */
export function members(cards: Cards): Card[] {
  return NAMES.flatMap((_, card) => ((cards >> card) & 1 ? [card] : []));
}

/** The names of a set's cards as the log writes them: joined by dots, the strongest first. */
export function written(cards: Cards): string {
  return namesOf(cards).join(".");
}

export function points(cards: Cards): number {
  return pointsOf(namesOf(cards));
}

/** All cards of a card's suit. */
export function suitOf(card: Card): Cards {
  if (card < TRUMPS) return (1 << TRUMPS) - 1;
  return 0b1111 << (TRUMPS + 4 * Math.floor((card - TRUMPS) / 4));
}

function namesOf(cards: Cards): CardName[] {
  return members(cards).map((card) => NAMES[card]!);
}
