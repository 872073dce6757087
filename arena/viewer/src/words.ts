// How the page says things: the wire's words in plain English.

import type { CardName, Failure, Match, Player, Pools, Seat } from "./match";

const NAMED: Record<string, string> = {
  small_solo: "small solo",
  thrown_in: "thrown in",
  all_tricks: "all tricks",
  ge91: "91 points or more",
  ge61: "61 to 90 points",
  "31_60": "31 to 60 points",
  le30: "30 points or fewer",
  no_tricks: "no tricks",
};

const RANKS: Record<string, [string, string]> = {
  A: ["A", "ace"],
  K: ["K", "king"],
  Q: ["Q", "queen"],
  J: ["J", "jack"],
  T: ["10", "ten"],
  "9": ["9", "nine"],
  "8": ["8", "eight"],
  "7": ["7", "seven"],
};

const POINTS: Record<string, number> = { A: 11, T: 10, K: 4, Q: 3, J: 2 };

const SUITS: Record<string, string> = { C: "clubs", S: "spades", H: "hearts", D: "diamonds" };

export function said(word: string): string {
  return NAMED[word] ?? word;
}

const GAMES: Record<string, string> = { ordinary: "ordinary game", blind: "blind solo" };

/** The game of a declarer: `solo`, `ordinary game`. */
export function gameOf(contract: string): string {
  return GAMES[contract] ?? said(contract);
}

/** The same with its article. */
export function aGame(contract: string): string {
  const game = gameOf(contract);
  return `${/^[aeiou]/.test(game) ? "an" : "a"} ${game}`;
}

export function nameOf(match: Pick<Match, "bots">, player: Player): string {
  return player === "talon" ? "the talon" : apart(match.bots[player]!);
}

/** A stranger's words within ours: whichever way they are written, ours keep their order. */
export function apart(text: string): string {
  return `\u2068${text}\u2069`;
}

export function failure([kind, detail]: Failure): string {
  return detail ? `${kind}: ${detail}` : kind;
}

export function counted(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}

export function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Stakes with their sign. */
export function signed(stakes: number): string {
  return stakes > 0 ? `+${stakes}` : stakes < 0 ? `−${-stakes}` : "0";
}

/** A mean of stakes with its sign. */
export function mean(stakes: number, digits: number): string {
  return (Number(stakes.toFixed(digits)) > 0 ? "+" : "") + size(stakes, digits);
}

/** The same with a sign only where it is below 0. */
export function size(stakes: number, digits: number): string {
  const text = Math.abs(stakes).toFixed(digits);
  return stakes < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** What a seat has won and lost in so many deals. */
export function stakesAfter(match: Match, deals: number, seat: Seat): number {
  return match.deals.slice(0, deals).reduce((total, { result }) => total + result.payments[seat]!, 0);
}

/** The number of a deal for people, who count from 1; the wire counts deals from 0. */
export function dealNumber(deal: number): number {
  return deal + 1;
}

/** Whether the page has the match's deals from the first on, without a gap; it may hold only some. */
function isWhole(match: Match): boolean {
  return match.deals.every(({ deal }, index) => deal === index);
}

/** A deal among those of the page, by its index: `deal 4 of 20`. */
export function dealOf(match: Match, index: number): string {
  const number = `deal ${dealNumber(match.deals[index]!.deal)}`;
  const of = `of ${match.deals.length}`;
  return isWhole(match) ? `${number} ${of}` : `${number} (${index + 1} ${of} shown here)`;
}

/** Over which deals stakes are counted. */
export function after(match: Match, deals: number): string {
  const whole = isWhole(match);
  return `${whole ? "after" : "in the first"} ${counted(deals, "deal")}${whole ? "" : " shown here"}`;
}

/** What cards count together. */
export function pointsOf(cards: CardName[]): number {
  return cards.reduce((total, card) => total + (POINTS[card[0]!] ?? 0), 0);
}

export function time(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds >= 0.001) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  return `${Math.round(seconds * 1e6)} µs`;
}

/** Open pools: the collective ones, and how many of whom; empty where there are none. */
export function poolsIn(match: Pick<Match, "bots">, { collective, personal }: Pools): string {
  const owners = match.bots.map((_, seat) => [seat, personal.filter((each) => each === seat).length] as const);
  const owned = owners.filter(([, count]) => count > 0).map(([seat, count]) => `${nameOf(match, seat)} ${count}`);
  return [...(collective ? [`${collective} collective`] : []), ...(owned.length ? [owned.join(", ")] : [])].join("; ");
}

/** The rules in a line. */
export function rulesLine({ rules }: Match): string {
  const contracts = rules.auction.contracts.map(said).join(", ");
  const tricks = rules.play.tricks === 8 ? "" : `, ${rules.play.tricks} tricks`;
  const pools = rules.pools.enabled ? ", with pools" : "";
  return `${rules.players} players, ${contracts}; all pass: ${said(rules.all_pass)}${tricks}${pools}`;
}

/** A card's rank as printed on it, and both its names. */
export function cardWords(card: CardName): { rank: string; name: string; suit: string } {
  const [rank, word] = RANKS[card[0]!]!;
  const suit = SUITS[card[1]!]!;
  return { rank, suit, name: `${word} of ${suit}` };
}

/** Whether a text is the name of a card. */
export function isCard(text: string): boolean {
  return text.length === 2 && text[0]! in RANKS && text[1]! in SUITS;
}
