// How a match ended: who is ahead, how the stakes ran, and which answers lost them.

import { Component } from "preact";
import { Emblem } from "../emblem";
import { ended } from "../events";
import { compose, language, say } from "../language";
import { Words } from "../moves";
import { initials } from "../names";
import { clearMistakes } from "../reviews";
import { dealNumber, decimals, signed } from "../words";
import { AboutTable, Share } from "./about";
import type { Judged, MadeByLevel } from "./advice";
import type { Result, Rules, Seat } from "./lines";
import type { DayResult, Session } from "./session";
import { stakes } from "./sheet";
import { type Table, own } from "./state";
import { seatedAt } from "./table";
import { names } from "./words";

interface Found {
  of: Judged;
  /** The deal's number; null where the match has one. */
  deal: number | null;
}

/**
 * The clear mistakes of a seat in a deal: an offer to concede that was refused has cost nothing, and to play on is none, for
 * nobody asks the reader to concede.
 */
export function mistakesOf(verdicts: Judged[], seat: Seat, rules: Rules, result: Result): Judged[] {
  const refused = ended(rules, result) !== "conceded";
  const counted = verdicts.filter(({ kind, given }) => !(refused && given === "offer") && !(kind === "surrender" && given === "no"));
  return clearMistakes(counted, ({ kind }) => (kind === "surrender" ? seat : null));
}

/** At which moment of a deal a mistake was made. */
export function where({ kind, trick }: Judged): string {
  return trick && kind === "play" ? say("where-trick", { trick }) : say("where-ask", { ask: kind });
}

/** How much less an answer was worth to the seat than the best, in stakes: with all hands open, or by what it knew. */
export function cost({ answers }: Judged, answer: string, open = false): number {
  const worths = answers.map(([each, known, revealed]) => [each, open ? revealed : known] as const);
  return Math.max(...worths.map(([, value]) => value)) - worths.find(([each]) => each === answer)![1];
}

function Mistake({ of, deal }: Found) {
  const { kind, given, best } = of;
  const parts = { best: <Words ask={kind} text={best} />, given: <Words ask={kind} text={given} /> };
  return (
    <li>
      {[deal !== null && say("where-deal", { deal: dealNumber(deal) }), where(of)].filter(Boolean).join(", ")}:{" "}
      {compose("better", parts, { loss: decimals(cost(of, given), 1) })}
    </li>
  );
}

/** This many mistakes of a match are shown at its end. */
const DEAREST = 3;

/** What the match was lost by: the dearest mistakes, as far as its deals were reviewed. */
class Dearest extends Component<{ session: Session; seat: Seat }, { found: Found[] }> {
  override state = { found: [] as Found[] };

  override async componentDidMount() {
    const { session, seat } = this.props;
    const { sheet, hello } = session.table;
    const found: Found[] = [];
    for (const { dealt, result } of sheet)
      for (const each of mistakesOf((await session.reviews.of(dealt.deal)) ?? [], seat, hello!.rules, result)) found.push({ of: each, deal: sheet.length > 1 ? dealt.deal : null });
    this.setState({ found: found.toSorted(({ of: one }, { of: other }) => other.loss - one.loss).slice(0, DEAREST) });
  }

  override render() {
    const { found } = this.state;
    if (found.length === 0) return null;
    const title = say("dearest-moments");
    return (
      <div class="better" role="group" aria-label={title}>
        <h3>{title}</h3>
        <ul>
          {found.map((each) => (
            <Mistake {...each} />
          ))}
        </ul>
      </div>
    );
  }
}

/** How the match ended for the reader; there may have been no deal. */
function ending(made: number | undefined, totals: number[], deals: number | undefined): string {
  if (made === undefined) return say("match-over-plain");
  const ahead = totals.filter((total) => total > made).length;
  const shared = totals.filter((total) => total === made).length > 1;
  const stands = shared ? "shared" : ahead === 0 ? "won" : "alone";
  return say("match-place", { of: deals === 1 ? "deal" : "match", place: String(ahead + 1), players: String(totals.length), stands });
}

/** With this many others, what the reader made is told as a share of them. */
const MANY = 10;

/** What the deal of the day came to, in words that tell others nothing of its cards; and what bots made of it. */
class OfDay extends Component<{ of: DayResult; session: Session }, { made: MadeByLevel[] | null }> {
  override state = { made: null as MadeByLevel[] | null };

  override async componentDidMount() {
    const { session } = this.props;
    this.setState({ made: await session.levels(session.table.sheet[0]!.dealt.deal) });
  }

