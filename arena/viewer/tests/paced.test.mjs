import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { Paced } = await bundled("play/paced.ts");
const paced = () => new Paced(0, 0, () => ({ step_ms: 0, trick_ms: 0 }), () => false, () => {});

const HELLO = { type: "hello", players: 3, rules: {}, limits: { move_s: null } };
const HAND = "9H 7D AC QH TS KC JD QC".split(" ");
const DEALT = { event: "deal", deal: 0, dealer: 2, active: [0, 1, 2], seat: 0, pools: {}, totals: [0, 0, 0] };
const BID = { type: "bid", id: 0, deal: 0, seat: 0, clock_s: null, events: [DEALT], hand: HAND, legal: ["pass", "solo"] };
const SOLO = [
  { event: "bid", seat: 0, bid: "solo" },
  { event: "bid", seat: 1, bid: "pass" },
];
const RESULT = { payments: [2, -1, -1], discards: [], pools: {} };

test("what others do is shown before a line tells of it, and then once", () => {
  const shown = paced();
  shown.take(1, HELLO);
  shown.take(2, BID);
  shown.foresee(SOLO.slice(0, 1), null, []);
  assert.equal(shown.table.question, null);
  shown.foresee(SOLO, null, []);
  assert.deepEqual(shown.table.told, [DEALT, ...SOLO]);
  const played = [...SOLO, { event: "bid", seat: 2, bid: "pass" }];
  shown.take(3, { ...BID, id: 1, events: played });
  assert.deepEqual(shown.table.told, [DEALT, ...played]);
  assert.equal(shown.table.question.id, 1);
});

test("a card of one's own lies on the table once, however one is told of it", () => {
  const [shown, card] = [paced(), { event: "card", seat: 0, card: "9H" }];
  shown.take(1, HELLO);
  shown.take(2, { ...BID, type: "play", trick: [], legal: HAND, may_offer: false });
  shown.foresee([card], null, []);
  assert.deepEqual([shown.table.trick, shown.table.hand.length], [[{ seat: 0, card: "9H" }], 7]);
});

test("the next deal is shown with one's cards, once the last result has been left", () => {
  const shown = paced();
  shown.take(1, HELLO);
  shown.take(2, { ...BID, events: [DEALT] });
  shown.take(3, { type: "deal_end", deal: 0, events: SOLO, result: RESULT });
  shown.foresee([{ ...DEALT, deal: 1 }, SOLO[1]], HAND, []);
  assert.equal(shown.table.dealt.deal, 0);
  shown.next();
  assert.equal(shown.table.dealt.deal, 1);
  assert.equal(shown.table.hand.length, 8);
  assert.deepEqual(shown.table.words, { 1: "pass" });
});
