// The moves of a deal as a list: who was asked what, the answer, its time, and what was wrong.

import { Component, createRef } from "preact";
import { SmallCard, isCard } from "./card";
import { type Deal, type Match, type Moment, eventsAt } from "./match";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";
import { nameOf, said, time } from "./words";

interface Props {
  match: Match;
  deal: Deal;
  at: Place;
  sight: Sight;
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

  override render({ deal, at, go }: Props) {
    return (
      <section class="moves" aria-label="The moves of this deal">
        <ol ref={this.list} start={0} onMouseDown={(event) => event.preventDefault()}>
          {[null, ...deal.moments].map((moment, ply) => (
            <li>
              <button
                type="button"
                tabIndex={ply === at.ply ? 0 : -1}
                aria-current={ply === at.ply ? "step" : undefined}
                onClick={() => go(ply)}
              >
                <span class="ply">{ply}</span>
                {moment === null ? <span class="dealt">as dealt</span> : this.move(moment, ply)}
              </button>
              {this.taken(ply)}
            </li>
          ))}
        </ol>
      </section>
    );
  }

  private move(moment: Moment, ply: number) {
    const { match, sight } = this.props;
    const open = sight.reached(ply);
    return (
      <>
        <Who match={match} player={moment.seat} />
        <span class="ask">{moment.ask}</span>
        <span class="answer">{open && <Answered moment={moment} sight={sight} />}</span>
        <span class="marks">
          {open && moment.fault && <span class="fault">fault</span>}
          {open && moment.refused && sight.opens(moment.seat) && <span class="fault">refused</span>}
          {open && moment.note !== undefined && sight.opens(moment.seat) && <span>note</span>}
        </span>
        <span class="time">{time(moment.seconds)}</span>
      </>
    );
  }

  private taken(ply: number) {
    const { match, deal, sight } = this.props;
    const trick = eventsAt(deal, ply).find((each) => each.event === "trick");
    if (!trick || !sight.reached(ply)) return null;
    return (
      <p class="taken">
        trick {trick.number}: <bdi>{nameOf(match, trick.winner)}</bdi>, {trick.points} points
      </p>
    );
  }
}

/** The answer, and after a fault what the arena did in its place. */
function Answered({ moment, sight }: { moment: Moment; sight: Sight }) {
  const instead = moment.fault ? sight.told(moment) : null;
  return (
    <>
      <Words text={sight.answer(moment)} />
      {instead !== null && (
        <>
          {" → "}
          <Words text={instead} />
        </>
      )}
    </>
  );
}

function Words({ text }: { text: string | null }) {
  if (text === null) return <>–</>;
  const parts = text.split(".");
  if (!parts.every(isCard)) return <bdi>{said(text)}</bdi>;
  return (
    <>
      {parts.map((card) => (
        <SmallCard card={card} />
      ))}
    </>
  );
}
