// The reader's own cards: those that may be chosen stand up, and are chosen by a tap, a drag or from the keyboard.

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
      onPointerDown={drag}
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

/** Pixels from which a moving pointer drags a card, and does not tap it. */
const DRAGGED_PX = 8;

/** Pixels above its place at which a card is let go to be chosen. */
const PLAYED_PX = 40;

/** Let a card that may be chosen follow the pointer; above the hand it is chosen, elsewhere it goes back. */
function drag({ target, isPrimary, button, pointerId, clientX, clientY }: PointerEvent) {
  const card = (target as Element).closest<HTMLElement>(".pickable.legal");
  if (card === null || !isPrimary || button !== 0) return;
  const ends = new AbortController();
  let [x, y, drags] = [0, 0, false];
  const moves = (event: PointerEvent) => {
    [x, y] = [event.clientX - clientX, event.clientY - clientY];
    drags ||= Math.hypot(x, y) > DRAGGED_PX;
    if (!drags) return;
    card.setPointerCapture(pointerId);
    Object.assign(card.style, { transform: `translate(${x}px, ${y}px)`, transition: "none", zIndex: "2" });
  };
  const lets = ({ type }: PointerEvent) => {
    ends.abort();
    if (!drags) return;
    Object.assign(card.style, { transform: "", transition: "", zIndex: "" });
    // The browser's own click on what was dragged is none.
    const none = new AbortController();
    const stops = (event: Event) => event.isTrusted && event.stopPropagation();
    card.addEventListener("click", stops, { capture: true, signal: none.signal });
    if (type === "pointerup" && y < -PLAYED_PX) card.click();
    setTimeout(() => none.abort());
  };
  addEventListener("pointermove", moves, ends);
  for (const end of ["pointerup", "pointercancel"] as const) addEventListener(end, lets, ends);
}
