// The match in two pictures: seconds for each move, and stakes over the deals, by seat.

import { Component, createRef } from "preact";
import uPlot from "uplot";
import type { Match } from "./match";
import { type Place, last } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";

/** The clock of the log counts microseconds. */
const LEAST_SECONDS = 1e-6;
const HEIGHT = 190;
/** Steps between ticks: moves and deals are whole. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

interface Props {
  match: Match;
  at: Place;
  sight: Sight;
  go: (to: Place) => void;
}

/** Moments are numbered through the match; the n-th chart point is the n-th moment. */
export class Times extends Component<Props> {
  private readonly places = this.props.match.deals.flatMap((deal, index) =>
    deal.moments.map((_, number) => ({ deal: index, ply: number + 1 })),
  );
  private readonly before = this.props.match.deals.reduce<number[]>(
    (starts, deal) => [...starts, starts.at(-1)! + last(deal)],
    [0],
  );

  private readonly data = timesOf(this.props.match);

  override render({ match, at, sight, go }: Props) {
    const past = this.before[at.deal]! + at.ply;
    return (
      <Chart
        title="Seconds for each move"
        match={match}
        data={this.data}
        shown={match.deals.reduce((moments, _, deal) => moments + sight.come(deal), 0)}
        logarithmic
        here={past}
        pick={(number) => {
          const place = this.places[number - 1];
          if (place) go({ ...at, ...place });
        }}
      />
    );
  }
}

/** The stakes after each deal; before the first everybody has none. */
export class Stakes extends Component<Props> {
  private readonly data = stakesOf(this.props.match);

  override render({ match, at, sight, go }: Props) {
    const past = at.deal + (sight.over ? 1 : 0);
    return (
      <Chart
        title="Stakes over the deals"
        match={match}
        data={this.data}
        shown={1 + match.deals.filter((_, deal) => sight.settled(deal)).length}
        logarithmic={false}
        here={past}
        pick={(number) => {
          if (number > 0) go({ ...at, deal: number - 1, ply: last(match.deals[number - 1]!) });
        }}
      />
    );
  }
}

/** The x values, then each seat's y values. */
type Data = [number[], ...(number | null)[][]];

interface ChartProps {
  title: string;
  match: Match;
  data: Data;
  /** How many of the points have come. */
  shown: number;
  logarithmic: boolean;
  /** The x value that one is at. */
  here: number;
  pick: (x: number) => void;
}

/** Drawn anew only where more or less may be shown: else a step moves the line that says where one is. */
class Chart extends Component<ChartProps> {
  private readonly box = createRef<HTMLDivElement>();
  private readonly line = document.createElement("div");
  private plot: uPlot | null = null;
  private readonly scheme = matchMedia("(prefers-color-scheme: dark)");
  private readonly resized = new ResizeObserver(() => this.fit());
  private readonly redraw = () => this.plot?.redraw(false);

  override componentDidMount() {
    this.line.className = "here";
    const hooks = { draw: [() => this.mark()] };
    this.plot = new uPlot({ ...options(this.props), hooks }, dataOf(this.props), this.box.current!);
    this.plot.over.append(this.line);
    this.plot.over.addEventListener("click", (event) => {
      // not the cursor's place: that is where the mouse was a frame ago, and a tap has none
      const x = this.plot!.data[0][this.plot!.posToIdx(event.offsetX)];
      if (x !== undefined) this.props.pick(x);
    });
    this.resized.observe(this.box.current!);
    this.scheme.addEventListener("change", this.redraw);
  }

  override shouldComponentUpdate(next: ChartProps) {
    const changed = next.shown !== this.props.shown;
    this.props = next;
    if (changed) this.plot!.setData(dataOf(next));
    else this.mark();
    return false;
  }

  override render({ title, match }: ChartProps) {
    return (
      <figure class="chart panel">
        <figcaption>
          <h2>{title}</h2>
          {match.bots.map((_, seat) => (
            <Who match={match} player={seat} />
          ))}
        </figcaption>
        <div ref={this.box} />
      </figure>
    );
  }

  private fit() {
    this.plot!.setSize({ width: this.box.current!.clientWidth, height: HEIGHT });
  }

  private mark() {
    const x = this.plot?.valToPos(this.props.here, "x") ?? 0;
    this.line.style.transform = `translateX(${x}px)`;
  }
}

/** The points that have come, and room for two, whatever there is. */
function dataOf({ data, shown }: ChartProps): Data {
  const [all, ...seats] = data;
  const first = all[0] ?? 0;
  const x = shown < 2 ? [first, first + 1] : all.slice(0, shown);
  return [x, ...seats.map((column) => x.map((_, number) => (number < shown ? column[number]! : null)))];
}

function timesOf(match: Match): Data {
  const moments = match.deals.flatMap((deal) => deal.moments);
  const seats = match.bots.map((_, seat) =>
    moments.map((moment) => (moment.seat === seat ? Math.max(moment.seconds, LEAST_SECONDS) : null)),
  );
  return [moments.map((_, number) => number + 1), ...seats];
}

function stakesOf(match: Match): Data {
  const seats = match.bots.map((_, seat) => {
    let total = 0;
    return [0, ...match.deals.map((deal) => (total += deal.result.payments[seat]!))];
  });
  return [[0, ...match.deals.map((_, index) => index + 1)], ...seats];
}

function options({ match, logarithmic }: ChartProps): uPlot.Options {
  const axis = { stroke: () => colour("--ink"), grid: { stroke: () => colour("--line") } };
  return {
    width: 300,
    height: HEIGHT,
    scales: {
      x: { time: false, range: (_, least, most) => [least ?? 0, Math.max(most ?? 0, (least ?? 0) + 1)] },
      y: logarithmic ? { distr: 3, range: decades } : {},
    },
    axes: [
      { ...axis, incrs: WHOLE },
      logarithmic
        ? { ...axis, size: 62, splits: powers, filter: (_, ticks) => ticks, values: (_, ticks) => ticks.map(tick) }
        : axis,
    ],
    cursor: { drag: { x: false, y: false } },
    legend: { show: false },
    series: [
      {},
      ...match.bots.map((_, seat) => ({
        stroke: () => colour(`--seat-${seat}`),
        width: 2,
        ...(logarithmic ? { paths: () => null, points: { show: true, size: 4 } } : { points: { show: false } }),
      })),
    ],
  };
}

/** Whole powers of ten around what there is. */
function decades(_: uPlot, least: number | null, most: number | null): [number, number] {
  const low = Math.floor(Math.log10(least ?? 0.001));
  const high = Math.ceil(Math.log10(most ?? 1));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** The powers of ten within bounds that are some themselves. */
function powers(_: uPlot, _axis: number, low: number, high: number): number[] {
  const first = Math.round(Math.log10(low));
  const count = Math.round(Math.log10(high)) - first + 1;
  return Array.from({ length: count }, (_, number) => 10 ** (first + number));
}

/** A power of ten as a time. */
function tick(seconds: number): string {
  if (seconds >= 1) return `${seconds} s`;
  return seconds >= 0.001 ? `${Math.round(seconds * 1e3)} ms` : `${Math.round(seconds * 1e6)} µs`;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
