// Cards by the rules of the game: which are trumps, how a player sorts a hand, which card is taking a trick.

import type { CardName } from "./match";

/** All cards: the trumps from the highest, then the suits from their highest. */
export const ORDER: CardName[] = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H".split(" ");
export const TRUMPS = 14;

export function isTrump(card: CardName): boolean {
  return ORDER.indexOf(card) < TRUMPS;
}

/** What a card follows: its suit, or trumps. */
function suitOf(card: CardName): string {
  return isTrump(card) ? "trumps" : card[1]!;
}

/** A hand as players hold it: trumps first, from the highest, then suit by suit. */
export function sorted(hand: readonly CardName[]): CardName[] {
  return hand.toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
}

/** The place in a trick of the card that is taking it; -1 in an empty one. */
export function taking(trick: readonly CardName[]): number {
  const rank = (card: CardName) => (isTrump(card) || suitOf(card) === suitOf(trick[0]!) ? ORDER.indexOf(card) : ORDER.length);
  return trick.reduce((best, card, place) => (best < 0 || rank(card) < rank(trick[best]!) ? place : best), -1);
}
