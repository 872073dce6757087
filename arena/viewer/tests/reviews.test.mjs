// What a review says: one decision is one mistake, and a busy server is asked again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bundled } from "./bundled.mjs";

const { clearMistakes, mistakesIn } = await bundled("reviews.ts");

const verdict = (step, loss) => ({ step, answers: [], given: "", best: "", loss, error: 0, open_loss: loss, worlds: 1, exact: true });

test("not to concede is one decision of a seat, however often it was asked", () => {
  const asks = ["bid", "surrender", "play", "surrender", "surrender", "surrender"];
  const deal = { moments: asks.map((ask, step) => ({ ask, seat: step === 5 ? 2 : 1 })) };
  const verdicts = asks.map((_, step) => verdict(step, step === 0 ? 0 : 1));
  assert.deepEqual(mistakesIn({ paid: null, verdicts }, deal).map(({ step }) => step), [1, 2, 5]);
  assert.deepEqual(mistakesIn({ paid: null, verdicts: null }, deal), []);
});

test("only clear mistakes count", () => {
  const small = { ...verdict(1, 0.4), error: 0 };
  const unsure = { ...verdict(2, 1), error: 0.6 };
  assert.deepEqual(clearMistakes([small, unsure, verdict(3, 1)], () => null).map(({ step }) => step), [3]);
});

test("a review that the server has no time for is asked for again, and one deal after the other", async () => {
  const { Reviews } = await bundled("play/advice.ts");
  const asked = [];
  let done = 0;
  globalThis.fetch = async (address) => {
    asked.push(address);
    const busy = asked.length < 3;
    return {
      ok: !busy,
      status: busy ? [429, 503][asked.length - 1] : 200,
      headers: new Headers({ "Retry-After": "0.01" }),
      json: async () => ({ verdicts: [address, "not chosen"] }),
    };
  };
  const reviews = new Reviews((each) => each !== "not chosen", () => done++);
  const found = await Promise.all([reviews.of(0), reviews.of(1), reviews.of(0)]);
  assert.deepEqual(found, [["review?deal=0"], ["review?deal=1"], ["review?deal=0"]]);
  assert.deepEqual(asked, ["review?deal=0", "review?deal=0", "review?deal=0", "review?deal=1"]);
  assert.deepEqual([done, reviews.asks], [1, false]);
});
