// A Zole bot in plain JavaScript: it reads one JSON object a line and answers with one a line.
// The order: cards, what we remember of a deal, one function for each request, the loop.
"use strict";
const readline = require("node:readline");

// ---- Cards ---------------------------------------------------------------------------------------
const TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split(" ");
const DECK = [...TRUMPS, ..."AC TC KC 9C AS TS KS 9S AH TH KH 9H".split(" ")];
const POINTS = { A: 11, T: 10, K: 4, Q: 3, J: 2 };

const points = (card) => POINTS[card[0]] ?? 0;
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const total = (cards) => sum(cards.map(points));
const isTrump = (card) => TRUMPS.includes(card);
const isFace = (card) => card[0] === "Q" || card[0] === "J"; // the strong trumps
const suit = (card) => (isTrump(card) ? "trump" : card[1]); // QS is a trump, not a spade
const strength = (card) =>
  isTrump(card) ? 100 - TRUMPS.indexOf(card) : 50 - "ATK9".indexOf(card[0]);

// A card beats another if it is stronger in the same suit, or a trump on a plain card.
const beats = (card, other) =>
  (isTrump(card) || suit(card) === suit(other)) && strength(card) > strength(other);

const most = (cards, worth) => cards.reduce((a, b) => (worth(b) > worth(a) ? b : a));
const least = (cards, worth) => most(cards, (card) => -worth(card));

// What we lose by giving a card away: its points, or the trick that a queen or jack may still win.
const value = (card) => (isFace(card) ? 7 : points(card)) + strength(card) / 200;

// ---- What we remember ----------------------------------------------------------------------------
let deal = newDeal(null);

function newDeal(seat) {
  return { seat, declarer: null, contract: null, gone: new Set(), mine: 0, theirs: 0 };
}

function remember(event) {
  if (event.event === "deal") deal = newDeal(event.seat);
  else if (event.event === "contract") {
    deal.declarer = event.declarer;
    deal.contract = event.contract;
  } else if (event.event === "card") deal.gone.add(event.card);
  else if (event.event === "trick") {
    if (isFriend(event.winner)) deal.mine += event.points;
    else deal.theirs += event.points;
  } // there will be new events: whatever we do not know is left alone
}

const iDeclare = () => deal.declarer === deal.seat;
const isFriend = (seat) => (seat === deal.declarer) === iDeclare();

// No other player can hold a stronger card of this suit.
const isMaster = (card, hand) =>
  DECK.filter((other) => suit(other) === suit(card) && beats(other, card))
    .every((other) => deal.gone.has(other) || hand.includes(other));

// A guess at our points in the end: ten a trick, and a weaker trump wins every other time.
const expectedPoints = (hand) =>
  deal.mine + 10 * sum(hand.map((card) => (isMaster(card, hand) ? 1 : isTrump(card) ? 0.5 : 0)));

// ---- The answers ---------------------------------------------------------------------------------
// From these strengths of a hand on we bid so: try other numbers.
const [ORDINARY, SOLO] = [6.2, 9];

// How good a hand is: its trumps, and a little more for queens, jacks and plain aces.
const worth = (card) =>
  ({ Q: 1.7, J: 1.4 })[card[0]] ?? (isTrump(card) ? 1 : card[0] === "A" ? 0.7 : 0);
const handStrength = (hand) => sum(hand.map(worth));

function chooseBid({ hand, legal }) {
  const strong = handStrength(hand);
  if (strong >= SOLO && legal.includes("solo")) return "solo";
  if (strong >= ORDINARY && legal.includes("ordinary")) return "ordinary";
  return legal.includes("pass") ? "pass" : legal[0];
}

// Bank points, empty a short suit (to trump it later), keep trumps, and aces if it costs little.
function chooseDiscard({ hand }) {
  const kept = (pair) => new Set(hand.filter((card) => !pair.includes(card)).map(suit));
  const before = new Set(hand.map(suit)).size;
  const gain = (pair) =>
    total(pair) + 6 * (before - kept(pair).size)
    - 30 * pair.filter(isTrump).length - 8 * pair.filter((card) => card[0] === "A").length;
  const pairs = hand.flatMap((a, i) => hand.slice(i + 1).map((b) => [a, b]));
  const pair = most(pairs, gain);
  pair.forEach((card) => deal.gone.add(card)); // no event tells us our own discard
  deal.mine += total(pair);
  return pair;
}

