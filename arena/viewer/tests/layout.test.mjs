import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { layoutAt } = await bundled("layout.ts");

const card = (seat, card) => ({ event: "card", seat, card });
const play = (seat, name, ...more) => ({ seat, ask: "play", answer: name, events: [card(seat, name), ...more] });
const deal = {
  hands: ["QC.9H.KS", "7D.AS.TS", "8D.9S.AH"],
  talon: "AC.9C",
  result: { discards: ["9H", "9C"] },
  moments: [
    {
      seat: 0,
      ask: "bid",
      answer: "ordinary",
      events: [
        { event: "bid", seat: 0, bid: "ordinary" },
        { event: "contract", declarer: 0, contract: "ordinary", forehand: 0 },
      ],
    },
    { seat: 0, ask: "discard", answer: "9H.9H", refused: ["illegal", "twice"], events: [] },
    { seat: 0, ask: "discard", answer: "9H.9C", events: [] },
    play(0, "KS"),
    play(1, "AS"),
    play(2, "9S", { event: "trick", number: 1, winner: 1, points: 15 }),
    play(1, "7D"),
  ],
};

test("before the first answer the cards lie as dealt", () => {
  const { hands, talon, trick, declarer, contract } = layoutAt(deal, 0);
  assert.deepEqual(hands[1], ["7D", "AS", "TS"]);
  assert.deepEqual([talon, trick, declarer, contract], [["AC", "9C"], [], null, null]);
});

test("the declarer of an ordinary game takes the talon and lays two cards aside, once they are accepted", () => {
  assert.deepEqual(layoutAt(deal, 1).hands[0], ["QC", "9H", "KS", "AC", "9C"]);
  assert.deepEqual(layoutAt(deal, 2).discards, []);
  assert.deepEqual(layoutAt(deal, 3).hands[0], ["QC", "KS", "AC"]);
  assert.deepEqual(layoutAt(deal, 3).discards, ["9H", "9C"]);
});

test("a trick is counted for who takes it, and lies until the next card", () => {
  const taken = layoutAt(deal, 6);
  assert.deepEqual([taken.winner, taken.points, taken.tricks], [1, [0, 15, 0], [0, 1, 0]]);
  assert.deepEqual(taken.trick.map(({ card }) => card), ["KS", "AS", "9S"]);
  const led = layoutAt(deal, 7);
  assert.deepEqual([led.winner, led.trick], [null, [{ seat: 1, card: "7D" }]]);
});

test("a trick of the talon is counted for the talon", () => {
  const table = {
    ...deal,
    moments: [play(0, "KS", card("talon", "AC"), { event: "trick", number: 1, winner: "talon", points: 15 })],
  };
  const { winner, points, talonPoints } = layoutAt(table, 1);
  assert.deepEqual([winner, points, talonPoints], ["talon", [0, 0, 0], 15]);
});
