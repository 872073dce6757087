// A guest's table: who sits there, who may watch, and what is the guest's to keep once it is over.

import type { About } from "./session";

export function AboutTable({ about }: { about: About }) {
  const { players, watch = "", seed = "", log = "" } = about;
  return (
    <section class="panel" aria-label="This table">
      <h2>This table</h2>
      <p>You play against {players.slice(1).join(" and ")}, for nothing but honour.</p>
      {watch !== "" && (
        <p>
          Friends may <a href={watch}>watch</a>: they see what all at the table see, and the hands once a deal is over.
        </p>
      )}
      {log !== "" && (
        <p>
          <a href={log}>The log</a> is yours: <code>arena replay table.jsonl</code> shows it. It is kept here for a day.
        </p>
      )}
      {seed !== "" && (
        <p class="seed">
          The deals came from the seed <code>{seed}</code>.
        </p>
      )}
    </section>
  );
}
