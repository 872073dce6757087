// The reader's own cards: those that may be chosen stand up, and are chosen by a tap or from the keyboard.

import { Card } from "../card";
import { isTrump } from "../cards";
import { fanned } from "../felt";
import { say } from "../language";
import type { CardName } from "./lines";
import type { Table } from "./state";

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
  const cards: (CardName | null)[] = hand ?? Array.from({ length: held[dealt!.seat!]! }, () => null);
  const suits = cards.findIndex((card) => card !== null && !isTrump(card));
  return (
    <section
      class={`own${legal ? " turn" : ""}${cards.length > 8 ? " many" : ""}`}
      aria-label={say("your-cards")}
      style={{ "--cards": cards.length, "--gaps": suits > 0 ? 1 : 0 }}
    >
      {cards.map((card, place) => {
        const lies = fanned(place, cards.length);
        if (card === null)
          return (
            <span style={lies}>
              <Card card={null} />
            </span>
          );
        const may = legal?.includes(card) === true;
        const classes = ["pickable", may && "legal", place === suits && place > 0 && "apart", hinted.includes(card) && "hinted"];
        return (
          <button
            key={card}
            type="button"
            class={classes.filter(Boolean).join(" ")}
            style={lies}
            aria-disabled={!may}
            aria-pressed={chosen.length > 0 || fresh.length > 0 ? chosen.includes(card) : undefined}
            onClick={() => choose(card)}
          >
            <Card card={card} />
            {fresh.includes(card) && (
              <span class="fresh">
                <span class="hidden">, </span>
                {say("talon")}
              </span>
            )}
          </button>
        );
      })}
    </section>
  );
}
