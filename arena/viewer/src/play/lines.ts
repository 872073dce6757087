// The protocol's lines to a seat and its replies, as `arena/match/wire.py` has them.

import type { CardName, Event, Player, Pools, Result as Shown, Rules as Seen, Seat } from "../match";

export type { CardName, Player, Seat };

export interface Rules extends Seen {
  scoring: Record<string, number[]>;
  surrender: { declarer: string; defender: boolean };
}

export interface Hello {
  type: "hello";
  rules: Rules;
  /** A watcher has none. */
  limits?: { move_s: number | null };
  players: number;
}

export type AnyEvent = Exclude<Event, { event: "deal" }> | Dealt;

/** A deal begins; `seat` is the reader's, which a watcher has not. */
export interface Dealt {
  event: "deal";
  pools: Pools;
  totals: number[];
  deal: number;
  dealer: Seat;
  active: Seat[];
  seat?: Seat;
}

interface Asked {
  id: number;
  deal: number;
  seat: Seat;
  events: AnyEvent[];
  clock_s: number | null;
}

export interface Placed {
  seat: Player;
  card: CardName;
}

export type Request = Asked &
  (
    | { type: "blind" }
    | { type: "bid"; hand: CardName[]; legal: string[] }
    | { type: "talon"; hand: CardName[]; legal: string[] }
    | { type: "discard"; hand: CardName[]; talon: CardName[] }
    | { type: "play"; hand: CardName[]; trick: Placed[]; legal: CardName[]; may_offer: boolean }
    | { type: "surrender"; hand: CardName[] }
    | { type: "offer"; hand: CardName[]; from: Seat }
  );

export interface Refusal {
  type: "error";
  id: number;
  fault: string;
  detail: string;
}

export interface Result extends Shown {
  hands: CardName[][];
  talon: CardName[];
}

export interface DealEnd {
  type: "deal_end";
  deal: number;
  events: AnyEvent[];
  result: Result;
}

export interface Bye {
  type: "bye";
  reason?: string;
}

/** What watchers are told, who are asked nothing. */
export interface Told {
  type: "told";
  deal: number;
  events: AnyEvent[];
}

export type Line = Hello | Request | Refusal | Told | DealEnd | Bye;

const REQUESTS = ["blind", "bid", "talon", "discard", "play", "surrender", "offer"];

/** Whether a line asks something; lines of types to come are neither this nor that. */
export function isRequest(line: Line): line is Request {
  return REQUESTS.includes(line.type);
}

/** The part of a reply that is chosen. */
export type Choice =
  | { blind: boolean }
  | { bid: string }
  | { choice: string }
  | { cards: CardName[] }
  | { card: CardName }
  | { offer: true }
  | { surrender: boolean }
  | { accept: boolean };

export type Reply = Choice & { type: Request["type"]; id: number };
