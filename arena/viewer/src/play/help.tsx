// Help at the table: the order and the points of the cards, what is paid, the keys, and the way to the rules.

import { Card } from "../card";
import type { CardName } from "../match";
import { Dialog } from "../dialog";
import { Keys } from "../help";
import { say } from "../language";
import { LEARNS } from "./lesson";
import type { Session } from "./session";
import { Levels } from "./sheet";
import { own } from "./state";

const TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split(" ") as CardName[];
const SUIT = "AC TC KC 9C".split(" ") as CardName[];

const KEYS = [
  ["← →", "key-move"],
  [say("key-cap", { key: "enter" }), "key-enter"],
  [say("key-cap", { key: "space" }), "key-space"],
  ["1 – 8", "key-number"],
  ["L", "key-last-trick"],
  ["H", "key-hint"],
  ["O", "key-offer"],
  ["G", "key-give-up"],
  ["?", "key-help"],
] as const;

/** The keys that do something for watchers too. */
const WATCHERS: string[] = ["key-space", "key-last-trick", "key-help"];

export function HelpDialog({ session, close }: { session: Session; close: () => void }) {
  const { table } = session;
  const plays = own(table) !== undefined;
  return (
    <Dialog label={say("help")} close={close}>
      <Order of={TRUMPS} title={say("help-trumps")} />
      <Order of={SUIT} title={say("help-suits")} />
      <section>
        <h3>{say("help-points")}</h3>
        <p>{say("help-points-each")}</p>
      </section>
      {table.hello !== null && <Levels rules={table.hello.rules} />}
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

function Order({ of, title }: { of: CardName[]; title: string }) {
  return (
    <section>
      <h3>{title}</h3>
      <p class="order">
        {of.map((card) => (
          <Card card={card} />
        ))}
      </p>
    </section>
  );
}
