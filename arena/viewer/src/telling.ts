// What a step was, in sentences: what its seat answered, and what that led to.

import { type Deal, type Event, type Match, type Moment, eventsAt } from "./match";
import type { Place } from "./place";
import type { Sight } from "./sight";
import { apart, cardWords, counted, dealNumber, isCard, nameOf, said } from "./words";

/** What happened with the step at a place, as far as it may be told. */
export function telling(match: Match, deal: Deal, at: Place, sight: Sight): string {
  const moment = deal.moments[at.ply - 1];
  const dealt = `Deal ${dealNumber(deal.deal)}, dealt by ${nameOf(match, deal.dealer)}.`;
  const events = eventsAt(deal, at.ply).map((each) => sentence(match, each));
  if (sight.waits) return `${dealt} Seat ${sight.seat} sits out: it hears at the end how the deal went.`;
  const lines = [moment ? answered(match, moment, sight) : dealt, ...events];
  return lines.filter((line) => line !== null).join(" ");
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
  const who = nameOf(match, moment.seat);
  const answer = sight.answer(moment);
  const own = sight.opens(moment.seat);
  if (answer === null) return own ? `${who} gives no answer.` : `${who} is asked ${ASKED[moment.ask]}.`;
  if (own && (moment.fault || moment.refused)) return `${who} answers ${apart(sent(moment, answer))}.`;
  const does = action(moment.ask, answer);
  return does && `${who} ${does}.`;
}

const ASKED: Record<string, string> = {
  blind: "whether it plays blind",
  bid: "to bid",
  talon: "about the talon",
  discard: "to lay two cards aside",
  play: "to play",
  surrender: "whether it surrenders",
  offer: "whether it accepts",
};

/** What a seat does with an answer; null where an event tells it. */
function action(ask: string, answer: string): string | null {
  const cards = answer.split(".");
  switch (ask) {
    case "play":
      return isCard(answer) ? `plays the ${cardWords(answer).name}` : null;
    case "discard":
      return `lays aside the ${cards.map((card) => cardWords(card).name).join(" and the ")}`;
    case "bid":
      return answer === "pass" ? "passes" : `bids ${apart(said(answer))}`;
    case "talon":
      return answer === "take" ? "takes the talon" : "gives the talon away";
    case "blind":
      return answer === "yes" ? "declares a blind game" : "looks at its cards";
    case "surrender":
      return answer === "no" ? "does not surrender" : null;
    default:
      return null;
  }
}

/** An event in a sentence; null for those that the answer tells already. */
function sentence(match: Match, each: Event): string | null {
  switch (each.event) {
    case "contract": {
      if (each.declarer !== null)
        return `Contract: ${said(each.contract)}, declared by ${nameOf(match, each.declarer)}.`;
      return each.contract === "table" ? "All pass: a table game." : "All pass: thrown in.";
    }
    case "trick":
      return `Trick ${each.number} to ${nameOf(match, each.winner)}, ${counted(each.points, "point")}.`;
    case "surrender":
      return `${nameOf(match, each.seat)} surrenders.`;
    case "offer": {
      const answer = each.accepted ? "accepts" : "plays on";
      return `${nameOf(match, each.seat)} offers surrender; the declarer ${answer}.`;
    }
    case "fault":
      return `Fault of ${nameOf(match, each.seat)}: ${each.fault}, ${apart(each.detail)}.`;
    case "card":
      return each.seat === "talon" ? `The talon plays the ${cardWords(each.card).name}.` : null;
    default:
      return null;
  }
}
