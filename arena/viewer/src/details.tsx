// What stands beside the current move: the answer as it was sent, its note, its fault, its seat's error output.

import type { Deal, Match, Moment } from "./match";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";
import { sent } from "./telling";
import { failure } from "./words";

export function Details({
  match,
  deal,
  at,
  sight,
}: {
  match: Match;
  deal: Deal;
  at: Place;
  sight: Sight;
}) {
  const moment = at.ply > 0 ? deal.moments[at.ply - 1]! : null;
  const own = moment !== null && sight.opens(moment.seat);
  const stderr = moment !== null && sight.stderr(moment.seat);
  return (
    <section class="details" aria-label="The current move">
      {own && moment.answer !== null && (
        <p class="sent">
          The bot sent <code>{sent(moment, moment.answer)}</code>
        </p>
      )}
      {own && moment.fault && blamedFor(moment) && <Said title="Fault" text={failure(moment.fault)} bad />}
      {own && moment.refused && <Said title="Refused" text={failure(moment.refused)} bad />}
      {own && moment.note !== undefined && <Said title="Note" text={moment.note} />}
      {stderr && (
        <details>
          <summary>
            Standard error of <Who match={match} player={moment.seat} />, the whole match
          </summary>
          <pre dir="auto">{stderr}</pre>
        </details>
      )}
    </section>
  );
}

/** Whether more is known of a fault than what everybody was told. */
function blamedFor({ events, fault }: Moment): boolean {
  const told = events.find((each) => each.event === "fault");
  return fault![1] !== "" && fault![1] !== told?.detail;
}

function Said({ title, text, bad = false }: { title: string; text: string; bad?: boolean }) {
  return (
    <div class={bad ? "said bad" : "said"}>
      <h3>{title}</h3>
      <pre dir="auto">{text}</pre>
    </div>
  );
}
