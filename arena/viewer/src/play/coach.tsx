// The coach of the guided deals: one sentence at a time, in a bubble beside the cards that it points at.

import { Component, createRef } from "preact";
import { say } from "../language";
import { Trumps } from "./trumps";
import { isCard } from "../words";
import { type Beat, type Lesson, spoken } from "./lesson";

interface Props {
  lesson: Lesson;
  /** What is to be said at the table as it is drawn; the lesson may be ahead of that. */
  beat: Beat | null;
  /** Why the reader's last choice was not the best. */
  said: string;
}

/** The parts of the table that a beat may point at. */
const PARTS: Record<string, string> = { hand: ".own", left: ".at-left .plate", right: ".at-right .plate", score: ".score", talon: ".pile.talon" };

/** The room between the bubble and what it lies beside, and between it and the window's edges, in pixels. */
const GAP = 12;
const EDGE = 8;

/** How close to a corner of the bubble its tip may be, in pixels. */
const ROUND = 16;

/** What the bubble had better not cover, and what a covered pixel of it is worth; it may hide no answer. */
const KEPT: Record<string, number> = {
  "[data-pointed], .own .pickable, .mine button, .options button": 10,
  ".plate, .score": 2,
  ".top, .own, .held, .taken, .pile, .laid, .place, .ended > *": 1,
};

/** What a pixel between the bubble and what it points at is worth, in covered ones. */
const FAR = 25;

interface State {
  /** What is said in its place. */
  placed: Beat | null;
}

export class Coach extends Component<Props, State> {
  override state: State = { placed: null };
  private readonly bubble = createRef<HTMLElement>();
  private readonly resized = new ResizeObserver(() => void this.settle());
  /** The sizes for which the bubble was placed: it stays where it is read, whatever moves beside it. */
  private placedFor = "";

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentWillUnmount() {
    this.resized.disconnect();
  }

  override componentDidUpdate() {
    const { beat } = this.props;
    const pointed = beat ? beat.points.flatMap((point) => this.find(point) ?? []) : [];
    for (const each of all("[data-pointed]")) if (!pointed.includes(each)) each.removeAttribute("data-pointed");
    for (const each of pointed) each.setAttribute("data-pointed", "");
    this.resized.disconnect();
    for (const each of [this.bubble.current!, ...all(".left, .middle"), ...pointed]) this.resized.observe(each);
    void this.settle();
  }

  override render({ lesson, beat, said }: Props, { placed }: State) {
    return (
      <section ref={this.bubble} class={beat && beat === placed ? "coach" : "coach hidden"} aria-label={say("coach")}>
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
    const { answer } = this.props.beat!;
    const place = question?.type === "bid" ? question.legal.indexOf((answer as { bid: string }).bid) : -1;
    return document.querySelectorAll(".options button")[place] ?? null;
  }

  /** Show the bubble once what it points at lies still. */
  private async settle() {
    const { beat } = this.props;
    await Promise.allSettled(all("[data-pointed]").flatMap((each) => each.getAnimations({ subtree: true })).map(({ finished }) => finished));
    if (beat !== this.props.beat || this.bubble.current === null) return;
    if (beat === this.state.placed) return this.sizes === this.placedFor ? undefined : this.place();
    this.setState({ placed: beat }, () => {
      this.place();
      document.querySelector<HTMLElement>("[data-key=next]")?.focus({ preventScroll: true });
    });
  }

  /** How large the bubble and the table are. */
  private get sizes(): string {
    return all(".coach, .left").map(({ clientWidth, clientHeight }) => `${clientWidth} ${clientHeight}`).join();
  }

  /** Lay the bubble beside what it points at, else in the middle, or above the reader's place at a deal's end: where it covers least. */
  private place() {
    const bubble = this.bubble.current!;
    const { width, height } = bubble.getBoundingClientRect();
    const own = all(".own[data-pointed], .own [data-pointed]");
    const pointed = around(own.length > 0 ? own : all("[data-pointed]"));
    const table = around(all(".left"))!;
    const target = pointed ?? around(all(".cloth.still > .mine")) ?? around(all(".cloth > .middle")) ?? table;
    const kept = Object.entries(KEPT).flatMap(([where, worth]) => all(where).map((each) => ({ ...around([each])!, worth })));
    const spots = spotsFor(width, height, [target, ...kept], { left: EDGE, right: table.right - EDGE, top: EDGE, bottom: innerHeight - EDGE });
    const cost = (spot: Box) => FAR * apart(spot, target) + kept.reduce((sum, each) => sum + each.worth * shared(spot, each), 0);
    const { left, top, bottom } = spots.map((spot) => ({ ...spot, cost: cost(spot) })).reduce((best, each) => (each.cost < best.cost - 1 ? each : best));
    const tip = middle(target).x - left;
    const beside = pointed === null || tip < ROUND || tip > width - ROUND;
    bubble.dataset.lies = beside ? "free" : bottom <= target.top ? "above" : top >= target.bottom ? "below" : "free";
    bubble.style.setProperty("--x", `${left}px`);
    bubble.style.setProperty("--y", `${top}px`);
    bubble.style.setProperty("--tip", `${tip}px`);
    this.placedFor = this.sizes;
  }
}

/** A rectangle in the window, in pixels. */
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The places of a bubble that touch what lies there, or stand over its middle, within some limits. */
function spotsFor(width: number, height: number, near: Box[], within: Box): Box[] {
  const fit = (at: number, least: number, most: number) => Math.max(least, Math.min(at, most));
  const lefts = near.flatMap((box) => [middle(box).x - width / 2, box.left - GAP - width, box.right + GAP]);
  const tops = near.flatMap((box) => [middle(box).y - height / 2, box.top - GAP - height, box.bottom + GAP]);
  const xs = new Set(lefts.map((at) => fit(at, within.left, within.right - width)));
  const ys = new Set(tops.map((at) => fit(at, within.top, within.bottom - height)));
  return [...xs].flatMap((left) => [...ys].map((top) => ({ left, right: left + width, top, bottom: top + height })));
}

function middle({ left, right, top, bottom }: Box) {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** How far two rectangles are from each other, and, at a tenth, their middles. */
function apart(one: Box, other: Box): number {
  const across = Math.max(0, one.left - other.right, other.left - one.right);
  const down = Math.max(0, one.top - other.bottom, other.top - one.bottom);
  return across + down + (Math.abs(middle(one).x - middle(other).x) + Math.abs(middle(one).y - middle(other).y)) / 10;
}

/** The area that two rectangles share. */
function shared(one: Box, other: Box): number {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}

function all(where: string): Element[] {
  return [...document.querySelectorAll(where)];
}

/** The rectangle around some elements; null around none. */
function around(elements: Element[]): Box | null {
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
      <p>{say("learnt-match")}</p>
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
