// Actions and their keys: the keyboard, the buttons and the help all read this table.

import { say } from "./language";
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

type Step = "trick-back" | "card-back" | "card-on" | "trick-on" | "deal-back" | "deal-begin" | "deal-end" | "deal-on";

export interface Action {
  key: string;
  /** What stands on the key. */
  cap: string;
  does: string;
  run(page: Controls): void;
}

export const STEPS: readonly Action[] = [
  step("ArrowUp", "↑", "trick-back", place.previousTrick),
  step("ArrowLeft", "←", "card-back", place.previousCard),
  { key: " ", cap: say("key-cap", { key: "space" }), does: say("play-or-pause"), run: (page) => page.play() },
  step("ArrowRight", "→", "card-on", place.nextCard),
  step("ArrowDown", "↓", "trick-on", place.nextTrick),
];

export const DEALS: readonly Action[] = [
  step("PageUp", say("key-cap", { key: "page-up" }), "deal-back", place.previousDeal),
  step("Home", say("key-cap", { key: "home" }), "deal-begin", place.begin),
  step("End", say("key-cap", { key: "end" }), "deal-end", place.end),
  step("PageDown", say("key-cap", { key: "page-down" }), "deal-on", place.nextDeal),
];

export const FAULTS: readonly Action[] = [
  { key: "Shift+f", cap: "Shift F", does: say("fault-back"), run: (page) => page.fault(false) },
  { key: "f", cap: "F", does: say("fault-on"), run: (page) => page.fault(true) },
];

/** In a page with a review. */
export const MISTAKES: readonly Action[] = [
  { key: "Shift+m", cap: "Shift M", does: say("mistake-back"), run: (page) => page.mistake(false) },
  { key: "m", cap: "M", does: say("mistake-on"), run: (page) => page.mistake(true) },
];

export const RESULT: Action = { key: "r", cap: "R", does: say("show-result"), run: (page) => page.result() };

export const HELP: readonly Action[] = [
  { key: "?", cap: "?", does: say("key-help"), run: (page) => page.help() },
  { key: "Escape", cap: say("key-cap", { key: "escape" }), does: say("close-help"), run: (page) => page.help(false) },
];

/** All that has a key. */
export function actions(match: Match, reviewed: boolean): Action[] {
  return [...STEPS, ...DEALS, ...FAULTS, ...(reviewed ? MISTAKES : []), ...looks(match), RESULT, ...HELP];
}

/** The looks from each seat, and from all. */
export function looks(match: Match): Action[] {
  return [
    { key: "a", cap: "A", does: say("see-all"), run: (page) => page.look(null) },
    ...match.bots.map((bot, seat) => ({
      key: String(seat),
      cap: String(seat),
      does: say("look-from-seat", { seat: String(seat), name: bot }),
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

function step(key: string, cap: string, does: Step, step: place.Step): Action {
  return { key, cap, does: say(does), run: (page) => page.go(step) };
}
