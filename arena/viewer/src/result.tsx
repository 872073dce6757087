// What a deal came to: its level, both sides' points, who paid whom, and the totals after it.

import { say } from "./language";
import type { Deal, Match } from "./match";
import { summary } from "./outcome";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";
import { after, doer, poolsIn, signed, stakesAfter } from "./words";

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
      <section class="result panel" aria-label={say("the-result")}>
        <h2>{say("result-of-deal")}</h2>
        {sight.seat === null ? (
          <button type="button" onClick={show}>
            {say("show-the-result")}
          </button>
        ) : (
          <p>{say("seat-learns-later")}</p>
        )}
      </section>
    );
  const { result } = deal;
  return (
    <section class="result panel" aria-label={say("the-result")}>
      <h2>{say("result-of-deal")}</h2>
      <p>{summary(match.rules, result, (player) => doer(match, player))}</p>
      <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say("seat")}</th>
            <th scope="col">{say("column-points")}</th>
            <th scope="col">{say("column-tricks")}</th>
            <th scope="col">{say("column-stakes")}</th>
            <th scope="col">{say("stakes-after", { deals: after(match, at.deal + 1) })}</th>
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

function pools(match: Match, { result }: Deal): string {
  const open = poolsIn(match, result.pools);
  return open ? say("pools-after", { pools: open }) : say("no-pools-after");
}
