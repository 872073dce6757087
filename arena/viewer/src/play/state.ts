// What lies on the table and was said, as a pure function of the protocol's lines to a seat.

import type { Pools } from "../match";
import { type AnyEvent, type CardName, type Choice, type Dealt, type Hello, type Line, type Placed, type Player, type Refusal, type Request, type Result, type Seat, isRequest } from "./lines";
import { sorted } from "../cards";

/** A deal that is over, as it is written on the sheet. */
export interface Written {
  dealt: Dealt;
  result: Result;
  totals: number[];
}

/** A trick that was taken. */
export interface Taken {
  cards: Placed[];
  winner: Player;
}

export interface Table {
  hello: Hello | null;
  /** What the bots are called, by seat; empty where nobody has said. */
  called: string[];
  /** The seats in which a bot plays for somebody who is away. */
  away: Seat[];
  /** Null before the first deal. */
  dealt: Dealt | null;
  /** Stakes by seat, the last deal's included once it is over. */
  totals: number[];
  pools: Pools;
  /** The reader's cards, as players sort them; null before they are looked at. */
  hand: CardName[] | null;
  /** How many cards each seat holds. */
  held: number[];
  /** What each seat said last in the auction. */
  words: Record<Seat, string>;
  contract: string | null;
  declarer: Seat | null;
  /** What the reader took up and laid aside. */
  talon: CardName[];
  discards: CardName[];
  /** The current trick; with a winner it is the last one, until the next lead. */
  trick: Placed[];
  winner: Player | null;
  /** The last trick of this deal that was taken. */
  lastTrick: Taken | null;
  points: number[];
  tricks: number[];
  talonPoints: number;
  /** The open request, and why its last answer was refused. */
  question: Request | null;
  refusal: Refusal | null;
  /** Null until the deal is over. */
  result: Result | null;
  /** What happened in this deal. */
  told: AnyEvent[];
  /** The deals that are over. */
  sheet: Written[];
  /** The reason why the match is over. */
  bye: string | null;
}

export const EMPTY: Table = {
  hello: null,
  called: [],
  away: [],
  dealt: null,
  totals: [],
  pools: { collective: 0, personal: [] },
  hand: null,
  held: [],
  words: {},
  contract: null,
  declarer: null,
  talon: [],
  discards: [],
  trick: [],
  winner: null,
  lastTrick: null,
  points: [],
  tricks: [],
  talonPoints: 0,
  question: null,
  refusal: null,
  result: null,
  told: [],
  sheet: [],
  bye: null,
};

/** The reader's seat, the first one until the first deal tells; a watcher has none. */
export function own({ hello, dealt }: Table): Seat | undefined {
  return hello?.limits && (dealt?.seat ?? 0);
}

/** How many tricks are complete. */
export function complete({ tricks }: Table): number {
  return tricks.reduce((all, each) => all + each, 0);
}

/** A part of a line that is shown by itself. */
export type Step =
  | { kind: "hello"; hello: Hello }
  | { kind: "answered"; hand: CardName[] | null; discards: CardName[] }
  | { kind: "event"; event: AnyEvent }
  | { kind: "asked"; request: Request }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "ended"; result: Result }
  | { kind: "bye"; reason: string };

/** What a line says, in its order; nothing for a type that is not known. */
export function stepsOf(line: Line): Step[] {
  if (line.type === "hello") return [{ kind: "hello", hello: line }];
  if (line.type === "error") return [{ kind: "refused", refusal: line }];
  if (line.type === "bye") return [{ kind: "bye", reason: line.reason ?? "" }];
  if (line.type === "told") return line.events.map((event) => ({ kind: "event", event }));
  if (line.type === "deal_end") return [...answeredBy(line.events, null, line.result.discards), { kind: "ended", result: line.result }];
  return isRequest(line) ? [...answeredBy(line.events, handBefore(line), []), { kind: "asked", request: line }] : [];
}

/** Events as steps, the first of which, or the one after a deal's begin, closes what the reader was asked. */
export function answeredBy(events: AnyEvent[], hand: CardName[] | null, discards: CardName[]): Step[] {
  const steps: Step[] = events.map((event) => ({ kind: "event", event }));
  steps.splice(events.findIndex(({ event }) => event === "deal") + 1, 0, { kind: "answered", hand, discards });
  return steps;
}

/** The hand that a request's events began with; null where the line does not tell. */
function handBefore(line: Line): CardName[] | null {
  if (!isRequest(line) || line.type === "blind") return null;
  const played = line.events.flatMap((each) => (each.event === "card" && each.seat === line.seat ? [each.card] : []));
  const taken = line.type === "discard" ? line.talon : [];
  return [...played, ...line.hand.filter((card) => !taken.includes(card))];
}

