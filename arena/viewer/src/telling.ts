// What a step was, in sentences: what its seat answered, and what that led to.

import { sentence } from "./events";
import { say } from "./language";
import { layoutAt } from "./layout";
import { type Event, type Match, type Moment, eventsAt } from "./match";
import type { Sight, View } from "./sight";
import { type Doer, apart, dealNumber, doer, isCard, isWord, pointsOf } from "./words";

/** What happened with the step at a place, as far as it may be told. */
export function telling({ match, deal, at, sight }: View): string {
  const moment = deal.moments[at.ply - 1];
  const dealt = [say("deal-begins", { deal: dealNumber(deal.deal) }), say("dealing", doer(match, deal.dealer))].join(" ");
  if (sight.waits) return `${dealt} ${say("seat-sits-out", { seat: String(sight.seat) })}`;
  const own = moment ? answered(match, moment, sight) : dealt;
  const events = eventsAt(deal, at.ply).filter((each) => moment === undefined || tells(each, moment));
  return [own, ...events.map((each) => sentence(each, (player) => doer(match, player)))].filter((line) => line !== null).join(" ");
}

/** What the declarer still needs, once a trick is taken and while that is open; else nothing. */
export function needed({ match, deal, at, sight }: View): string {
  const { declarer, contract, winner, points } = layoutAt(deal, at.ply);
  if (declarer === null || winner === null || contract === "small_solo" || sight.over) return "";
  const count = 61 - points[declarer]! - pointsOf(sight.discards().filter((card) => card !== null));
  return say("needs-points", { ...doer(match, declarer), count: Math.max(0, count) });
}

/** Whether an event says more than the answer that led to it. */
function tells(event: Event, { seat }: Moment): boolean {
  switch (event.event) {
    case "bid":
    case "blind":
    case "talon":
      return false;
    case "card":
      return event.seat !== seat;
    default:
      return true;
  }
}

/** The part of an answer that a bot chose, as it sent it. */
export function sent({ ask }: Moment, answer: string): string {
  const odd = answer.startsWith("?");
  const word = odd ? answer.slice(1) : answer;
  switch (ask) {
    case "play":
      return answer === "offer" ? '"offer": true' : `"card": ${JSON.stringify(word)}`;
    case "discard":
      return `"cards": ${odd ? word : JSON.stringify(word.split("."))}`;
    case "bid":
      return `"bid": ${JSON.stringify(answer)}`;
    case "talon":
      return `"choice": ${JSON.stringify(answer)}`;
    default:
      return `"${ask === "offer" ? "accept" : ask}": ${answer === "yes"}`;
  }
}

function answered(match: Match, moment: Moment, sight: Sight): string | null {
  const who = doer(match, moment.seat);
  const answer = sight.answer(moment);
  const own = sight.opens(moment.seat);
  if (answer === null) return own ? say("no-answer", who) : say("is-asked", { ...who, ask: moment.ask });
  if (own && (moment.fault || moment.refused)) return say("answers", { ...who, answer: apart(sent(moment, answer)) });
  return action(who, moment.ask, answer);
}

/** What somebody does with an answer; null where an event tells it. */
function action(who: Doer, ask: string, answer: string): string | null {
  switch (ask) {
    case "play":
      return isCard(answer) ? say("plays-card", { ...who, card: answer }) : null;
    case "discard": {
      const [card, second] = answer.split(".").filter(isCard);
      return card && second ? say("lays-aside", { ...who, card, second }) : say("answers", { ...who, answer: apart(answer) });
    }
    case "bid":
      if (!isWord(answer)) return say("answers", { ...who, answer: apart(answer) });
      return answer === "pass" ? say("passes", who) : say("bids", { ...who, bid: answer });
    case "talon":
      return say(answer === "take" ? "talon-taken" : "talon-given", who);
    case "blind":
      return say(answer === "yes" ? "blind-declared" : "blind-not-declared", who);
    case "surrender":
      return answer === "no" ? say("plays-on", who) : null;
    default:
      return null;
  }
}
