// The coach of the guided deals: one sentence at a time, in a bubble beside the cards that it points at.

import { Component, createRef } from "preact";
import { say } from "../language";
import { Trumps } from "./trumps";
import { isCard } from "../words";
import { type Beat, type Lesson, spoken } from "./lesson";

interface Props {
  lesson: Lesson;
  /** Why the reader's last choice was not the best. */
  said: string;
}

/** The parts of the table that a beat may point at. */
const PARTS: Record<string, string> = { hand: ".own", left: ".at-left .plate", right: ".at-right .plate", score: ".score", talon: ".pile.talon" };

/** The room between the bubble and what it points at, and between it and the window's edges, in pixels. */
const GAP = 14;
const EDGE = 8;

interface State {
  /** What is said in its place. */
  placed: Beat | null;
}

export class Coach extends Component<Props, State> {
  override state: State = { placed: null };
  private readonly bubble = createRef<HTMLElement>();
  private readonly resized = new ResizeObserver(() => void this.settle());

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentWillUnmount() {
    this.resized.disconnect();
  }

  override componentDidUpdate() {
    const { beat } = this.props.lesson;
    const pointed = beat ? beat.points.flatMap((point) => this.find(point) ?? []) : [];
    for (const each of all("[data-pointed]")) if (!pointed.includes(each)) each.removeAttribute("data-pointed");
    for (const each of pointed) each.setAttribute("data-pointed", "");
    this.resized.disconnect();
    for (const each of [this.bubble.current!, ...all(".left, .middle"), ...pointed]) this.resized.observe(each);
    void this.settle();
  }

  override render({ lesson, said }: Props, { placed }: State) {
    const { beat } = lesson;
    return (
      <section ref={this.bubble} class={beat && beat === placed ? "coach" : "coach hidden"} aria-label={say("coach")} data-untold={lesson.untold.join(" ")}>
        <p role="status">{beat && (said || spoken(beat.message, beat))}</p>
        {beat?.trumps && <Trumps gone={new Set()} mine={new Set(lesson.table.hand)} />}
      </section>
    );
  }

  /** What a point of a beat is on the page. */
  private find(point: string): Element | null {
    const { question } = this.props.lesson;
    if (isCard(point)) return document.querySelector(`.felt :is(.pickable, .laid) [data-card="${point}"]`)?.closest(".pickable, .laid") ?? null;
    if (point !== "bid") return document.querySelector(PARTS[point]!);
    const { answer } = this.props.lesson.beat!;
    const place = question?.type === "bid" ? question.legal.indexOf((answer as { bid: string }).bid) : -1;
    return document.querySelectorAll(".options button")[place] ?? null;
  }

  /** Show the bubble once what it points at lies still. */
  private async settle() {
    const { beat } = this.props.lesson;
    await Promise.allSettled(all("[data-pointed]").flatMap((each) => each.getAnimations({ subtree: true })).map(({ finished }) => finished));
    if (beat !== this.props.lesson.beat || this.bubble.current === null) return;
    if (beat === this.state.placed) return this.place();
    this.setState({ placed: beat }, () => {
      this.place();
      document.querySelector<HTMLElement>("[data-key=next]")?.focus({ preventScroll: true });
    });
  }

  /**
   * Lay the bubble above what it points at, or below it where there is no room, over the table; it covers no answer. Where
   * it points at nothing it lies in the middle of the table, and at the bottom where there is none or a deal's end stands.
   * At the bottom it leaves the points and the reader's own place free, if there is room below what lies in the middle.
   */
  private place() {
    const bubble = this.bubble.current!;
    const { width, height } = bubble.getBoundingClientRect();
    const own = all(".own[data-pointed], .own [data-pointed]");
    const target = around(own.length > 0 ? own : all("[data-pointed]"));
    const answers = own.length > 0 ? around(all(".options:has(button)")) : null;
    const table = around(all(".left"))!;
    const floor = { ...table, top: 2 * innerHeight, bottom: 2 * innerHeight };
    const { left, right, top, bottom } = target ?? around(all(".cloth:not(:has(.ended)) > .middle")) ?? floor;
    const free = (around(all(".score, .self, .options:has(button)"))?.top ?? 0) - EDGE - height;
    const hasRoom = free > (around(all(".laid, .place, .ended > *"))?.bottom ?? table.top);
    const near = target ? Math.min(top, answers?.top ?? top) - GAP - height : (top + bottom - height) / 2;
    const above = hasRoom && (own.length > 0 || top > innerHeight) ? free : near;
    const below = above < EDGE;
    const centre = (left + right) / 2;
    const x = Math.max(EDGE, Math.min(table.right - width - EDGE, centre - width / 2));
    const y = Math.min(below ? bottom + GAP : above, innerHeight - height - EDGE);
    bubble.dataset.lies = target === null ? "free" : below ? "below" : "above";
    bubble.style.setProperty("--x", `${x}px`);
    bubble.style.setProperty("--y", `${y}px`);
    bubble.style.setProperty("--tip", `${Math.max(16, Math.min(width - 16, centre - x))}px`);
  }
}

function all(where: string): Element[] {
  return [...document.querySelectorAll(where)];
}

/** The rectangle around some elements; null around none. */
function around(elements: Element[]): { left: number; right: number; top: number; bottom: number } | null {
  if (elements.length === 0) return null;
  const each = elements.map((element) => element.getBoundingClientRect());
  return {
    left: Math.min(...each.map(({ left }) => left)),
    right: Math.max(...each.map(({ right }) => right)),
    top: Math.min(...each.map(({ top }) => top)),
    bottom: Math.max(...each.map(({ bottom }) => bottom)),
  };
}

/** Keys go on from here: what had the focus is gone. */
const focused = (section: HTMLElement | null) => section?.focus({ preventScroll: true });

/** The end of the lesson, and where it leads. */
export function Learnt({ lesson }: { lesson: Lesson }) {
  return (
    <section ref={focused} tabIndex={-1} class="panel over learnt" aria-label={say("learn")}>
      <h2>
        <span role="status">{say("learnt")}</span>
      </h2>
      <p>{say("learnt-helps")}</p>
      <p class="onwards">
        {lesson.tables !== null ? (
          <form method="post" action={`${lesson.tables}/tables/`}>
            <button class="press" name="level" value="beginner">
              {say("start-playing")}
            </button>
          </form>
        ) : (
          <a class="press" href={lesson.play}>
            {say("start-playing")}
          </a>
        )}
        <a href={lesson.rules}>{say("help-rules")}</a>
      </p>
    </section>
  );
}
