// Who is meant: a seat's number in its colour, with its bot's name.

import { say } from "./language";
import type { Match, Player } from "./match";

export function Who({ match, player }: { match: Pick<Match, "bots">; player: Player }) {
  if (player === "talon") return <span class="who">{say("talon")}</span>;
  return (
    <span class="who">
      <span class={`chip seat-${player}`}>{player}</span>
      <bdi title={match.bots[player]}>{match.bots[player]}</bdi>
    </span>
  );
}
