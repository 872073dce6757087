// What stands beside the current move: what it led to, its note, its fault, its seat's error output.

import { type Deal, type Match, type Moment, eventsAt } from "./match";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Sight } from "./sight";
import { failure, sentence } from "./words";

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
  const happened = eventsAt(deal, at.ply)
    .map((each) => sentence(match, each))
    .filter((line) => line !== null);
  const own = moment !== null && sight.opens(moment.seat);
  const stderr = moment !== null && sight.stderr(match, moment.seat);
  return (
    <section class="details" aria-label="The current move">
      {happened.map((line) => (
        <p>{line}</p>
      ))}
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
