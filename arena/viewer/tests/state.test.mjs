import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { EMPTY, after, stepsOf, withAnswer } = await bundled("play/state.ts");
const tableAfter = (lines) => lines.flatMap(stepsOf).reduce(after, EMPTY);

const HELLO = { type: "hello", players: 3, rules: {}, limits: { move_s: null } };
const DEALT = {
  event: "deal",
  deal: 0,
  dealer: 2,
  active: [0, 1, 2],
  seat: 1,
  pools: { collective: 0, personal: [] },
  totals: [0, 0, 0],
};
const HAND = "9H 7D AC QH TS KC JD QC".split(" ");
const BID = { type: "bid", id: 0, deal: 0, seat: 1, clock_s: null, hand: HAND, legal: ["pass", "solo"] };

function play(id, events, hand, trick) {
  return { type: "play", id, deal: 0, seat: 1, clock_s: null, events, hand, trick, legal: hand, may_offer: false };
}

const AUCTION = [DEALT, { event: "bid", seat: 0, bid: "pass" }];
const FIRST = [
  { event: "bid", seat: 1, bid: "solo" },
  { event: "contract", declarer: 1, contract: "solo", forehand: 0 },
  { event: "card", seat: 0, card: "9S" },
];
const TRICK = [
  { event: "card", seat: 1, card: "TS" },
  { event: "card", seat: 2, card: "KS" },
  { event: "trick", number: 1, winner: 1, points: 14 },
];
const LEFT = HAND.filter((card) => card !== "TS");
const LINES = [
  HELLO,
  { ...BID, events: AUCTION },
  play(1, FIRST, HAND, [{ seat: 0, card: "9S" }]),
  play(2, TRICK, LEFT, []),
];

test("a hand is dealt, sorted, and asked about", () => {
  const table = tableAfter(LINES.slice(0, 2));
  assert.equal(table.question.type, "bid");
  assert.deepEqual(table.hand, "QC QH JD 7D AC KC TS 9H".split(" "));
  assert.deepEqual(table.held, [8, 8, 8]);
  assert.equal(table.words[0], "pass");
});

test("an answer shows at once, before its line has come", () => {
  const table = withAnswer(tableAfter(LINES.slice(0, 3)), { card: "TS" });
  assert.equal(table.question, null);
  assert.deepEqual(table.trick.map(({ card }) => card), ["9S", "TS"]);
  assert.equal(table.hand.includes("TS"), false);
});

test("a trick that was taken counts, and is kept as the last one", () => {
  const table = tableAfter(LINES);
  assert.deepEqual([table.tricks, table.points, table.winner], [[0, 1, 0], [0, 14, 0], 1]);
  assert.deepEqual(table.lastTrick, { cards: table.trick, winner: 1 });
  assert.deepEqual(table.held, [7, 7, 7]);
  assert.equal(table.told.at(-1).event, "trick");
});

test("a deal that is over is written on the sheet, and the next one begins with nothing but it", () => {
  const result = { payments: [-2, 4, -2], discards: [], pools: { collective: 1, personal: [] } };
  const end = { type: "deal_end", deal: 0, events: [], result };
  const over = tableAfter([...LINES, end]);
  assert.deepEqual(over.totals, [-2, 4, -2]);
  assert.deepEqual(over.sheet, [{ dealt: DEALT, result, totals: [-2, 4, -2] }]);
  const next = { ...BID, id: 3, deal: 1, events: [{ ...DEALT, deal: 1, totals: [-2, 4, -2] }] };
  const table = tableAfter([...LINES, end, next]);
  assert.deepEqual([table.sheet, table.lastTrick, table.trick, table.contract], [over.sheet, null, [], null]);
  assert.deepEqual(table.told.map(({ event }) => event), ["deal"]);
});

test("a refusal leaves the question open, and a line of a type to come changes nothing", () => {
  const before = tableAfter(LINES);
  const refusal = { type: "error", id: 2, fault: "illegal", detail: "no such card" };
  const table = tableAfter([...LINES, { type: "weather" }, refusal]);
  assert.deepEqual(table, { ...before, refusal });
});
