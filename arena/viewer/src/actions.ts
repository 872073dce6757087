// What one can do here, by which key: the keyboard, the buttons and the help all read this table.

import type { Match, Seat } from "./match";
import * as place from "./place";

/** What the page lets be done to it. */
export interface Controls {
  go(step: place.Step): void;
  fault(forward: boolean): void;
  mistake(forward: boolean): void;
  look(seat: Seat | null): void;
  play(): void;
  result(): void;
  help(shown?: boolean): void;
}

export interface Action {
  key: string;
  /** What stands on the key. */
  cap: string;
  does: string;
  run(page: Controls): void;
}

export const STEPS: readonly Action[] = [
  step("ArrowUp", "↑", "a trick back", place.previousTrick),
  step("ArrowLeft", "←", "a card back", place.previousCard),
  { key: " ", cap: "Space", does: "play or pause", run: (page) => page.play() },
  step("ArrowRight", "→", "a card on", place.nextCard),
  step("ArrowDown", "↓", "a trick on", place.nextTrick),
];

export const DEALS: readonly Action[] = [
  step("PageUp", "PgUp", "a deal back", place.previousDeal),
  step("Home", "Home", "the deal's beginning", place.begin),
  step("End", "End", "the deal's end", place.end),
  step("PageDown", "PgDn", "a deal on", place.nextDeal),
];

export const FAULTS: readonly Action[] = [
  { key: "Shift+f", cap: "Shift F", does: "the fault before", run: (page) => page.fault(false) },
  { key: "f", cap: "F", does: "the next fault", run: (page) => page.fault(true) },
];

/** In a page with a review. */
export const MISTAKES: readonly Action[] = [
  { key: "Shift+m", cap: "Shift M", does: "the clear mistake before", run: (page) => page.mistake(false) },
  { key: "m", cap: "M", does: "the next clear mistake", run: (page) => page.mistake(true) },
];

export const RESULT: Action = {
  key: "r",
  cap: "R",
  does: "show the deal's result, or hide what is to come",
  run: (page) => page.result(),
};

export const HELP: readonly Action[] = [
  { key: "?", cap: "?", does: "these keys", run: (page) => page.help() },
  { key: "Escape", cap: "Esc", does: "close the help", run: (page) => page.help(false) },
];

/** All that has a key. */
export function actions(match: Match, reviewed: boolean): Action[] {
  return [...STEPS, ...DEALS, ...FAULTS, ...(reviewed ? MISTAKES : []), ...looks(match), RESULT, ...HELP];
}

/** The looks from each seat, and from all. */
export function looks(match: Match): Action[] {
  return [
    { key: "a", cap: "A", does: "see all cards", run: (page) => page.look(null) },
    ...match.bots.map((bot, seat) => ({
      key: String(seat),
      cap: String(seat),
      does: `look from seat ${seat}, ${bot}`,
      run: (page: Controls) => page.look(seat),
    })),
  ];
}

/** How the table calls the key of an event; null where another program's key is meant. */
export function keyOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  if (!/^[a-z]$/i.test(event.key)) return event.key;
  return (event.shiftKey ? "Shift+" : "") + event.key.toLowerCase();
}

function step(key: string, cap: string, does: string, step: place.Step): Action {
  return { key, cap, does, run: (page) => page.go(step) };
}
