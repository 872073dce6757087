// What the declarer of a reviewed deal could expect, below the table: the course of the deal at a glance.

import { say } from "./language";
import type { Deal } from "./match";
import { last } from "./place";
import { type ReviewedDeal, isMistake } from "./reviews";
import type { View } from "./sight";
import { mean, nameOf } from "./words";

interface Props extends View {
  reviewed: ReviewedDeal;
  /** How many moments the slider below is long. */
  most: number;
}

/** With open hands, so for those alone who may see them. */
export function Evaluation({ match, deal, at, sight, reviewed, most }: Props) {
  const course = sight.judgesOpen ? courseOf(deal, reviewed).filter(({ ply }) => ply <= sight.come(at.deal)) : [];
  if (course.length === 0) return null;
  const declarer = deal.result.declarer!;
  const highest = course.reduce((high, { stakes }) => Math.max(high, Math.abs(stakes)), 1);
  const now = course.findLast(({ ply }) => ply <= at.ply);
  const right = (ply: number) => (100 * ply) / Math.max(1, most);
  const up = (stakes: number) => 50 - (46 * stakes) / highest;
  const end = Math.min(sight.come(at.deal), last(deal));
  const steps = course.map(({ ply, stakes }) => `H${right(ply)}V${up(stakes)}`).join("");
  const begin = right(course[0]!.ply);
  const words = now === undefined ? "" : say("could-expect", { name: nameOf(match, declarer), amount: mean(now.stakes, 1) });
  return (
    <div class="evaluation" role="img" aria-label={words || say("course-of-deal")} title={words}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class={`seat-${declarer}`} d={`M${begin} 50${steps}H${right(end)}V50Z`} />
        <path class="zero" d="M0 50H100" />
      </svg>
      {course.map(({ ply, stakes, mistake }) => mistake && <i style={{ left: `${right(ply)}%`, top: `${up(stakes)}%` }} />)}
      <b style={{ left: `${right(at.ply)}%` }}>{now !== undefined && mean(now.stakes, 1)}</b>
    </div>
  );
}

interface Point {
  ply: number;
  /** Of the declarer. */
  stakes: number;
  /** Whether the answer was a clear mistake. */
  mistake: boolean;
}

/** The worth of the deal for its declarer after each reviewed answer to the contract. */
function courseOf({ moments, result }: Deal, { paid, verdicts }: ReviewedDeal): Point[] {
  const { declarer } = result;
  if (declarer === null || paid === null || verdicts === null) return [];
  const begun = moments.findIndex(({ events }) => events.some(({ event }) => event === "contract"));
  return verdicts.flatMap((verdict): Point[] => {
    const { step, given } = verdict;
    const share = shareOf(paid, declarer, moments[step]!.seat);
    if (step <= begun || share === null) return [];
    const [, , open] = verdict.answers.find(([answer]) => answer === given)!;
    return [{ ply: step + 1, stakes: share * open, mistake: isMistake(verdict) }];
  });
}

/** How many stakes the declarer has for each of a seat's; null where that differs from outcome to outcome. */
function shareOf(paid: number[][], declarer: number, seat: number): number | null {
  const shares = paid.filter((stakes) => stakes[seat] !== 0).map((stakes) => stakes[declarer]! / stakes[seat]!);
  return shares.length > 0 && shares.every((share) => share === shares[0]) ? shares[0]! : null;
}
