// Where one is in a match, and which places lie before and behind it.

import { type Deal, type Match, type Seat, eventsAt } from "./match";
import { dealNumber } from "./words";

/** `deal` is an index, `ply` a number of moments, `seat` who looks: null sees everything. */
export interface Place {
  deal: number;
  ply: number;
  seat: Seat | null;
}

export type Step = (match: Match, at: Place) => Place;

export function last(deal: Deal): number {
  return deal.moments.length;
}

export const nextCard: Step = (match, at) =>
  at.ply < last(match.deals[at.deal]!) ? { ...at, ply: at.ply + 1 } : nextDeal(match, at);

export const previousCard: Step = (match, at) => {
  if (at.ply > 0) return { ...at, ply: at.ply - 1 };
  if (at.deal === 0) return at;
  return { ...at, deal: at.deal - 1, ply: last(match.deals[at.deal - 1]!) };
};

export const nextTrick: Step = (match, at) => {
  const deal = match.deals[at.deal]!;
  const ply = [...tricks(deal), last(deal)].find((ply) => ply > at.ply);
  return ply === undefined ? nextDeal(match, at) : { ...at, ply };
};

export const previousTrick: Step = (match, at) => {
  const ply = [0, ...tricks(match.deals[at.deal]!)].findLast((ply) => ply < at.ply);
  return ply === undefined ? previousCard(match, at) : { ...at, ply };
};

export const nextDeal: Step = (match, at) =>
  at.deal + 1 < match.deals.length ? { ...at, deal: at.deal + 1, ply: 0 } : at;

export const previousDeal: Step = (_, at) =>
  at.deal > 0 ? { ...at, deal: at.deal - 1, ply: 0 } : { ...at, ply: 0 };

export const begin: Step = (_, at) => ({ ...at, ply: 0 });

export const end: Step = (match, at) => ({ ...at, ply: last(match.deals[at.deal]!) });

/** The moments that complete a trick. */
export function tricks(deal: Deal): number[] {
  return plies(deal).filter((ply) => eventsAt(deal, ply).some(({ event }) => event === "trick"));
}

const FAULTS = new WeakMap<Deal, number[]>();

/** The moments that somebody is blamed for; looked for once in a deal, since lists of deals ask at each step. */
export function faults(deal: Deal): number[] {
  const known = FAULTS.get(deal);
  if (known) return known;
  const found = plies(deal).filter((ply) => eventsAt(deal, ply).some(({ event }) => event === "fault"));
  FAULTS.set(deal, found);
  return found;
}

/** Whether a deal's middle is nothing to who looks: a seat that sits out is told all at its end. */
function sitsOut(match: Match, at: Place): boolean {
  return at.seat !== null && !match.deals[at.deal]!.active.includes(at.seat);
}

/** What a seat that sits out knows at a place: until the deal is over, that it began. */
export function known(match: Match, at: Place): Place {
  return sitsOut(match, at) && at.ply < last(match.deals[at.deal]!) ? { ...at, ply: 0 } : at;
}

/** Where a seat that sits out hears of a place: at the deal's end. */
function heard(match: Match, at: Place): Place {
  return sitsOut(match, at) && at.ply > 0 ? { ...at, ply: last(match.deals[at.deal]!) } : at;
}

/** Where a way from one place to another leads; who sits out is led from end to end of a deal. */
export function way(match: Match, from: Place, to: Place): Place {
  return distance(from, to) > 0 ? heard(match, to) : known(match, to);
}

/** Above 0 where the second place comes after the first in the match, below 0 where before. */
export function distance(from: Place, to: Place): number {
  return to.deal - from.deal || to.ply - from.ply;
}

/** The end of the last deal. */
export function endOf(match: Match): Place {
  const deal = match.deals.length - 1;
  return { deal, ply: last(match.deals[deal]!), seat: null };
}

/**
 * The next fault from a place, or the one before. A seat is led back only, to what it has seen:
 * whether a fault is still to come it does not know.
 */
export function nextFault(match: Match, at: Place, forward: boolean): Place | null {
  if (forward && at.seat !== null) return null;
  const found = match.deals.flatMap((deal, index) =>
    faults(deal).map((ply) => heard(match, { ...at, deal: index, ply })),
  );
  const ahead = found.find((fault) => distance(at, fault) > 0);
  return (forward ? ahead : found.findLast((fault) => distance(at, fault) < 0)) ?? null;
}

/** The moment before a deal's first card, or its beginning if none was played. */
function firstTrick(deal: Deal | undefined): number {
  return Math.max(0, deal?.moments.findIndex(({ ask }) => ask === "play") ?? 0);
}

/**
 * The place of an address: what is missing is the first; one that leads nowhere is the beginning. Without
 * an address a match opens at its first trick.
 */
export function read(match: Match, address: string): Place {
  if (/^#?$/.test(address)) return { deal: 0, ply: firstTrick(match.deals[0]), seat: null };
  const said = new URLSearchParams(address.replace(/^#/, ""));
  const number = whole(said.get("deal"), numberAt(match, 0));
  const deal = match.deals.findIndex((_, index) => numberAt(match, index) === number);
  const ply = whole(said.get("ply"), 0);
  const seat = said.has("seat") ? whole(said.get("seat"), 0) : null;
  const broken = deal < 0 || !within(ply, last(match.deals[deal]!)) || (seat !== null && !within(seat, match.bots.length - 1));
  return broken ? { deal: 0, ply: 0, seat: null } : { deal, ply, seat };
}

/** The address of a place. */
export function write(match: Match, at: Place): string {
  const seat = at.seat === null ? "" : `&seat=${at.seat}`;
  return `#deal=${numberAt(match, at.deal)}&ply=${at.ply}${seat}`;
}

/** The number of a deal for people; that of the first where there are none. */
function numberAt(match: Match, index: number): number {
  return dealNumber(match.deals[index]?.deal ?? 0);
}

function plies(deal: Deal): number[] {
  return Array.from({ length: last(deal) + 1 }, (_, ply) => ply);
}

/** A text as a whole number; NaN where it is none. */
function whole(text: string | null, missing: number): number {
  if (text === null) return missing;
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

function within(number: number, most: number): boolean {
  return number >= 0 && number <= most;
}
