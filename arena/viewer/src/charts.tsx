// The match in two pictures: seconds for each move, and stakes over the deals, by seat.

import { useMemo } from "preact/hooks";
import { Chart, type Point } from "./chart";
import type { Match } from "./match";
import { type Place, last } from "./place";
import type { Sight } from "./sight";
import { signed } from "./words";

/** The clock of the log counts microseconds. */
const LEAST_SECONDS = 1e-6;

interface Props {
  match: Match;
  at: Place;
  sight: Sight;
  go: (to: Place) => void;
}

/** Moments are numbered through the match from 1; seconds by their decades. */
export function Times({ match, at, sight, go }: Props) {
  const { before, data } = useMemo(() => timesOf(match), [match]);
  const own = data.map((points, seat) => (sight.opens(seat) ? points : []));
  const come = match.deals.reduce((moments, _, deal) => moments + sight.come(deal), 0);
  const pick = (number: number) => {
    const deal = before.findLastIndex((moments) => moments < number);
    if (deal >= 0) go({ ...at, deal, ply: number - before[deal]! });
  };
  return (
    <Chart
      title={sight.seat === null ? "Seconds for each move" : `Seconds for each move of seat ${sight.seat}`}
      match={match}
      data={own}
      most={come}
      dots
      label={decade}
      here={before[at.deal]! + at.ply}
      pick={pick}
    />
  );
}

/** The stakes after each deal; before the first everybody has none. */
export function Stakes({ match, at, sight, go }: Props) {
  const data = useMemo(() => stakesOf(match), [match]);
  return (
    <Chart
      title="Stakes over the deals"
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

/** A power of ten as a time. */
function decade(power: number): string {
  if (power >= 0) return `${10 ** power} s`;
  return power >= -3 ? `${10 ** (power + 3)} ms` : `${10 ** (power + 6)} µs`;
}

function timesOf(match: Match): { before: number[]; data: Point[][] } {
  const before: number[] = [];
  const data: Point[][] = match.bots.map(() => []);
  let number = 0;
  for (const { moments } of match.deals) {
    before.push(number);
    for (const { seat, seconds } of moments)
      data[seat]!.push([++number, Math.log10(Math.max(seconds, LEAST_SECONDS))]);
  }
  return { before, data };
}

function stakesOf(match: Match): Point[][] {
  return match.bots.map((_, seat) => {
    let total = 0;
    return [[0, 0], ...match.deals.map(({ result }, deal): Point => [deal + 1, (total += result.payments[seat]!)])];
  });
}
