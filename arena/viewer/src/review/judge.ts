// How good a decision was: the arithmetic of `arena/review/verdict.py`, for what a browser reviews.

import type { Outcomes, Valued, Verdict } from "../reviews";
import { setOf } from "./cards";
import type { Situation } from "./situation";
import type { Solver } from "./solver";
import { type World, Worlds } from "./worlds";

/** The parts of a decision's worlds; in each of them the choice of the others is measured. */
const PARTS = 5;
const FEWEST = PARTS;
const SHORTLIST = 8;
/** After so many worlds answers may be left out of a race. */
const LOOKS = new Set([3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 36, 42, 48]);
const CLEAR = 1.25;
const AT_LEAST = 1;
const SLIGHT = 0.15;

/** How many worlds are looked at, all in all. */
export function worldsFor(asked: Situation, most: number): number {
  return firstLook(asked, most) + comparedIn(asked, most);
}

/** In how many worlds discards are chosen that are then compared. */
function firstLook({ kind }: Situation, most: number): number {
  return kind === "discard" ? Math.ceil(0.05 * most) : 0;
}

/** In how many worlds answers are compared: fewer where one costs more and says as much. */
function comparedIn({ kind, completed }: Situation, most: number): number {
  const share = kind === "discard" ? 0.5 : completed === 0 ? 0.25 : completed === 1 ? 0.5 : 1;
  return atLeast(share, most);
}

function atLeast(share: number, most: number): number {
  return Math.max(FEWEST, Math.ceil(share * most));
}

/** Yields after each look at a world; the key is that of the match with the numbers of the deal and of the answer. */
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
  const foundIn = exact ? 0 : firstLook(asked, most);
  const given = answers.indexOf(asked.given);
  const places = [...answers.keys()];
  const sample = [...worlds.sample(count, key)];
  const first: number[][] = [];
  for (const world of sample.splice(0, foundIn)) {
    first.push(values(solver, outcomes, asked, answers, world));
    yield;
  }
  const table = new Values(sample, (some, world) =>
    values(
      solver,
      outcomes,
      asked,
      some.map((at) => answers[at]!),
      world,
    ),
  );
  const every = [...sample.keys()];
  const runners = first.length ? promising(first, given) : places;
  const chosen: number[] = [];
  for (let part = 0; part < PARTS && !exact; part++) {
    const others = every.filter((world) => world % PARTS !== part);
    chosen.push(yield* choose(table, others, runners, given));
  }
  const shortlist = exact ? runners : inOrder([given, ...chosen]);
  if (shortlist.length > 1)
    for (const world of every) {
      table.row(world, shortlist);
      yield;
    }
  const best = shortlist.length > 1 ? bestOf(table, shortlist, given) : given;
  const { loss, error } = exact
    ? { loss: mean(table.of(best)) - mean(table.of(given)), error: 0 }
    : measured(table, chosen, given);
  const truth = values(solver, outcomes, asked, answers, asked);
  return {
    step: asked.step,
    answers: answers.map((answer, at): Valued => {
      const seen = table.of(at);
      return [answer, mean(seen.length ? seen : first.map((row) => row[at]!)), truth[at]!];
    }),
    given: asked.given,
    best: answers[best]!,
    loss,
    error,
    open_loss: Math.max(...truth) - truth[given]!,
    worlds: table.of(given).length,
    exact,
  };
}

/** What answers are worth in the worlds of a sample, as far as it was asked for. */
class Values {
  private readonly known: Map<number, number>[];

  constructor(
    readonly sample: World[],
    private readonly valued: (some: number[], world: World) => number[],
  ) {
    this.known = sample.map(() => new Map<number, number>());
  }

  row(world: number, some: number[]): number[] {
    const known = this.known[world]!;
    const missing = some.filter((each) => !known.has(each));
    if (missing.length) {
      const found = this.valued(missing, this.sample[world]!);
      missing.forEach((each, place) => known.set(each, found[place]!));
    }
    return some.map((each) => known.get(each)!);
  }

  of(answer: number): number[] {
    return this.known.flatMap((known) => known.get(answer) ?? []);
  }
}

/** The best of some answers by a race in some worlds; if several, the one given or the first. Yields as `judge` does. */
function* choose(table: Values, worlds: number[], answers: number[], given: number): Generator<void, number> {
  let left = answers;
  const rows: Map<number, number>[] = [];
  let best = given;
  for (const world of worlds) {
    const asked = left.includes(given) ? left : [...left, given];
    const found = table.row(world, asked);
    rows.push(new Map(asked.map((each, place) => [each, found[place]!])));
    yield;
    const count = rows.length;
    if (!LOOKS.has(count) && count < worlds.length) continue;
    const sums = new Map(left.map((each) => [each, sum(rows.map((row) => row.get(each)!))]));
    const highest = Math.max(...sums.values());
    best = sums.get(given) === highest ? given : left.find((each) => sums.get(each) === highest)!;
    if (count < worlds.length)
      left = left.filter(
        (each) =>
          each === best ||
          (atMost(rows, each, best) >= 0 && (each === given || atMost(rows, each, given) > SLIGHT * count)),
      );
    if (left.length === 1) break;
  }
  return best;
}

/** The most that one answer may be worth more than another, over all rows together. */
function atMost(rows: Map<number, number>[], one: number, other: number): number {
  const gains = rows.map((row) => row.get(one)! - row.get(other)!);
  const total = sum(gains);
  const squares = gains.length * sum(gains.map((gain) => gain * gain)) - total * total;
  return total + CLEAR * Math.sqrt(squares / gains.length + AT_LEAST);
}

/** The mean gain of each part's choice in that part, and its standard error. */
function measured(table: Values, chosen: number[], given: number): { loss: number; error: number } {
  const count = table.sample.length;
  let [loss, error] = [0, 0];
  for (const best of inOrder(chosen).filter((each) => each !== given)) {
    const gains = [...table.sample.keys()].map((world) => {
      const [one, other] = table.row(world, [best, given]);
      return one! - other!;
    });
    const own = gains.filter((_, world) => chosen[world % PARTS] === best);
    loss += sum(own) / count;
    error += (deviation(gains) * Math.sqrt(own.length)) / count;
  }
  return { loss, error };
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
  // An offer is worth no more than the best card.
  const found = solver.each(asked, world, answers.includes("offer") ? [] : sets.map((set) => set!));
  const highest = Math.max(...found.values());
  return answers.map((answer, at) =>
    answer === "offer" ? Math.min(outcomes!.accepted[seat]!, highest) : found.get(sets[at]!)!,
  );
}

/** The places of the answers with the highest sums, in order, and of the one given. */
function promising(rows: number[][], given: number): number[] {
  const sums = rows[0]!.map((_, answer) => sum(rows.map((row) => row[answer]!)));
  const most = [...sums.keys()].sort((one, other) => sums[other]! - sums[one]!).slice(0, SHORTLIST);
  return inOrder([...most, given]);
}

/** The answer with the highest sum; the one given, or else the first, of several. */
function bestOf(table: Values, shortlist: number[], given: number): number {
  const sums = shortlist.map((each) => sum(table.of(each)));
  const highest = Math.max(...sums);
  return sums[shortlist.indexOf(given)] === highest ? given : shortlist[sums.indexOf(highest)]!;
}

function inOrder(places: number[]): number[] {
  return [...new Set(places)].sort((one, other) => one - other);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: number[]): number {
  return sum(values) / values.length;
}

/** The standard deviation of what a sample is drawn from. */
function deviation(values: number[]): number {
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}
