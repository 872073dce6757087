// A deal's end on the felt: hands open in place, what it paid, its tricks again, and what would have been better.

import { Component, type TargetedMouseEvent } from "preact";
import { sorted } from "../cards";
import { summary } from "../events";
import { Felt, Own, OwnPlace, givesTalon, lying, scoreOf, type Seated } from "../felt";
import { compose, say } from "../language";
import { Words } from "../moves";
import { CLEAR } from "../reviews";
import { mean, pointsOf, signed } from "../words";
import type { Judged, MadeByLevel } from "./advice";
import { answersBefore, heldBefore, takenBefore, tricksOf } from "./aftermath";
import { Why } from "./ask";
import type { CardName, Result, Seat } from "./lines";
import { cost, mistakesOf, where } from "./result";
import { tier } from "./sheet";
import type { Session } from "./session";
import { type Table, own } from "./state";
import { seatedAt } from "./table";
import { doer, game } from "./words";

type Part = "result" | "tricks" | "review" | "same";
const PARTS: Part[] = ["result", "tricks", "review", "same"];

interface State {
  part: Part;
  /** The trick that is shown, from 0. */
  trick: number;
  /** The answer that was chosen to be looked at; null before that. */
  looked: Judged | null;
  /** The mistakes; null where nothing was reviewed. */
  found: Judged[] | null;
  /** Where there is no mistake, the card that most depended on: one that was right, or one that lost most with all hands open. */
  key: Judged | null;
  /** Whether the key is judged with all hands open. */
  open: boolean;
  /** The answers that others were better than, but by too little for a clear mistake. */
  close: Judged[];
  looking: boolean;
}

/** Does what ends the match, once the reader agrees to that. */
type Leaves = (act: () => void) => void;

interface Props {
  session: Session;
  next: () => void;
  leaves: Leaves;
}

export class Ending extends Component<Props, State> {
  override state: State = { part: "result", trick: 0, looked: null, found: null, key: null, open: false, close: [], looking: true };
  private readonly tricks = tricksOf(this.props.session.table);

  override async componentDidMount() {
    const { session } = this.props;
    const { table } = session;
    const seat = own(table);
    if (seat === undefined || !session.looksBack || !session.advises) return this.setState({ looking: false });
    const verdicts = await session.reviews.of(table.dealt!.deal);
    const { retried: again } = session;
    const found = verdicts && (again ? [] : mistakesOf(verdicts, seat, table.hello!.rules, table.result!));
    const close = again ? [] : (verdicts ?? []).filter((each) => isChoice(each) && !found!.includes(each) && !isRight(each));
    const cards = verdicts?.filter((each) => each.kind === "play" && isChoice(each));
    const right = again ? null : most(cards?.filter((each) => isRight(each) && atStake(each) >= CLEAR), atStake);
    const unlucky = most(cards?.filter(({ open_loss }) => open_loss >= CLEAR), ({ open_loss }) => open_loss);
    const open = found?.length === 0 && unlucky !== null && (right === null || table.result!.payments[seat]! < 0);
    this.setState({ found, close, key: open ? unlucky : found?.length === 0 ? right : null, open, looking: false });
  }

