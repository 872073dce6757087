// Where the cards of a deal lie after each of its moments: it follows from how they were dealt and what was done.

import type { Laid } from "./felt";
import type { CardName, Deal, Event, Moment, Player, Seat } from "./match";

/** Before there is a trick, a winner, a contract, these are empty or null. */
export interface Layout {
  hands: CardName[][];
  /** Of complete tricks, by seat. */
  points: number[];
  tricks: number[];
  talon: CardName[];
  talonPoints: number;
  /** The current trick, or the last one. */
  trick: Laid[];
  winner: Player | null;
  declarer: Seat | null;
  contract: string | null;
  /** Whether the declarer holds the talon. */
  taken: boolean;
  discards: CardName[];
}

const LAYOUTS = new WeakMap<Deal, Layout[]>();

/** What lies where after this many moments of a deal. */
export function layoutAt(deal: Deal, ply: number): Layout {
  let layouts = LAYOUTS.get(deal);
  if (!layouts) {
    layouts = [dealt(deal)];
    for (const moment of deal.moments) layouts.push(after(layouts.at(-1)!, deal, moment));
    LAYOUTS.set(deal, layouts);
  }
  return layouts[ply]!;
}

function dealt({ hands, talon }: Deal): Layout {
  return {
    hands: hands.map(cardsOf),
    points: hands.map(() => 0),
    tricks: hands.map(() => 0),
    talon: cardsOf(talon),
    talonPoints: 0,
    trick: [],
    winner: null,
    declarer: null,
    contract: null,
    taken: false,
    discards: [],
  };
}

function after(layout: Layout, deal: Deal, { seat, ask, refused, events }: Moment): Layout {
  if (ask === "discard" && !refused) {
    const { discards } = deal.result;
    layout = { ...layout, discards, hands: without(layout.hands, seat, discards) };
  }
  return events.reduce(happened, layout);
}

function happened(layout: Layout, each: Event): Layout {
  switch (each.event) {
    case "contract": {
      const { declarer, contract } = each;
      const taken = contract === "ordinary";
      const hands = taken ? layout.hands.with(declarer!, [...layout.hands[declarer!]!, ...layout.talon]) : layout.hands;
      return { ...layout, declarer, contract, taken, hands };
    }
    case "card": {
      const { seat, card } = each;
      const hands = seat === "talon" ? layout.hands : without(layout.hands, seat, [card]);
      const trick = [...(layout.winner === null ? layout.trick : []), { seat, card }];
      return { ...layout, hands, trick, winner: null };
    }
    case "trick": {
      const { winner, points } = each;
      if (winner === "talon") return { ...layout, winner, talonPoints: layout.talonPoints + points };
      const more = (counts: number[], by: number) => counts.with(winner, counts[winner]! + by);
      return { ...layout, winner, points: more(layout.points, points), tricks: more(layout.tricks, 1) };
    }
    default:
      return layout;
  }
}

function without(hands: CardName[][], seat: Seat, cards: CardName[]): CardName[][] {
  return hands.with(
    seat,
    hands[seat]!.filter((card) => !cards.includes(card)),
  );
}

/** Cards that are joined by dots. */
function cardsOf(cards: string): CardName[] {
  return cards ? cards.split(".") : [];
}
