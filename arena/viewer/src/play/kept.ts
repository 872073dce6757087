// What a browser keeps of a seat: over a reload, on the way to the next table, and in the list of a guest's matches.

import type { Choice, Reply } from "./lines";

/** What a tab keeps of a seat over a reload. */
export interface Kept {
  shown: number;
  left: number;
  answer: Reply | null;
  answered: number;
  /** What the reader made of the deal that is played again here, in stakes; null where that is not known. */
  first: number | null;
  /** The answers that are given for the reader, to get where it wants to go on; and how many of them were. */
  way: Choice[];
  went: number;
}

const NOTHING: Kept = { shown: 0, left: 0, answer: null, answered: 0, first: null, way: [], went: 0 };

/** A guest's match that is over: when it ended, in milliseconds; whether it was the deal of a day; what the guest made of it; and where it is seen again. */
interface Played {
  at: number;
  day: boolean;
  made: number;
  watch: string;
}

/** Where this browser keeps a guest's matches, which `site.js` lists, and how many. */
const PLAYED = "zole:played";
const MOST_PLAYED = 50;

/** What this tab keeps of the seat at a path. */
export function kept(path: string): Kept {
  try {
    return { ...NOTHING, ...JSON.parse(sessionStorage.getItem(keyOf(path))!) };
  } catch {
    return NOTHING;
  }
}

export function keep(path: string, what: Partial<Kept>) {
  try {
    sessionStorage.setItem(keyOf(path), JSON.stringify(what));
  } catch {
    // Without a store a reload shows the last line once more, and a deal is played from its beginning.
  }
}

export function forget(path: string) {
  try {
    sessionStorage.removeItem(keyOf(path));
  } catch {
    // Without a store there is nothing to forget.
  }
}

/** Put a match that is over, or was left after a deal, first in the list of this browser's matches. */
export function listMatch(match: Played) {
  try {
    const known: Played[] = JSON.parse(localStorage.getItem(PLAYED) ?? "[]");
    const before = known.find(({ watch }) => watch === match.watch);
    if (before?.made === match.made) return;
    localStorage.setItem(PLAYED, JSON.stringify([match, ...known.filter((each) => each !== before)].slice(0, MOST_PLAYED)));
  } catch {
    // Without a store there is no list.
  }
}

function keyOf(path: string): string {
  return `zole:${path}`;
}
