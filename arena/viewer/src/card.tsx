// A card as a picture of its own: an index card in one of four colours, or its back.

import type { CardName } from "./match";
import type { Shown } from "./sight";
import { cardWords } from "./words";

/** The suits' signs, in a square of 16. */
const SIGNS: Record<string, string> = {
  C: "M8 1a3.4 3.4 0 0 1 2.9 5.2A3.4 3.4 0 1 1 9 12l1 3H6l1-3a3.4 3.4 0 1 1-1.9-5.8A3.4 3.4 0 0 1 8 1Z",
  S: "M8 1C9.5 4.2 14.5 6 14.5 9.6A3.1 3.1 0 0 1 9 11.6L10 15H6l1-3.4A3.1 3.1 0 0 1 1.5 9.6C1.5 6 6.5 4.2 8 1Z",
  H: "M8 14.5C5 11.5 1.2 8.8 1.2 5.2A3.5 3.5 0 0 1 8 4a3.5 3.5 0 0 1 6.8 1.2C14.8 8.8 11 11.5 8 14.5Z",
  D: "M8 .8 13.4 8 8 15.2 2.6 8Z",
};

/** A card of the table, or its back. */
export function Card({ card, last = false }: { card: Shown; last?: boolean }) {
  if (card === null)
    return <span class="slot"><span class="card back" role="img" aria-label="a card face down" /></span>;
  const { rank, suit, name } = cardWords(card);
  return (
    <span class="slot">
      <span
        class={`card ${suit}${last ? " last" : ""}`}
        role="img"
        aria-label={name}
        title={name}
        data-card={card}
      >
        <b>{rank}</b>
        <Suit card={card} />
      </span>
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
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={SIGNS[card[1]!]!} />
    </svg>
  );
}
