// What happened, in sentences: the same at a table and in a replay.

import { say } from "./language";
import type { Event, Player } from "./match";
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
