// Names at one table: their emblems are distinct.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { emblem } = await bundled("names.tsx");

test("players whose names begin alike have different emblems", () => {
  const of = (...names) => names.map((_, seat) => emblem(names, seat));
  assert.deepEqual(of("You", "careful", "careful.2"), ["Y", "C", "C2"]);
  assert.deepEqual(of("sampler (left)", "sampler (right)", "vilks"), ["Sl", "Sr", "V"]);
  assert.deepEqual(of("anna", "Alfs", "zita"), ["An", "Al", "Z"]);
});
