// How a match ended, and by which answers it was lost.

import { Component } from "preact";
import { Words } from "../moves";
import { AboutTable, Share } from "./about";
import { compose, language, say } from "../language";
import { clearMistakes } from "../reviews";
import { dealNumber, decimals, signed } from "../words";
import type { Result, Seat } from "./lines";
import type { DayResult, Judged, Session } from "./session";
import { own } from "./state";
import { stakes } from "./sheet";
import { names } from "./words";

interface Found {
  of: Judged;
  deal: number;
}

/** The clear mistakes of a seat. */
export function mistakesOf(verdicts: Judged[], seat: Seat): Judged[] {
  return clearMistakes(verdicts, ({ kind }) => (kind === "surrender" ? seat : null));
}

/** The bid that declared a deal. */
export function bidOf(result: Result | undefined): string | undefined {
  return result?.contract ?? undefined;
}

function Mistake({ of, deal }: Found) {
  const { kind, trick, given, best, loss, bid } = of;
  const when = trick ? say("where-trick", { trick }) : say("where-ask", { ask: kind });
  const where = `${say("where-deal", { deal: dealNumber(deal) })}, ${when}`;
  const parts = { best: <Words ask={kind} text={best} />, given: <Words ask={kind} text={given} /> };
  return (
    <li>
      {`${where}: `}
      {compose("better", parts, { loss: decimals(loss, 1) })}
      {kind === "surrender" && bid !== undefined && ` (${say("led-by-bid", { bid: say("word", { word: bid }) })})`}
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
    const found: Found[] = [];
    for (const { dealt, result } of session.table.sheet)
      for (const each of mistakesOf((await session.review(dealt.deal)) ?? [], seat)) found.push({ of: { ...each, bid: bidOf(result) }, deal: dealt.deal });
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
function ending(count: number | undefined): string {
  if (count === undefined) return say("match-over-plain");
  return count === 0 ? say("match-even") : say(count > 0 ? "match-won" : "match-lost", { count: Math.abs(count) });
}

/** What the deal of the day came to, in words that tell others nothing of its cards. */
function OfDay({ of, home }: { of: DayResult; home: string }) {
  const { stakes, played, below } = of;
  const day = new Date(of.day).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
  const told = say("day-result", { day, amount: signed(stakes) });
  const among = below === null ? say("day-first") : say("day-better-than", { share: Math.round(100 * below), count: played - 1 });
  return (
    <p class="day">
      <b>{told}</b> {among} <Share address={`${home}play`} text={`${told} ${among}`} />
    </p>
  );
}

export function MatchOver({ session }: { session: Session }) {
  const { table, gone, guest, watching, about } = session;
  const seat = own(table);
  return (
    <section tabIndex={-1} class="panel over" aria-label={say("match-over")}>
      <h2>
        <span role="status">
          {gone ? say("you-have-left") : ending(seat === undefined ? seat : table.totals[seat])}
        </span>
      </h2>
      {table.totals.length > 0 && !gone && (
        <ul class="totals">
          {names(table).map((name, player) => (
            <li>
              <bdi>{name}</bdi> {stakes(table.totals[player]!)}
            </li>
          ))}
        </ul>
      )}
      {about?.day && <OfDay of={about.day} home={session.home} />}
      {!gone && seat !== undefined && <Dearest session={session} seat={seat} />}
      {table.bye === "disqualified" && <p>{say("disqualified")}</p>}
      {watching ? (
        <p class="onwards">
          <a href="">{say("see-it-again")}</a>
          <a href={`${session.home}standings`}>{say("the-standings")}</a>
        </p>
      ) : guest ? (
        <>
          <p class="onwards">
            <button type="button" class="main" data-key="again" onClick={() => session.again()}>
              {say("play-again")}
            </button>
            <a href={session.sameTable}>{say("other-bots")}</a>
            <a href={`${session.home}standings`}>{say("the-standings")}</a>
          </p>
          <AboutTable about={about!} />
        </>
      ) : (
        <p class="faint">
          {compose("may-close", { play: <code>arena play</code>, record: <code>--record FILE.db</code>, replay: <code>arena replay FILE.db 1 --html match.html</code> })}
        </p>
      )}
    </section>
  );
}
