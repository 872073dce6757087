// The page of a person at the table: what is shown when, and what keys and taps do.

import { Component, type ComponentProps, createRef, render } from "preact";
import { keyOf } from "../actions";
import { Invited } from "./about";
import { Ask, Tiles, options } from "./ask";
import { Clock } from "./clock";
import { Coach, Learnt } from "./coach";
import { Own, OwnPlace } from "../felt";
import { language, say } from "../language";
import { dealNumber, signed } from "../words";
import { Leaving, SettingsDialog } from "./dialogs";
import { Hand } from "./hand";
import { HelpDialog } from "./help";
import { LEARNS, Lesson } from "./lesson";
import type { CardName, Choice, Request } from "./lines";
import { Ending } from "./ending";
import { Extras } from "./extras";
import { MatchOver } from "./result";
import { Session } from "./session";
import { PACES, type Settings, keep, keptSettings } from "../settings";
import { Sheet } from "./sheet";
import { rustle, tap } from "./sound";
import { own } from "./state";
import { PlayTable, seatedAt } from "./table";
import { TrumpSheet } from "./trumps";
import { game, names, whyNot } from "./words";

/** A key or tap so soon after the question has changed was meant for what was there before. */
const SETTLE_MS = 300;

interface State {
  chosen: CardName[];
  dialog: "help" | "settings" | "leave" | null;
  settings: Settings;
  /** Whether the last trick is shown again. */
  again: boolean;
  /** Why a tap did nothing. */
  said: string;
  /** Whether to concede as soon as the rules let it. */
  givesUp: boolean;
  /** The deal whose last cards are played by advice; null where the reader plays. */
  rest: number | null;
}

class App extends Component<object, State> {
  override state: State = { chosen: [], dialog: null, settings: keptSettings(), again: false, said: "", givesUp: false, rest: null };
  private readonly root = createRef<HTMLElement>();
  private readonly extras = createRef<Extras>();
  private readonly session = new (LEARNS ? Lesson : Session)(
    () => PACES[this.session.retraces ? "at once" : this.session.hurries || this.rests ? "briskly" : this.state.settings.pace]!,
    () => this.draws(),
  );
  private drawing: ReturnType<typeof setTimeout> | undefined;
  /** What is asked, or shown at a deal's end, and since when. */
  private place = "";
  private since = -Infinity;
  private hastened = false;
  /** The last question whether to concede, which the page has answered. */
  private conceded = -1;
  /** The last question that was answered by advice. */
  private advised = -1;
  /** How many cards of the trick have been heard. */
  private heard = 0;
  /** What is done once the reader agrees to end the match, other than to leave it. */
  private instead: (() => void) | null = null;