  override render({ session, next, leaves }: Props, { part, trick }: State) {
    const { table, paced } = session;
    const { seat, active } = table.dealt!;
    const seats = this.seats();
    const nearest = seats.find(({ side }) => side === 0)!;
    const has = { result: true, tricks: this.tricks.length > 0, review: this.reviews, same: seat !== undefined && active.includes(seat) && !session.together };
    const parts = session.looksBack ? PARTS.filter((each) => has[each]) : [];
    return (
      <Felt seats={seats} talon={[]} trick={this.trick()} score={this.score()} still>
        <section tabIndex={-1} class={`ended of-${part}`} aria-label={say("deal-over")}>
          {part === "result" && <Outcome session={session} />}
          {part === "tricks" && <Scrub of={this.tricks.length} at={trick} go={(to) => this.setState({ trick: to })} />}
          {part === "review" && this.review()}
          {part === "same" && <SameCards session={session} seat={seat!} leaves={leaves} />}
        </section>
        <OwnPlace of={nearest} seats={seats.map(({ seat, name }) => ({ seat, name }))}>
          <p class="parts">
            {parts.map((each) => (
              <button type="button" aria-pressed={each === part} onClick={(event) => this.look(each, event)}>
                {say("part", { part: each })}
                {each === "review" && this.state.found !== null && this.state.found.length > 0 && <sup>{this.state.found.length}</sup>}
              </button>
            ))}
          </p>
          {seat !== undefined && (
            <p class="onwards">
              {session.retried && session.over && session.back !== "" ? (
                <button type="button" class="main" data-key="next" onClick={() => location.replace(session.back)}>
                  {say("back-to-match")}
                </button>
              ) : paced.left < paced.shown ? (
                <button type="button" class="main" data-key="next" onClick={next}>
                  {say(session.onwards)}
                </button>
              ) : (
                say("waiting-for-others")
              )}
            </p>
          )}
        </OwnPlace>
        <Own of={nearest} />
      </Felt>
    );
  }

  /** Show a part of what there is; Enter leads on then, unless the button was reached by keys. */
  private look(part: Part, { detail, currentTarget }: TargetedMouseEvent<HTMLButtonElement>) {
    if (detail > 0) currentTarget.blur();
    this.setState({ part, trick: 0 });
  }

  /** Whether there is, or may still be, anything to look at. */
  private get reviews(): boolean {
    return own(this.props.session.table) !== undefined && (this.state.looking || this.state.found !== null);
  }

  /** The answer that is looked at: the one chosen, the first mistake, or what most depended on. */
  private get judged(): Judged | undefined {
    return this.state.looked ?? this.state.found?.[0] ?? this.state.key ?? undefined;
  }

  /** Whether it is judged with all hands open. */
  private get open(): boolean {
    return this.state.open && this.judged === this.state.key;
  }

  /** The trick at which the hands are shown; null for the deal as it was dealt. */
  private get at(): number | null {
    const { part, trick } = this.state;
    if (part === "tricks") return trick;
    const asked = part === "review" ? this.judged?.trick : null;
    return asked == null ? null : asked - 1;
  }

  /** What each seat has taken: with the trick that is shown whole, before the one that is judged, or in all. */
  private get taken() {
    const { at } = this;
    const tricks = at === null ? this.tricks.length : this.state.part === "tricks" ? at + 1 : at;
    return takenBefore(this.tricks, tricks, this.props.session.table.totals.length);
  }

  private seats(): Seated[] {
    const { table } = this.props.session;
    const { result, dealt } = table;
    const { at, judged, taken } = this;
    const held = heldBefore(result!, this.tricks, at);
    const { open } = this;
    const { part } = this.state;
    const hides = part === "review" && judged !== undefined;
    const best = judged && (open ? bestOpen(judged) : isRight(judged) ? judged.given : judged.best);
    return held.map((cards, seat) => {
      const of = seatedAt(table, seat);
      const plays = dealt!.active.includes(seat);
      const talon = hides && judged.kind === "discard" && seat === own(table) ? result!.talon : [];
      const left = hides || part === "tricks" ? sorted([...cards, ...talon].filter((card) => !this.before(seat).includes(card))) : cards;
      const { tricks, points } = taken[seat]!;
      const aside = at === null && seat === result!.declarer ? pointsOf(result!.discards) : 0;
      return {
        ...of,
        says: "",
        taken: tricks,
        has: plays && (at !== null || this.tricks.length > 0) ? [say("tricks", { count: tricks }), at === null && say("points", { count: points + aside })].filter(Boolean).join(", ") : "",
        paid: part === "result" ? signed(result!.payments[seat]!) : "",
        cards: !hides || open || seat === own(table) ? left : left.map(() => null),
        aside: seat === result!.declarer && at !== null && (!hides || open || seat === own(table)) ? sorted(result!.discards) : [],
        marked: hides && seat === own(table) ? { [judged.given]: "given", [best!]: "best" } : {},
        turn: false,
      };
    });
  }

  /** What a seat had already laid to the trick at which the answer was given. */
  private before(seat: Seat): string[] {
    return this.trick().cards.filter((each) => each.seat === seat).map(({ card }) => card);
  }

