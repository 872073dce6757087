// The reader's own cards: those that may be chosen are lit, and are chosen by a tap or from the keyboard.

import { Card } from "../card";
import { Words } from "../moves";
import type { CardName } from "./lines";
import type { Table } from "./state";
import { Plate } from "./table";

interface Props {
  table: Table;
  /** The cards that may be chosen now; null where no card is asked for. */
  legal: CardName[] | null;
  chosen: CardName[];
  hinted: CardName[];
  fresh: CardName[];
  choose: (card: CardName) => void;
}

export function Hand({ table, legal, chosen, hinted, fresh, choose }: Props) {
  const { hand, dealt, held } = table;
  const seat = dealt!.seat;
  const cards: (CardName | null)[] = hand ?? Array.from({ length: held[seat]! }, () => null);
  return (
    <section class={`own${legal ? " turn" : ""}`} aria-label="Your cards">
      <Plate table={table} seat={seat} />
      <div class={`pick${cards.length > 8 ? " many" : ""}`}>
        {cards.map((card, place) =>
          card === null ? (
            <Card card={null} />
          ) : (
            <button
              key={card}
              type="button"
              class={`pickable${legal?.includes(card) ? " legal" : ""}${hinted.includes(card) ? " hinted" : ""}`}
              aria-disabled={!legal?.includes(card)}
              aria-pressed={chosen.length > 0 || fresh.length > 0 ? chosen.includes(card) : undefined}
              data-number={place + 1}
              onClick={() => choose(card)}
            >
              <Card card={card} />
              {fresh.includes(card) && <span class="hidden">, from the talon</span>}
              <span class="number" aria-hidden="true">
                {(place + 1) % 10}
                {fresh.includes(card) && " talon"}
              </span>
            </button>
          ),
        )}
      </div>
      {table.discards.length > 0 && (
        <p class="faint">
          Laid aside: <Words ask="discard" text={table.discards.join(".")} />
        </p>
      )}
    </section>
  );
}
