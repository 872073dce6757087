// The page of a person at the table: what is shown when, and what keys and taps do.

import { Component, createRef, render } from "preact";
import { keyOf } from "../actions";
import { AboutTable } from "./about";
import { Ask, options } from "./ask";
import { Clock } from "./clock";
import { Dialog, KEYS, Leaving } from "./dialogs";
import { Hand } from "./hand";
import type { CardName, Choice } from "./lines";
import { PACES, keepPace, keptPace } from "./paces";
import { DealResult, MatchOver } from "./result";
import { Session } from "./session";
import { Story, Worth } from "./story";
import { PlayTable } from "./table";
import { whyNot } from "./words";

/** A key or tap so soon after the last thing was shown by itself was meant to hasten it. */
const LATE_MS = 250;

interface State {
  chosen: CardName[];
  dialog: "keys" | "leave" | null;
  pace: string;
  /** Why a tap did nothing. */
  said: string;
}

class App extends Component<object, State> {
  override state: State = { chosen: [], dialog: null, pace: keptPace(), said: "" };
  private readonly root = createRef<HTMLElement>();
  private readonly session = new Session(
    () => PACES[this.state.pace]!,
    () => this.setState({}),
  );
  private focused = "";
  private hastened = false;
  /** The card that is led as soon as the question whether to give up is answered. */
  private lead: CardName | null = null;

