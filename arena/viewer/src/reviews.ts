// What the answers of reviewed deals were worth, as `arena/reports/page_review.py` writes it.

import type { Deal, Match, Seat } from "./match";
import { type Place, distance } from "./place";
import type { Sight } from "./sight";

/**
 * An answer and the stakes it was worth to its seat: on average over the worlds, and with open hands; and in which share of the
 * worlds it was worth more than nothing.
 */
export type Valued = [answer: string, known: number, open: number, won: number];

/** A `Verdict` of `arena/review/verdict.py`. */
export interface Verdict {
  step: number;
  answers: Valued[];
  given: string;
  best: string;
  loss: number;
  error: number;
  open_loss: number;
  worlds: number;
  exact: boolean;
}

export interface ReviewedDeal {
  /** What the contract may pay, by seat for each outcome; null where nobody declared one. */
  paid: number[][] | null;
  /** By the moments' order; null where the deal has not been reviewed. */
  verdicts: Verdict[] | null;
}

export interface Review {
  /** What reviews the match in a terminal; empty where nothing more is to be reviewed. */
  command: string;
  deals: ReviewedDeal[];
  /** The bots whose answers alone were reviewed; empty where all were. */
  only: string[];
}

/** The verdict on the last of this many moments of a deal; null where it was no decision, or is not reviewed. */
export function verdictAt({ verdicts }: ReviewedDeal, ply: number): Verdict | null {
  return verdicts?.find(({ step }) => step === ply - 1) ?? null;
}

/** A clear mistake loses this many stakes at least, and more than two standard errors. */
export const CLEAR = 0.5;

/** Whether an answer was a clear mistake by what its seat knew, as `arena/review/mistakes.py` defines it. */
export function isMistake({ loss, error }: Verdict): boolean {
  return loss >= CLEAR && loss > 2 * error;
}

/**
 * The clear mistakes among the verdicts of a deal, in order. Whether to concede is one decision of a seat, however
 * often it was asked: `concedes` names the seat of a verdict on that, null for any other.
 */
export function clearMistakes<Judged extends Verdict>(verdicts: Judged[], concedes: (of: Judged) => Seat | null): Judged[] {
  const seen = new Set<Seat>();
  return verdicts.filter(isMistake).filter((each) => {
    const seat = concedes(each);
    const again = seat !== null && seen.has(seat);
    if (seat !== null) seen.add(seat);
    return !again;
  });
}

/** The clear mistakes in a deal of a match, as far as it is reviewed. */
export function mistakesIn({ verdicts }: ReviewedDeal, deal: Deal): Verdict[] {
  return clearMistakes(verdicts ?? [], ({ step }) => {
    const { ask, seat } = deal.moments[step]!;
    return ask === "surrender" ? seat : null;
  });
}

/** The verdicts of a deal that may be shown, with the seat and the ply of each. */
export function shownVerdicts(reviewed: ReviewedDeal, deal: Deal, sight: Sight): { seat: Seat; ply: number; verdict: Verdict }[] {
  const come = sight.moments().length;
  return (reviewed.verdicts ?? [])
    .map((verdict) => ({ seat: deal.moments[verdict.step]!.seat, ply: verdict.step + 1, verdict }))
    .filter(({ seat, ply }) => ply <= come && sight.judges(seat));
}

/**
 * The next mistake from a place, or the one before. A seat is led back only, and to its own: those
 * of others, and what is still to come, it does not know.
 */
export function nextMistake(match: Match, review: Review, at: Place, forward: boolean): Place | null {
  if (forward && at.seat !== null) return null;
  const found = review.deals.flatMap((reviewed, deal) =>
    mistakesIn(reviewed, match.deals[deal]!)
      .filter(({ step }) => at.seat === null || match.deals[deal]!.moments[step]!.seat === at.seat)
      .map(({ step }): Place => ({ ...at, deal, ply: step + 1 })),
  );
  const ahead = found.find((mistake) => distance(at, mistake) > 0);
  return (forward ? ahead : found.findLast((mistake) => distance(at, mistake) < 0)) ?? null;
}