/** The table after one more step. */
export function after(table: Table, step: Step): Table {
  switch (step.kind) {
    case "hello":
      return { ...EMPTY, hello: step.hello };
    case "answered":
      return answered(table, step.hand, step.discards);
    case "event":
      return { ...happened(table, step.event), told: [...told(table, step.event), step.event] };
    case "asked":
      return asked(table, step.request);
    case "refused":
      return { ...table, refusal: step.refusal };
    case "ended": {
      const totals = table.totals.map((stakes, seat) => stakes + step.result.payments[seat]!);
      const sheet = [...table.sheet, { dealt: table.dealt!, result: step.result, totals }];
      return { ...table, question: null, result: step.result, totals, pools: step.result.pools, sheet };
    }
    case "bye":
      return { ...table, question: null, bye: step.reason };
  }
}

/** The table as it will be once an answer to its question has been heard of. */
export function withAnswer(table: Table, answer: Choice): Table {
  const closed = { ...table, question: null, refusal: null };
  if ("cards" in answer) return laidAside(closed, answer.cards);
  if ("card" in answer) return laid(closed, table.dealt!.seat!, answer.card);
  return closed;
}

/** A request was answered; what was laid aside is what the hand has lost since, as nobody is told. */
function answered(table: Table, hand: CardName[] | null, discards: CardName[]): Table {
  const closed = { ...table, question: null, refusal: null };
  if (table.question?.type !== "discard") return hand ? { ...closed, hand: sorted(hand) } : closed;
  const aside = hand ? table.question.hand.filter((card) => !hand.includes(card)) : discards;
  return laidAside(closed, aside);
}

function laidAside(table: Table, cards: CardName[]): Table {
  if (cards.length === 0) return table;
  const seat = table.dealt!.seat!;
  const hand = table.hand!.filter((card) => !cards.includes(card));
  return { ...table, hand, discards: cards, held: changed(table.held, seat, -cards.length) };
}

function asked(table: Table, request: Request): Table {
  if (request.type === "blind") return { ...table, question: request, refusal: null };
  const { seat } = request;
  const hand = sorted(request.hand);
  const held = table.held.map((count, each) => (each === seat ? hand.length : count));
  const talon = request.type === "discard" ? request.talon : table.talon;
  return { ...table, question: request, refusal: null, hand, held, talon };
}

function told(table: Table, event: AnyEvent): AnyEvent[] {
  return event.event === "deal" ? [] : table.told;
}

function happened(table: Table, event: AnyEvent): Table {
  switch (event.event) {
    case "deal":
      return begun(table, event);
    case "blind":
      return said(table, event.seat, event.blind ? "blind" : "");
    case "bid":
      return said(table, event.seat, event.bid);
    case "talon":
      return said(table, event.seat, event.choice);
    case "contract":
      return { ...table, contract: event.contract, declarer: event.declarer };
    case "card":
      return laid(table, event.seat, event.card);
    case "trick":
      return taken(table, event.winner, event.points);
    default:
      return table;
  }
}

function begun({ hello, sheet }: Table, dealt: Dealt): Table {
  const { active, pools, totals } = dealt;
  const none = totals.map(() => 0);
  const held = totals.map((_, each) => (active.includes(each) ? 8 : 0));
  return { ...EMPTY, hello, sheet, dealt, pools, totals, held, points: none, tricks: none };
}

function said(table: Table, seat: Seat, word: string): Table {
  return { ...table, words: { ...table.words, [seat]: word } };
}

function laid(table: Table, seat: Player, card: CardName): Table {
  const trick = [...(table.winner === null ? table.trick : []), { seat, card }];
  if (seat === "talon") return { ...table, trick, winner: null };
  const hand = seat === table.dealt!.seat && table.hand ? table.hand.filter((each) => each !== card) : table.hand;
  return { ...table, trick, winner: null, hand, held: changed(table.held, seat, -1) };
}

function taken(table: Table, winner: Player, points: number): Table {
  const lastTrick = { cards: table.trick, winner };
  if (winner === "talon") return { ...table, winner, lastTrick, talonPoints: table.talonPoints + points };
  return {
    ...table,
    winner,
    lastTrick,
    points: changed(table.points, winner, points),
    tricks: changed(table.tricks, winner, 1),
  };
}

function changed(counts: number[], seat: Seat, by: number): number[] {
  return counts.map((count, each) => (each === seat ? count + by : count));
}
