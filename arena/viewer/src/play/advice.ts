// What the server tells of a deal that is over: reviews of the reader's answers, and what bots made of the same cards.

import type { Verdict } from "../reviews";
import type { Result } from "./lines";

/** A review of one answer, with what was asked. */
export interface Judged extends Verdict {
  kind: string;
  trick: number | null;
  /** Why the best answer is good. */
  why?: Reason[];
}

/** Why a hint is good: a message, with its values. */
export interface Reason {
  message: string;
  values: Record<string, string | number>;
}

/** What the bot of a level made of a deal in the reader's seat. */
export interface MadeByLevel {
  level: string;
  course: Pick<Result, "contract" | "declarer">;
  stakes: number;
}

/** How often a review is asked for, and how long is waited where the server does not say, and at most. */
const REVIEW_TRIES = 5;
const FALLBACK_WAIT_S = 5;
const MOST_WAIT_S = 60;

/** The reviews of a seat's deals, asked for one after the other. */
export class Reviews {
  /** How many requests have no answer yet. */
  private open = 0;
  private readonly found = new Map<number, Promise<Judged[] | null>>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    /** Whether the reader chose an answer; others were given for it. */
    private readonly chose: (each: Judged) => boolean,
    /** Called when nothing is asked for any more. */
    private readonly done: () => void,
  ) {}

  /** Whether something is asked for. */
  get asks(): boolean {
    return this.open > 0;
  }

  /** What was reviewed of a deal; null where nothing was. */
  of(deal: number): Promise<Judged[] | null> {
    const known = this.found.get(deal);
    if (known !== undefined) return known;
    this.open += 1;
    const found = this.queue.then(() => this.ask(deal));
    this.found.set(deal, found);
    this.queue = found.finally(() => {
      this.open -= 1;
      if (!this.asks) this.done();
    });
    return found;
  }

  /** Ask for a review, and again where the server has too much to do. */
  private async ask(deal: number): Promise<Judged[] | null> {
    for (let tries = 0; tries < REVIEW_TRIES; tries++) {
      try {
        const answer = await fetch(`review?deal=${deal}`);
        if (answer.ok) return ((await answer.json()).verdicts as Judged[] | null)?.filter(this.chose) ?? null;
        if (answer.status !== 429 && answer.status !== 503) break;
        const wait_s = Number(answer.headers.get("Retry-After")) || FALLBACK_WAIT_S;
        await new Promise((done) => setTimeout(done, 1000 * Math.min(wait_s, MOST_WAIT_S)));
      } catch {
        break;
      }
    }
    this.found.delete(deal);
    return null;
  }
}
