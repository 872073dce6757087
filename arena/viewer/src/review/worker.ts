// The worker that reviews a deal: one task, and reports on the way with each verdict as it is found.

import type { Deal, Match } from "../match";
import type { Outcomes, Verdict } from "../reviews";
import { judge, worldsFor } from "./judge";
import { situationsOf } from "./situation";
import { Solver } from "./solver";

const REPORT_MS = 100;

export interface Task {
  match: Match;
  deal: Deal;
  outcomes: Outcomes | null;
  key: string;
  worlds: number;
  /** The step of the moment that is looked at: its verdict comes first, then those after it. */
  first: number;
  solver: Uint8Array<ArrayBuffer>;
}

/** How much is done, 0 to 1, which ends at 1; or a verdict. */
export type Report = { part: number } | { verdict: Verdict };

/** Wait for the task. */
export function serve(): void {
  addEventListener("message", ({ data }: MessageEvent<Task>) => work(data), { once: true });
}

function work({ match, deal, outcomes, key, worlds, first, solver: wasm }: Task): void {
  const solver = new Solver(wasm, match.rules, outcomes);
  const moments = situationsOf(match, deal);
  const asked = [...moments.filter(({ step }) => step >= first), ...moments.filter(({ step }) => step < first)];
  const whole = asked.reduce((total, each) => total + worldsFor(each, worlds), 0);
  let before = 0;
  let told = performance.now();
  for (const each of asked) {
    const most = worldsFor(each, worlds);
    const judging = judge(solver, outcomes, each, `${key}\n${deal.deal}\n${each.step}`, worlds);
    let next = judging.next();
    for (let seen = 1; !next.done; seen++, next = judging.next())
      if (performance.now() > told + REPORT_MS) {
        report({ part: (before + Math.min(seen, most)) / (whole + 1) });
        told = performance.now();
      }
    before += most;
    report({ verdict: next.value });
  }
  report({ part: 1 });
}

function report(what: Report): void {
  postMessage(what);
}
