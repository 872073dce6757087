// How the page says things: the wire's words in plain English.

import type { Event, Failure, Match, Player } from "./match";

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

export function said(word: string): string {
  return NAMED[word] ?? word;
}

export function nameOf(match: Match, player: Player): string {
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

/** Stakes with their sign. */
export function signed(stakes: number): string {
  return stakes > 0 ? `+${stakes}` : stakes < 0 ? `−${-stakes}` : "0";
}

export function time(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  if (seconds >= 0.001) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  return `${Math.round(seconds * 1e6)} µs`;
}

/** The rules in a line. */
export function rulesLine({ rules }: Match): string {
  const contracts = rules.auction.contracts.map(said).join(", ");
  const tricks = rules.play.tricks === 8 ? "" : `, ${rules.play.tricks} tricks`;
  const pools = rules.pools.enabled ? ", pools" : "";
  return `${rules.players} players, ${contracts}; all pass: ${said(rules.all_pass)}${tricks}${pools}`;
}

/** An event in a sentence; null for those that the board and the answer tell already. */
export function sentence(match: Match, each: Event): string | null {
  switch (each.event) {
    case "contract": {
      if (each.declarer !== null)
        return `Contract: ${said(each.contract)}, declared by ${nameOf(match, each.declarer)}.`;
      return each.contract === "table" ? "All pass: a table game." : "All pass: thrown in.";
    }
    case "trick":
      return `Trick ${each.number} to ${nameOf(match, each.winner)}, ${each.points} points.`;
    case "surrender":
      return `${nameOf(match, each.seat)} surrenders.`;
    case "offer": {
      const answer = each.accepted ? "accepts" : "plays on";
      return `${nameOf(match, each.seat)} offers surrender; the declarer ${answer}.`;
    }
    case "fault":
      return `Fault of ${nameOf(match, each.seat)}: ${each.fault}, ${apart(each.detail)}.`;
    case "card":
      return each.seat === "talon" ? "The talon plays." : null;
    default:
      return null;
  }
}
