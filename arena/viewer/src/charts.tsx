// The match in pictures: seconds for each move, stakes over the deals, a reviewed deal's course; by seat.

import { useMemo } from "preact/hooks";
import { Chart, type Point } from "./chart";
import { say } from "./language";
import type { Match } from "./match";
import { type Place, last } from "./place";
import type { View } from "./sight";
import { type ReviewedDeal, shownVerdicts } from "./reviews";
import { mean, signed, size } from "./words";

/** The clock of the log counts microseconds. */
const LEAST_SECONDS = 1e-6;

/** Means of stakes are drawn in tenths, so that the axis has whole numbers. */
const PARTS = 10;

interface Props extends View {
  go: (to: Place) => void;
}

/** The seconds of the moves of one deal, by their decades. */
export function Times({ match, at, sight, go }: Props) {
  const data = match.bots.map((_, seat) =>
    sight.moments().flatMap((moment, index): Point[] =>
      moment.seat === seat && sight.opens(seat) ? [[index + 1, Math.log10(Math.max(moment.seconds, LEAST_SECONDS))]] : [],
    ),
  );
  const most = sight.come(at.deal);
  return (
    <Chart
      title={sight.seat === null ? say("seconds-of-deal") : say("seconds-of-seat", { seat: String(sight.seat) })}
      match={match}
      data={data}
      most={most}
      dots
      label={decade}
      here={at.ply}
      pick={(ply) => go({ ...at, ply: Math.max(0, Math.min(ply, most)) })}
    />
  );
}

/** The stakes after each deal; before the first everybody has none. */
export function Stakes({ match, at, sight, go }: Props) {
  const data = useMemo(() => stakesOf(match), [match]);
  return (
    <Chart
      title={say("stakes-over-deals")}
      match={match}
      data={data}
      most={match.deals.filter((_, deal) => sight.settled(deal)).length}
      label={signed}
      here={at.deal + (sight.over ? 1 : 0)}
      pick={(number) => {
        const deal = match.deals[number - 1];
        if (deal) go({ ...at, deal: number - 1, ply: last(deal) });
      }}
    />
  );
}

/** What each seat could expect after its answers, with a stroke up to the best of them; and what it lost. */
export function Course({ match, deal, at, sight, reviewed, go }: Props & { reviewed: ReviewedDeal }) {
  const shown = shownVerdicts(reviewed, deal, sight);
  const most = sight.moments().length;
  const pick = (ply: number) => go({ ...at, ply: Math.max(0, Math.min(ply, most)) });
  const digits = (y: number) => (y % PARTS ? 1 : 0);
  const bySeat = (y: (index: number) => number) =>
    match.bots.map((_, seat) => shown.flatMap((each, index): Point[] => (each.seat === seat ? [[each.ply, PARTS * y(index)]] : [])));
  const worth = (index: number, answer: string) => shown[index]!.verdict.answers.find(([each]) => each === answer)![1];
  const lost = bySeat((index) =>
    shown.slice(0, index + 1).reduce((sum, each) => sum + (each.seat === shown[index]!.seat ? each.verdict.loss : 0), 0),
  );
  return (
    <>
      <Chart
        title={say("expected-stakes")}
        match={match}
        data={bySeat((index) => worth(index, shown[index]!.verdict.given))}
        strokes={bySeat((index) => worth(index, shown[index]!.verdict.best))}
        most={most}
        label={(y) => mean(y / PARTS, digits(y))}
        here={at.ply}
        pick={pick}
      />
      <Chart
        title={say("stakes-lost")}
        match={match}
        data={lost}
        strokes={lost}
        most={most}
        label={(y) => size(y / PARTS, digits(y))}
        here={at.ply}
        pick={pick}
      />
    </>
  );
}

/** A power of ten as a time. */
function decade(power: number): string {
  if (power >= 0) return `${10 ** power} s`;
  return power >= -3 ? `${10 ** (power + 3)} ms` : `${10 ** (power + 6)} µs`;
}

function stakesOf(match: Match): Point[][] {
  return match.bots.map((_, seat) => {
    let total = 0;
    return [[0, 0], ...match.deals.map(({ result }, deal): Point => [deal + 1, (total += result.payments[seat]!)])];
  });
}