  private trick() {
    const { at, judged } = this;
    const shown = at === null ? undefined : this.tricks[at];
    if (shown === undefined) return { cards: [], winner: null };
    if (this.state.part === "tricks") return { cards: shown.cards, winner: shown.winner };
    const place = shown.cards.findIndex(({ card }) => card === judged?.given);
    return { cards: shown.cards.slice(0, Math.max(0, place)), winner: null };
  }

  private score() {
    const { table } = this.props.session;
    const { declarer, points, contract } = table.result!;
    if (declarer === null || contract === "small_solo" || points.declarer === null) return game(table);
    const { at, taken } = this;
    if (at === null) return scoreOf(declarer, doer(table, declarer), points.declarer, points.defenders!, null, "defenders", []);
    const theirs = taken.reduce((all, { points }, seat) => all + (seat === declarer ? 0 : points), 0);
    // A review judges by what the reader knew, unless it says otherwise.
    const knew = this.state.part !== "review" || this.open || declarer === own(table);
    const held = taken[declarer]!.points + (knew ? pointsOf(table.result!.discards) : 0);
    const unseen = givesTalon(contract) ? "talon" : knew ? null : "aside";
    return scoreOf(declarer, doer(table, declarer), held, theirs, unseen, "defenders", [lying(this.trick())]);
  }

  /** The reader's answers that led to the one that is judged. */
  private way() {
    const { table } = this.props.session;
    const { kind, trick } = this.judged!;
    const answers = answersBefore(table, own(table)!, trick === null ? null : trick - 1);
    if (kind === "bid") return [];
    return kind === "talon" ? answers.slice(0, 1) : kind === "discard" ? answers.filter((each) => !("cards" in each)) : answers;
  }

  /** A button that shows an answer, and takes it back. */
  private choice(of: Judged) {
    return (
      <button type="button" aria-pressed={of === this.judged} onClick={() => this.setState({ looked: of === this.judged ? null : of })}>
        {where(of)}
      </button>
    );
  }

  private review() {
    const { session } = this.props;
    const { table } = session;
    const { found, key, close, looking } = this.state;
    const { judged, open } = this;
    const again = session.retried;
    if (looking) return <p class="faint looking">{say("looking-for-better")}</p>;
    const { fault } = table.result!;
    if (fault !== null && fault.seat === own(table)) return <p>{say("result-fault", { ...doer(table, fault.seat), fault: fault.fault })}</p>;
    const doubt = close.length > 0 && (
      <p class="which">
        <span>{say("close-calls")}</span>
        {close.map((each) => this.choice(each))}
      </p>
    );
    if (judged === undefined)
      return (
        <>
          {!again && <p>{say("no-mistake")}</p>}
          {doubt || <p>{say("cards-decided")}</p>}
        </>
      );
    return (
      <div class="better" role="group" aria-label={say(found!.length > 0 ? "what-would-be-better" : "review")}>
        <p class="which">
          {found!.map((each) => this.choice(each))}
          {found!.length === 0 && (
            <span>
              {(key === null || this.state.open) && !again && `${say("no-mistake")} `}
              {key !== null &&
                (this.state.open
                  ? compose("in-hindsight", { better: <Words ask={key.kind} text={bestOpen(key)} /> }, { where: where(key) })
                  : say("no-clear-mistake", { where: where(key) }))}
            </span>
          )}
          {session.guest && !session.together && (
            <button type="button" onClick={() => this.props.leaves(() => session.replay(table.dealt!.deal, this.way()))}>
              {say("try-again-here")}
            </button>
          )}
        </p>
        {doubt}
        <JudgedCard of={judged} open={open} laid={this.trick().cards.map(({ card }) => card)} />
      </div>
    );
  }
}

/** What the reader made of the deal, and a bot of each level with the same cards. */
class SameCards extends Component<{ session: Session; seat: Seat; leaves: Leaves }, { made: MadeByLevel[] | null; asking: boolean }> {
  override state = { made: null as MadeByLevel[] | null, asking: true };

