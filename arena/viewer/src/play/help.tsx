// Help at the table: the order and the points of the cards, what is paid, the keys, and the way to the rules.

import { Dialog } from "../dialog";
import { Keys } from "../help";
import { say } from "../language";
import { capital } from "../words";
import { LEARNS } from "./lesson";
import type { Session } from "./session";
import { Levels } from "./sheet";
import { own } from "./state";
import { CardOrder } from "./trumps";

const KEYS = [
  ["← →", "key-move"],
  [say("key-cap", { key: "enter" }), "key-enter"],
  [say("key-cap", { key: "space" }), "key-space"],
  ["1 – 8", "key-number"],
  ["T", "key-trumps"],
  ["L", "key-last-trick"],
  ["H", "key-hint"],
  ["O", "key-offer"],
  ["G", "key-give-up"],
  ["R", "key-play-rest"],
  ["?", "key-help"],
] as const;

/** What newcomers ask about. */
const TERMS = [
  [say("declarer"), "means-declarer"],
  [say("forehand"), "means-forehand"],
  [say("the-trick"), "means-trick"],
  [say("talon"), "means-talon"],
  [say("answer-bid", { bid: "ordinary" }), "means-play"],
  [say("answer-bid", { bid: "solo" }), "means-zole"],
  [say("table-game"), "means-table-game"],
  [say("column-stakes"), "means-stakes"],
  [say("ring"), "means-ring"],
  [say("plus"), "means-plus"],
] as const;

/** The keys that do something for watchers too. */
const WATCHERS: string[] = ["key-space", "key-trumps", "key-last-trick", "key-help"];

export function HelpDialog({ session, close }: { session: Session; close: () => void }) {
  const { table } = session;
  const plays = own(table) !== undefined;
  return (
    <Dialog label={say("help")} close={close}>
      <CardOrder table={table} />
      {table.hello !== null && <Levels rules={table.hello.rules} />}
      <section>
        <h3>{say("help-terms")}</h3>
        {TERMS.map(([term, means]) => (
          <p>
            <b>{capital(term)}</b>: {say(means)}
          </p>
        ))}
      </section>
      <p>
        <a href={session.rules} target="_blank">
          {say("help-rules")}
        </a>
      </p>
      {plays && !LEARNS && (
        <p>
          <a href="learn" target="_blank">
            {say("learn")}
          </a>
        </p>
      )}
      <section class="keys">
        <h3>{say("keys")}</h3>
        <Keys of={KEYS.filter(([, does]) => plays || WATCHERS.includes(does)).map(([cap, does]) => ({ cap, does: say(does) }))} />
      </section>
    </Dialog>
  );
}
