// The emblem of a bot: a white suit on a round ground with a pattern and a hue, all by its name.
// arena/site/pages/emblem.py says how, and draws the same.

const SUITS = "CSHD";

/** The lighter part of the ground, a circle of radius 12, by the name of the pattern. */
const PATTERNS = {
  plain: "",
  half: "M12 0A12 12 0 0 1 12 24Z",
  slant: "M20.5 3.5A12 12 0 0 1 3.5 20.5Z",
  quarters: "M12 0A12 12 0 0 1 24 12H0A12 12 0 0 0 12 24Z",
  bars: "M2.25 5A12 12 0 0 1 21.75 5ZM2.25 19A12 12 0 0 0 21.75 19Z",
  sides: "M5 2.25A12 12 0 0 0 5 21.75ZM19 2.25A12 12 0 0 1 19 21.75Z",
};

interface EmblemOfName {
  suit: string;
  pattern: keyof typeof PATTERNS;
  hue: number;
}

export function emblemOf(name: string): EmblemOfName {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name.replace(/\.[0-9]+$/, ""))) hash = Math.imul(hash ^ byte, 0x01000193);
  const number = (hash ^ (hash >>> 16)) >>> 0;
  const patterns = Object.keys(PATTERNS) as (keyof typeof PATTERNS)[];
  const rest = Math.floor(number / SUITS.length);
  const hue = Math.floor(rest / patterns.length) % 12;
  return { suit: SUITS[number % SUITS.length]!, pattern: patterns[rest % patterns.length]!, hue: hue * 30 };
}

/** An emblem as a picture, which says nothing that the name does not. */
export function Emblem({ name }: { name: string }) {
  const { suit, pattern, hue } = emblemOf(name);
  return (
    <svg class="emblem" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="12" fill={`oklch(0.42 0.1 ${hue})`} />
      <path d={PATTERNS[pattern]} fill={`oklch(0.58 0.12 ${hue})`} />
      <use href={`#suit-${suit}`} x="5.5" y="5.5" width="13" height="13" fill="#fff" />
    </svg>
  );
}
