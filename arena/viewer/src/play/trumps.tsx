// The cards in their order: those that are gone are dimmed, one's own are marked, and the trumps elsewhere are counted.

import { Component } from "preact";
import { Card } from "../card";
import { ORDER, TRUMPS, isTrump } from "../cards";
import { say } from "../language";
import type { CardName } from "./lines";
import { Levels } from "./sheet";
import type { Table } from "./state";

/** What one looks up in the middle of a trick, over the table and not in its way; drawn while it is open. */
export class TrumpSheet extends Component<{ table: Table }, { open: boolean }> {
  override state = { open: false };

  override render({ table }: { table: Table }, { open }: { open: boolean }) {
    return (
      <aside
        id="trumps"
        class="trumps"
        popover="auto"
        aria-label={say("trumps")}
        onBeforeToggle={({ newState }) => this.setState({ open: newState === "open" })}
        onToggle={({ currentTarget }) => currentTarget.scrollTo(0, 0)}
      >
        {open && (
          <>
            <p class="closer">
              <button type="button" class="closes" popovertarget="trumps" popovertargetaction="hide" aria-label={say("close")}>
                ✕
              </button>
            </p>
            <CardOrder table={table} />
            {table.hello !== null && <Levels rules={table.hello.rules} />}
          </>
        )}
      </aside>
    );
  }
}

/** The order of the cards, and their points. */
export function CardOrder({ table }: { table: Table }) {
  const plays = table.result === null;
  const gone = new Set(plays ? [...table.told.flatMap((each) => (each.event === "card" ? [each.card] : [])), ...table.discards] : []);
  const mine = new Set(plays ? table.hand : []);
  const elsewhere = ORDER.filter((card) => isTrump(card) && !gone.has(card) && !mine.has(card)).length;
  return (
    <>
      <section>
        <h3>{say("help-trumps")}</h3>
        <Trumps gone={gone} mine={mine} />
        <p>{say("help-trumps-order")}</p>
        {plays && table.hand !== null && (
          <p>
            {say("trumps-elsewhere", { count: elsewhere })} {say("trumps-frames")}
          </p>
        )}
      </section>
      <section>
        <h3>{say("help-suits")}</h3>
        <Order of={ORDER.slice(TRUMPS)} gone={gone} mine={mine} />
      </section>
      <section>
        <h3>{say("help-points")}</h3>
        <p>{say("help-points-each")}</p>
      </section>
    </>
  );
}

/** All trumps, the highest first. */
export function Trumps(props: { gone: Set<CardName>; mine: Set<CardName> }) {
  return <Order of={ORDER.slice(0, TRUMPS)} {...props} />;
}

function Order({ of, gone, mine }: { of: CardName[]; gone: Set<CardName>; mine: Set<CardName> }) {
  return (
    <p class="order">
      {of.map((card) => (
        <span class={gone.has(card) ? "gone" : mine.has(card) ? "mine-too" : ""}>
          <Card card={card} />
          {(gone.has(card) || mine.has(card)) && <span class="hidden">{say(gone.has(card) ? "card-gone" : "card-yours")}</span>}
        </span>
      ))}
    </p>
  );
}
