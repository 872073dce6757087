// What is being looked at: the league and match, its bots and rules, and which deal of how many.

import { compose, say } from "./language";
import type { Link, Match } from "./match";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";
import { after, dealNumber, dealOf, rulesLine, signed, stakesAfter } from "./words";

/** The stakes are those of the deals that are over at this place; `at` is null where no deal was played. How many deals there are a seat learns at their end. */
export function Header({
  match,
  back,
  at,
  sight,
}: {
  match: Match;
  back: Link | null;
  at: Place | null;
  sight: Sight | null;
}) {
  const deal = at === null ? null : match.deals[at.deal]!;
  const over = at === null ? 0 : at.deal + (sight!.over ? 1 : 0);
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
      {deal && (
        <p class="deal">
          {sight!.seat === null || sight!.ended ? dealOf(match, at!.deal) : say("deal-number", { deal: dealNumber(deal.deal) })}
        </p>
      )}
      <p class="rules">
        {say("rules-and-isolation", { rules: rulesLine(match), level: match.isolation })}
      </p>
    </header>
  );
}