  override componentDidMount() {
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => this.pressed());
    document.addEventListener("click", (event) => this.clicked(event), true);
    this.session.connect();
  }

  override componentDidUpdate() {
    const { question, table } = this.session;
    document.title = question ? "● Your turn - Zole" : "Zole";
    const place = question ? `${question.type} ${question.id} ${table.refusal?.id}` : table.result ? `end ${table.dealt!.deal}` : "";
    if (place === this.focused) return;
    this.focused = place;
    const { lead } = this;
    if (place !== "") this.lead = null;
    if (question?.type === "play" && lead !== null && question.legal.includes(lead)) return void this.answer({ card: lead });
    if (place !== "") this.choices()[0]?.focus({ preventScroll: true });
    if (table.result && !question) scrollTo({ top: 0 });
  }

  override render() {
    const { session } = this;
    const { table, question, trouble, leads, finished, gone } = session;
    const { chosen, dialog, said } = this.state;
    const over = finished || gone;
    const ended = table.result !== null && !gone;
    return (
      <>
        <header class="top">
          <h1>Zole</h1>
          {table.dealt && <p class="rules">deal {table.dealt.deal + 1}</p>}
          {session.deadline !== null && (question || session.paced.waiting) && <Clock deadline={session.deadline} />}
          <p class="tools">
            <button type="button" onClick={() => this.setState({ dialog: "keys" })} aria-label="Keys">
              ?
            </button>
            {!over && (
              <button type="button" onClick={() => this.setState({ dialog: "leave" })}>
                Leave
              </button>
            )}
          </p>
        </header>
        <main class="play" ref={this.root}>
          {trouble !== "" && (
            <p class="said bad" role="alert">
              {trouble}
            </p>
          )}
          {!leads && !over && (
            <p class="said" role="status">
              Another tab or window plays this seat; this one follows.{" "}
              <button type="button" onClick={() => session.lead()}>
                Play here
              </button>
            </p>
          )}
          <div class="left">
            {over && <MatchOver session={session} />}
            {ended && <DealResult session={session} next={() => this.next()} />}
            {!ended && table.hello && !over && (
              <>
                <PlayTable table={table} players={session.about?.players} />
                <Ask session={session} chosen={chosen} answer={(choice) => this.answer(choice)} />
                <p class="hidden" role="status">
                  {said}
                </p>
                {said && <p class="faint">{said}</p>}
                {table.dealt?.active.includes(table.dealt.seat) && (
                  <Hand
                    table={table}
                    legal={this.legal()}
                    chosen={chosen}
                    hinted={this.hinted()}
                    fresh={question?.type === "discard" ? question.talon : []}
                    choose={(card) => this.choose(card)}
                  />
                )}
                <div class="extras">
                  {question && (
                    <button type="button" data-key="h" onClick={() => session.ask()}>
                      Hint
                    </button>
                  )}
                  {question?.type === "play" && question.may_offer && (
                    <button type="button" data-key="o" onClick={() => this.answer({ offer: true })}>
                      Offer to give up
                    </button>
                  )}
                  <label class="pace">
                    Others play{" "}
                    <select value={this.state.pace} onChange={({ currentTarget }) => this.pace(currentTarget.value)}>
                      {Object.keys(PACES).map((pace) => (
                        <option key={pace} value={pace}>
                          {pace}
                        </option>
                      ))}
                    </select>
                  </label>
                </div>
              </>
            )}
            {!table.hello && !over && <p class="panel">Connecting …</p>}
          </div>
          <div class="right">
            <Story table={table} />
            <Worth table={table} />
            {session.about !== null && <AboutTable about={session.about} />}
          </div>
        </main>
        {dialog === "keys" && (
          <Dialog label="Keys" close={() => this.setState({ dialog: null })}>
            <dl>
              {KEYS.map(([cap, does]) => (
                <>
                  <dt>
                    <kbd>{cap}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </>
              ))}
            </dl>
          </Dialog>
        )}
        {dialog === "leave" && <Leaving guest={session.about !== null} leave={() => this.leave()} close={() => this.setState({ dialog: null })} />}
      </>
    );
  }

  /** The cards that may be chosen now. */
  private legal(): CardName[] | null {
    const { question } = this.session;
    if (question?.type === "play") return question.legal;
    return question?.type === "discard" || question?.type === "surrender" ? question.hand : null;
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
      this.setState({ chosen: now }, () => {
        if (now.length === 2) this.root.current!.querySelector<HTMLElement>("[data-key=confirm]")?.focus();
      });
    } else if (question?.type === "surrender") {
      if (this.answer({ surrender: false })) this.lead = card;
    } else if (question?.type === "play") {
      if (question.legal.includes(card)) this.answer({ card });
      else this.setState({ said: whyNot(question) });
    }
  }

  /** Give an answer; tells whether it was meant. */
  private answer(choice: Choice): boolean {
    if (performance.now() - this.session.paced.stopped < LATE_MS) return false;
    this.setState({ chosen: [], said: "" });
    void this.session.reply(choice);
    return true;
  }

  private next() {
    this.setState({ chosen: [], said: "" });
    this.session.paced.next();
  }

  private pace(pace: string) {
    this.setState({ pace });
    keepPace(pace);
  }

  private leave() {
    this.setState({ dialog: null });
    void this.session.leave();
  }

  /** A tap that hastens what is shown does not choose what appears below it. */
  private pressed() {
    this.hastened = this.session.paced.moving;
    this.session.paced.hurry();
  }

  private clicked(event: MouseEvent) {
    const { target } = event;
    if (this.hastened && target instanceof Element && target.closest(".own, .options")) event.stopPropagation();
    this.hastened = false;
  }

  private key(event: KeyboardEvent) {
    if (this.state.dialog !== null || event.target instanceof HTMLSelectElement) return;
    const key = keyOf(event);
    if (key === null) return;
    if (this.session.paced.moving && key !== "Tab") {
      event.preventDefault();
      return this.session.paced.hurry();
    }
    if (key === "Enter" && event.repeat) return event.preventDefault();
    if (this.acts(key)) event.preventDefault();
  }

  /** Whether a key did something. */
  private acts(key: string): boolean {
    if (key === "?") return (this.setState({ dialog: "keys" }), true);
    if (/^[0-9]$/.test(key)) return this.number(Number(key) || 10);
    if (key === "ArrowLeft" || key === "ArrowUp") return this.move(-1);
    if (key === "ArrowRight" || key === "ArrowDown") return this.move(1);
    if (key === "Enter" && document.activeElement === document.body) return this.press(this.choices()[0]);
    return /^[a-z]$/.test(key) && this.press(this.root.current!.querySelector<HTMLElement>(`[data-key="${key}"]`));
  }

  private number(number: number): boolean {
    const { question, table } = this.session;
    if (!question) return false;
    const card = table.hand?.[number - 1];
    const option = options(table, question)[number - 1];
    if (this.legal() === null && option) this.answer(option.choice);
    else if (this.legal() !== null && card) this.choose(card);
    return true;
  }

  /** Move the focus among what may be chosen. */
  private move(by: number): boolean {
    const choices = this.choices();
    if (choices.length === 0) return false;
    const at = choices.indexOf(document.activeElement as HTMLElement);
    choices[at < 0 ? 0 : (at + by + choices.length) % choices.length]!.focus();
    return true;
  }

  private choices(): HTMLElement[] {
    const found = this.root.current!.querySelectorAll<HTMLElement>(
      ".options button:not([aria-disabled=true]), .pickable.legal, [data-key=next]",
    );
    return [...found].toSorted((one, other) => Number(other.matches(".pickable")) - Number(one.matches(".pickable")));
  }

  private press(button: HTMLElement | null | undefined): boolean {
    button?.click();
    return Boolean(button);
  }
}

export function show() {
  render(<App />, document.getElementById("page")!);
}
