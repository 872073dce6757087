// The worker that reviews a deal: one task, reports on the way, and the verdicts.

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
  solver: Uint8Array<ArrayBuffer>;
}

/** How much is done, 0 to 1; in the end the verdicts. */
export type Report = { part: number } | { verdicts: Verdict[] };

/** Wait for the task. */
export function serve(): void {
  addEventListener("message", ({ data }: MessageEvent<Task>) => work(data), { once: true });
}

function work({ match, deal, outcomes, key, worlds, solver: wasm }: Task): void {
  const solver = new Solver(wasm, match.rules, outcomes);
  const asked = situationsOf(match, deal);
  const all = asked.reduce((total, each) => total + worldsFor(each, worlds), 0);
  let before = 0;
  let told = performance.now();
  const verdicts = asked.map((each) => {
    const judging = judge(solver, outcomes, each, `${key}\n${deal.deal}\n${each.step}`, worlds);
    let next = judging.next();
    for (let seen = before + 1; !next.done; seen++, next = judging.next())
      if (performance.now() > told + REPORT_MS) {
        report({ part: seen / all });
        told = performance.now();
      }
    before += worldsFor(each, worlds);
    return next.value;
  });
  report({ verdicts });
}

function report(what: Report): void {
  postMessage(what);
}
