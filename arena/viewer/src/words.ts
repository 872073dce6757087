// How the pages write numbers, names and cards.

import { RANKS, SUITS, cardNamed, language, say } from "./language";
import type { CardName, Failure, Match, Player, Pools, Seat } from "./match";

const POINTS: Record<string, number> = { A: 11, T: 10, K: 4, Q: 3, J: 2 };

/** Who does something, as the catalogue wants to know it. */
export interface Doer {
  who: "you" | "talon" | "other";
  name: string;
}

/** A player of a match that one looks at. */
export function doer(match: Pick<Match, "bots">, player: Player): Doer {
  return player === "talon" ? { who: "talon", name: "" } : { who: "other", name: apart(match.bots[player]!) };
}

/** A player's name within a sentence. */
export function nameOf(match: Pick<Match, "bots">, player: Player): string {
  return say("name", doer(match, player));
}

/** A stranger's words within ours: whichever way they are written, ours keep their order. */
export function apart(text: string): string {
  return `\u2068${text}\u2069`;
}

export function failure([kind, detail]: Failure): string {
  return detail ? `${kind}: ${detail}` : kind;
}

/** What a server says, as a sentence begins. */
export function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Stakes with their sign. */
export function signed(stakes: number): string {
  return stakes > 0 ? `+${stakes}` : stakes < 0 ? `−${-stakes}` : "0";
}

/** A number with this many decimals, as the reader's language writes it. */
export function decimals(number: number, digits: number): string {
  return number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

/** A mean of stakes with its sign. */
export function mean(stakes: number, digits: number): string {
  return (Number(stakes.toFixed(digits)) > 0 ? "+" : "") + size(stakes, digits);
}

/** The same with a sign only where it is below 0. */
export function size(stakes: number, digits: number): string {
  return (Number(stakes.toFixed(digits)) < 0 ? "−" : "") + decimals(Math.abs(stakes), digits);
}

/** What a seat has won and lost in this many deals. */
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
  const deal = dealNumber(match.deals[index]!.deal);
  const most = match.deals.length;
  return isWhole(match) ? say("deal-of", { deal, most }) : say("deal-shown-of", { deal, place: index + 1, most });
}

/** Over which deals stakes are counted. */
export function after(match: Match, deals: number): string {
  return say(isWhole(match) ? "after-deals" : "in-deals-shown", { count: deals });
}

/** What cards count together. */
export function pointsOf(cards: CardName[]): number {
  return cards.reduce((total, card) => total + (POINTS[card[0]!] ?? 0), 0);
}

export function time(seconds: number): string {
  if (seconds >= 1) return `${decimals(seconds, seconds < 10 ? 1 : 0)} s`;
  if (seconds >= 0.001) return `${decimals(seconds * 1000, seconds < 0.01 ? 1 : 0)} ms`;
  return `${Math.round(seconds * 1e6)} µs`;
}

/** Open pools: the collective ones, and how many of whom; empty where there are none. */
export function poolsIn(match: Pick<Match, "bots">, { collective, personal }: Pools): string {
  const owners = match.bots.map((_, seat) => [seat, personal.filter((each) => each === seat).length] as const);
  const owned = owners.filter(([, count]) => count > 0).map(([seat, count]) => `${nameOf(match, seat)} ${count}`);
  return [...(collective ? [say("pools-collective", { count: collective })] : []), ...(owned.length ? [owned.join(", ")] : [])].join("; ");
}

/** The rules in a line. */
export function rulesLine({ rules }: Match): string {
  const games = rules.auction.contracts.map((contract) => say("game", { game: contract })).join(", ");
  const parts = [
    say("rules-players", { count: rules.players, games }),
    say("rules-all-pass", { allpass: rules.all_pass }),
    rules.play.tricks !== 8 && say("tricks", { count: rules.play.tricks }),
    rules.pools.enabled && say("rules-pools"),
  ];
  return parts.filter(Boolean).join("; ");
}

/** A card's rank as printed on it, its name, and its suit's style. */
export function cardWords(card: CardName): { rank: string; name: string; suit: string } {
  const [rank, suit] = [RANKS[card[0]!]!, SUITS[card[1]!]!];
  return { rank: say("index", { rank }), suit, name: cardNamed(card) };
}

/** The words of the wire that stand for answers: others are a stranger's. */
const ANSWERS = new Set(["pass", "ordinary", "solo", "small_solo", "blind", "take", "give", "yes", "no", "offer"]);

/** Whether an answer is one of the wire's words. */
export function isWord(answer: string): boolean {
  return ANSWERS.has(answer);
}

/** Whether a text is the name of a card. */
export function isCard(text: string): boolean {
  return text.length === 2 && text[0]! in RANKS && text[1]! in SUITS;
}
