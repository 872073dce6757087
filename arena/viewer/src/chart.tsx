// A chart with a line or with dots for each seat, over whole numbers, and a mark where one is.

import { Component, type VNode, createRef } from "preact";
import type { Match } from "./match";
import { Who } from "./names";

export type Point = [x: number, y: number];

interface Props {
  title: string;
  match: Match;
  /** The points of each seat, by ascending x. */
  data: Point[][];
  /** The greatest x that may be shown. */
  most: number;
  dots?: boolean;
  /** By seat, how far strokes go up from its points; where that is the point itself, there is a dot. */
  strokes?: Point[][];
  /** What stands at a whole y. */
  label: (y: number) => string;
  /** The x that one is at. */
  here: number;
  pick: (x: number) => void;
}

interface Drawing {
  /** What it was drawn from. */
  of: unknown[];
  /** The axis below, and where its numbers lie. */
  first: number;
  end: number;
  right: (x: number) => number;
  parts: VNode;
}

const HEIGHT = 200;
const LEFT = 56;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;
/** How many lines across there are at most, but one. */
const LINES = 8;
/** Between two figures of the axis below, in pixels. */
const APART = 70;

export class Chart extends Component<Props, { width: number }> {
  override state = { width: 600 };
  private readonly box = createRef<HTMLDivElement>();
  private readonly fit = () => this.setState({ width: this.box.current!.clientWidth });
  private drawn: Drawing | undefined;
  private readonly resized = new ResizeObserver(this.fit);

  override componentDidMount() {
    this.fit();
    this.resized.observe(this.box.current!);
  }

  override componentWillUnmount() {
    this.resized.disconnect();
  }

  /** What a match of a thousand deals draws is drawn once, not at each step; only the mark moves. */
  private drawing({ data, most, dots, strokes, label }: Props, width: number): Drawing {
    const of = [data, most, strokes, width];
    if (this.drawn?.of.every((each, number) => each === of[number])) return this.drawn;
    const shown = data.map((points) => points.filter(([x]) => x <= most));
    const first = Math.min(1, ...data.map((points) => points[0]?.[0] ?? 1));
    const end = Math.max(most, first + 1);
    const tops = strokes?.map((points) => points.filter(([x]) => x <= most));
    const heights = [...shown, ...(tops ?? [])].flat().map(([, y]) => y);
    const low = heights.reduce((least, y) => Math.min(least, y), heights[0] ?? 0);
    const high = heights.reduce((greatest, y) => Math.max(greatest, y), low);
    const step = stepOf(high - low, LINES);
    const bottom = Math.floor(low / step) * step;
    const top = Math.max(Math.ceil(high / step) * step, bottom + step);
    const right = (x: number) => LEFT + ((x - first) / (end - first)) * (width - LEFT - RIGHT);
    const up = (y: number) => TOP + ((top - y) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
    const place = ([x, y]: Point) => `${right(x).toFixed(1)} ${up(y).toFixed(1)}`;
    const path = (points: Point[]) =>
      dots ? points.map((point) => `M${place(point)}h0`).join("") : points.length ? `M${points.map(place).join("L")}` : "";
    const parts = (
      <g>
        {multiples(stepOf(end - first, width / APART), first, end).map((x) => (
          <text x={right(x)} y={HEIGHT - 6} text-anchor="middle">
            {x}
          </text>
        ))}
        {multiples(step, bottom, top).map((y) => (
          <g>
            <path class="grid" d={`M${LEFT} ${up(y)}H${width - RIGHT}`} />
            <text x={LEFT - 8} y={up(y) + 4} text-anchor="end">
              {label(y)}
            </text>
          </g>
        ))}
        {shown.map((points, seat) => (
          <path class={`${dots ? "dots" : "line"} seat-${seat}`} d={path(points)} />
        ))}
        {tops?.map((points, seat) => (
          <path class={`stroke seat-${seat}`} d={points.map((point, i) => `M${place(shown[seat]![i]!)}L${place(point)}`).join("")} />
        ))}
      </g>
    );
    return (this.drawn = { of, first, end, right, parts });
  }

  override render(props: Props, { width }: { width: number }) {
    const { title, match, here, pick } = props;
    const { first, end, right, parts } = this.drawing(props, width);
    return (
      <figure class="chart panel">
        <figcaption>
          <h2>{title}</h2>
          {match.bots.map((_, seat) => (
            <Who match={match} player={seat} />
          ))}
        </figcaption>
        <div ref={this.box}>
          <svg width={width} height={HEIGHT} role="img" aria-label={title}>
            {parts}
            <path class="here" d={`M${right(here)} ${TOP}V${HEIGHT - BOTTOM}`} />
            <rect
              class="area"
              x={LEFT}
              y={TOP}
              width={Math.max(0, width - LEFT - RIGHT)}
              height={HEIGHT - TOP - BOTTOM}
              onClick={(event) => {
                const area = event.currentTarget.getBoundingClientRect();
                pick(Math.round(first + ((event.clientX - area.left) / area.width) * (end - first)));
              }}
            />
          </svg>
        </div>
      </figure>
    );
  }
}

/** The least of 1, 2, 5, 10, 20, 50, … that divides a span into no more parts than wanted. */
function stepOf(span: number, parts: number): number {
  for (let ten = 1; ; ten *= 10)
    for (const step of [ten, 2 * ten, 5 * ten]) if (span / step <= Math.max(1, parts)) return step;
}

function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, number) => (first + number) * step);
}
