// A deal given to a worker to be reviewed, so that the page stays at hand meanwhile.

import type { Match } from "../match";
import type { Review, Verdict } from "../reviews";
import type { Report, Task } from "./worker";

export interface Listener {
  /** How much is done, 0 to 1. */
  progress(part: number): void;
  done(verdicts: Verdict[]): void;
  /** The browser has no workers, or does not let them compute. */
  failed(): void;
}

/** Review a deal in a worker that runs a script, the page's own. Gives a way to stop it. */
export function reviewDeal(script: string, match: Match, index: number, review: Review, to: Listener): () => void {
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
    if ("part" in data) return to.progress(data.part);
    end();
    to.done(data.verdicts);
  };
  const task: Task = {
    match: { ...match, deals: [] },
    deal: match.deals[index]!,
    outcomes: review.deals[index]!.outcomes,
    key: review.key,
    worlds: review.worlds,
    solver: Uint8Array.from(atob(review.solver), (sign) => sign.charCodeAt(0)),
  };
  worker.postMessage(task);
  return end;
}