  override async componentDidMount() {
    const { session } = this.props;
    this.setState({ made: await session.levels(session.table.dealt!.deal), asking: false });
  }

  override render({ session, seat, leaves }: { session: Session; seat: Seat; leaves: Leaves }, { made, asking }: { made: MadeByLevel[] | null; asking: boolean }) {
    const { table } = session;
    const { result, dealt } = table;
    if (asking) return <p class="faint looking">{say("levels-play")}</p>;
    const rows = [
      { who: say("place", { place: "you" }), course: result!, stakes: result!.payments[seat]! },
      ...(made ?? []).map((each) => ({ who: say("strength", each), ...each })),
    ];
    const played = ({ contract, declarer }: MadeByLevel["course"]) =>
      declarer === seat ? say("declares-game", { game: contract! }) : game({ ...table, contract, declarer });
    return (
      <>
        <p>{say(made === null ? "levels-silent" : "same-cards-told")}</p>
        <table class="same">
          <tbody>
            {rows.map(({ who, course, stakes }) => (
              <tr>
                <th scope="row">{who}</th>
                <td class="played">{played(course)}</td>
                <td class={stakes < 0 ? "lost" : "won"}>{signed(stakes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {session.guest && (
          <p class="which">
            <button type="button" onClick={() => leaves(() => session.replay(dealt!.deal))}>
              {say("play-these-again")}
            </button>
          </p>
        )}
      </>
    );
  }
}

/** The headline of a deal, and what came of it in a sentence. */
function Outcome({ session: { table, retried, first } }: { session: Session }) {
  const { result, dealt } = table;
  const seat = own(table);
  const lost = seat !== undefined && result!.payments[seat]! < 0;
  const beside = retried && [first !== null && say("first-time", { amount: signed(first) }), lost && say("one-deal-is-luck")].filter(Boolean).join(" ");
  return (
    <>
      <h2>
        {seat !== undefined && dealt!.active.includes(seat) && <b class={lost ? "lost" : "won"}>{signed(result!.payments[seat]!)}</b>}
        <span role="status">{seat === undefined ? say("deal-over") : outcome(table, seat)}</span>
      </h2>
      <p>
        {summary(table.hello!.rules, result!, (player) => doer(table, player))} {tier(table.hello!.rules, result!)}
      </p>
      <TalonAndAside result={result!} />
      {beside && <p class="faint">{beside}</p>}
    </>
  );
}

/** What a deal paid a seat, in one line. */
function outcome({ result, dealt }: Table, seat: Seat): string {
  const paid = result!.payments[seat]!;
  if (paid === 0) return say(dealt!.active.includes(seat) ? "deal-even" : "deal-sat-out");
  return say(paid > 0 ? "deal-won" : "deal-lost", { count: Math.abs(paid) });
}

function TalonAndAside({ result }: { result: Result }) {
  if (result.talon.length === 0) return null;
  return (
    <p class="faint">
      {say("hands-as-dealt")};{" "}
      <span class="whole">
        {say(givesTalon(result.contract) ? "talon-of-defenders" : "talon")} <Words ask="discard" text={result.talon.join(".")} />
      </span>{" "}
      {result.discards.length > 0 && (
        <span class="whole">
          {say("laid-aside")} <Words ask="discard" text={result.discards.join(".")} />
        </span>
      )}
    </p>
  );
}

/** A way through the tricks: buttons, and a slider between them. */
function Scrub({ of, at, go }: { of: number; at: number; go: (to: number) => void }) {
  const label = say("where-trick", { trick: at + 1 });
  return (
    <p class="scrub">
      <button type="button" aria-label={say("trick-before")} disabled={at === 0} onClick={() => go(at - 1)}>
        ‹
      </button>
      <label>
        {label}
        <input
          type="range"
          min={1}
          max={of}
          value={at + 1}
          aria-label={say("the-trick")}
          aria-valuetext={label}
          onInput={({ currentTarget }) => go(currentTarget.valueAsNumber - 1)}
        />
      </label>
      <button type="button" aria-label={say("trick-after")} disabled={at === of - 1} onClick={() => go(at + 1)}>
        ›
      </button>
    </p>
  );
}

/** Reasons that say what the bars show. */
const VALUES = /^why-(same-|no-matter|better|worth|also|too-close)/;

/** Stakes: answers whose values differ by less are equal. */
const EVEN = 0.1;

/** The most answers that have a bar, but for the one given and the worst. */
const BARS = 3;

/** Whether no answer was better by what the seat knew; bids and discards are compared in few worlds. */
function isRight(of: Judged): boolean {
  return cost(of, of.given) - cost(of, of.best) < (of.kind === "play" ? EVEN : CLEAR);
}

/** Whether one answer had to be chosen: whether to concede is none of a review's business. */
function isChoice({ kind, given }: Judged): boolean {
  return kind !== "surrender" && kind !== "offer" && given !== "offer";
}

/** The best answer with all hands open. */
function bestOpen({ answers }: Judged): string {
  return answers.toSorted(([, , one], [, , other]) => other - one)[0]![0];
}

/** The verdict with the most of something, if there is any. */
function most(of: Judged[] = [], what: (each: Judged) => number): Judged | null {
  return of.toSorted((one, other) => what(other) - what(one))[0] ?? null;
}

/** What the worst answer would have lost, in stakes. */
function atStake(of: Judged): number {
  return Math.max(...of.answers.map(([answer]) => cost(of, answer)));
}

/**
 * A judged answer: what was better, or that it was right, why, what lay on the table, and the answers as bars: what
 * cards cost beside the best, and what bids are worth; by what the seat knew, or with all hands open.
 */
function JudgedCard({ of, open, laid }: { of: Judged; open: boolean; laid: CardName[] }) {
  const { kind, given, why = [] } = of;
  const best = open ? bestOpen(of) : of.best;
  const right = !open && isRight(of);
  const reasons = open || (right && given !== best) ? [] : why.filter(({ message }) => !VALUES.test(message));
  const parts = { best: <Words ask={kind} text={best} />, given: <Words ask={kind} text={given} /> };
  const isBest = (answer: string) => answer === best || (right && answer === given);
  const costs = kind === "play" || kind === "discard";
  const less = (answer: string) => (cost(of, answer, open) < EVEN ? 0 : -cost(of, answer, open));
  const answers = of.answers
    .map(([answer, known]) => [answer, costs ? less(answer) : known] as const)
    .toSorted(([one, value], [other, next]) => next - value || Number(other === best) - Number(one === best));
  const all = answers.map(([answer, value], place) => ({ answer, value, place }));
  const some = all.filter(({ answer, place }) => place < BARS || answer === given || place === all.length - 1);
  const bars = some.length === all.length - 1 ? all : some;
  const shown = bars.map((bar, row) => ({ ...bar, left: bar.place - (bars[row - 1]?.place ?? -1) - 1 }));
  const values = shown.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const span = Math.max(CLEAR, ...values) - low;
  return (
    <>
      {!open && (
        <p>
          {compose(right ? "was-right" : "better-plain", parts)}{" "}
          {reasons.map((each) => (
            <Why reason={each} />
          ))}
        </p>
      )}
      {laid.length > 0 && (
        <p class="faint">
          {say("the-trick")}: <Words ask="discard" text={laid.join(".")} />
        </p>
      )}
      {shown.length > 0 && <p class="faint">{say("values-of-answers", { kind: open ? "open" : costs ? "cost" : "worth" })}</p>}
      {shown.length > 0 && (
        <ul class="bars">
          {shown.map(({ answer, value, left }) => (
            <li class={isBest(answer) ? "best" : answer === given && !open ? "given" : ""}>
              {left > 0 && <span class="others">{say("more-answers", { count: left })}</span>}
              <span>
                <Words ask={kind} text={answer} />
              </span>
              <i class="from-zero" style={{ "--zero": `${(-100 * low) / span}%`, "--from": `${(100 * (Math.min(0, value) - low)) / span}%`, "--long": `${(100 * Math.abs(value)) / span}%` }} />
              <data value={value}>{mean(value, 1)}</data>
              <small>{isBest(answer) && answer !== given ? say("best") : answer === given && `${isBest(answer) ? "★" : "●"} ${say("place", { place: "you" })}`}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
