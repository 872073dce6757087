// What a deal came to: the four hands, what it paid, and what would have been better.

import { Component } from "preact";
import { sorted } from "../cards";
import { Fan } from "../felt";
import { Words } from "../moves";
import { AboutTable } from "./about";
import { compose, say } from "../language";
import { summary } from "../events";
import { ResultTable } from "../result";
import { clearMistakes } from "../reviews";
import { dealNumber, decimals, signed } from "../words";
import type { Result, Seat } from "./lines";
import type { Judged, Session } from "./session";
import { type Table, own } from "./state";
import { stakes } from "./sheet";
import { doer, names } from "./words";

export function DealResult({ session, next }: { session: Session; next: () => void }) {
  const { table, paced } = session;
  const { dealt, result, bye } = table;
  const { seat } = dealt!;
  return (
    <section tabIndex={-1} class="panel ended" aria-label={say("deal-over")}>
      <h2>
        <span role="status">
          {seat === undefined ? say("deal-over") : outcome(dealNumber(dealt!.deal), result!.payments[seat]!, dealt!.active.includes(seat))}
        </span>
      </h2>
      <p>{summary(table.hello!.rules, result!, (player) => doer(table, player))}</p>
      {bye === null && seat !== undefined && (
        <p class="onwards">
          {paced.left < paced.shown ? (
            <button type="button" class="main" data-key="next" onClick={next}>
              {say("next-deal")}
            </button>
          ) : (
            say("waiting-for-others")
          )}
        </p>
      )}
      <div class="hands">
      {result!.hands.map((hand, player) => hand.length > 0 && (
        <div class="shown">
          <p class="whose">
            <bdi>{names(table)[player]}</bdi>{" "}
            {player === result!.declarer && <span class="badge declarer">{say("declarer")}</span>}
          </p>
          <Fan cards={sorted(hand)} />
        </div>
      ))}
      <div class="shown">
        <p class="whose">{say(result!.discards.length > 0 ? "talon-and-aside" : "talon")}</p>
        <div class="piles">
          <Fan cards={result!.talon} />
          {result!.discards.length > 0 && <Fan cards={result!.discards} />}
        </div>
      </div>
      </div>
      <Paid table={table} result={result!} />
      {seat !== undefined && <Better key={dealt!.deal} session={session} deal={dealt!.deal} seat={seat} />}
    </section>
  );
}

function outcome(deal: number, paid: number, played: boolean): string {
  if (paid === 0) return say(played ? "deal-even" : "deal-sat-out", { deal });
  return say(paid > 0 ? "deal-won" : "deal-lost", { deal, count: Math.abs(paid) });
}

function Paid({ table, result }: { table: Table; result: Result }) {
  const points = (seat: Seat) => (seat === result.declarer ? result.points.declarer : null) ?? result.points.seats[seat]!;
  const rows = names(table).map((name, seat) => [
    name,
    points(seat),
    result.tricks.seats[seat]!,
    signed(result.payments[seat]!),
    signed(table.totals[seat]!),
  ]);
  return <ResultTable inAll={say("in-all")} rows={rows} />;
}

interface Looked {
  verdicts: Judged[] | null;
  looking: boolean;
}

class Better extends Component<{ session: Session; deal: number; seat: number }, Looked> {
  override state: Looked = { verdicts: null, looking: true };

  override async componentDidMount() {
    const { session, deal } = this.props;
    const verdicts = await session.review(deal);
    const bid = bidOf(session.table.sheet.find(({ dealt }) => dealt.deal === deal)?.result);
    this.setState({ verdicts: verdicts && verdicts.map((each) => ({ ...each, bid })), looking: false });
  }

  override render() {
    const { verdicts, looking } = this.state;
    if (looking) return <p class="faint looking">{say("looking-for-better")}</p>;
    if (verdicts === null) return null;
    return <Mistakes title={say("what-would-be-better")} found={mistakesOf(verdicts, this.props.seat).map((each) => ({ of: each }))} />;
  }
}

interface Found {
  of: Judged;
  /** Its deal, where that is not the deal at hand. */
  deal?: number;
}

function Mistakes({ title, found }: { title: string; found: Found[] }) {
  return (
    <div class="better" role="group" aria-label={title}>
      <h3>{title}</h3>
      {found.length === 0 && <p>{say("no-mistake")}</p>}
      <ul>
        {found.map((each) => (
          <Mistake {...each} />
        ))}
      </ul>
    </div>
  );
}

/** The clear mistakes of a seat. */
function mistakesOf(verdicts: Judged[], seat: Seat): Judged[] {
  return clearMistakes(verdicts, ({ kind }) => (kind === "surrender" ? seat : null));
}

/** The bid that declared a deal. */
function bidOf(result: Result | undefined): string | undefined {
  return result?.contract ?? undefined;
}

function Mistake({ of, deal }: Found) {
  const { kind, trick, given, best, loss, bid } = of;
  const when = trick ? say("where-trick", { trick }) : say("where-ask", { ask: kind });
  const where = deal === undefined ? when : `${say("where-deal", { deal: dealNumber(deal) })}, ${when}`;
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
class Dearest extends Component<{ session: Session; seat: Seat }, { found: Required<Found>[] }> {
  override state = { found: [] as Required<Found>[] };

  override async componentDidMount() {
    const { session, seat } = this.props;
    const found: Required<Found>[] = [];
    for (const { dealt, result } of session.table.sheet)
      for (const each of mistakesOf((await session.review(dealt.deal)) ?? [], seat)) found.push({ of: { ...each, bid: bidOf(result) }, deal: dealt.deal });
    this.setState({ found: found.toSorted(({ of: one }, { of: other }) => other.loss - one.loss).slice(0, DEAREST) });
  }

  override render() {
    const { found } = this.state;
    return found.length > 0 && <Mistakes title={say("dearest-moments")} found={found} />;
  }
}

/** How the match ended for the reader; there may have been no deal. */
function ending(count: number | undefined): string {
  if (count === undefined) return say("match-over-plain");
  return count === 0 ? say("match-even") : say(count > 0 ? "match-won" : "match-lost", { count: Math.abs(count) });
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
          {compose("may-close", { record: <code>--record FILE.db</code>, replay: <code>arena replay FILE.db 1 --html match.html</code> })}
        </p>
      )}
    </section>
  );
}
