// The table as one sits at it: who is there, the trick, what both sides have.

import { type Score, type Seated, Felt, givesTalon, lying, marksOf, scoreOf } from "../felt";
import { say } from "../language";
import type { Shown } from "../sight";
import { pointsOf, poolsIn } from "../words";
import type { ComponentChildren } from "preact";
import type { Player, Seat } from "./lines";
import { type Table, complete, own } from "./state";
import { doer, game, names } from "./words";

interface Props {
  table: Table;
  /** How long a trick that was taken is looked at. */
  trick_ms: number;
  /** Whether the last trick is shown again in the place of this one. */
  again: boolean;
  children: ComponentChildren;
}

/** The time in which a trick goes to who has taken it. */
const GATHER_MS = 260;

export function PlayTable({ table, trick_ms, again, children }: Props) {
  const { trick, winner, lastTrick, question } = table;
  const taken = winner !== null && trick_ms > GATHER_MS;
  const shown = again && lastTrick ? lastTrick : { cards: trick, winner };
  const lead = trick.length === 0 || winner !== null;
  return (
    <Felt
      seats={names(table).map((_, seat) => seatedAt(table, seat))}
      talon={talon(table)}
      trick={{
        ...shown,
        rest_ms: taken && !again && question === null ? trick_ms - GATHER_MS : undefined, // it stays until the reader leads
        place: question?.type === "play" && !again ? say(lead ? "you-lead-here" : "your-card-here") : undefined,
      }}
      score={score(table)}
    >
      {children}
    </Felt>
  );
}

/** A seat, and what the reader knows of it. */
export function seatedAt(table: Table, seat: Seat): Seated {
  const { called, dealt, declarer, words, contract, held, trick, tricks, discards } = table;
  const me = own(table);
  const players = held.length || table.hello!.players;
  const plays = dealt?.active.includes(seat) === true;
  const word = words[seat] ?? "";
  const begun = trick.length > 0 || tricks.some((count) => count > 0);
  const marks = marksOf({
    declarer: seat === declarer,
    dealer: seat === dealt?.dealer,
    forehand: seat === dealt?.active[0],
    "sits-out": dealt !== null && !plays,
  });
  if (table.away.includes(seat)) marks.push(["away", say("bot-stands-in")]);
  return {
    seat,
    side: (seat - (me ?? 0) + players) % players,
    name: names(table)[seat]!,
    face: seat === me ? null : (called[seat] ?? null),
    marks,
    says: !begun && word !== "" ? say("word", { word }) : "",
    has: plays && contract !== null && (tricks[seat] || seat !== me) ? say("tricks", { count: tricks[seat] ?? 0 }) : "",
    taken: (plays && tricks[seat]) || 0,
    cards: faceDown(held[seat] ?? 0),
    aside: seat === me ? discards : contract === "ordinary" && seat === declarer && begun ? faceDown(2) : [],
    turn: onTurn(table) === seat,
  };
}

function faceDown(count: number): Shown[] {
  return Array.from({ length: count }, () => null);
}

/** What still lies of the talon. */
function talon(table: Table): Shown[] {
  const { dealt, contract, hello, trick, winner } = table;
  if (dealt === null || contract === "ordinary" || contract === "thrown_in") return [];
  if (contract !== "table") return faceDown(2);
  if (hello!.rules.table.talon !== "first_two_tricks") return [];
  return faceDown(Math.max(0, 2 - complete(table) - (winner === null && trick.some(({ seat }) => seat === "talon") ? 1 : 0)));
}

/** Whose turn it is, as far as one can tell; null where one cannot. */
function onTurn({ question, dealt, words, contract, trick, winner, result }: Table): Seat | null {
  if (dealt === null || result !== null) return null;
  if (question !== null) return dealt.seat!;
  const { active } = dealt;
  if (contract === null) return active.find((seat) => !(seat in words)) ?? null;
  const seats = winner === null ? trick.map(({ seat }) => seat).filter(isSeat) : [];
  if (seats.length === active.length) return null;
  const last = seats.at(-1);
  if (last !== undefined) return active[(active.indexOf(last) + 1) % active.length]!;
  return winner !== null && isSeat(winner) ? winner : active[0]!;
}

function isSeat(player: Player): player is Seat {
  return player !== "talon";
}

/** What both sides have and need, or what is played for where no points are counted. */
function score(table: Table): Score | string {
  const { declarer, contract, dealt, trick, winner } = table;
  const open = poolsIn({ bots: names(table) }, table.pools);
  const pools = open && say("pools", { pools: open });
  if (asksStakes(table)) return say("tiles-pay");
  if (declarer === null || contract === "small_solo") {
    const small = declarer !== null && say("may-take-none", doer(table, declarer));
    const talons = table.talonPoints > 0 && say("talon-has", { count: table.talonPoints });
    const goal = contract === "table" ? say("table-goal", { settlement: table.hello!.rules.table.settlement }) : game(table);
    return [small || goal, talons, pools].filter(Boolean).join("; ");
  }
  const mine = declarer === dealt!.seat;
  const { own, theirs } = taken(table, declarer);
  const plays = dealt!.active.some((seat) => seat === dealt!.seat);
  const side = mine ? "others" : plays ? "yours" : "defenders";
  const unseen = givesTalon(contract) ? "talon" : !mine && contract === "ordinary" ? "aside" : null;
  return scoreOf(declarer, doer(table, declarer), own, theirs, unseen, side, [lying({ cards: trick, winner }), pools]);
}

/** The points of both sides, as far as the reader knows them. */
function taken({ points, discards, dealt }: Table, declarer: Seat) {
  return {
    own: points[declarer]! + (declarer === dealt!.seat ? pointsOf(discards) : 0),
    theirs: points.reduce((all, each, seat) => all + (seat === declarer ? 0 : each), 0),
  };
}

/** Whether one side has won, however the other cards fall. */
export function isDecided(table: Table): boolean {
  const { declarer, contract } = table;
  if (declarer === null || contract === "small_solo") return false;
  const { own, theirs } = taken(table, declarer);
  return own >= 61 || theirs >= 60;
}

/** The points at which a declarer is paid, or pays, something else. */
const TIERS = [31, 61, 91];

/** Whether the other cards change nothing that is paid. */
export function isSettled(table: Table): boolean {
  const { declarer, tricks, contract, hello } = table;
  if (contract === "table" && hello!.rules.table.settlement === "most_tricks_pays") {
    const [most = 0, next = 0] = tricks.toSorted((one, other) => other - one);
    return most - next > hello!.rules.play.tricks - complete(table);
  }
  if (!isDecided(table)) return false;
  const { own, theirs } = taken(table, declarer!);
  const tier = (points: number) => TIERS.filter((least) => points >= least).length;
  const both = tricks[declarer!]! > 0 && tricks.some((count, seat) => seat !== declarer && count > 0);
  return both && tier(own) === tier(120 - theirs);
}

/** Whether the tiles that lie on the table say what a game pays. */
function asksStakes({ question }: Table): boolean {
  return question !== null && ["blind", "bid", "talon"].includes(question.type);
}
