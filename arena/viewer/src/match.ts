// The document that the page shows: what `arena/reports/page.py` keeps of a `SeenMatch`.

import { taking } from "./cards";
import type { Laid } from "./felt";
import type { Review } from "./reviews";
import { isCard, pointsOf } from "./words";

export type Seat = number;
export type Player = Seat | "talon";
/** Rank and suit, as on the wire: `QC`, `TD`. */
export type CardName = string;

export type Event =
  | { event: "deal"; pools: Pools; totals: number[] }
  | { event: "blind"; seat: Seat; blind: boolean }
  | { event: "bid"; seat: Seat; bid: string }
  | { event: "talon"; seat: Seat; choice: string }
  | { event: "contract"; declarer: Seat | null; contract: string; forehand: Seat }
  | { event: "card"; seat: Player; card: CardName }
  | { event: "trick"; number: number; winner: Player; points: number }
  | { event: "surrender"; seat: Seat }
  | { event: "offer"; seat: Seat; accepted: boolean }
  | { event: "fault"; seat: Seat; fault: string; detail: string };

export interface Pools {
  collective: number;
  personal: Seat[];
}

/** What lies face up for a seat, other than the cards played to tricks: whose hands, which of the talon. */
export interface Open {
  hands?: Seat[];
  talon?: number[];
  discards?: boolean;
}

/** A kind and a detail. */
export type Failure = [string, string];

export interface Moment {
  seat: Seat;
  ask: string;
  answer: string | null;
  seconds: number;
  events: Event[];
  /** What each seat sees from now on; left out where nothing has changed since the moment before. */
  sees?: Open[];
  /** What the other seats are told instead of the answer. */
  told?: string;
  note?: string;
  /** What the bot wrote to stderr before this answer. */
  stderr?: string;
  fault?: Failure;
  refused?: Failure;
}

export interface Tally {
  declarer: number | null;
  defenders: number | null;
  seats: number[];
  talon: number;
}

export interface Result {
  discards: CardName[];
  contract: string | null;
  declarer: Seat | null;
  points: Tally;
  tricks: Tally;
  level: string | null;
  payments: number[];
  pools: Pools;
  fault: { seat: Seat; fault: string } | null;
}

export interface Deal {
  deal: number;
  dealer: Seat;
  active: Seat[];
  /** As dealt; cards are joined by dots. */
  hands: string[];
  talon: string;
  first: Event[];
  /** What each seat sees at first. */
  sees: Open[];
  moments: Moment[];
  result: Result;
}

export interface Rules {
  players: number;
  all_pass: string;
  auction: { contracts: string[]; talon_decision: string };
  play: { tricks: number };
  table: { talon: string; settlement: string; stake: number };
  pools: { enabled: boolean };
  conduct: { on_fault: string };
}

export interface Match {
  league: string | null;
  /** Null for a table of people, where what bots send and how long they take tells nobody anything. */
  match: number | null;
  bots: string[];
  rules: Rules;
  isolation: string;
  deals: Deal[];
  stderr: string[];
}

/** The page that this one belongs to. */
export interface Link {
  words: string;
  address: string;
}

/** What is in a page. */
export interface Content {
  match: Match;
  back: Link | null;
  /** Null in a page that was made without. */
  review: Review | null;
}

/**
 * What is in this page. It leaves the page as it is read: what is hidden must not be found in it. A site has one page
 * for all matches, without any; each is at the page's address with `.json`.
 */
export async function take(): Promise<Content> {
  const element = document.getElementById("match")!;
  element.remove();
  const held = JSON.parse(element.textContent ?? "") as Content | null;
  const content = held ?? ((await (await fetch(`${location.pathname}.json`)).json()) as Content);
  content.match.deals.forEach(complete);
  return content;
}

/**
 * The document leaves out the events of cards that were played as they were answered, and of tricks that they make,
 * unless the talon plays along.
 */
function complete({ active, first, moments }: Deal): void {
  const talonPlays = [first, ...moments.map(({ events = [] }) => events)].flat().some((each) => each.event === "card" && each.seat === "talon");
  let laid: Laid[] = [];
  let tricks = 0;
  for (const moment of moments) {
    moment.events = withOwnCard(moment);
    for (const each of moment.events)
      if (each.event === "card") laid.push(each);
      else if (each.event === "trick") [laid, tricks] = [[], each.number];
    if (talonPlays || laid.length < active.length) continue;
    const cards = laid.map(({ card }) => card);
    tricks += 1;
    moment.events = [...moment.events, { event: "trick", number: tricks, winner: laid[taking(cards)]!.seat, points: pointsOf(cards) }];
    laid = [];
  }
}

function withOwnCard({ seat, ask, answer, fault, refused, events = [] }: Moment): Event[] {
  const played = ask === "play" && !fault && !refused && answer !== null && isCard(answer);
  return played ? [{ event: "card", seat, card: answer }, ...events] : events;
}

/** What lies face up for each seat after this many moments of a deal. */
export function seesAt(deal: Deal, ply: number): Open[] {
  return deal.moments.slice(0, ply).findLast(({ sees }) => sees)?.sees ?? deal.sees;
}

/** What happened with the last of this many moments; before all of them, what came first. */
export function eventsAt(deal: Deal, ply: number): Event[] {
  return ply === 0 ? deal.first : deal.moments[ply - 1]!.events;
}
