// What may be shown at a place: everything, or what the document says that a seat has seen by then.

import { type CardName, type Deal, type Match, type Moment, type Open, type Seat, cardsOf, layoutAt, seesAt } from "./match";
import { type Place, last } from "./place";

/** A card, or null for one that lies face down. */
export type Shown = CardName | null;

export class Sight {
  /** Whose eyes these are; null sees everything. */
  readonly seat: Seat | null;
  /** Whether the deal is over, and whether the match is. */
  readonly over: boolean;
  readonly ended: boolean;
  private readonly deal: Deal;
  private readonly open: Open | null;

  constructor(
    match: Match,
    private readonly at: Place,
  ) {
    this.deal = match.deals[at.deal]!;
    this.seat = at.seat;
    this.over = at.ply === last(this.deal);
    this.ended = this.over && at.deal === match.deals.length - 1;
    this.open = at.seat === null ? null : seesAt(this.deal, at.ply)[at.seat]!;
  }

  hand(seat: Seat): Shown[] {
    const known = this.open === null || this.open.hands?.includes(seat) === true;
    return turned(cardsOf(this.layout.hands[seat]), () => known);
  }

  talon(): Shown[] {
    return turned(
      cardsOf(this.layout.talon),
      (place) => this.open === null || this.open.talon?.includes(place) === true,
    );
  }

  discards(): Shown[] {
    const known = this.open === null || this.open.discards === true;
    return turned(cardsOf(this.layout.discards), () => known);
  }

  /** The moments of the deal that have come; to who sees everything, all have. */
  moments(): Moment[] {
    return this.seat === null ? this.deal.moments : this.deal.moments.slice(0, this.at.ply);
  }

  /** Those of some moments that have come. */
  reached(plies: number[]): number[] {
    return this.seat === null ? plies : plies.filter((ply) => ply <= this.at.ply);
  }

  /** Whether what a seat keeps to itself may be shown: its answers, notes and refusals. */
  opens(seat: Seat): boolean {
    return this.seat === null || this.seat === seat;
  }

  /** The answer of a moment; of another seat's, what the others are told. */
  answer(moment: Moment): string | null {
    return this.opens(moment.seat) ? moment.answer : (moment.told ?? moment.answer);
  }

  /** What a bot wrote to stderr, at any time of the match: a seat reads its own when that is over. */
  stderr(match: Match, seat: Seat): string {
    const open = this.seat === null || (this.seat === seat && this.ended);
    return (open && match.stderr[seat]) || "";
  }

  private get layout() {
    return layoutAt(this.deal, this.at.ply);
  }
}

function turned(cards: CardName[], known: (place: number) => boolean): Shown[] {
  return cards.map((card, place) => (known(place) ? card : null));
}
