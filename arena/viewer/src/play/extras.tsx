// The quiet buttons beside one's own name: the last trick, to concede, the rest by advice, trumps, a hint.

import { Component, type VNode } from "preact";
import { say } from "../language";
import { signed } from "../words";
import type { Session } from "./session";
import { complete, own } from "./state";
import { isDecided, isSettled } from "./table";

/** How long a button asks to be pressed once more. */
const SURE_MS = 20_000;

const BACK = <path class="drawn" d="M3.2 6A5.3 5.3 0 1 1 2.7 9M3 2.4V6h3.6" />;
const ON = <path class="drawn" d="M3 3.5 8 8l-5 4.5zM8 3.5 13 8l-5 4.5z" />;
const FLAG = <path class="drawn" d="M4 14V2.5h8l-2 3 2 3H4" />;

/** What stands on a quiet button; where there is little room, a sign and small words, or shorter ones. */
function Signed({ words, short = "", sign }: { words: string; short?: string; sign: VNode }) {
  return (
    <>
      <span class="word">{words}</span>
      {short !== "" && <span class="short">{short}</span>}
      <svg class="suit" viewBox="0 0 16 16" aria-hidden="true">
        {sign}
      </svg>
    </>
  );
}

interface Props {
  session: Session;
  /** Whether the last trick is shown again. */
  looksBack: boolean;
  lookBack: () => void;
  /** Whether to concede as soon as the rules let it. */
  givesUp: boolean;
  giveUp: () => void;
  /** Whether the last cards of this deal are played by advice. */
  rests: boolean;
  rest: (deal: number) => void;
  offer: () => void;
  /** Say why a press has done nothing yet; "" takes it back. */
  tell: (words: string) => void;
}

interface State {
  /** What the reader was asked whether it really wants: to concede, or at which question to offer that. */
  sure: "concede" | number | null;
}

export class Extras extends Component<Props, State> {
  override state: State = { sure: null };
  private calming: ReturnType<typeof setTimeout> | undefined;
  private asked = this.props.session.question?.id;

  override componentDidUpdate() {
    const asked = this.props.session.question?.id;
    if (asked !== this.asked && this.state.sure !== null) this.setState({ sure: null });
    this.asked = asked;
  }

  override componentWillUnmount() {
    clearTimeout(this.calming);
  }

  override render({ session, looksBack, lookBack, givesUp, rests, rest }: Props, { sure }: State) {
    const { question, table } = session;
    return (
      <>
        {table.lastTrick !== null && (
          <button type="button" data-key="l" aria-pressed={looksBack} disabled={table.winner !== null} onClick={lookBack}>
            <Signed words={say("last-trick")} sign={BACK} />
          </button>
        )}
        {question?.type === "play" && question.may_offer && !isDecided(table) && (
          <button type="button" data-key="o" aria-label={say("answer-offer")} onClick={() => this.offer(question.id)}>
            {sure === question.id ? <Signed words={this.really()} sign={FLAG} /> : <Signed words={say("answer-offer")} short={say("answer-offer-short")} sign={FLAG} />}
          </button>
        )}
        {question?.type !== "offer" && this.mayGiveUp() && (
          <button type="button" class={givesUp ? "main" : ""} data-key="g" onClick={() => this.concede()}>
            <Signed words={givesUp ? say("give-up-not") : sure === "concede" ? this.really() : say("answer-give-up")} sign={FLAG} />
          </button>
        )}
        {question?.type === "play" && session.advises && isSettled(table) && (
          <button type="button" data-key="r" disabled={rests} onClick={() => rest(question.deal)}>
            <Signed words={say("play-rest")} short={say("play-rest-short")} sign={ON} />
          </button>
        )}
        <button type="button" data-key="t" popovertarget="trumps" aria-label={say("trumps")}>
          <Signed words={say("trumps")} sign={<use href="#suit-D" />} />
        </button>
        {session.advises && own(table) !== undefined && (
          <button type="button" data-key="h" class={question ? "" : "kept"} disabled={!question} onClick={() => this.hint()}>
            {say("hint")}
          </button>
        )}
      </>
    );
  }

  /** Take back what asks to be pressed once more; false where nothing does. */
  calms(): boolean {
    const asks = this.state.sure !== null;
    if (asks) this.calm();
    return asks;
  }

  private calm() {
    this.setState({ sure: null });
    this.props.tell("");
  }

  private hint() {
    const { looksBack, lookBack, session } = this.props;
    this.calm();
    if (looksBack) lookBack();
    void session.ask();
  }

  /** What conceding costs the reader, before it is pressed again: a game that is just lost. */
  private really(): string {
    const { hello, contract, declarer, dealt } = this.props.session.table;
    const paid = hello!.rules.scoring[contract!]!;
    const lost = paid.find((each) => each < 0)! * (dealt!.active.length - 1);
    return say("really-offer", { stakes: signed(declarer === dealt!.seat ? lost : -paid.findLast((each) => each > 0)!) });
  }

  /** Ask to press a button once more, for a while. */
  private asksWhetherSure(sure: "concede" | number, said: string) {
    this.setState({ sure });
    this.props.tell(said);
    clearTimeout(this.calming);
    this.calming = setTimeout(() => this.state.sure === sure && this.calm(), SURE_MS);
  }

  /** An offer binds the partner, so it is pressed twice. */
  private offer(id: number) {
    if (this.state.sure === id) this.props.offer();
    else this.asksWhetherSure(id, say("offer-binds"));
  }

  /** To concede is pressed twice, too; once more takes it back. */
  private concede() {
    const { givesUp, giveUp } = this.props;
    if (!givesUp && this.state.sure !== "concede") return this.asksWhetherSure("concede", say("conceding-pays"));
    this.calm();
    giveUp();
  }

  /** Whether the rules will still ask the reader, as the declarer, whether to concede: before the leads to tricks 2 and 3. */
  private mayGiveUp(): boolean {
    const { table } = this.props.session;
    const { hello, dealt, declarer, contract, result } = table;
    const may = hello?.rules.surrender.declarer === "before_lead_3" && contract !== null;
    return may && result === null && declarer === dealt!.seat && complete(table) < 2;
  }
}
