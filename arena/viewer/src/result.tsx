// What a deal came to: its level, both sides' points, who paid whom, and the totals after it.

import type { Deal, Match } from "./match";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";
import { aGame, after, capital, counted, nameOf, poolsIn, signed, stakesAfter } from "./words";

export function ResultOf({
  match,
  deal,
  at,
  sight,
  show,
}: {
  match: Match;
  deal: Deal;
  at: Place;
  sight: Sight;
  show: () => void;
}) {
  if (!sight.settled(at.deal))
    return (
      <section class="result panel" aria-label="The result">
        <h2>Result of the deal</h2>
        {sight.seat === null ? (
          <button type="button" onClick={show}>
            Show result
          </button>
        ) : (
          <p>A seat learns it when the deal is over.</p>
        )}
      </section>
    );
  const { result } = deal;
  return (
    <section class="result panel" aria-label="The result">
      <h2>Result of the deal</h2>
      <p>{summary(match, deal)}</p>
      <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">seat</th>
            <th scope="col">points</th>
            <th scope="col">tricks</th>
            <th scope="col">stakes</th>
            <th scope="col">stakes {after(match, at.deal + 1)}</th>
          </tr>
        </thead>
        <tbody>
          {match.bots.map((_, seat) => (
            <tr>
              <th scope="row">
                <Who match={match} player={seat} />
              </th>
              <td>{deal.active.includes(seat) && result.contract !== "small_solo" ? result.points.seats[seat] : "–"}</td>
              <td>{deal.active.includes(seat) ? result.tricks.seats[seat] : "–"}</td>
              <td>{signed(result.payments[seat]!)}</td>
              <td>{signed(stakesAfter(match, at.deal + 1, seat))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      </div>
      {match.rules.pools.enabled && <p>{pools(match, deal)}</p>}
    </section>
  );
}

/** What came of a deal, in sentences. */
export function summary(match: Pick<Match, "bots" | "rules">, { result }: Pick<Deal, "result">): string {
  const { contract, declarer, points, tricks, level, fault } = result;
  const lines = [];
  if (declarer === null) {
    lines.push(contract === null ? "No game was declared" : contract === "table" ? "All passed: a table game" : "All passed: thrown in");
    if (tricks.talon > 0) lines.push(`The talon took ${counted(points.talon, "point")} in ${counted(tricks.talon, "trick")}`);
  } else {
    const small = contract === "small_solo";
    const took = tricks.declarer ? counted(tricks.declarer, "trick") : "no trick";
    const count = small ? took : `${counted(points.declarer!, "point")} in ${took}, the defenders ${points.defenders}`;
    const end = level === null ? "" : LOST.includes(level) ? "lost" : "won";
    const forfeit = fault !== null && match.rules.conduct.on_fault === "forfeit";
    const why = forfeit ? `it counts as ${end} because ${nameOf(match, fault.seat)} failed` : end;
    lines.push(`${capital(nameOf(match, declarer))} declared ${aGame(contract!)} and took ${count}${why && `: ${why}`}`);
  }
  if (fault) lines.push(`Fault of ${nameOf(match, fault.seat)}: ${fault.fault}`);
  return lines.map((line) => `${line}.`).join(" ");
}

/** The levels at which the declarer pays. */
const LOST = ["31_60", "le30", "no_tricks", "lost"];

function pools(match: Match, { result }: Deal): string {
  const open = poolsIn(match, result.pools);
  return open ? `Pools after it: ${open}.` : "No pools after it.";
}
