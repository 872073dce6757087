// The page of a person at the table: what is shown when, and what keys and taps do.

import { Component, createRef, render } from "preact";
import { keyOf } from "../actions";
import { Ask, options } from "./ask";
import { Clock } from "./clock";
import { Dialog, KEYS, Leaving } from "./dialogs";
import { Hand } from "./hand";
import type { CardName, Choice } from "./lines";
import { DealResult, MatchOver } from "./result";
import { Session } from "./session";
import { PlayTable } from "./table";
import { whyNot } from "./words";

const PACE = { step_ms: 450, trick_ms: 1400 };

interface State {
  chosen: CardName[];
  dialog: "keys" | "leave" | null;
  /** Why a tap did nothing. */
  said: string;
}

class App extends Component<object, State> {
  override state: State = { chosen: [], dialog: null, said: "" };
  private readonly root = createRef<HTMLElement>();
  private readonly session = new Session(
    () => PACE,
    () => this.setState({}),
  );
  private focused = "";

  override componentDidMount() {
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => this.session.paced.hurry());
    this.session.connect();
  }

  override componentDidUpdate() {
    const { question, table } = this.session;
    document.title = question ? "● Your turn - Zole" : "Zole";
    const place = question ? `${question.type} ${question.id} ${table.refusal?.id}` : table.result ? `end ${table.dealt!.deal}` : "";
    if (place === this.focused) return;
    this.focused = place;
    if (place !== "") this.choices()[0]?.focus({ preventScroll: true });
    if (table.result && !question) scrollTo({ top: 0 });
  }

  override render() {
    const { session } = this;
    const { table, question, trouble, leads, over } = session;
    const { chosen, dialog, said } = this.state;
    const ended = table.result !== null;
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
            {!over && table.bye === null && (
              <button type="button" onClick={() => this.setState({ dialog: "leave" })}>
                Leave
              </button>
            )}
          </p>
        </header>
        <main class="play" ref={this.root}>
          {trouble && (
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
            {(table.bye !== null || over) && <MatchOver session={session} />}
            {ended && <DealResult session={session} next={() => this.next()} />}
            {!ended && table.hello && !over && (
              <>
                <PlayTable table={table} />
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
                <p class="extras">
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
                </p>
              </>
            )}
            {!table.hello && !over && <p class="panel">Connecting …</p>}
          </div>
          <section class="right story" aria-label="What happened">
            <h2>What happened</h2>
            <div class="log" role="log" aria-label="What happened" tabIndex={0}>
              {table.told.map((line, number) => (
                <p key={`${table.dealt?.deal} ${number}`}>{line}</p>
              ))}
            </div>
          </section>
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
        {dialog === "leave" && <Leaving leave={() => this.leave()} close={() => this.setState({ dialog: null })} />}
      </>
    );
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
      this.setState({ chosen: others.length < chosen.length ? others : [...chosen.slice(-1), card] });
    } else if (question?.type === "play") {
      if (question.legal.includes(card)) this.answer({ card });
      else this.setState({ said: whyNot(question) });
    }
  }

  private answer(choice: Choice) {
    this.setState({ chosen: [], said: "" });
    void this.session.reply(choice);
  }

  private next() {
    this.setState({ chosen: [], said: "" });
    this.session.paced.next();
  }

  private leave() {
    this.setState({ dialog: null });
    void this.session.leave();
  }

  private key(event: KeyboardEvent) {
    if (this.state.dialog !== null) return;
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
    const buttons = options(table, question);
    if (buttons.length > 0) {
      const option = buttons[number - 1];
      if (option) this.answer(option.choice);
      return true;
    }
    const card = table.hand?.[number - 1];
    if (card) this.choose(card);
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
