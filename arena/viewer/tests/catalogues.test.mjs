import assert from "node:assert/strict";
import { test } from "node:test";
import { FluentBundle, FluentResource } from "@fluent/bundle";
import { bundled } from "./bundled.mjs";
import { catalogue, languages, messagesIn } from "../messages.mjs";

const { RANKS, SUITS } = await bundled("language.ts");
const ENGLISH = messagesIn(catalogue("en"));
const COUNTS = [0, 1, 2, 3, 5, 9, 10, 11, 12, 19, 20, 21, 22, 25, 100, 101, 111, 121];

/** A language's messages; `cases` are those in which cards were asked for. */
function speaker(language) {
  const cases = new Set(["nominative"]);
  const bundle = new FluentBundle(language, {
    useIsolating: false,
    functions: {
      CARD: (_, { case: form = "nominative" }) => {
        cases.add(String(form));
        return "card";
      },
    },
  });
  assert.deepEqual(bundle.addResource(new FluentResource(catalogue(language))), []);
  return { cases, say: (id, given) => bundle.formatPattern(bundle.getMessage(id).value, { case: "nominative", ...given }) };
}

/** Values for a message: of every sort that its selects may know. */
function* valuesOf(id) {
  const kinds = [...ENGLISH.get(id)];
  const words = [...new Set([...catalogue("en").matchAll(/\[([a-z_0-9-]+)\]/g)].map(([, word]) => word))];
  if (kinds.every(([, kind]) => kind === "number")) for (const count of COUNTS) yield Object.fromEntries(kinds.map(([name]) => [name, count]));
  else
    for (const word of words)
      for (const count of [1, 10, 21]) yield Object.fromEntries(kinds.map(([name, kind]) => [name, kind === "number" ? count : word]));
}

test("every language says all that English says, with the same values", () => {
  for (const language of languages()) {
    const messages = messagesIn(catalogue(language));
    assert.deepEqual([...messages.keys()].toSorted(), [...ENGLISH.keys()].toSorted(), language);
    for (const [id, values] of messages)
      for (const value of values.keys()) assert.ok(value === "case" || ENGLISH.get(id).has(value), `${language}: ${id} takes ${value}`);
  }
});

test("every message can be said with whatever values it may have", () => {
  for (const language of languages()) {
    const { say } = speaker(language);
    for (const id of ENGLISH.keys())
      for (const given of valuesOf(id)) {
        const text = say(id, given);
        assert.ok(text.trim() !== "" && !/[{}]/.test(text), `${language}: ${id}: ${text}`);
      }
  }
});

test("every card has a name of its own in every case that sentences ask for", () => {
  for (const language of languages()) {
    const { cases, say } = speaker(language);
    for (const id of ENGLISH.keys()) for (const given of valuesOf(id)) say(id, given);
    for (const form of cases) {
      const names = Object.values(SUITS).flatMap((suit) => Object.values(RANKS).map((rank) => say("card", { rank, suit, case: form })));
      assert.equal(new Set(names).size, 32, `${language}, ${form}`);
    }
  }
});

test("Latvian counts and declines as Latvians do", () => {
  const { say } = speaker("lv");
  assert.deepEqual([1, 2, 10, 21].map((count) => say("points", { count })), ["1 acs", "2 acis", "10 acis", "21 acs"]);
  const card = (rank, form) => say("card", { rank, suit: "clubs", case: form });
  assert.deepEqual([card("queen", "nominative"), card("queen", "accusative")], ["kreiča dāma", "kreiča dāmu"]);
});
