// What a browser keeps of a seat: over a reload, on the way to the next table, and in the list of a guest's matches.

import type { Choice, Reply } from "./lines";

/** What a tab keeps of a seat over a reload. */
export interface Kept {
  shown: number;
  left: number;
  answer: Reply | null;
  answered: number;
  /** The address of the match that waits while a deal of it is played again; null where none does. */
  back: string | null;
}

const NOTHING: Kept = { shown: 0, left: 0, answer: null, answered: 0, back: null };

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

/** Where the answers for the next table are kept on the way there. */
const RETRACED = "zole:retraced";

/** What this tab keeps of the seat at a path. */
export function kept(path: string): Kept {
  return { ...NOTHING, ...(stored(keyOf(path)) as Partial<Kept> | null) };
}

export function keep(path: string, what: Partial<Kept>) {
  store(keyOf(path), what);
}

export function forget(path: string) {
  remove(keyOf(path));
}

/** Keep the answers that lead to where the reader wants to go on, for the next table. */
export function keepAnswers(answers: Choice[]) {
  store(RETRACED, answers);
}

/** The answers that were kept for this table, once. */
export function keptAnswers(): Choice[] {
  const answers = stored(RETRACED) as Choice[] | null;
  remove(RETRACED);
  return answers ?? [];
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

function stored(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key)!);
  } catch {
    return null;
  }
}

function store(key: string, value: unknown) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without a store a reload shows the last line once more, and a deal is played from its beginning.
  }
}

function remove(key: string) {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without a store there is nothing to remove.
  }
}
