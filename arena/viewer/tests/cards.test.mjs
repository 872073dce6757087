import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { isTrump, sorted, taking } = await bundled("cards.ts");

test("queens, jacks and diamonds are trumps", () => {
  assert.deepEqual("QS JH 7D AD KH TS 9C".split(" ").filter(isTrump), ["QS", "JH", "7D", "AD"]);
});

test("a hand is held with its trumps first, each suit from its highest", () => {
  const hand = "9H 7D AC QH TS KC JD QC".split(" ");
  assert.deepEqual(sorted(hand), "QC QH JD 7D AC KC TS 9H".split(" "));
  assert.equal(hand[0], "9H");
});

test("a trick is taken by its highest trump, else by the highest card of the suit that was led", () => {
  for (const [trick, place] of [
    ["", -1],
    ["9S", 0],
    ["9S KS AS", 2],
    ["9S AH AC", 0],
    ["AS 7D TS", 1],
    ["7D JD QD", 2],
    ["KS 8D AS JC", 3],
  ])
    assert.equal(taking(trick.split(" ").filter(Boolean)), place, trick);
});
