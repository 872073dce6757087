// Where one is in a match, and which places lie before and behind it.

import { type Deal, type Match, type Seat, eventsAt } from "./match";

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

/** The moments that somebody is blamed for. */
export function faults(deal: Deal): number[] {
  return plies(deal).filter((ply) => eventsAt(deal, ply).some(({ event }) => event === "fault"));
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
 * The next fault from a place, or the one before, and whether the search went over the match's end.
 * A seat is led back only, to what it has seen: whether a fault is still to come it does not know.
 */
export function nextFault(
  match: Match,
  at: Place,
  forward: boolean,
): { to: Place; wrapped: boolean } | null {
  const found = match.deals.flatMap((deal, index) => faults(deal).map((ply) => ({ ...at, deal: index, ply })));
  if (!forward) found.reverse();
  const beyond = found.find((fault) => (forward ? distance(at, fault) > 0 : distance(at, fault) < 0));
  if (at.seat !== null) return beyond && !forward ? { to: beyond, wrapped: false } : null;
  const to = beyond ?? found[0];
  return to ? { to, wrapped: !beyond } : null;
}

/** The place of an address: what is missing is the first, what is out of range the nearest. */
export function read(match: Match, address: string): Place {
  const said = new URLSearchParams(address.replace(/^#/, ""));
  const number = whole(said.get("deal")) ?? match.deals[0]?.deal ?? 0;
  const ahead = match.deals.findIndex((deal) => deal.deal >= number);
  const deal = ahead < 0 ? Math.max(0, match.deals.length - 1) : ahead;
  const moments = match.deals[deal]?.moments.length ?? 0;
  const seat = whole(said.get("seat"));
  return {
    deal,
    ply: clamp(whole(said.get("ply")) ?? 0, moments),
    seat: seat === null ? null : clamp(seat, match.bots.length - 1),
  };
}

/** The address of a place. */
export function write(match: Match, at: Place): string {
  const seat = at.seat === null ? "" : `&seat=${at.seat}`;
  return `#deal=${match.deals[at.deal]?.deal ?? 0}&ply=${at.ply}${seat}`;
}

function plies(deal: Deal): number[] {
  return Array.from({ length: last(deal) + 1 }, (_, ply) => ply);
}

function whole(text: string | null): number | null {
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
}

function clamp(number: number, most: number): number {
  return Math.min(Math.max(number, 0), most);
}
