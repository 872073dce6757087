// Names at one table: their initials are distinct, and their emblems those of the site's pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { initials } = await bundled("names.tsx");
const { emblemOf } = await bundled("emblem.tsx");

test("players whose names begin alike have different initials", () => {
  const of = (...names) => names.map((_, seat) => initials(names, seat));
  assert.deepEqual(of("You", "careful", "careful.2"), ["Y", "C", "C2"]);
  assert.deepEqual(of("sampler (left)", "sampler (right)", "vilks"), ["Sl", "Sr", "V"]);
  assert.deepEqual(of("anna", "Alfs", "zita"), ["An", "Al", "Z"]);
});

test("the emblem of a name is that of the site's pages, for all versions of a bot", () => {
  const known = JSON.parse(readFileSync(new URL("../../../tests/data/emblems.json", import.meta.url), "utf8"));
  const of = (name) => Object.values(emblemOf(name));
  assert.deepEqual(known.map(([name]) => [name, ...of(name)]), known);
  assert.deepEqual(of("careful.2"), of("careful"));
});
