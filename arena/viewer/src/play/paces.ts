// How fast others play: what can be chosen, and what this browser was told last.

import type { Pace } from "./paced";

export const PACES: Record<string, Pace> = {
  calmly: { step_ms: 800, trick_ms: 2500 },
  briskly: { step_ms: 400, trick_ms: 1200 },
  "at once": { step_ms: 0, trick_ms: 0 },
};

const USUAL = "briskly";
const KEY = "zole:pace";

export function keptPace(): string {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return kept in PACES ? kept : USUAL;
  } catch {
    return USUAL;
  }
}

export function keepPace(pace: string) {
  try {
    localStorage.setItem(KEY, pace);
  } catch {
    // Without a store the pace is kept for this visit.
  }
}
