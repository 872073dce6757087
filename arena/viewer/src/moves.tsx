// The moves of a deal as a list: who was asked what, the answer, its time, and what was wrong.

import { Component, createRef } from "preact";
import { SmallCard } from "./card";
import { say } from "./language";
import { type Moment, eventsAt } from "./match";
import { type ReviewedDeal, mistakesIn } from "./reviews";
import { Who } from "./names";
import type { View } from "./sight";
import { decimals, doer, isCard, isWord, time } from "./words";

interface Props extends View {
  reviewed: ReviewedDeal | null;
  go: (ply: number) => void;
}

export class Moves extends Component<Props> {
  private readonly list = createRef<HTMLOListElement>();

  override componentDidMount() {
    this.reveal();
  }

  override componentDidUpdate() {
    this.reveal();
  }

  /** The current move is brought into the list's own window; the page stays where it is. */
  private reveal() {
    const list = this.list.current!;
    const row = list.children[this.props.at.ply] as HTMLElement;
    const top = row.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    const below = top + row.offsetHeight - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
  }

  override render({ at, sight, go }: Props) {
    return (
      <section class="moves" aria-label={say("moves")}>
        <ol ref={this.list} start={0} onMouseDown={(event) => event.preventDefault()}>
          {[null, ...sight.moments()].map((moment, ply) => (
            <li>
              <button
                type="button"
                tabIndex={ply === at.ply ? 0 : -1}
                aria-current={ply === at.ply ? "step" : undefined}
                onClick={() => go(ply)}
              >
                <span class="ply">{ply}</span>
                {moment === null ? <span class="dealt">{say("as-dealt")}</span> : this.move(moment, ply)}
              </button>
              {this.taken(ply)}
            </li>
          ))}
        </ol>
      </section>
    );
  }

  private move(moment: Moment, ply: number) {
    const { match, sight, reviewed } = this.props;
    const judged = reviewed !== null && sight.judges(moment.seat);
    const mistake = judged ? mistakesIn(reviewed, this.props.deal).find(({ step }) => step === ply - 1) : undefined;
    const own = sight.opens(moment.seat);
    const instead = sight.instead(moment);
    return (
      <>
        <Who match={match} player={moment.seat} />
        <span class="ask">{say("ask", { ask: moment.ask })}</span>
        <span class="answer">
          <Words ask={moment.ask} text={sight.answer(moment)} />
          {instead !== null && (
            <>
              {" → "}
              <Words ask={moment.ask} text={instead} />
            </>
          )}
        </span>
        <span class="marks">
          {moment.fault && <span class="fault">{say("mark-fault")}</span>}
          {own && moment.refused && <span class="fault">{say("mark-refused")}</span>}
          {mistake && <Mistake loss={mistake.loss} />}
          {own && moment.note !== undefined && <span>{say("mark-note")}</span>}
        </span>
        <span class="time">{own && match.match !== null && time(moment.seconds)}</span>
      </>
    );
  }

  private taken(ply: number) {
    const { match, deal } = this.props;
    const trick = eventsAt(deal, ply).find((each) => each.event === "trick");
    if (!trick) return null;
    return (
      <p class="taken">
        {say("trick-to", { ...doer(match, trick.winner), trick: String(trick.number), count: trick.points })}
      </p>
    );
  }
}

/** A mistake by a sign and what it costs. */
function Mistake({ loss }: { loss: number }) {
  return (
    <span class="mistake">
      <span aria-hidden="true">✗</span>
      <span class="hidden">{say("mistake-costs")}</span> {decimals(loss, 1)}
    </span>
  );
}

/** What a yes or a no comes to. */
function yesOrNo(ask: string, text: "yes" | "no"): string {
  if (ask === "blind") return say("answer-blind", { blind: text });
  if (text === "no") return say("answer-play-on");
  return say(ask === "offer" ? "answer-accept" : "answer-give-up");
}

/** An answer: cards as cards, any other word as the bot sent it. */
export function Words({ ask, text }: { ask: string; text: string | null }) {
  if (text === null) return <>–</>;
  const parts = text.split(".");
  if (parts.every(isCard))
    return (
      <>
        {parts.map((card) => (
          <SmallCard card={card} />
        ))}
      </>
    );
  if (text === "yes" || text === "no") return <>{yesOrNo(ask, text)}</>;
  if (isWord(text)) return <>{say("answer-word", { word: text })}</>;
  return <bdi>{ask === "play" || ask === "discard" ? text.replace(/^\?/, "") : text}</bdi>;
}
