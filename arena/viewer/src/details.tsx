// What stands beside the current move: the answer as it was sent, its note, its fault, its seat's error output.

import { compose, say } from "./language";
import type { Moment } from "./match";
import { Who } from "./names";
import type { View } from "./sight";
import { sent } from "./telling";
import { failure } from "./words";

export function Details({ match, deal, at, sight }: View) {
  const moment = at.ply > 0 ? deal.moments[at.ply - 1]! : null;
  const own = moment !== null && sight.opens(moment.seat);
  const stderr = moment !== null && sight.stderr(moment.seat);
  return (
    <section class="details" aria-label={say("current-move")}>
      {own && match.match !== null && moment.answer !== null && (
        <p class="sent">
          {compose("bot-sent", { answer: <code>{sent(moment, moment.answer)}</code> })}
        </p>
      )}
      {own && moment.fault && blamedFor(moment) && <Said title={say("fault-title")} text={failure(moment.fault)} bad />}
      {own && moment.refused && <Said title={say("refused-title")} text={failure(moment.refused)} bad />}
      {own && moment.note !== undefined && <Said title={say("note-title")} text={moment.note} />}
      {own && moment.stderr !== undefined && <Said title={say("stderr-title")} text={moment.stderr} />}
      {stderr && (
        <details>
          <summary>
            {compose("stderr-of", { bot: <Who match={match} player={moment.seat} /> })}
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
