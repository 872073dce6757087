// One seat's page and its server: numbered lines down, answers up, and what a reload has to remember.

import { say } from "../language";
import type { Pace } from "../settings";
import { capital } from "../words";
import { type MadeByLevel, type Reason, Reviews } from "./advice";
import { isRetraced } from "./aftermath";
import { type Kept, keep, kept, listMatch } from "./kept";
import type { AnyEvent, CardName, Choice, Line, Reply, Request } from "./lines";
import { Paced } from "./paced";
import { type Table, own, withAnswer } from "./state";

/** What the reader made of the deal of a day, and what the others that played it did. */
export interface DayResult {
  day: string;
  stakes: number;
  /** Card points of the reader's side, 0 in a table game: they decide on equal stakes. */
  points: number;
  others: number;
  less: number;
  same: number;
}

/** What is known of a table in addition to its lines. */
export interface About {
  /** What the bots are called, by seat. */
  players: string[];
  /** Whether the server gives hints and reviews. */
  advises?: boolean;
  /** Of a guest's table alone: the site's title; where others watch it, and see it again; at its end, the log. */
  site?: string;
  watch?: string;
  log?: string;
  /** Whether the reader watches it. */
  watching?: boolean;
  /** Whether the deal of a day is played here; and at its end, what came of it. */
  of_day?: boolean;
  day?: DayResult | null;
  /** Whether one deal is played again here; and the address of the reader's match that waits meanwhile, empty where none does. */
  retried?: boolean;
  waits?: string;
  /** The reader's seat, how many people and deals the match has, and the friends who have not come yet, each with the address of a seat. */
  seat?: number;
  people?: number;
  deals?: number;
  /** Where a friend sits at the guest's next table; empty before there is one. */
  again?: string;
  invited?: { name: string; address: string }[];
  /** The level of each bot, empty for those of other authors. */
  levels?: string[];
}

/** What happened at a table of several people since the reader was told, and whose turn it is, if a person's. */
interface Ahead {
  events: AnyEvent[];
  turn: number | null;
  /** The reader's cards where the events begin a deal, and it may see them. */
  hand: CardName[] | null;
  away: number[];
  stood_in: boolean;
}

const RETRY_MS = 2000;

/** After the last line is shown and the last review is there: the page may ask for more at once. */
const PARTING_MS = 500;

export class Session {
  /** Whether there is a connection, whether this tab may answer, and whether the match is over. */
  connected = false;
  leads = true;
  over = false;
  /** Whether the reader has left. */
  gone = false;
  /** The answer on its way, until a line comes that knows of it. */
  answer: Reply | null;
  /** The person who is waited for; null where that is nobody, or the reader. */
  turn: number | null = null;
  /** The seats of people who are away, in which a bot plays. */
  away: number[] = [];
  /** Whether a bot gave the reader's last answer. */
  stoodIn = false;
  /** What went wrong, in plain words. */
  trouble = "";
  /** Null until it is known. */
  about: About | null = null;
  hint: { id: number; words: string; answer: Reply | null; why?: Reason[] } | null = null;
  /** When the clock of the open request runs out, by `performance.now()`; null without a clock. */
  deadline: number | null = null;
  readonly paced: Paced;
  readonly reviews = new Reviews(
    (each) => !isRetraced(this.way.slice(0, this.went), each),
    () => setTimeout(() => this.part(), PARTING_MS),
  );
  /** What the reader made of the deal that is played again here; null where that is not known. */
  readonly first: number | null;
  private last = 0;
  /** How many lines had come when the page began to follow them. */
  private past = 0;
  /** The last line when the answer was given. */
  private answered: number;
  private source: EventSource | undefined;
  /** The answers that are given for the reader, to get where it wants to go on, and how many of them were. */
  private way: Choice[];
  private went: number;

  constructor(
    pace: () => Pace,
    private readonly changed: () => void,
  ) {
    const { shown, left, answer, answered, first, way, went } = kept(location.pathname);
    this.answer = answer;
    this.answered = answered;
    this.first = first;
    this.way = way;
    this.went = went;
    this.paced = new Paced(shown, left, pace, (table) => this.pauses(table), () => this.showed());
  }

