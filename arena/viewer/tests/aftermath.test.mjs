import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { isRetraced } = await bundled("play/aftermath.ts");
const { isSettled } = await bundled("play/table.tsx");

test("what was answered for the reader ends where the way does", () => {
  const way = [{ bid: "ordinary" }, { cards: ["TH", "KH"] }, { card: "QC" }, { card: "QS" }];
  const kinds = [["blind", null], ["bid", null], ["talon", null], ["discard", null], ["play", 1], ["play", 2], ["offer", 3], ["play", 3]];
  const retraced = (way) => kinds.filter(([kind, trick]) => isRetraced(way, { kind, trick })).length;
  assert.deepEqual([0, 1, 2, 3, 4].map((length) => retraced(way.slice(0, length))), [0, 2, 4, 5, 6]);
});

test("the rest is played only where it changes nothing that is paid", () => {
  const table = { declarer: 1, contract: "ordinary", dealt: { seat: 1 }, discards: [] };
  const after = (points, tricks) => isSettled({ ...table, points, tricks });
  assert.equal(after([10, 61, 10], [1, 3, 1]), false, "91 points can still be taken");
  assert.equal(after([20, 61, 10], [1, 3, 1]), true);
  assert.equal(after([0, 91, 0], [0, 5, 0]), false, "all tricks can still be taken");
  assert.equal(after([0, 91, 4], [0, 5, 1]), true);
  assert.equal(after([40, 20, 20], [2, 1, 1]), false, "31 points can still be taken");
  assert.equal(after([40, 31, 20], [2, 1, 1]), true);
  assert.equal(after([90, 0, 0], [4, 0, 0]), false, "a trick can still be taken");
  assert.equal(after([30, 31, 29], [2, 1, 1]), false, "nobody has won yet");
  assert.equal(isSettled({ ...table, dealt: { seat: 0 }, points: [40, 20, 55], tricks: [2, 1, 1] }), true);
});
