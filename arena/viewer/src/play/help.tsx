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
const terms = (turned: "yes" | "no"): [string, string][] => [
  [say("declarer"), say("means-declarer")],
  [say("forehand"), say("means-forehand")],
  [say("the-trick"), say("means-trick")],
  [say("talon"), say("means-talon", { turned })],
  [say("answer-bid", { bid: "ordinary" }), say("means-play")],
  [say("answer-bid", { bid: "solo" }), say("means-zole")],
  [say("table-game"), say("means-table-game")],
  [say("column-stakes"), say("means-stakes")],
  [say("answer-give-up"), say("means-concede")],
  [say("hint"), say("means-hint")],
  [say("ring"), say("means-ring")],
  [say("edge"), say("means-edge")],
  [say("plus"), say("means-plus")],
];

/** What pays in general. */
const THUMB: [string, string][] = [
  [say("answer-bid", { bid: "ordinary" }), say("thumb-play")],
  [say("answer-bid", { bid: "solo" }), say("thumb-zole")],
  [say("declarer"), say("thumb-declarer")],
  [say("defender"), say("thumb-defender")],
];

/** The keys that do something for watchers too. */
const WATCHERS: string[] = ["key-space", "key-trumps", "key-last-trick", "key-help"];

export function HelpDialog({ session, close }: { session: Session; close: () => void }) {
  const { table } = session;
  const plays = own(table) !== undefined;
  return (
    <Dialog label={say("help")} close={close}>
      <CardOrder table={table} />
      {table.hello !== null && <Levels rules={table.hello.rules} />}
      <Terms title={say("help-terms")} of={terms(table.hello?.rules.table.talon === "first_two_tricks" ? "yes" : "no")} />
      <Terms title={say("help-thumb")} of={THUMB} />
      <p>
        <a href={session.rules} target="_blank">
          {say("help-rules")} ↗
        </a>
      </p>
      {plays && !LEARNS && (
        <p>
          <a href="learn" target="_blank">
            {say("learn")} ↗
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

function Terms({ title, of }: { title: string; of: [string, string][] }) {
  return (
    <section>
      <h3>{title}</h3>
      {of.map(([term, means]) => (
        <p>
          <b>{capital(term)}</b>: {means}
        </p>
      ))}
    </section>
  );
}
