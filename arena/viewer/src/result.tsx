// What a deal came to: its level, both sides' points, who paid whom, and the totals after it.

import type { VNode } from "preact";
import { say } from "./language";
import type { Deal, Match } from "./match";
import { summary } from "./events";
import { Who } from "./names";
import type { View } from "./sight";
import { after, doer, poolsIn, signed, stakesAfter } from "./words";

export function ResultOf({ match, deal, at, sight, show }: View & { show: () => void }) {
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
      <ResultTable
        inAll={say("stakes-after", { deals: after(match, at.deal + 1) })}
        rows={match.bots.map((_, seat) => [
          <Who match={match} player={seat} />,
          deal.active.includes(seat) && result.contract !== "small_solo" ? result.points.seats[seat]! : "–",
          deal.active.includes(seat) ? result.tricks.seats[seat]! : "–",
          signed(result.payments[seat]!),
          signed(stakesAfter(match, at.deal + 1, seat)),
        ])}
      />
      {match.rules.pools.enabled && <p>{pools(match, deal)}</p>}
    </section>
  );
}

function pools(match: Match, { result }: Deal): string {
  const open = poolsIn(match, result.pools);
  return open ? say("pools-after", { pools: open }) : say("no-pools-after");
}

/** What each seat took and was paid, and what it has in all. */
export function ResultTable({ inAll, rows }: { inAll: string; rows: (VNode | string | number)[][] }) {
  const headings = [say("seat"), say("column-points"), say("column-tricks"), say("column-stakes"), inAll];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={say("what-it-paid")}>
      <table>
        <thead>
          <tr>
            {headings.map((heading, place) => (
              <th scope="col" class={place === 0 ? "text" : ""}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([who, ...cells]) => (
            <tr>
              <th scope="row">{who}</th>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
