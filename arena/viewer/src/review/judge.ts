// How good a decision was: the arithmetic of `arena/review/verdict.py`, for what a browser reviews.

import type { Outcomes, Valued, Verdict } from "../reviews";
import { setOf } from "./cards";
import type { Situation } from "./situation";
import type { Solver } from "./solver";
import { type World, Worlds } from "./worlds";

const FEWEST = 4;

/** How many worlds to look at: fewer where one costs more and says as much. */
export function worldsFor({ kind, completed }: Situation, most: number): number {
  const share = kind === "discard" ? 1 / 6 : completed === 0 ? 0.25 : completed === 1 ? 0.5 : 1;
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
  const count = worldsFor(asked, most);
  const rows: number[][] = [];
  for (const world of worlds.sample(count, key)) {
    rows.push(values(solver, outcomes, asked, world));
    yield;
  }
  const truth = values(solver, outcomes, asked, asked);
  const given = asked.answers.indexOf(asked.given);
  const best = bestOf(rows, given);
  const exact = worlds.placings <= count;
  const halves = [0, 1].map((half) => rows.filter((_, row) => row % 2 === half));
  const { loss, error } = exact ? { ...advantage(rows, best, given), error: 0 } : crossed(halves[0]!, halves[1]!, given);
  return {
    step: asked.step,
    answers: asked.answers.map((answer, place): Valued => {
      const known = rows.reduce((total, row) => total + row[place]!, 0) / rows.length;
      return [answer, known, truth[place]!];
    }),
    given: asked.given,
    best: asked.answers[best]!,
    loss,
    error,
    open_loss: Math.max(...truth) - truth[given]!,
    worlds: rows.length,
    exact,
  };
}

/** The stakes to the seat after each of its answers if everybody plays on with open hands. */
function values(solver: Solver, outcomes: Outcomes | null, asked: Situation, world: World): number[] {
  const { kind, seat, answers } = asked;
  if (kind === "surrender") return [solver.value(asked, world), outcomes!.surrendered[seat]!];
  if (kind === "offer") return [solver.value(asked, world), outcomes!.accepted[seat]!];
  const found = solver.each(asked, world);
  const highest = Math.max(...found.values());
  return answers.map((answer) =>
    answer === "offer" ? Math.min(outcomes!.accepted[seat]!, highest) : found.get(setOf(answer.split("."))!)!,
  );
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
