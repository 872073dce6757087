// What a deal came to: the four hands, what it paid, and what would have been better.

import { Component } from "preact";
import { sorted } from "../cards";
import { Fan } from "../felt";
import { Words } from "../moves";
import { AboutTable } from "./about";
import { compose, say } from "../language";
import { summary } from "../outcome";
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
  const match = { bots: names(table), rules: table.hello!.rules };
  return (
    <section tabIndex={-1} class="panel ended" aria-label={say("deal-over")}>
      <h2>
        <span role="status">
          {seat === undefined ? say("deal-over") : outcome(dealNumber(dealt!.deal), result!.payments[seat]!, dealt!.active.includes(seat))}
        </span>
      </h2>
      <p>{summary(match.rules, result!, (player) => doer(table, player))}</p>
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
            <bdi>{match.bots[player]}</bdi>{" "}
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
      <Paid table={table} result={result!} match={match} />
      {seat !== undefined && <Better key={dealt!.deal} session={session} deal={dealt!.deal} seat={seat} />}
    </section>
  );
}

function outcome(deal: number, paid: number, played: boolean): string {
  if (paid === 0) return say(played ? "deal-even" : "deal-sat-out", { deal });
  return say(paid > 0 ? "deal-won" : "deal-lost", { deal, count: Math.abs(paid) });
}

function Paid({ table, result, match }: { table: Table; result: Result; match: Named }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={say("what-it-paid")}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              {say("seat")}
            </th>
            <th scope="col">{say("column-points")}</th>
            <th scope="col">{say("column-tricks")}</th>
            <th scope="col">{say("column-stakes")}</th>
            <th scope="col">{say("in-all")}</th>
          </tr>
        </thead>
        <tbody>
          {match.bots.map((_, seat) => (
            <tr>
              <th scope="row">{match.bots[seat]}</th>
              <td>{(seat === result.declarer ? result.points.declarer : null) ?? result.points.seats[seat]}</td>
              <td>{result.tricks.seats[seat]}</td>
              <td>{signed(result.payments[seat]!)}</td>
              <td>{signed(table.totals[seat]!)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Named = { bots: string[] };

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
    const mistakes = mistakesOf(verdicts, this.props.seat);
    return (
      <div class="better" role="group" aria-label={say("what-would-be-better")}>
        <h3>{say("what-would-be-better")}</h3>
        {mistakes.length === 0 && <p>{say("no-mistake")}</p>}
        <ul>
          {mistakes.map((mistake) => (
            <Mistake of={mistake} />
          ))}
        </ul>
      </div>
    );
  }
}

/** The clear mistakes of a seat. */
function mistakesOf(verdicts: Judged[], seat: Seat): Judged[] {
  const own = verdicts.filter((each) => each.seat === undefined || each.seat === seat);
  return clearMistakes(own, ({ kind }) => (kind === "surrender" ? seat : null));
}

/** The bid by which a deal was declared. */
function bidOf(result: Result | undefined): string | undefined {
  return result?.contract ?? undefined;
}

/** A mistake in a line, with its deal where it is not the deal at hand. */
function Mistake({ of, deal }: { of: Judged; deal?: number }) {
  const { kind = "play", trick, given, best, loss, bid } = of;
  const when = trick ? say("where-trick", { trick }) : of.kind ? say("where-ask", { ask: of.kind }) : "";
  const where = [deal !== undefined && say("where-deal", { deal: dealNumber(deal) }), when].filter(Boolean).join(", ");
  const parts = { best: <Words ask={kind} text={best} />, given: <Words ask={kind} text={given} /> };
  return (
    <li>
      {where && `${where}: `}
      {compose("better", parts, { loss: decimals(loss, 1) })}
      {kind === "surrender" && bid !== undefined && ` (${say("led-by-bid", { bid: say("word", { word: bid }) })})`}
    </li>
  );
}

/** This many mistakes of a match are shown at its end. */
const DEAREST = 3;

/** What the match was lost by: the dearest mistakes, as far as its deals were reviewed. */
class Dearest extends Component<{ session: Session; seat: Seat }, { found: [number, Judged][] }> {
  override state = { found: [] as [number, Judged][] };

  override async componentDidMount() {
    const { session, seat } = this.props;
    const found: [number, Judged][] = [];
    for (const { dealt, result } of session.table.sheet)
      for (const each of mistakesOf((await session.review(dealt.deal)) ?? [], seat)) found.push([dealt.deal, { ...each, bid: bidOf(result) }]);
    this.setState({ found: found.toSorted(([, one], [, other]) => other.loss - one.loss).slice(0, DEAREST) });
  }

  override render() {
    const { found } = this.state;
    if (found.length === 0) return null;
    return (
      <div class="better" role="group" aria-label={say("dearest-moments")}>
        <h3>{say("dearest-moments")}</h3>
        <ul>
          {found.map(([deal, mistake]) => (
            <Mistake of={mistake} deal={deal} />
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
          <a href={session.home}>{say("the-standings")}</a>
        </p>
      ) : guest ? (
        <>
          <p class="onwards">
            <button type="button" class="main" data-key="again" onClick={() => session.again()}>
              {say("play-again")}
            </button>
            <a href={session.sameTable}>{say("other-bots")}</a>
            <a href={session.home}>{say("the-standings")}</a>
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
