// What came of a deal: who lost or won it, and by what.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { summary } = await bundled("events.ts");
const NAMES = ["Anna", "Juris", "Vilma", "Zita"];
const who = (seat) => ({ who: "other", name: NAMES[seat] });

/** What is said after the sentence that all passed. */
function said(settlement, tricks, points, payments) {
  const tally = (seats) => ({ declarer: null, defenders: null, talon: 0, seats });
  const result = { contract: "table", declarer: null, fault: null, tricks: tally(tricks), points: tally(points), payments };
  return summary({ table: { settlement } }, result, who).replace("All passed: a table game. ", "");
}

test("the loser of a table game is named with what decided, also where tricks are equal", () => {
  const most = (...given) => said("most_tricks_pays", ...given);
  assert.equal(most([5, 2, 1], [20, 50, 40], [-4, 2, 2]), "Anna loses with the most tricks (5).");
  assert.equal(most([3, 3, 2], [40, 45, 30], [2, -4, 2]), "Juris loses with as many tricks as another player, but more points.");
  assert.equal(most([3, 3, 2], [40, 40, 35], [-2, -2, 4]), "Two players have equal tricks and points: both pay the third.");
  assert.equal(most([2, 1, 5, 0], [30, 20, 60, 0], [2, 2, -4, 0]), "Vilma loses with the most tricks (5).");
});

test("so is the winner where the fewest tricks are paid", () => {
  const fewest = (...given) => said("fewest_tricks_collects", ...given);
  assert.equal(fewest([1, 3, 4], [60, 20, 30], [4, -2, -2]), "Anna wins with the fewest tricks (1).");
  assert.equal(fewest([0, 4, 4, 0], [0, 50, 60, 0], [4, -2, -2, 0]), "Anna wins with the fewest tricks (0).", "who sits out takes none");
  assert.equal(fewest([2, 2, 4], [30, 10, 70], [-2, 4, -2]), "Juris wins with as few tricks as another player, but fewer points.");
  assert.equal(fewest([0, 0, 8], [0, 0, 120], [2, 2, -4]), "Two players have equal tricks and points: the third pays both.");
  assert.equal(fewest([2, 2, 2], [30, 30, 30], [0, 0, 0]), "All have equal tricks and points: nobody pays.");
});

/** What is said of a declarer's deal of eight tricks, after what was taken. */
function declared(contract, level, tricks, defenders) {
  const tally = (declarer, others) => ({ declarer, defenders: others, talon: 0, seats: [] });
  const result = { contract, declarer: 0, level, fault: null, tricks: tally(tricks, defenders), points: tally(50, 40) };
  return summary({ play: { tricks: 8 }, conduct: { on_fault: "forfeit" } }, result, who).match(/[^.;]*\.$/)[0].trim();
}

test("who conceded is said, instead of who won", () => {
  assert.equal(declared("ordinary", "ge61", 5, 3), "Anna won.");
  assert.equal(declared("ordinary", "31_60", 3, 5), "Anna lost.");
  assert.equal(declared("ordinary", "ge61", 2, 1), "The defenders conceded.");
  assert.equal(declared("solo", "31_60", 0, 1), "Anna conceded.");
  assert.equal(declared("small_solo", "lost", 1, 2), "Anna lost.", "the first trick ends a small solo");
  assert.equal(declared("small_solo", "lost", 0, 2), "Anna conceded.");
});