  override render({ of, session }: { of: DayResult; session: Session }, { made }: { made: MadeByLevel[] | null }) {
    const { stakes, points, others, less, same } = of;
    const day = new Date(of.day).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
    const told = say("day-result", { day, amount: signed(stakes), count: points, with: points > 0 ? "points" : "nothing" });
    const counts = { count: others, less, same, more: others - less - same };
    const among = others >= MANY ? say("day-better-than", { share: Math.round((100 * (less + same / 2)) / others), count: others }) : others > 0 && say("day-others", counts);
    const bots = made?.map((each) => `${say("strength", each)} ${signed(each.stakes)}`).join(", ");
    return (
      <p class="day">
        <b>{told}</b> {among || say("day-first")} {bots && say("day-bots", { made: bots })}{" "}
        <Share what="result" address={`${session.home}play`} text={[told, among].filter(Boolean).join(" ")} />
      </p>
    );
  }
}

/** All players, the one who is ahead first. */
function Ranking({ table }: { table: Table }) {
  const seats = table.totals.map((total, seat) => ({ ...seatedAt(table, seat), total }));
  return (
    <ol class="ranking">
      {seats
        .toSorted((one, other) => other.total - one.total)
        .map(({ seat, name, face, total }) => (
          <li>
            <i class={`seat-${seat}`} aria-hidden="true">
              {face === null ? initials(names(table), seat) : <Emblem name={face} />}
            </i>
            <bdi>{name}</bdi> <b class={total > 0 ? "up" : total < 0 ? "down" : ""}>{stakes(total)}</b>
          </li>
        ))}
    </ol>
  );
}

/** What each player had after each deal, as lines in the colours of the seats; the score sheet has the figures. */
function Course({ table: { sheet, totals } }: { table: Table }) {
  if (sheet.length < 2) return null;
  const after = [totals.map(() => 0), ...sheet.map((written) => written.totals)];
  const high = Math.max(...after.flat());
  const low = Math.min(...after.flat());
  return (
    <svg class="course" viewBox={`0 ${-high} ${sheet.length} ${high - low}`} preserveAspectRatio="none" role="img" aria-label={say("course-of-match")}>
      <path class="zero" d={`M0 0H${sheet.length}`} />
      {totals.map((_, seat) => (
        <polyline class={`seat-${seat}`} points={after.map((each, deal) => `${deal},${-each[seat]!}`).join(" ")} />
      ))}
    </svg>
  );
}

/** How often a friend's page asks whether the guest plays on. */
const REMATCH_MS = 3000;

/** The way to a friend's seat at the guest's next table, once there is one. */
class Rematch extends Component<{ session: Session }> {
  private timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    const { session } = this.props;
    this.timer = setInterval(() => void (session.about?.again || session.learn()), REMATCH_MS);
  }

  override componentWillUnmount() {
    clearInterval(this.timer);
  }

  override render({ session: { about } }: { session: Session }) {
    if (!about?.again) return null;
    return (
      <a class="press" href={about.again}>
        {say("play-again")}
      </a>
    );
  }
}

export function MatchOver({ session }: { session: Session }) {
  const { table, gone, guest, watching, about } = session;
  const seat = own(table);
  const made = seat === undefined || gone ? undefined : table.totals[seat];
  const dearest = !gone && seat !== undefined && <Dearest session={session} seat={seat} />;
  return (
    <section tabIndex={-1} class="panel over" aria-label={say("match-over")}>
      <h2>
        {made !== undefined && <b class={made > 0 ? "up" : made < 0 ? "down" : ""}>{signed(made)}</b>}
        <span role="status">{gone ? say("you-have-left") : ending(made, table.totals, about?.deals)}</span>
      </h2>
      {table.totals.length > 0 && !gone && (
        <div class="stood">
          <Ranking table={table} />
          <Course table={table} />
        </div>
      )}
      {about?.day && <OfDay of={about.day} session={session} />}
      {table.bye === "disqualified" && <p>{say("disqualified")}</p>}
      {watching ? (
        <p class="onwards">
          <a href="">{say("see-it-again")}</a>
          <a href={`${session.home}standings`}>{say("the-standings")}</a>
        </p>
      ) : guest ? (
        <>
          <p class="onwards">
            {session.together && gone && !session.over && !about!.log ? (
              <a class="press" href="">
                {say("come-back")}
              </a>
            ) : session.isFriend ? (
              <Rematch session={session} />
            ) : session.back !== "" ? (
              <a class="press" href={session.back}>
                {say("back-to-match")}
              </a>
            ) : (
              <button type="button" class="main" data-key="again" onClick={() => session.again()}>
                {say(about?.of_day ? "play-a-match" : "play-again")}
              </button>
            )}
            {!session.isFriend && <a href={session.sameTable}>{say("other-bots")}</a>}
            {about?.of_day ? <a href={`${session.home}standings`}>{say("the-standings")}</a> : <a href={`${session.home}play#day`}>{say("the-days-deal")}</a>}
          </p>
          {dearest}
          {(!gone || about!.log) && <AboutTable about={about!} />}
        </>
      ) : (
        <>
          {dearest}
          <p class="faint">
            {compose("may-close", { play: <code>arena play</code>, record: <code>--record FILE.db</code>, replay: <code>arena replay FILE.db 1 --html match.html</code> })}
          </p>
        </>
      )}
    </section>
  );
}