  get table(): Table {
    const table = { ...this.paced.table, called: this.about?.players ?? [], away: this.away };
    return this.answer !== null && table.question?.id === this.answer.id && !table.refusal
      ? withAnswer(table, this.answer)
      : table;
  }

  /** Whether nothing comes any more, and all that came has been shown. */
  get finished(): boolean {
    return this.over ? !this.paced.moving && !this.paced.waiting : this.table.bye !== null;
  }

  /** Whether this is a guest's table, which ends with the guest. */
  get guest(): boolean {
    return this.about?.site !== undefined;
  }

  /** Whether one deal is played again here, by a reader who has seen all its hands. */
  get retried(): boolean {
    return this.about?.retried === true;
  }

  /** The address of the reader's match that waits; empty where none does. */
  get back(): string {
    return this.about?.waits ?? "";
  }

  /** Whether this is the seat of a guest's friend, in which a bot plays on. */
  get isFriend(): boolean {
    return (this.about?.seat ?? 0) > 0;
  }

  /** Whether the reader watches, and has no seat. */
  get watching(): boolean {
    return this.about?.watching === true;
  }

  /** The address of the site's first page. */
  get home(): string {
    return this.watching ? "../../../" : "../../";
  }

  /** Whether hints and reviews may be asked for. */
  get advises(): boolean {
    return this.about?.advises !== false;
  }

  /** Whether a deal that is over can be looked at again. */
  get looksBack(): boolean {
    return true;
  }

  /** The request that this tab may answer now. */
  get asked(): Request | null {
    const now = this.leads && !this.over && !this.gone && this.last >= this.past;
    return now ? this.table.question : null;
  }

  /** The request that the reader is asked; whether to concede a button says, without a question. */
  get question(): Request | null {
    return this.asked?.type === "surrender" ? null : this.asked;
  }

  /** Whether what follows has to wait until the reader wants to go on. */
  protected pauses(_: Table): boolean {
    return false;
  }

  /** What stands on the button that leads on. */
  get onwards(): "go-on" | "next-deal" | "to-the-end" {
    return this.over ? "to-the-end" : "next-deal";
  }

  /** Go on where the reader was waited for. */
  next() {
    this.paced.next();
  }

