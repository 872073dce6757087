// The guided first deals: a session whose server is in the page. It sends lines that were recorded, one after each right
// answer, and waits wherever the coach speaks.

import { say } from "../language";
import { forget } from "./kept";
import lessons from "./lessons.json";
import type { Choice, Line } from "./lines";
import { type About, Session } from "./session";
import type { Table } from "./state";

/** What the coach says once a deal has this many events, or at its end. */
export interface Beat {
  at: number | null;
  message: string;
  /** Cards and parts of the table that it points at. */
  points: string[];
  /** Whether all trumps are shown in their order. */
  trumps?: boolean;
  /** The points of the reader's side. */
  count: number;
  /** What the reader is to answer, and what is said of other answers: of each by its name, else by the empty one. */
  answer?: Choice;
  instead?: Record<string, string>;
}

const { hello, deals } = lessons as unknown as { hello: Line; deals: { lines: Line[]; coach: Beat[] }[] };
const LINES = [hello, ...deals.flatMap(({ lines }) => lines)];

const KEPT = "zole:learnt";

/** Whether this page is the lesson: below a seat's address, or a site's own. */
export const LEARNS = location.pathname.endsWith("/learn");

export class Lesson extends Session {
  override about: About | null = { players: ["", say("anna"), say("juris")] };
  private readonly passed = new Set<Beat>();
  private sent = 0;

  /** Send what was shown before the page was loaded again, or the first lines. */
  override connect() {
    do this.tell();
    while (this.sent < this.paced.seen);
  }

  /** Send the next line, and the one after it where it is not answered. */
  private tell() {
    const line = LINES[this.sent]!;
    this.sent += 1;
    this.take(this.sent, line);
    if ((line.type === "hello" || line.type === "deal_end") && this.sent < LINES.length) this.tell();
  }

  protected override async post(what: string) {
    if (what === "answer") this.tell();
    return { status: 204, body: null };
  }

  override get looksBack(): boolean {
    return false;
  }

  /** What the coach says now. */
  get beat(): Beat | null {
    const { table, question, paced, gone } = this;
    if (gone || paced.moving) return null;
    if (question === null) return this.remark(table);
    const asked = { bid: "bid", discard: "cards", play: "card" }[question.type as string]!;
    return this.beats(table).find(({ answer }) => answer && asked in answer) ?? null;
  }

  /** Which of the lesson's deals is played, from 0. */
  private get deal(): number {
    return this.table.dealt?.deal ?? 0;
  }

  /**
   * What the table does not show yet: who deals in the first deal, points and the sheet until the coach first points at
   * them, stakes and Zole until the reader's own bid.
   */
  get untold(): string[] {
    const number = deals.findIndex(({ coach }) => coach.some(atScore));
    const first = deals[number]!.coach.find(atScore)!;
    const here = this.passed.has(first) || this.beat === first || first.at! < this.table.told.length;
    const told = this.deal > number || (this.deal === number && here);
    const untold = { dealer: this.deal === 0, score: !told, stakes: this.deal < deals.length - 1 };
    return Object.keys(untold).filter((each) => untold[each as keyof typeof untold]);
  }

  /** The coach has nothing more to say before the deal's end. */
  override get hurries(): boolean {
    const told = this.table.told.length;
    return deals[this.deal]!.coach.every(({ at }) => at === null || at < told);
  }

  override get onwards() {
    return "go-on" as const;
  }

  /** Whether the coach remarks on what lies there, which asks for no answer. */
  get remarks(): boolean {
    return this.beat !== null && !this.beat.answer;
  }

  /** What the coach has to remark before the deal goes on. */
  private remark(table: Table): Beat | null {
    return (table.hand && this.beats(table).find(({ answer }) => !answer)) ?? null;
  }

  private beats({ dealt, result, told }: Table): Beat[] {
    const at = result ? null : told.length;
    return dealt ? deals[dealt.deal]!.coach.filter((beat) => beat.at === at && !this.passed.has(beat)) : [];
  }

  protected override pauses(table: Table): boolean {
    return table.question === null && table.result === null && this.remark(table) !== null;
  }

  override next() {
    if (this.beat) this.passed.add(this.beat);
    if (this.table.result && this.beat) this.now({});
    else if (this.table.result && this.sent === LINES.length && !this.paced.waiting) this.finish();
    else super.next();
  }

  /** Why another answer is better; empty for the best one. */
  override objection(choice: Choice): string {
    const { answer, instead } = this.beat ?? {};
    if (!answer || word(answer) === word(choice)) return "";
    return spoken(instead![word(choice)] ?? instead![""]!, this.beat!);
  }

  /** Where the site that shows it opens tables; null at a table's own address. */
  readonly tables = document.querySelector<HTMLMetaElement>("meta[name=tables]")?.content ?? null;

  /** The address at which one plays after this. */
  get play(): string {
    return this.tables === null ? "./" : "/play?level=beginner";
  }

  override get rules(): string {
    return "/zole";
  }

  /** Leave the lesson for a table. */
  skip() {
    this.finish();
    location.assign(this.play);
  }

  /** The lesson is over, and is not offered again. */
  private finish() {
    this.now({ gone: true });
    forget(location.pathname);
    try {
      localStorage.setItem(KEPT, "yes");
    } catch {
      // Without a store it is offered again.
    }
  }
}

function atScore({ points }: Beat): boolean {
  return points.includes("score");
}

/** The part of an answer that is chosen, whatever the order of its cards. */
function word(choice: Choice): string {
  return Object.values(choice).flat().toSorted().join(".");
}

/** A message of the coach. */
export function spoken(message: string, { count }: Beat): string {
  return (say as (id: string, given: object) => string)(message, { count });
}
