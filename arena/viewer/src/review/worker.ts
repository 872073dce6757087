// A deal reviewed beside the page, which stays at hand meanwhile: the worker's side and the page's.

import type { Deal, Match } from "../match";
import type { Outcomes, Review, Verdict } from "../reviews";
import { judge, worldsFor } from "./judge";
import { situationsOf } from "./situation";
import { Solver } from "./solver";

const REPORT_MS = 100;

interface Task {
  match: Match;
  deal: Deal;
  outcomes: Outcomes | null;
  key: string;
  worlds: number;
  solver: Uint8Array<ArrayBuffer>;
}

/** How much is done, 0 to 1; in the end the verdicts. */
type Report = { part: number } | { verdicts: Verdict[] };

export interface Listener {
  progress(part: number): void;
  done(verdicts: Verdict[]): void;
  failed(): void;
}

/** Review a deal in a worker, which runs the page's own script. Gives a way to stop it. */
export function reviewDeal(script: string, match: Match, index: number, review: Review, to: Listener): () => void {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address);
  const end = () => {
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  worker.onmessage = ({ data }: MessageEvent<Report>) => {
    if ("part" in data) return to.progress(data.part);
    end();
    to.done(data.verdicts);
  };
  worker.onerror = () => {
    end();
    to.failed();
  };
  const solver = Uint8Array.from(atob(review.solver), (sign) => sign.charCodeAt(0));
  const task: Task = {
    match: { ...match, deals: [] },
    deal: match.deals[index]!,
    outcomes: review.deals[index]!.outcomes,
    key: review.key,
    worlds: review.worlds,
    solver,
  };
  worker.postMessage(task);
  return end;
}

/** Be the worker: one task, reports on the way. */
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