  /** Follow the seat's lines from the last one that was read. */
  connect() {
    const source = new EventSource(`lines?after=${this.last}`);
    this.source = source;
    if (this.about === null) void this.learn();
    if (this.last === 0 && this.answer !== null) void this.send(this.answer, true); // a reload may have cut it off
    source.addEventListener("past", ({ data }) => this.follow(JSON.parse(data).lines));
    source.onopen = () => this.now({ connected: true, trouble: "" });
    source.onmessage = ({ data, lastEventId }) => this.take(Number(lastEventId), JSON.parse(data));
    source.addEventListener("clock", ({ data }) => this.clock(JSON.parse(data)));
    source.addEventListener("ahead", ({ data }) => {
      const { events, turn, hand, away, stood_in }: Ahead = JSON.parse(data);
      const { answer } = this;
      this.now({ turn, away, stoodIn: stood_in });
      this.paced.foresee(events, hand, answer && "cards" in answer ? answer.cards : []);
      if (this.about?.invited?.length) void this.learn(); // somebody has come
    });
    source.addEventListener("tabs", ({ data }) => this.now({ leads: JSON.parse(data).leads }));
    source.addEventListener("over", () => this.end());
    source.onerror = () => {
      if (this.over) return source.close();
      this.now({ connected: false, trouble: say("connection-lost") });
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.over || this.connect(), RETRY_MS);
    };
  }

  /** All questions in the first `lines` lines are answered, except the last one. */
  private follow(lines: number) {
    if (this.last === 0) this.paced.pass(lines);
    this.past = lines;
  }

  /** Make this tab the one that answers. */
  lead() {
    this.source?.close();
    this.connect();
  }

  /** Why a choice is not sent; empty where it is. */
  objection(_: Choice): string {
    return "";
  }

  async reply(choice: Choice) {
    const { asked } = this;
    if (asked === null) return;
    const answer = { type: asked.type, id: asked.id, ...choice };
    this.answered = this.last;
    this.now({ answer, trouble: "", hint: null });
    await this.send(answer, false);
  }

  /** Send an answer until it has arrived. */
  private async send(answer: Reply, again: boolean) {
    const { status, body } = await this.post("answer", answer);
    if (this.answer !== answer) return;
    if (status === 204 || (status === 409 && again)) return this.now({ trouble: "" });
    // At a table with friends it may have been the bot that stood in.
    if (status === 409) return this.now({ trouble: this.together ? "" : say("answered-already") });
    if (status !== 0) return this.now({ answer: null, trouble: words(body) });
    this.now({ trouble: say("answer-lost") });
    setTimeout(() => this.answer === answer && !this.over && this.send(answer, true), RETRY_MS);
  }

  async ask() {
    const { question } = this;
    if (question === null) return;
    this.now({ hint: { id: question.id, words: say("thinking"), answer: null } });
    const { status, body } = await this.advice(question.id);
    if (this.hint?.id !== question.id) return;
    const hint = status === 200 ? { words: "", answer: body?.answer, why: body?.why } : { words: words(body), answer: null };
    this.now({ hint: { id: question.id, ...hint } });
  }

  /** What the server advises at a question. */
  advice(id: number) {
    return this.post("hint", { id });
  }

  async leave() {
    const { status } = await this.post("leave", {});
    if (status !== 204) return this.now({ trouble: say("leaving-lost") });
    if (this.together) {
      this.source?.close(); // a page that follows its seat sits there
      void this.learn(); // nobody may be left to come back to
    }
    this.now({ gone: true });
    this.remember();
  }

  /** Sit down at a new table with the same bots, and seats for the same friends. */
  again() {
    const [own, ...friends] = this.about!.players.slice(0, this.people);
    const body = this.sameBots;
    if (this.together) {
      body.append("name", own!);
      body.append("after", this.seatKey);
    }
    for (const [number, friend] of friends.entries()) body.append(`friend${number + 1}`, friend);
    return this.open(body);
  }

  /** The key of this seat, which its address ends in. */
  private get seatKey(): string {
    return location.pathname.split("/").at(-2)!;
  }

  /** How many people play at this table. */
  private get people(): number {
    return this.about?.people ?? 1;
  }

  /** Whether answers are still given for the reader, to get where it wants to go on. */
  get retraces(): boolean {
    return this.went < this.way.length;
  }

  /** Whether what is still shown of a deal may go by fast. */
  get hurries(): boolean {
    return false;
  }

  /** Whether friends sit here: what one of them wants to play again the others need not want. */
  get together(): boolean {
    return this.people > 1;
  }

  private async open(body: URLSearchParams, there?: Partial<Kept>) {
    const answer = await fetch("../", { method: "POST", body }).catch(() => null);
    if (answer?.redirected) {
      if (this.over) this.remember(); // one that is not over goes on
      if (there) keep(new URL(answer.url).pathname, there);
      location.assign(answer.url);
    } else this.now({ trouble: answer === null ? say("site-silent") : words(await answer.json().catch(() => null)) });
  }

  /** The address of the page with the rules. */
  get rules(): string {
    return `${this.guest ? this.home : "../"}zole`;
  }

  /** The address at which a table with the same bots is asked for. */
  get sameTable(): string {
    return `../../play?${this.sameBots}`;
  }

  private get sameBots(): URLSearchParams {
    const bots = [...new Set(this.about!.players.slice(this.people))];
    return new URLSearchParams(bots.map((bot, number) => [`bot${number + 1}`, bot]));
  }

  /** What bots of all levels made of a deal; null where nothing is known of it. */
  async levels(deal: number): Promise<MadeByLevel[] | null> {
    const found = await this.get(`levels?deal=${deal}`);
    return found === null ? null : found.levels;
  }

  /** Sit down at a new table with the same bots and the same cards; there, give some answers at once. */
  replay(deal: number, way: Choice[] = []) {
    const first = this.first ?? this.table.result!.payments[own(this.table)!]!;
    return this.open(new URLSearchParams({ again: this.seatKey, deal: String(deal) }), { way, first });
  }

  /** The answer that leads back to where the reader wants to go on; null if there is none, or it does not fit any more. */
  retraced(request: Request): Choice | null {
    const next = this.way[this.went];
    if (next === undefined) return null;
    if (request.type === "blind") return { blind: false };
    if (!fits(request, next)) {
      this.way = this.way.slice(0, this.went);
      return null;
    }
    this.went += 1;
    return next;
  }

  /** Learn what is known of the table in addition to its lines. */
  async learn() {
    const about = await this.get("about");
    if (about?.players) this.now({ about: about as About });
  }

  private async get(what: string): Promise<Record<string, any> | null> {
    try {
      const answer = await fetch(what);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  protected take(number: number, line: Line) {
    if (number <= this.last) return;
    this.last = number;
    if ("clock_s" in line) this.deadline = line.clock_s === null ? null : performance.now() + line.clock_s * 1000;
    const again = number > this.answered && "id" in line && line.id === this.answer?.id; // refused, or an offer that was
    if (again || line.type === "hello") this.answer = null;
    this.trouble = "";
    this.turn = null;
    this.paced.take(number, line);
  }

  private clock({ left_s }: { id: number; left_s: number | null }) {
    this.now({ deadline: left_s === null ? null : performance.now() + left_s * 1000 });
  }

  private end() {
    this.now({ over: true, connected: false, trouble: "" });
    if (this.about !== null) void this.learn();
  }

  /** Let the server end: it stays as long as a page follows it. Nothing is left to show, nor to ask. */
  private part() {
    if (this.over && this.finished && !this.reviews.asks) this.source?.close();
  }

  protected async post(what: string, body: object): Promise<{ status: number; body: Record<string, any> | null }> {
    try {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(what, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, body: answer.status === 204 ? null : await answer.json().catch(() => null) };
    } catch {
      return { status: 0, body: null };
    }
  }

  protected now(change: Partial<Session>) {
    Object.assign(this, change);
    this.showed();
  }

  private showed() {
    // What was asked is gone from the table, and not only from the wire.
    if (this.last > this.answered && this.paced.table.question?.id !== this.answer?.id) this.answer = null;
    const { answer, answered, first, way, went } = this;
    const { shown, left } = this.paced;
    keep(location.pathname, { shown, left, answer, answered, first, way, went });
    if (this.finished) {
      setTimeout(() => this.part(), PARTING_MS);
      if (!this.gone) this.remember(); // what follows once the reader has left is no result
    }
    this.changed();
  }

  /** Note a guest's match that is over, or left after a deal, for the list of them where tables are chosen. */
  private remember() {
    const { about, table } = this;
    const seat = own(table);
    if (!about?.watch || about.retried || seat === undefined || table.sheet.length === 0) return;
    listMatch({ at: Date.now(), day: about.of_day === true, made: table.totals[seat]!, watch: new URL(about.watch, location.href).pathname });
  }
}

/** Whether an answer can be given to a request. */
function fits(request: Request, choice: Choice): boolean {
  if (request.type === "bid") return "bid" in choice && request.legal.includes(choice.bid);
  if (request.type === "talon") return "choice" in choice && request.legal.includes(choice.choice);
  if (request.type === "discard") return "cards" in choice && choice.cards.every((card) => request.hand.includes(card));
  return request.type === "play" && "card" in choice && request.legal.includes(choice.card);
}

/** What the server says about something that it did not do. */
function words(body: Record<string, any> | null): string {
  if (body === null) return say("not-taken");
  return `${capital([body.error, body.remedy].filter(Boolean).join(": "))}.`;
}