function chooseCard({ hand, trick, legal }) {
  // In these games tricks are bad for the one who takes them, or the declarer is to take one.
  if (deal.contract === "table" || deal.contract === "small_solo") return dodge(trick, legal);
  return trick.length === 0 ? lead(hand) : follow(hand, trick, legal);
}

const winning = (trick) => trick.reduce((a, b) => (beats(b.card, a.card) ? b : a));

function dodge(trick, legal) {
  if (trick.length === 0) return least(legal, strength);
  const losers = legal.filter((card) => !beats(card, winning(trick).card));
  // The strongest card that loses now cannot win later.
  return losers.length > 0 ? most(losers, strength) : least(legal, strength);
}

function lead(hand) {
  const masters = hand.filter((card) => isMaster(card, hand));
  const othersHaveTrumps = TRUMPS.some((card) => !hand.includes(card) && !deal.gone.has(card));
  const trumps = masters.filter(isTrump);
  // The declarer draws trumps first, so that nobody trumps its aces.
  if (iDeclare() && othersHaveTrumps && trumps.length > 0) return most(trumps, strength);
  const plain = masters.filter((card) => !isTrump(card));
  if (plain.length > 0) return most(plain, points);
  return least(hand, value);
}

function follow(hand, trick, legal) {
  const best = winning(trick);
  const last = trick.length === 2;
  const onlyFriendsFollow = last || trick.some((placed) => placed.seat === deal.declarer);
  // The trick is ours: give it our points, but keep the queens and jacks.
  if (isFriend(best.seat) && (onlyFriendsFollow || isMaster(best.card, hand))) {
    return most(legal, (card) => (isFace(card) ? -strength(card) : points(card)));
  }
  const pot = total(trick.map((placed) => placed.card));
  const winners = legal.filter((card) => beats(card, best.card));
  const safe = winners.filter((card) => last || isMaster(card, hand));
  const cheap = safe.filter((card) => !isFace(card));
  if (cheap.length > 0) return most(cheap, points); // brings its own points home
  if (safe.length > 0 && pot >= 3) return least(safe, strength);
  if (winners.length > 0 && pot >= 10) return most(winners, strength); // worth a risk
  return least(legal, value);
}

// Giving up costs as much as 31 to 60 points, so it pays only where even 31 are out of reach.
const shouldSurrender = ({ hand }) => expectedPoints(hand) < 31;

// An offer accepted counts as 61 to 90 points: refuse only with more in sight.
const shouldAccept = ({ hand }) => expectedPoints(hand) < 91;

// With 61 in its tricks the declarer has won. If we have not got 30 yet, it can only become dearer.
const shouldOffer = () =>
  ["ordinary", "solo"].includes(deal.contract) && deal.theirs >= 61 && deal.mine < 30;

const ANSWERS = {
  blind: () => ({ blind: false }), // we would rather see our cards first
  bid: (request) => ({ bid: chooseBid(request) }),
  talon: ({ hand }) => ({ choice: handStrength(hand) >= SOLO ? "give" : "take" }),
  discard: (request) => ({ cards: chooseDiscard(request) }),
  surrender: (request) => ({ surrender: shouldSurrender(request) }),
  offer: (request) => ({ accept: shouldAccept(request) }),
  play: (request) =>
    request.may_offer && shouldOffer() ? { offer: true } : { card: chooseCard(request) },
};

// After a refusal nothing clever: the first thing that is allowed.
const SAFE_ANSWERS = {
  ...ANSWERS,
  bid: ({ legal }) => ({ bid: legal[0] }),
  talon: ({ legal }) => ({ choice: legal[0] }),
  play: ({ legal }) => ({ card: legal[0] }),
};

// ---- The loop ------------------------------------------------------------------------------------
const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

async function main() {
  let request = null; // the last one: an `error` does not repeat it
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    message.events?.forEach(remember);
    if (message.type === "hello") {
      send({ type: "ready", protocol: 1, name: "javascript", asks: ["surrender", "offer"] });
    } else if (message.type === "error" && request) {
      send({ type: request.type, id: request.id, ...SAFE_ANSWERS[request.type](request) });
    } else if (Object.hasOwn(ANSWERS, message.type)) {
      request = message;
      send({ type: request.type, id: request.id, ...ANSWERS[request.type](request) });
    } // `deal_end`, `bye` and messages we do not know need no answer
  }
}

main(); // it returns when the input ends, and the program with it
