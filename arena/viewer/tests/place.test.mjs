import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { read, nextCard, nextTrick, previousTrick, write } = await bundled("place.ts");

/** Two deals: two bids, then two tricks of two cards. */
const moments = ["bid", "bid", "play", "play", "play", "play"].map((ask, at) => ({
  seat: at % 2,
  ask,
  events: ask === "play" && at % 2 === 1 ? [{ event: "trick" }] : [],
}));
const match = {
  bots: ["anna", "bruno"],
  deals: [0, 1].map((deal) => ({ deal, active: [0, 1], first: [], moments })),
};

test("without an address a match opens before its first card", () => {
  assert.deepEqual(read(match, ""), { deal: 0, ply: 2, seat: null });
});

test("an address is read as it was written; one that leads nowhere is the beginning", () => {
  const at = { deal: 1, ply: 3, seat: 1 };
  assert.deepEqual(read(match, write(match, at)), at);
  for (const address of ["#deal=7", "#deal=0", "#deal=1&ply=9", "#ply=x", "#seat=2"])
    assert.deepEqual(read(match, address), { deal: 0, ply: 0, seat: null }, address);
});

test("addresses count deals from 1", () => {
  assert.equal(write(match, { deal: 0, ply: 0, seat: null }), "#deal=1&ply=0");
  assert.deepEqual(read(match, "#deal=2&ply=3"), { deal: 1, ply: 3, seat: null });
});

test("steps lead from card to card, from trick to trick, and from deal to deal", () => {
  const at = (deal, ply) => ({ deal, ply, seat: null });
  assert.deepEqual(nextCard(match, at(0, 6)), at(1, 0));
  assert.deepEqual(nextTrick(match, at(0, 2)), at(0, 4));
  assert.deepEqual(nextTrick(match, at(0, 6)), at(1, 0));
  assert.deepEqual(previousTrick(match, at(1, 4)), at(1, 0));
  assert.deepEqual(nextCard(match, at(1, 6)), at(1, 6));
});
