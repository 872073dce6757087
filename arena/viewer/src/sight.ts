// What may be shown of a deal: everything, or what one seat knows at a place.

import { type CardName, type Deal, type Moment, type Seat, boardAt, cardsOf, eventsAt } from "./match";
import { type Place, last } from "./place";

/** A card, or null for one that lies face down. */
export type Shown = CardName | null;

export class Sight {
  /** Whose eyes these are; null sees everything, as everybody does when the deal is over. */
  readonly seat: Seat | null;

  constructor(
    private readonly deal: Deal,
    private readonly at: Place,
  ) {
    this.seat = at.ply === last(deal) ? null : at.seat;
  }

  hand(seat: Seat): Shown[] {
    const { hands, unlooked } = this.board;
    const known = this.seat === null || (this.seat === seat && !unlooked?.includes(seat));
    return turned(cardsOf(hands[seat]), known);
  }

  /** A talon card is known to who took it, or when the talon itself has played it. */
  talon(): Shown[] {
    const taken = this.board.taken === true && this.board.declarer === this.seat;
    if (this.seat === null || taken) return this.deal.talon;
    const played = new Set<CardName>();
    for (let ply = 0; ply <= this.at.ply; ply++)
      for (const each of eventsAt(this.deal, ply))
        if (each.event === "card" && each.seat === "talon") played.add(each.card);
    return this.deal.talon.map((card) => (played.has(card) ? card : null));
  }

  discards(): Shown[] {
    const known = this.seat === null || this.board.declarer === this.seat;
    return turned(cardsOf(this.board.discards), known);
  }

  /** Whether this has happened already; to who sees everything, all has. */
  reached(ply: number): boolean {
    return this.seat === null || ply <= this.at.ply;
  }

  /** Whether what a seat keeps to itself may be shown: its answers, notes and error output. */
  opens(seat: Seat): boolean {
    return this.seat === null || this.seat === seat;
  }

  /** The answer of a moment. Of another seat's one knows what the events tell everybody. */
  answer(moment: Moment): string | null {
    if (this.opens(moment.seat)) return moment.answer;
    return moment.fault ? null : this.told(moment);
  }

  /** What a moment's events tell everybody that its seat did. */
  told(moment: Moment): string | null {
    for (const each of moment.events) {
      if (each.event === "offer") return each.accepted ? "yes" : "no";
      if (!("seat" in each) || each.seat !== moment.seat) continue;
      if (each.event === "card") return each.card;
      if (each.event === "bid") return each.bid;
      if (each.event === "talon") return each.choice;
      if (each.event === "blind") return each.blind ? "yes" : "no";
      if (each.event === "surrender") return "yes";
    }
    return null;
  }

  private get board() {
    return boardAt(this.deal, this.at.ply);
  }
}

function turned(cards: CardName[], known: boolean): Shown[] {
  return known ? cards : cards.map(() => null);
}
