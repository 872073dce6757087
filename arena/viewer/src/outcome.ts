// What came of a deal, in sentences: the same at a table and in a replay.

import { say } from "./language";
import type { Player, Result, Rules } from "./match";
import type { Doer } from "./words";

/** The levels at which the declarer pays. */
const LOST = ["31_60", "le30", "no_tricks", "lost"];

/** What came of a deal. */
export function summary(rules: Pick<Rules, "conduct">, result: Result, who: (player: Player) => Doer): string {
  const { contract, declarer, points, tricks, level, fault } = result;
  const lines = [];
  if (declarer === null || contract === null) {
    lines.push(say(contract === null ? "result-none" : contract === "table" ? "result-table" : "result-thrown-in"));
    if (tricks.talon > 0) lines.push(say("result-talon", { count: points.talon, tricks: say("tricks", { count: tricks.talon }) }));
  } else {
    const inTricks = tricks.declarer ? say("tricks", { count: tricks.declarer }) : say("no-trick");
    const counts = contract !== "small_solo" && points.declarer !== null && points.defenders !== null;
    const took = counts ? say("took-points", { count: points.declarer!, tricks: inTricks, theirs: points.defenders! }) : inTricks;
    const end = level === null ? "none" : LOST.includes(level) ? "lost" : "won";
    const given = { ...who(declarer), game: contract, took, end };
    const forfeit = fault !== null && rules.conduct.on_fault === "forfeit";
    lines.push(forfeit ? say("result-forfeit", { ...given, failed: say("name", who(fault.seat)) }) : say("result-declared", given));
  }
  if (fault) lines.push(say("result-fault", { name: say("name", who(fault.seat)), fault: fault.fault }));
  return lines.join(" ");
}
