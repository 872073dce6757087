// What happened and what came of a deal, in sentences: the same at a table and in a replay.

import { say } from "./language";
import type { Event, Player, Result, Rules } from "./match";
import { type Doer, apart } from "./words";

/** An event in a sentence; null for a deal, which each page begins in its own way. */
export function sentence(event: Event, who: (player: Player) => Doer): string | null {
  switch (event.event) {
    case "blind":
      return say(event.blind ? "blind-declared" : "blind-not-declared", who(event.seat));
    case "bid":
      return event.bid === "pass" ? say("passes", who(event.seat)) : say("bids", { ...who(event.seat), bid: event.bid });
    case "talon":
      return say(event.choice === "take" ? "talon-taken" : "talon-given", who(event.seat));
    case "contract":
      if (event.declarer === null) return say(event.contract === "table" ? "all-pass-table" : "all-pass-thrown-in");
      return say("plays-against", { ...who(event.declarer), game: event.contract });
    case "card":
      return say("plays-card", { ...who(event.seat), card: event.card });
    case "trick":
      return say("trick-taken", { ...who(event.winner), trick: String(event.number), count: event.points });
    case "surrender":
      return say("gives-up", who(event.seat));
    case "offer":
      return `${say("offers", who(event.seat))} ${say(event.accepted ? "offer-accepted" : "offer-refused")}`;
    case "fault":
      return say("fault-of", { ...who(event.seat), fault: event.fault, detail: apart(event.detail) });
    default:
      return null;
  }
}

/** The levels at which the declarer pays. */
const LOST = ["31_60", "le30", "no_tricks", "lost"];

/** What came of a deal, and by what it was decided. */
export function summary(rules: Rules, result: Result, who: (player: Player) => Doer): string {
  const { contract, declarer, points, tricks, fault } = result;
  const lines = [];
  if (declarer === null || contract === null) {
    lines.push(say(contract === null ? "result-none" : contract === "table" ? "result-table" : "result-thrown-in"));
    if (contract === "table" && fault === null) lines.push(decided(rules.table.settlement, result, who));
    if (tricks.talon > 0) lines.push(say("result-talon", { count: points.talon, tricks: say("tricks", { count: tricks.talon }) }));
  } else {
    const inTricks = tricks.declarer ? say("tricks", { count: tricks.declarer }) : say("no-trick");
    const counts = contract !== "small_solo" && points.declarer !== null && points.defenders !== null;
    const took = counts ? say("took-points", { count: points.declarer!, tricks: inTricks, theirs: points.defenders! }) : inTricks;
    const given = { ...who(declarer), game: contract, took, end: ended(rules, result) };
    const forfeit = fault !== null && rules.conduct.on_fault === "forfeit";
    lines.push(forfeit ? say("result-forfeit", { ...given, failed: say("name", who(fault.seat)) }) : say("result-declared", given));
  }
  if (fault) lines.push(say("result-fault", { ...who(fault.seat), fault: fault.fault }));
  return lines.join(" ");
}

/** How it ended for the declarer. */
export function ended({ play }: Rules, { contract, tricks, level, fault }: Result): string {
  if (level === null) return "none";
  const lost = LOST.includes(level);
  const complete = tricks.declarer! + tricks.defenders! === play.tricks;
  if (complete || fault !== null || (contract === "small_solo" && lost && tricks.declarer! > 0)) return lost ? "lost" : "won";
  return lost ? "surrendered" : "conceded";
}

/** Who has lost or won a table game, and by what. */
function decided(settlement: string, { tricks, points, payments }: Result, who: (player: Player) => Doer): string {
  const wins = settlement === "fewest_tricks_collects";
  const players = [...payments.keys()].filter((seat) => payments[seat] !== 0);
  const [seat, ...others] = players.filter((each) => payments[each]! > 0 === wins);
  if (seat === undefined || others.length > 0) return say("table-tied", { paid: seat === undefined ? "none" : wins ? "to" : "by" });
  const { seats } = settlement === "most_points_pays" ? points : tricks;
  const tied = players.some((each) => each !== seat && seats[each] === seats[seat]);
  return say("table-decided", { ...who(seat), wins: wins ? "yes" : "no", settlement, tied: tied ? "yes" : "no", count: seats[seat]! });
}
