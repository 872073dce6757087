// The decisions of a deal that can be reviewed here, and what lay where when each was asked for.

import { layoutAt } from "../layout";
import { type Deal, type Event, type Match, type Open, type Seat, seesAt } from "../match";
import { type Card, type Cards, members, numberOf, setOf, suitOf, written } from "./cards";

export type Kind = "discard" | "play" | "surrender" | "offer";

/** What a seat was asked, could say and said, and the state of the deal then. Cards by seat. */
export interface Situation {
  /** The number of the answer in its deal, from 0. */
  step: number;
  seat: Seat;
  kind: Kind;
  answers: string[];
  given: string;
  /** What lies face up for the seat. */
  sees: Open;
  /** Forehand, middlehand and rearhand. */
  active: Seat[];
  declarer: Seat | null;
  contract: string;
  /** Who is to play next. */
  turn: Seat;
  hands: Cards[];
  /** By seat, all cards of the suits that it has shown itself void in. */
  voids: Cards[];
  discards: Cards;
  talon: [Card, Card];
  /** On the table, the talon's lead included. */
  trick: Card[];
  talonLed: boolean;
  completed: number;
  tricks: number[];
  points: number[];
}

/** The decisions of a deal after its auction; bids take longer than anybody would wait. */
export function situationsOf(match: Match, deal: Deal): Situation[] {
  const past = new Past(match.bots.length);
  past.add(deal.first);
  return deal.moments.flatMap(({ seat, ask, answer, fault, refused, events }, step) => {
    const asked = answer !== null && isKind(ask) ? situation(deal, step, seat, ask, past) : null;
    const offers = !fault && !refused && answer === "offer";
    if (asked !== null) {
      asked.answers = answersOf(asked, offers);
      asked.given = asked.kind === "discard" ? normal(answer!) : answer!;
    }
    past.add(events);
    return asked !== null && asked.answers.length > 1 && asked.answers.includes(asked.given) ? [asked] : [];
  });
}

function situation(deal: Deal, step: number, seat: Seat, kind: Kind, past: Past): Situation {
  const layout = layoutAt(deal, step);
  const laid = layout.winner === null ? layout.trick : [];
  const talonLed = laid[0]?.seat === "talon";
  const leader = laid.length > 0 ? laid[0]!.seat : layout.winner;
  const place = leader === null || leader === "talon" ? 0 : deal.active.indexOf(leader);
  const [first, second] = layout.talon.map(numberOf) as [Card, Card];
  return {
    step,
    seat,
    kind,
    answers: [],
    given: "",
    sees: seesAt(deal, step)[seat]!,
    active: deal.active,
    declarer: layout.declarer,
    contract: layout.contract!,
    turn: deal.active[(place + laid.length - Number(talonLed)) % deal.active.length]!,
    hands: layout.hands.map((hand) => setOf(hand)!),
    voids: [...past.voids],
    discards: setOf(layout.discards)!,
    talon: [first, second],
    trick: laid.map(({ card }) => numberOf(card)),
    talonLed,
    completed: past.completed,
    tricks: layout.tricks,
    points: layout.points,
  };
}

/** What the rules allowed, in the order of `arena/review/decisions.py`; an offer if it was made. */
function answersOf({ kind, hands, seat, trick }: Situation, offers: boolean): string[] {
  const hand = hands[seat]!;
  switch (kind) {
    case "play": {
      const follow = trick.length ? hand & suitOf(trick[0]!) : hand;
      const cards = members(follow || hand).map((card) => written(1 << card));
      return offers ? [...cards, "offer"] : cards;
    }
    case "discard": {
      const cards = members(hand);
      return cards.flatMap((one, place) =>
        cards.slice(place + 1).map((other) => written((1 << one) | (1 << other))),
      );
    }
    default:
      return ["no", "yes"];
  }
}

/** A discard as the log writes it, whatever the order in which it was sent. */
function normal(answer: string): string {
  const cards = setOf(answer.split("."));
  return cards === null ? answer : written(cards);
}

function isKind(ask: string): ask is Kind {
  return ["discard", "play", "surrender", "offer"].includes(ask);
}

/** What the cards laid so far say for certain. */
class Past {
  completed = 0;
  readonly voids: Cards[];
  private led: Card | null = null;

  constructor(seats: number) {
    this.voids = Array<Cards>(seats).fill(0);
  }

  add(events: Event[]) {
    for (const each of events) {
      if (each.event === "trick") {
        this.completed++;
        this.led = null;
      } else if (each.event === "card") {
        const card = numberOf(each.card);
        this.led ??= card;
        const suit = suitOf(this.led);
        if (each.seat !== "talon" && !(suit & (1 << card))) this.voids[each.seat]! |= suit;
      }
    }
  }
}
