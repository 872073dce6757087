// What is being looked at: the league and match, its bots and rules, and which deal of how many.

import { compose, say } from "./language";
import type { Link, Match } from "./match";
import { Who } from "./names";
import type { View } from "./sight";
import { after, dealNumber, dealOf, rulesLine, signed, stakesAfter } from "./words";

/** The stakes are those of the deals that are over at this place; `view` is null where no deal was played. How many deals there are a seat learns at their end. */
export function Header({ match, back, view }: { match: Match; back: Link | null; view: View | null }) {
  const over = view === null ? 0 : view.at.deal + (view.sight.over ? 1 : 0);
  return (
    <header class="top">
      <h1>
        {match.match === null
          ? <bdi>{match.league ?? "Zole"}</bdi>
          : compose("match-title", { league: <bdi>{match.league ?? "Zole"}</bdi> }, { match: String(match.match) })}
      </h1>
      {back && <a href={back.address}>{back.words}</a>}
      <p class="bots">
        {match.bots.map((_, seat) => (
          <span>
            <Who match={match} player={seat} /> {over > 0 && <b>{signed(stakesAfter(match, over, seat))}</b>}
          </span>
        ))}
        {over > 0 && <span class="after">{say("stakes-over", { deals: after(match, over) })}</span>}
      </p>
      {view && (
        <p class="deal">
          {view.sight.seat === null || view.sight.ended
            ? dealOf(match, view.at.deal)
            : say("deal-number", { deal: dealNumber(view.deal.deal) })}
        </p>
      )}
      <p class="rules">
        {match.match === null ? rulesLine(match) : say("rules-and-isolation", { rules: rulesLine(match), level: match.isolation })}
      </p>
    </header>
  );
}
