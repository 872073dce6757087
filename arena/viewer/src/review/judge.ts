// How good a decision was: the arithmetic of `arena/review/verdict.py`, for what a browser reviews.

import type { Outcomes, Valued, Verdict } from "../reviews";
import { setOf } from "./cards";
import type { Situation } from "./situation";
import type { Solver } from "./solver";
import { type World, Worlds } from "./worlds";

const FEWEST = 4;
const SHORTLIST = 4;

/** How many worlds are looked at, all in all. */
export function worldsFor(asked: Situation, most: number): number {
  return firstLook(asked, most) + comparedIn(asked, most);
}

/** In how many worlds discards are chosen that are then compared. */
function firstLook({ kind }: Situation, most: number): number {
  return kind === "discard" ? atLeast(0.1, most) : 0;
}

/** In how many worlds answers are compared: fewer where one costs more and says as much. */
function comparedIn({ kind, completed }: Situation, most: number): number {
  const share = kind === "discard" ? 0.5 : completed === 0 ? 0.25 : completed === 1 ? 0.5 : 1;
  return atLeast(share, most);
}

function atLeast(share: number, most: number): number {
  return Math.max(FEWEST, Math.ceil(share * most));
}

/** Yields after each world; the key is that of the match with the numbers of the deal and of the answer. */
export function* judge(
  solver: Solver,
  outcomes: Outcomes | null,
  asked: Situation,
  key: string,
  most: number,
): Generator<void, Verdict> {
  const worlds = new Worlds(asked);
  const { answers } = asked;
  const count = worldsFor(asked, most);
  const exact = worlds.placings <= count;
  const chosenIn = exact ? 0 : firstLook(asked, most);
  const first: number[][] = [];
  const rows: number[][] = [];
  let shortlist = answers;
  for (const world of worlds.sample(count, key)) {
    if (first.length < chosenIn) {
      first.push(values(solver, outcomes, asked, answers, world));
      if (first.length === chosenIn) shortlist = promising(first, answers.indexOf(asked.given)).map((at) => answers[at]!);
    } else {
      rows.push(values(solver, outcomes, asked, shortlist, world));
    }
    yield;
  }
  const truth = values(solver, outcomes, asked, answers, asked);
  const given = shortlist.indexOf(asked.given);
  const best = bestOf(rows, given);
  const halves = [0, 1].map((half) => rows.filter((_, row) => row % 2 === half));
  const { loss, error } = exact ? { ...advantage(rows, best, given), error: 0 } : crossed(halves[0]!, halves[1]!, given);
  return {
    step: asked.step,
    answers: answers.map((answer, place): Valued => {
      const compared = shortlist.indexOf(answer);
      return [answer, compared < 0 ? mean(first, place) : mean(rows, compared), truth[place]!];
    }),
    given: asked.given,
    best: shortlist[best]!,
    loss,
    error,
    open_loss: Math.max(...truth) - truth[answers.indexOf(asked.given)]!,
    worlds: rows.length,
    exact,
  };
}

/** The stakes to the seat after each of some answers if everybody plays on with open hands. */
function values(
  solver: Solver,
  outcomes: Outcomes | null,
  asked: Situation,
  answers: string[],
  world: World,
): number[] {
  const { kind, seat } = asked;
  if (kind === "surrender") return [solver.value(asked, world), outcomes!.surrendered[seat]!];
  if (kind === "offer") return [solver.value(asked, world), outcomes!.accepted[seat]!];
  const sets = answers.map((answer) => setOf(answer.split(".")));
  const found = solver.each(asked, world, kind === "discard" ? sets.map((set) => set!) : []);
  const highest = Math.max(...found.values());
  return answers.map((answer, at) =>
    answer === "offer" ? Math.min(outcomes!.accepted[seat]!, highest) : found.get(sets[at]!)!,
  );
}

/** The places of the answers with the highest sums, in order, and of the one given. */
function promising(rows: number[][], given: number): number[] {
  const sums = rows[0]!.map((_, answer) => mean(rows, answer));
  const most = [...sums.keys()].sort((one, other) => sums[other]! - sums[one]!).slice(0, SHORTLIST);
  return [...new Set([...most, given])].sort((one, other) => one - other);
}

function mean(rows: number[][], answer: number): number {
  return rows.reduce((total, row) => total + row[answer]!, 0) / rows.length;
}

/** The answer with the highest sum; the one given, or else the first, of several. */
function bestOf(rows: number[][], given: number): number {
  const sums = rows[0]!.map((_, answer) => rows.reduce((total, row) => total + row[answer]!, 0));
  const highest = Math.max(...sums);
  return sums[given] === highest ? given : sums.indexOf(highest);
}

/** What the best answer of either half gains in the other half, and the standard error. */
function crossed(one: number[][], other: number[][], given: number): { loss: number; error: number } {
  const [best, otherBest] = [bestOf(one, given), bestOf(other, given)];
  const first = advantage(other, best, given);
  const second = advantage(one, otherBest, given);
  const error = best === otherBest ? Math.sqrt(first.error ** 2 + second.error ** 2) : first.error + second.error;
  return { loss: (first.loss + second.loss) / 2, error: error / 2 };
}

/** The mean of what one answer is worth more than another, and its standard error. */
function advantage(rows: number[][], best: number, given: number): { loss: number; error: number } {
  const gains = rows.map((row) => row[best]! - row[given]!);
  const loss = gains.reduce((total, gain) => total + gain, 0) / gains.length;
  const squares = gains.reduce((total, gain) => total + (gain - loss) ** 2, 0);
  return { loss, error: Math.sqrt(squares / Math.max(1, gains.length - 1) / gains.length) };
}
