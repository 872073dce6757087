// Reads a catalogue: which messages it has, and which values each of them takes.

import { readFileSync, readdirSync } from "node:fs";
import { Transformer, Visitor, parse, serialize } from "@fluent/syntax";

const WORDS = new URL("../words/", import.meta.url);

/** The categories of CLDR's plurals: who selects by one of them has a number. */
const PLURALS = new Set(["zero", "one", "two", "few", "many"]);

class Values extends Visitor {
  found = new Map();
  mentioned = [];

  visitVariableReference({ id }) {
    if (!this.found.has(id.name)) this.found.set(id.name, "string | number");
  }

  visitMessageReference({ id }) {
    this.mentioned.push(id.name);
  }

  visitSelectExpression(node) {
    const { selector, variants } = node;
    if (selector.type === "VariableReference" && variants.some(({ key }) => PLURALS.has(key.name)))
      this.found.set(selector.id.name, "number");
    this.genericVisit(node);
  }
}

/** The languages that have a catalogue, English first. */
export function languages() {
  return readdirSync(WORDS).toSorted((one, other) => Number(other === "en") - Number(one === "en") || one.localeCompare(other));
}

/** The text of a language's catalogue. */
export function catalogue(language) {
  return readFileSync(new URL(`${language}/table.ftl`, WORDS), "utf8");
}

/** For esbuild: the module `languages`, with what each language calls itself. */
export const languageNames = {
  name: "languages",
  setup(build) {
    const contents = `export const LANGUAGES = ${JSON.stringify(languages().map((tag) => [tag, ownName(tag)]))};`;
    build.onResolve({ filter: /^languages$/ }, ({ path }) => ({ path, namespace: "words" }));
    build.onLoad({ filter: /.*/, namespace: "words" }, () => ({ contents }));
  },
};

/**
 * By language, those messages alone that a script names, and what they mention.
 * `pseudo`: with English words that are marked and longer than they are, for tests.
 */
export function wordsOf(script, pseudo = false) {
  const used = script === undefined ? undefined : namedIn(script);
  return languages().map((tag) => [tag, shortened(catalogue(tag), used, pseudo)]);
}

/** What a language calls itself. */
function ownName(tag) {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  return name[0].toUpperCase() + name.slice(1);
}

/** The messages whose names stand in a script as they are, and those that they mention. */
function namedIn(script) {
  const { found: all, mentions } = read(catalogue("en"));
  const used = new Set();
  const use = (name) => {
    if (used.has(name)) return;
    used.add(name);
    mentions.get(name).forEach(use);
  };
  [...all.keys()].filter((name) => script.includes(`"${name}"`)).forEach(use);
  return used;
}

/** A catalogue without comments, and without the messages that are not used. */
function shortened(text, used, pseudo) {
  const resource = parse(text, {});
  if (pseudo) new Longer().genericVisit(resource);
  resource.body = resource.body.filter((entry) => entry.type === "Message" && (used === undefined || used.has(entry.id.name)));
  for (const entry of resource.body) entry.comment = null;
  return serialize(resource, {}).replace(/\n +/g, "\n ").replace(/\n\n+/g, "\n");
}

/** The messages of a catalogue with the values that each takes itself, and those that it mentions; throws what is wrong. */
function read(text) {
  const found = new Map();
  const mentions = new Map();
  for (const entry of parse(text, {}).body) {
    if (entry.type === "Junk") throw new Error(`no message: ${entry.content.trim()}`);
    if (entry.type !== "Message") continue;
    if (found.has(entry.id.name)) throw new Error(`there are two messages ${entry.id.name}`);
    const values = new Values();
    values.visit(entry);
    found.set(entry.id.name, values.found);
    mentions.set(entry.id.name, values.mentioned);
  }
  return { found, mentions };
}

/** A message without values in each language. */
export function inEachLanguage(name) {
  return languages().map((tag) => {
    const { value } = parse(catalogue(tag), {}).body.find((entry) => entry.id?.name === name);
    return [tag, value.elements[0].value];
  });
}

/** Texts that are marked, and two fifths longer. */
class Longer extends Transformer {
  visitTextElement(element) {
    const [, before, words, after] = /^(\s*)([^]*?)(\s*)$/.exec(element.value);
    if (words !== "") element.value = `${before}⟦${words}${"~".repeat(Math.ceil(0.4 * words.length))}⟧${after}`;
    return element;
  }
}

/** The values of each message, those of messages that it mentions among them. */
export function messagesIn(text) {
  const { found, mentions } = read(text);
  const all = (name) => {
    const more = mentions.get(name).flatMap((each) => [...all(each)]);
    return new Map([...more, ...found.get(name), ...more.filter(([, kind]) => kind === "number")]);
  };
  return new Map([...found.keys()].map((name) => [name, all(name)]));
}

/** The types of a catalogue's messages, for who writes the pages. */
export function typesOf(text) {
  const lines = [...messagesIn(text)].map(([name, values]) => {
    const fields = [...values].map(([value, kind]) => `${value}: ${kind}`);
    return `  "${name}": ${fields.length > 0 ? `{ ${fields.join("; ")} }` : "Record<never, never>"};`;
  });
  return ["// Made from arena/words/en/table.ftl by `npm run build`.", "", "export interface Messages {", ...lines, "}", ""].join("\n");
}
