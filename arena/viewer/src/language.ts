// The reader's language: what the pages say, from the catalogues of `arena/words`.

import { FluentBundle, FluentResource } from "@fluent/bundle";
import { type ComponentChildren, type VNode, h } from "preact";
import { LANGUAGES } from "languages";
import type { CardName } from "./match";
import type { Messages } from "./messages";

export { LANGUAGES };

/** The messages that the page may say, in each language that it came with. */
const CATALOGUES: Record<string, string> = Object.fromEntries(
  [...document.querySelectorAll<HTMLElement>("script[lang]")].map(({ lang, textContent }) => [lang, JSON.parse(textContent!)]),
);

const KEPT = "zole:language";

/** How long the cookie `language` keeps the choice on a site, which reads it for its other pages. */
const COOKIE_S = 365 * 86400;

/** The catalogues' names of what a card's name on the wire consists of. */
export const RANKS: Record<string, string> = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", "9": "nine", "8": "eight", "7": "seven" };
export const SUITS: Record<string, string> = { C: "clubs", S: "spades", H: "hearts", D: "diamonds" };

/** What this browser keeps: for this site, or for all pages that it opens from files. */
function kept(): (string | null)[] {
  try {
    return [/(?:^|; )language=(\w+)/.exec(document.cookie)?.[1] ?? null, localStorage.getItem(KEPT)];
  } catch {
    return []; // Without a store the reader's settings decide.
  }
}

/** What was asked for by the address, what this browser keeps, or what the reader's settings prefer. */
function wanted(): string[] {
  const asked = new URLSearchParams(location.search).get("lang");
  return [asked, ...kept(), ...navigator.languages].filter((tag) => tag !== null).map((tag) => tag.split("-")[0]!);
}

/**
 * The language of this page. Where a server left no choice, the cookie is not looked at: a browser that is asked for it
 * notes by whom, and parses the whole script again.
 */
export const language = chosen(Object.keys(CATALOGUES));

function chosen(tags: string[]): string {
  if (!globalThis.navigator) return "en";
  if (tags.length <= 2) return tags.find((tag) => tag !== "en") ?? "en";
  return wanted().find((tag) => tags.includes(tag)) ?? "en";
}

/** From now on this browser shows pages in a language. */
export function speak(tag: string) {
  try {
    document.cookie = `language=${tag}; path=/; max-age=${COOKIE_S}; SameSite=Lax`;
    localStorage.setItem(KEPT, tag);
  } catch {
    // Without a store the address alone says it.
  }
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  location.replace(address);
  if (address.href === location.href) location.reload();
}

function bundle(tag: string): FluentBundle {
  const made = new FluentBundle(tag, {
    useIsolating: false,
    functions: { CARD: ([card], { case: form = "nominative" }) => cardName(made, String(card), String(form)) },
  });
  const errors = made.addResource(new FluentResource(CATALOGUES[tag]!));
  if (errors.length > 0) throw errors[0]!;
  return made;
}

/** A language's own messages, and English for those that it lacks. */
const BUNDLES = [...new Set([language, "en"])].map(bundle);

// A browser loads what it knows of numbers and languages when it is first asked: soon, and not while a table is drawn.
setTimeout(() => new Intl.NumberFormat(language).format(0));

type Arguments<Id extends keyof Messages> = keyof Messages[Id] extends never ? [] : [given: Messages[Id]];

/** A message in the reader's language. */
export function say<Id extends keyof Messages>(id: Id, ...[given]: Arguments<Id>): string {
  for (const each of BUNDLES) {
    const pattern = each.getMessage(id)?.value;
    if (pattern) return each.formatPattern(pattern, (given ?? {}) as Record<string, string | number>);
  }
  throw new Error(`there is no message ${id}`);
}

/** A message with parts that are more than text, in the places of the values of these names; a sign after one stays on its line. */
export function compose<Id extends keyof Messages>(
  id: Id,
  parts: Partial<Record<keyof Messages[Id], VNode | VNode[]>>,
  given: object = {},
): ComponentChildren[] {
  const marks = Object.fromEntries(Object.keys(parts).map((name) => [name, `\u0000${name}\u0000`]));
  const text = say(id, ...([{ ...given, ...marks }] as unknown as Arguments<Id>));
  return text.split(/\u0000(\w+)\u0000([.,:;!?]?)/).map((piece, place, pieces) => {
    const part = place % 3 === 1 && parts[piece as keyof Messages[Id]];
    if (part) return pieces[place + 1] ? h("span", { class: "unbroken" }, part, pieces[place + 1]) : part;
    return place % 3 === 0 && piece;
  });
}

/** The name of a card, by itself. */
export function cardNamed(card: CardName): string {
  return cardName(BUNDLES[0]!, card, "nominative");
}

function cardName(by: FluentBundle, card: CardName, form: string): string {
  return by.formatPattern(by.getMessage("card")!.value!, { rank: RANKS[card[0]!]!, suit: SUITS[card[1]!]!, case: form });
}