  override componentDidMount() {
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => this.pressed());
    document.addEventListener("click", (event) => this.clicked(event), true);
    this.session.connect();
  }

  override componentDidUpdate() {
    const { session } = this;
    const { asked, question, table } = session;
    this.sound(table.trick.length);
    if (asked?.type === "surrender" && asked.id !== this.conceded) {
      this.conceded = asked.id;
      return this.give({ surrender: this.state.givesUp });
    }
    const back = question && (session.retraced(question) ?? onlyCard(question));
    if (back) return this.give(back);
    if (question?.type === "play" && this.rests) this.playOn(question.id);
    document.title = question ? say("your-turn-title") : "Zole";
    const place = question ? `${question.type} ${question.id} ${table.refusal?.id}` : table.result ? `end ${table.dealt!.deal}` : "";
    if (place === this.place) return;
    this.place = place;
    this.since = performance.now();
    if (place === "") return;
    requestAnimationFrame(() => {
      this.focus(); // where the frame's own layout is due, not once more before it
      if (table.result && !question) scrollTo({ top: 0 });
    });
  }

  override render() {
    const { session } = this;
    const { table, question, trouble, leads, finished, gone } = session;
    const { chosen, dialog, said, settings, again, givesUp } = this.state;
    const lesson = session instanceof Lesson ? session : null;
    const untold = lesson?.untold.join(" ");
    const over = finished || gone;
    const ended = table.result !== null && !over;
    const seat = own(table);
    const seats = table.hello && names(table).map((name, seat) => ({ seat, name }));
    const nearest = table.hello && seatedAt(table, seat ?? 0);
    // Until cards are dealt a player is not told which seat is the own one.
    const waits = !table.hello ? "connecting" : seat !== undefined && !table.dealt ? "waiting-for-deal" : null;
    return (
      <>
        <header class="top" data-untold={untold}>
          <h1>{session.guest ? <a href={session.home}>{session.about!.site}</a> : lesson?.tables ? <a href="/">Zole</a> : "Zole"}</h1>
          {table.dealt && (
            <p class="now">
              <span class="rules">{dealTitle(session, table.dealt.deal)}</span> <span class="game">{game(table)}</span>
            </p>
          )}
          {session.deadline !== null && (question || session.paced.waiting) && <Clock key={session.deadline} deadline={session.deadline} />}
          <p class="tools">
            {table.totals.length > 0 && (
              <button type="button" class="opens-sheet" popovertarget="sheet">
                {seat === undefined ? say("score-sheet") : say("you", { stakes: signed(table.totals[seat]!) })}
              </button>
            )}
            <button type="button" onClick={() => this.setState({ dialog: "settings" })} aria-label={say("settings")}>
              ⚙
            </button>
            <button type="button" onClick={() => this.setState({ dialog: "help" })} aria-label={say("help")}>
              ?
            </button>
            {!over && seat !== undefined && (
              <button type="button" onClick={() => this.setState({ dialog: "leave" })}>
                {say(lesson ? "skip" : "leave")}
              </button>
            )}
          </p>
        </header>
        <main class={lesson ? "play coached" : "play"} data-untold={untold} ref={this.root}>
          <div class="left">
            {trouble !== "" && (
              <p class="said bad" role="alert">
                {trouble}
              </p>
            )}
            {!leads && !over && (
              <p class="said" role="status">
                {say("another-tab")}{" "}
                <button type="button" onClick={() => session.lead()}>
                  {say("play-here")}
                </button>
              </p>
            )}
            {over && (
              <div class="papers">
                {lesson ? <Learnt lesson={lesson} /> : <MatchOver session={session} />}
              </div>
            )}
            {ended && <Ending key={table.dealt!.deal} session={session} next={() => this.next()} leaves={(act) => this.leaves(act)} />}
            {!ended && nearest && seats && !over && !waits && (
              <PlayTable table={table} trick_ms={lesson?.remarks ? 0 : PACES[settings.pace]!.trick_ms} again={again}>
                <Tiles session={session} answer={(choice) => this.give(choice)} />
                <OwnPlace of={nearest} seats={seats}>
                  {seat !== undefined && <Ask session={session} chosen={chosen} looksBack={again} why={lesson ? "" : said || (again && say("last-trick")) || (givesUp && say("give-up-later")) || ""} answer={(choice) => this.give(choice)} />}
                  <div class="extras">
                    {lesson ? (
                      lesson.remarks && this.goesOn()
                    ) : (
                      <Extras
                        ref={this.extras}
                        session={session}
                        looksBack={again}
                        lookBack={() => this.setState({ again: !again })}
                        givesUp={givesUp}
                        giveUp={() => this.setState({ givesUp: !givesUp })}
                        rests={this.rests}
                        rest={(rest) => this.setState({ rest })}
                        offer={() => this.give({ offer: true })}
                        tell={(said) => this.setState({ said })}
                      />
                    )}
                  </div>
                </OwnPlace>
                {seat === undefined ? (
                  <Own of={nearest} />
                ) : table.dealt?.active.includes(seat) && (
                  <Hand
                    table={table}
                    legal={this.legal()}
                    chosen={chosen}
                    hinted={this.hinted()}
                    fresh={question?.type === "discard" ? question.talon : []}
                    choose={(card) => this.choose(card)}
                  />
                )}
              </PlayTable>
            )}
            {!over && waits && (
              <div class="papers">
                <p role="status">{say(waits)}</p>
                {session.about && <Invited about={session.about} />}
              </div>
            )}
          </div>
          <Sheet session={session} />
          <TrumpSheet table={table} />
          {lesson && <Coach lesson={lesson} beat={lesson.beat} said={said} />}
        </main>
        {dialog === "help" && <HelpDialog session={session} close={() => this.setState({ dialog: null })} />}
        {dialog === "settings" && <SettingsDialog settings={settings} set={(chosen) => this.set(chosen)} close={() => this.setState({ dialog: null })} />}
        {dialog === "leave" && <Leaving what={this.leaving} home={session.home} leave={() => (lesson ? lesson.skip() : this.leave())} close={() => this.stay()} />}
      </>
    );
  }

  private get leaving(): ComponentProps<typeof Leaving>["what"] {
    const { session } = this;
    if (session instanceof Lesson) return "lesson";
    if (this.instead) return session.together ? "friend" : "replay";
    if (session.retried && session.back !== "") return "again";
    return session.together ? "friend" : session.guest ? "guest" : "person";
  }

  private stay() {
    this.instead = null;
    this.setState({ dialog: null });
  }

  /** The button that leads on from what the coach has said. */
  private goesOn() {
    return (
      <button type="button" class="main" data-key="next" onClick={() => this.next()}>
        {say(this.session.onwards)}
      </button>
    );
  }

  /** Draw what the server sent, once for all that comes at once; what the reader does is drawn at once. */
  private draws() {
    this.drawing ??= setTimeout(() => {
      this.drawing = undefined;
      this.setState({});
    });
  }

  private get rests(): boolean {
    return this.state.rest === this.session.table.dealt?.deal;
  }

  /** Play by advice at a question of a deal that is decided. */
  private playOn(id: number) {
    if (this.advised === id) return;
    this.advised = id;
    void this.session.advice(id).then(({ body }) => {
      const card = (body?.answer as { card?: CardName } | undefined)?.card;
      if (card === undefined) this.setState({ rest: null });
      else if (this.session.question?.id === id) this.give({ card });
    });
  }

  /** The cards that may be chosen now. */
  private legal(): CardName[] | null {
    const { question } = this.session;
    if (question?.type === "play") return question.legal;
    return question?.type === "discard" ? question.hand : null;
  }

  private hinted(): CardName[] {
    const { hint, question } = this.session;
    const reply = hint?.id === question?.id ? hint?.answer : null;
    if (!reply) return [];
    return "card" in reply ? [reply.card] : "cards" in reply ? reply.cards : [];
  }

  private choose(card: CardName) {
    const { question } = this.session;
    if (question?.type === "discard") {
      const { chosen } = this.state;
      const others = chosen.filter((each) => each !== card);
      const now = others.length < chosen.length ? others : [...chosen.slice(-1), card];
      const objection = now.length === 2 ? this.session.objection({ cards: now }) : "";
      if (objection !== "") return this.setState({ said: objection, chosen: [] });
      this.setState({ chosen: now }, () => {
        if (now.length === 2) this.root.current!.querySelector<HTMLElement>("[data-key=confirm]")?.focus();
      });
    } else if (question?.type === "play") {
      if (question.legal.includes(card)) this.give({ card });
      else this.setState({ said: whyNot(question, card) });
    }
  }

  private give(choice: Choice) {
    const objection = this.session.objection(choice);
    if (objection !== "") return this.setState({ said: objection, chosen: [] });
    if ("card" in choice || "cards" in choice) tap();
    this.setState(({ givesUp }) => ({ chosen: [], said: "", again: false, givesUp: givesUp && !("surrender" in choice) }));
    void this.session.reply(choice);
  }

  /** Whether what is asked has just changed, so that a press was meant for what was there before. */
  private get settling(): boolean {
    return performance.now() - this.since < SETTLE_MS;
  }

  /** Never on a card or an answer: Enter alone must play no card. */
  private focus() {
    this.root.current!.querySelector<HTMLElement>(".asking, .ended, .over")?.focus({ preventScroll: true });
  }

  private next() {
    this.setState({ chosen: [], said: "" });
    this.session.next();
  }

  private set(settings: Settings) {
    this.setState({ settings });
    keep(settings);
  }

  /** A card that has come to the trick is heard, if the reader wants to hear it. */
  private sound(cards: number) {
    if (cards > this.heard && this.state.settings.sound === "on") rustle();
    this.heard = cards;
  }

  private async leave() {
    const { session } = this;
    this.setState({ dialog: null });
    if (this.instead) return this.instead();
    await session.leave();
    if (session.gone && session.back !== "") location.assign(session.back);
  }

  /** Do what ends the match, at once where it is over. */
  private leaves(act: () => void) {
    if (this.session.over) return act();
    this.instead = act;
    this.setState({ dialog: "leave" });
  }

  /** A tap that hastens what is shown, or closes what lies over it and not beside it, does not choose what is below. */
  private pressed() {
    const sheet = document.querySelector(":popover-open");
    this.hastened = this.session.paced.moving || (sheet !== null && sheet.clientWidth > innerWidth / 2);
    this.session.paced.hurry();
  }

  private clicked(event: MouseEvent) {
    const { target } = event;
    const chooses = target instanceof Element && target.closest(".own, .options, .parts, .onwards, [data-key=o], [data-key=g], [data-key=r]");
    const tapped = event.detail > 0; // else it was a key on a button
    const twice = event.detail > 1 && (target as Element).closest(".extras") !== null; // meant for what was there before
    if (twice || (chooses && ((this.hastened && tapped) || this.settling))) {
      event.stopPropagation();
      event.preventDefault();
      this.focus();
    }
    this.hastened = false;
  }

  private key(event: KeyboardEvent) {
    if (this.state.dialog !== null || event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    const key = keyOf(event);
    if (key === null) return;
    if (key === "Tab") return;
    const { paced } = this.session;
    if (key === " " && (paced.moving || !(event.target instanceof HTMLButtonElement))) {
      event.preventDefault();
      return paced.hurry();
    }
    if (paced.moving || this.settling || event.repeat || this.acts(key)) event.preventDefault();
  }

  /** Whether a key did something. */
  private acts(key: string): boolean {
    if (key === "?") return (this.setState({ dialog: "help" }), true);
    if (key === "Escape" && this.extras.current?.calms()) return true;
    if (/^[0-9]$/.test(key)) return this.number(Number(key) || 10);
    if (key === "ArrowLeft" || key === "ArrowUp") return this.move(-1);
    if (key === "ArrowRight" || key === "ArrowDown") return this.move(1);
    if (key === "Enter" && this.session.table.result && document.activeElement?.tagName !== "BUTTON")
      return this.press(this.root.current!.querySelector<HTMLElement>("[data-key=next]"));
    return /^[a-z]$/.test(key) && this.press(this.root.current!.querySelector<HTMLElement>(`[data-key="${key}"]`));
  }

  private number(number: number): boolean {
    const { question, table } = this.session;
    if (!question) return false;
    const card = table.hand?.[number - 1];
    const option = options(table, question)[number - 1];
    if (this.legal() === null && option) this.give(option.choice);
    else if (this.legal() !== null && card) this.choose(card);
    return true;
  }

  /** Move through the tricks of a deal that is over, else the focus among what may be chosen. */
  private move(by: number): boolean {
    const scrub = this.root.current!.querySelectorAll<HTMLElement>(".scrub button");
    if (scrub.length > 0) return this.press(scrub[by < 0 ? 0 : 1]);
    const choices = this.choices();
    if (choices.length === 0) return false;
    const at = choices.indexOf(document.activeElement as HTMLElement);
    choices[at < 0 ? 0 : (at + by + choices.length) % choices.length]!.focus();
    return true;
  }

  private choices(): HTMLElement[] {
    const found = this.root.current!.querySelectorAll<HTMLElement>(
      ".options button:not([aria-disabled=true]), .pickable.legal, [data-key=next], .parts button",
    );
    return [...found].toSorted((one, other) => Number(other.matches(".pickable")) - Number(one.matches(".pickable")));
  }

  private press(button: HTMLElement | null | undefined): boolean {
    button?.click();
    return Boolean(button);
  }
}

/** Which deal this is, of how many where that is known. */
function dealTitle({ about }: Session, number: number): string {
  if (about?.of_day) return say("the-days-deal");
  if (about?.retried) return say("played-again");
  const deal = dealNumber(number);
  return about?.deals ? say("deal-of", { deal, most: about.deals }) : say("deal-number", { deal });
}

/** The last card plays itself. */
function onlyCard(question: Request): Choice | null {
  return question.type === "play" && question.hand.length === 1 ? { card: question.hand[0]! } : null;
}

export function show() {
  document.documentElement.lang = language;
  render(<App />, document.getElementById("page")!);
}
