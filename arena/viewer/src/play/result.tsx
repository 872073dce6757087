// What a deal came to: the four hands, what it paid, and what would have been better.

import { Component } from "preact";
import { sorted } from "../cards";
import { Fan } from "../felt";
import { Words } from "../moves";
import { AboutTable } from "./about";
import { summary } from "../result";
import { isMistake } from "../reviews";
import { capital, counted, dealNumber, signed } from "../words";
import type { Result, Seat } from "./lines";
import type { Judged, Session } from "./session";
import type { Table } from "./state";
import { stakes } from "./sheet";
import { names } from "./words";

export function DealResult({ session, next }: { session: Session; next: () => void }) {
  const { table } = session;
  const { dealt, result, bye } = table;
  const seat = dealt!.seat;
  const match = { bots: names(table), rules: table.hello!.rules };
  return (
    <section tabIndex={-1} class="panel ended" aria-label="The deal is over">
      <h2>
        <span role="status">
          Deal {dealNumber(dealt!.deal)}: {outcome(result!.payments[seat]!, dealt!.active.includes(seat))}
        </span>
      </h2>
      <p>{summary(match, { result: result! })}</p>
      {bye === null && (
        <p class="onwards">
          <button type="button" class="main" data-key="next" onClick={next}>
            Next deal
          </button>
        </p>
      )}
      <div class="hands">
      {result!.hands.map((hand, player) => hand.length > 0 && (
        <div class="shown">
          <p class="whose">
            <bdi>{match.bots[player]}</bdi>
            {player === result!.declarer && <span class="badge declarer">declarer</span>}
          </p>
          <Fan cards={sorted(hand)} />
        </div>
      ))}
      <div class="shown">
        <p class="whose">talon{result!.discards.length > 0 && ", and what was laid aside"}</p>
        <div class="piles">
          <Fan cards={result!.talon} />
          {result!.discards.length > 0 && <Fan cards={result!.discards} />}
        </div>
      </div>
      </div>
      <Paid table={table} result={result!} match={match} />
      <Better key={dealt!.deal} session={session} deal={dealt!.deal} seat={seat} />
    </section>
  );
}

function outcome(paid: number, played: boolean): string {
  if (paid === 0) return played ? "you win and pay nothing" : "you sat out";
  return paid > 0 ? `you win ${counted(paid, "stake")}` : `you pay ${counted(-paid, "stake")}`;
}

function Paid({ table, result, match }: { table: Table; result: Result; match: Named }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="What it paid">
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              seat
            </th>
            <th scope="col">points</th>
            <th scope="col">tricks</th>
            <th scope="col">stakes</th>
            <th scope="col">in all</th>
          </tr>
        </thead>
        <tbody>
          {match.bots.map((_, seat) => (
            <tr>
              <th scope="row">{match.bots[seat]}</th>
              <td>{result.points.seats[seat]}</td>
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
    this.setState({ verdicts: await session.review(deal), looking: false });
  }

  override render() {
    const { verdicts, looking } = this.state;
    if (looking) return <p class="faint looking">Looking for what would have been better …</p>;
    if (verdicts === null) return null;
    const mistakes = mistakesOf(verdicts, this.props.seat);
    return (
      <div class="better" role="group" aria-label="What would have been better">
        <h3>What would have been better</h3>
        {mistakes.length === 0 && <p>By what you knew, no answer of yours was a clear mistake.</p>}
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
  return verdicts.filter((each) => (each.seat === undefined || each.seat === seat) && isMistake(each));
}

/** A mistake in a line, with its deal where it is not the deal at hand. */
function Mistake({ of, deal }: { of: Judged; deal?: number }) {
  const { kind = "play", trick, given, best, loss } = of;
  const where = [deal !== undefined && `deal ${dealNumber(deal)}`, trick ? `trick ${trick}` : of.kind].filter(Boolean).join(", ");
  return (
    <li>
      {where && `${capital(where)}: `}
      <Words ask={kind} text={best} /> in place of <Words ask={kind} text={given} />, worth {loss.toFixed(1)} stakes more on average.
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
    for (const { dealt } of session.table.sheet)
      for (const each of mistakesOf((await session.review(dealt.deal)) ?? [], seat)) found.push([dealt.deal, each]);
    this.setState({ found: found.toSorted(([, one], [, other]) => other.loss - one.loss).slice(0, DEAREST) });
  }

  override render() {
    const { found } = this.state;
    if (found.length === 0) return null;
    return (
      <div class="better" role="group" aria-label="Your dearest moments">
        <h3>Your dearest moments</h3>
        <ul>
          {found.map(([deal, mistake]) => (
            <Mistake of={mistake} deal={deal} />
          ))}
        </ul>
      </div>
    );
  }
}

function total(count: number): string {
  if (count === 0) return "you are even";
  return `you have ${count > 0 ? "won" : "lost"} ${counted(Math.abs(count), "stake")}`;
}

export function MatchOver({ session }: { session: Session }) {
  const { table, gone, guest, about } = session;
  const seat = table.dealt?.seat ?? 0;
  const end = gone ? "You have left" : "The match is over";
  return (
    <section tabIndex={-1} class="panel over" aria-label="The match is over">
      <h2>
        <span role="status">
          {end}
          {table.totals.length > 0 && !gone && `: ${total(table.totals[seat]!)}`}.
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
      {!gone && <Dearest session={session} seat={seat} />}
      {table.bye === "disqualified" && <p>Your seat had too many faults: it was disqualified.</p>}
      {guest ? (
        <>
          <p class="onwards">
            <button type="button" class="main" data-key="again" onClick={() => session.again()}>
              Play again
            </button>
            <a href={session.sameTable}>Other bots</a>
            <a href="../../">The standings</a>
          </p>
          <AboutTable about={about!} />
        </>
      ) : (
        <p class="faint">
          You may close this page. A match that was kept with <code>--record FILE.db</code> is shown again by{" "}
          <code>arena replay FILE.db 1 --html match.html</code>.
        </p>
      )}
    </section>
  );
}
