// What a deal came to: the four hands, what it paid, and what would have been better.

import { Component } from "preact";
import { Card } from "../card";
import { Words } from "../moves";
import { summary } from "../result";
import { isMistake } from "../reviews";
import { Who } from "../seat";
import { capital, counted, signed } from "../words";
import type { Result } from "./lines";
import type { Judged, Session } from "./session";
import type { Table } from "./state";
import { stakes } from "./table";
import { names } from "./words";

export function DealResult({ session, next }: { session: Session; next: () => void }) {
  const { table, deadline, paced } = session;
  const { dealt, result, bye } = table;
  const seat = dealt!.seat;
  const match = { bots: names(table), rules: table.hello!.rules };
  const waits = paced.waiting;
  return (
    <section class="panel ended" aria-label="The deal is over">
      <h2>
        <span role="status">
          Deal {dealt!.deal + 1}: {outcome(result!.payments[seat]!, dealt!.active.includes(seat))}
        </span>
      </h2>
      <p>{summary(match, { result: result! })}</p>
      {bye === null && (
        <p class="onwards">
          <button type="button" class="main" data-key="next" onClick={next}>
            Next deal
          </button>
          {waits && deadline !== null && <span class="faint waits">The next deal waits for you; your clock runs.</span>}
        </p>
      )}
      <div class="hands">
      {result!.hands.map((hand, player) => hand.length > 0 && (
        <div class="shown">
          <p class="plate">
            <Who match={match} player={player} />
            {player === result!.declarer && <span class="badge declarer">declarer</span>}
          </p>
          <Cards cards={hand} label={`${names(table)[player]} as dealt`} />
        </div>
      ))}
      <div class="shown">
        <p class="plate">talon{result!.discards.length > 0 && ", and what was laid aside"}</p>
        <div class="piles">
          <Cards cards={result!.talon} label="The talon" />
          {result!.discards.length > 0 && <Cards cards={result!.discards} label="Laid aside" />}
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

function Cards({ cards, label }: { cards: string[]; label: string }) {
  return (
    <div class="cards" role="group" aria-label={label}>
      {cards.map((card) => (
        <Card card={card} />
      ))}
    </div>
  );
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
              <th scope="row">
                <Who match={match} player={seat} />
              </th>
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
    const own = verdicts.filter(({ seat }) => seat === undefined || seat === this.props.seat);
    const mistakes = own.filter(isMistake);
    return (
      <div class="better" role="group" aria-label="What would have been better">
        <h3>What would have been better</h3>
        {mistakes.length === 0 && <p>By what you knew, no answer of yours was a clear mistake.</p>}
        <ul>
          {mistakes.map(({ kind, trick, given, best, loss }) => (
            <li>
              {trick ? `Trick ${trick}: ` : kind ? `${capital(kind)}: ` : ""}
              <Words ask={kind ?? "play"} text={best} /> in place of <Words ask={kind ?? "play"} text={given} />, worth{" "}
              {loss.toFixed(1)} stakes more on average.
            </li>
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
  const { table, gone, about } = session;
  const seat = table.dealt?.seat ?? 0;
  const end = gone ? "You have left" : "The match is over";
  return (
    <section class="panel over" aria-label="The match is over">
      <h2>
        <span role="status">
          {end}
          {table.totals.length > 0 && !gone && `: ${total(table.totals[seat]!)}`}.
        </span>
      </h2>
      {table.totals.length > 0 && !gone && (
        <ul class="totals">
          {names(table).map((_, player) => (
            <li>
              <Who match={{ bots: names(table) }} player={player} /> {stakes(table.totals[player]!)}
            </li>
          ))}
        </ul>
      )}
      {table.bye === "disqualified" && <p>Your seat had too many faults: it was disqualified.</p>}
      {about !== null && (
        <p class="onwards">
          <a class="main" href="../../play">
            Play again
          </a>
          <a href="../../">The standings</a>
        </p>
      )}
      {about === null && (
        <p class="faint">
          You may close this page. A match that was kept with <code>--record FILE.db</code> is shown again by{" "}
          <code>arena replay FILE.db 1 --html match.html</code>.
        </p>
      )}
    </section>
  );
}
