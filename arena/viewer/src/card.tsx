// A card as a picture of its own, or its back. What is drawn on it stands once in the page, in the deck's symbols.

import { useContext } from "preact/hooks";
import { say } from "./language";
import { Marks } from "./marks";
import type { CardName } from "./match";
import type { Shown } from "./sight";
import { cardWords } from "./words";

/** A card of the table, or its back. */
export function Card({ card }: { card: Shown }) {
  const mark = useContext(Marks)[card ?? ""];
  if (card === null) return <span class="card back" role="img" aria-label={say("card-face-down")} />;
  const { rank, suit, name } = cardWords(card);
  const court = "KQJ".includes(card[0]!);
  const label = mark === undefined ? name : `${name}: ${mark}`;
  return (
    <span class={`card ${suit}`} role="img" aria-label={label} title={label} data-card={card}>
      <b>{rank}</b>
      <Suit card={card} />
      <svg class={court ? "face court" : "face"} viewBox={court ? "0 0 64 90" : "0 0 60 90"} aria-hidden="true">
        <use href={court ? `#court-${card[0]}` : `#pips-${card}`} />
      </svg>
      {mark !== undefined && <i class="mark">{mark}</i>}
    </span>
  );
}

/** A card within a line of text. */
export function SmallCard({ card }: { card: CardName }) {
  const { rank, suit, name } = cardWords(card);
  return (
    <span class={`small ${suit}`} role="img" aria-label={name} data-card={card}>
      {rank}
      <Suit card={card} />
    </span>
  );
}

function Suit({ card }: { card: CardName }) {
  return (
    <svg class="suit" viewBox="0 0 16 16" aria-hidden="true">
      <use href={`#suit-${card[1]}`} />
    </svg>
  );
}
