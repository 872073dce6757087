// A deal given to a worker to be reviewed, so that the page stays at hand meanwhile.

import type { Match } from "../match";
import type { Place } from "../place";
import type { Review, Verdict } from "../reviews";
import type { Report, Task } from "./worker";

export interface Listener {
  /** How much is done, 0 to 1. */
  progress(part: number): void;
  found(verdict: Verdict): void;
  done(): void;
  /** The browser has no workers, or does not let them compute. */
  failed(): void;
}

/** Review a deal, from a place in it on, in a worker that runs a script, the page's own. Gives a way to stop it. */
export function reviewDeal(script: string, match: Match, at: Place, review: Review, to: Listener): () => void {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  let worker: Worker | null = null;
  const end = () => {
    worker?.terminate();
    URL.revokeObjectURL(address);
  };
  const failed = () => {
    end();
    to.failed();
  };
  try {
    worker = new Worker(address);
  } catch {
    failed();
    return end;
  }
  worker.onerror = failed;
  worker.onmessage = ({ data }: MessageEvent<Report>) => {
    if ("verdict" in data) return to.found(data.verdict);
    if (data.part < 1) return to.progress(data.part);
    end();
    to.done();
  };
  const task: Task = {
    match: { ...match, deals: [] },
    deal: match.deals[at.deal]!,
    outcomes: review.deals[at.deal]!.outcomes,
    key: review.key,
    worlds: review.worlds,
    first: at.ply - 1,
    solver: Uint8Array.from(atob(review.solver), (sign) => sign.charCodeAt(0)),
  };
  worker.postMessage(task);
  return end;
}
