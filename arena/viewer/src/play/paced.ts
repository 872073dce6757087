// Lines shown step by step: what others did one thing after the other, a taken trick and a deal's end on hold.

import type { Pace } from "../settings";
import type { AnyEvent, CardName, Line } from "./lines";
import { EMPTY, type Step, type Table, after, answeredBy, stepsOf } from "./state";

/** How long watchers look at a deal's end, where steps are looked at at all. */
const RESULT_MS = 6000;
/** How long cards are dealt before anybody is shown to bid. */
const DEALING_MS = 1200;
/** A watcher is no more than this many steps behind. */
const BEHIND = 12;

interface Due {
  step: Step;
  /** The line that it is of; infinite for what a line will tell of again. */
  line: number;
  last: boolean;
  /** Whether the reader has seen it already. */
  known: boolean;
}

export class Paced {
  table: Table = EMPTY;
  /** The last line that is shown to its end, and the last deal's end that the reader has left. */
  shown = 0;
  left = 0;
  private due: Due[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The table before what others did since the last line, and how many events of that have come and have been shown. */
  private since: { table: Table | null; come: number; shown: number } = { table: null, come: 0, shown: 0 };

  /** Lines to `seen` were shown before the page was loaded: they are not shown one by one again. */
  constructor(
    public seen: number,
    left: number,
    private readonly pace: () => Pace,
    private readonly pauses: (table: Table) => boolean,
    private readonly changed: () => void,
  ) {
    this.left = left;
  }

  /** A page that comes late shows the present: the first `lines` lines are past. */
  pass(lines: number) {
    if (this.seen === 0) this.seen = this.left = lines;
  }

  /** Whether there is more to show. */
  get moving(): boolean {
    return this.timer !== undefined;
  }

  /** Whether what follows a deal's end has come, and waits. */
  get waiting(): boolean {
    return this.table.result !== null && this.due.length > 0;
  }

  /** Take what others did since the last line, as far as it has not come before; `aside` are the cards that the reader has laid aside. */
  foresee(events: AnyEvent[], hand: CardName[] | null, aside: CardName[]) {
    const steps = answeredBy(events, hand, aside).slice(this.since.come === 0 ? 0 : this.since.come + 1);
    if (events.length === this.since.come) return;
    this.since.come = events.length;
    this.due.push(...steps.map((step) => ({ step, line: Infinity, last: false, known: false })));
    if (!this.moving) this.go();
  }

  /** Take a line. What was foreseen of its events is not shown again. */
  take(number: number, line: Line) {
    const steps = stepsOf(line);
    const known = this.since.shown;
    let events = 0;
    this.due = this.due.filter(({ line }) => line !== Infinity);
    this.table = this.since.table ?? this.table;
    this.since = { table: null, come: 0, shown: 0 };
    this.hurryTo(this.due.findLastIndex(({ step }) => step.kind === "asked") + 1);
    for (const [place, step] of steps.entries()) {
      if (step.kind === "event") events += 1;
      this.due.push({ step, line: number, last: place === steps.length - 1, known: events <= known });
    }
    if (this.watched) this.hurryTo(this.due.length - BEHIND);
    if (!this.moving || known > 0) this.go();
  }

  /** Whether this is a watcher's, whom nobody waits for. */
  private get watched(): boolean {
    return this.table.hello !== null && this.table.hello.limits === undefined;
  }

  /** Show at once what is to be shown one by one. */
  hurry() {
    if (!this.moving) return;
    this.go(true);
  }

  /** Leave the deal that is over, or what was paused at. */
  next() {
    this.left = this.shown;
    this.go();
  }

  /** A question that somebody has answered meanwhile: all that came before it is past. */
  private hurryTo(count: number) {
    for (let done = 0; done < count; done++) this.show();
  }

  private go(hurry = false) {
    clearTimeout(this.timer);
    this.timer = undefined;
    let wait = 0;
    while (this.due.length > 0 && wait === 0 && !this.held) {
      const { step, line, known } = this.show();
      wait = hurry || known || line <= this.seen || this.pauses(this.table) ? 0 : this.wait(step);
    }
    if (wait > 0) this.timer = setTimeout(() => this.go(), wait);
    this.changed();
  }

  /** Whether a deal's end is looked at, or something else, and what follows has to wait. */
  private get held(): boolean {
    const { line } = this.due[0]!;
    if (line > this.seen && this.pauses(this.table)) return true;
    return !this.watched && this.table.result !== null && this.left < this.shown && line > this.seen;
  }

  private show(): Due {
    const due = this.due.shift()!;
    if (due.line === Infinity) {
      this.since.table ??= this.table;
      if (due.step.kind === "event") this.since.shown += 1;
    }
    this.table = after(this.table, due.step);
    if (due.last) this.shown = due.line;
    return due;
  }

  /** How long a step is looked at before the next one. */
  private wait(step: Step): number {
    const next = this.due[0]?.step;
    if (step.kind === "ended") return this.watched && this.pace().step_ms > 0 ? RESULT_MS : 0;
    if (this.table.told.at(-1)?.event === "deal" && next?.kind !== "answered" && next?.kind !== "asked") return this.pace().step_ms > 0 ? DEALING_MS : 0;
    if (step.kind !== "event" || (next?.kind !== "event" && next?.kind !== "ended")) return 0;
    const { event } = step;
    if (event.event === "trick") return this.pace().trick_ms;
    const own = "seat" in event && event.seat === this.table.dealt?.seat;
    if (own || (next.kind === "event" && next.event.event === "trick")) return 0;
    return this.pace().step_ms;
  }
}
