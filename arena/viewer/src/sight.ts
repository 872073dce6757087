// What may be shown at a place: what has come by then, as far as the document says that a seat sees it.

import { layoutAt } from "./layout";
import { type CardName, type Deal, type Match, type Moment, type Open, type Seat, seesAt } from "./match";
import { type Place, distance, last } from "./place";

/** What most parts of the page show: a place of a match, as far as it may be seen. */
export interface View {
  match: Match;
  deal: Deal;
  at: Place;
  sight: Sight;
}

/** A card, or null for one that lies face down. */
export type Shown = CardName | null;

export class Sight {
  /** Whose eyes these are; null sees everybody's cards. */
  readonly seat: Seat | null;
  /** Whether the deal is over, and whether the match is. */
  readonly over: boolean;
  readonly ended: boolean;
  /** Whether these are the eyes of a seat that sits out and has not heard of the deal yet. */
  readonly waits: boolean;
  private readonly deal: Deal;
  private readonly open: Open | null;
  /** Nothing behind this place is shown. */
  private readonly past: Place;

  /** `seen` is how far the reader has been or asked to see; a seat sees no further than the place. */
  constructor(
    private readonly match: Match,
    private readonly at: Place,
    seen: Place,
  ) {
    this.deal = match.deals[at.deal]!;
    this.seat = at.seat;
    this.over = at.ply === last(this.deal);
    this.waits = at.seat !== null && !this.over && !this.deal.active.includes(at.seat);
    this.ended = this.over && at.deal === match.deals.length - 1;
    this.open = at.seat === null ? null : seesAt(this.deal, at.ply)[at.seat]!;
    this.past = at.seat === null && distance(at, seen) > 0 ? seen : at;
  }

  hand(seat: Seat): Shown[] {
    const known = this.open === null || this.open.hands?.includes(seat) === true;
    return turned(this.layout.hands[seat]!, () => known);
  }

  talon(): Shown[] {
    return turned(
      this.layout.talon,
      (place) => this.open === null || this.open.talon?.includes(place) === true,
    );
  }

  discards(): Shown[] {
    const known = this.open === null || this.open.discards === true;
    return turned(this.layout.discards, () => known);
  }

  /** How many moments of a deal, by its index, have come. */
  come(deal: number): number {
    if (deal > this.past.deal) return 0;
    return deal < this.past.deal ? last(this.match.deals[deal]!) : this.past.ply;
  }

  /** Whether a deal's result may be shown. */
  settled(deal: number): boolean {
    return deal <= this.past.deal && this.come(deal) === last(this.match.deals[deal]!);
  }

  /** How many deals' results may be shown: those before this number. */
  get settledDeals(): number {
    return this.past.deal + (this.settled(this.past.deal) ? 1 : 0);
  }

  /** The moments of this deal that have come. */
  moments(): Moment[] {
    return this.deal.moments.slice(0, this.come(this.at.deal));
  }

  /** Whether what a seat keeps to itself may be shown: its answers, times, notes and refusals. */
  opens(seat: Seat): boolean {
    return this.seat === null || this.seat === seat;
  }

  /** Whether what a seat's answers were worth by what it knew may be shown: its hand tells. */
  judges(seat: Seat): boolean {
    return this.opens(seat) || this.over;
  }

  /** Whether what answers were worth with open hands may be shown: all hands tell. */
  get judgesOpen(): boolean {
    return this.seat === null || this.over;
  }

  /** The answer of a moment; of another seat's, what the others are told; null where that is nothing. */
  answer(moment: Moment): string | null {
    if (this.opens(moment.seat)) return moment.answer;
    const told = moment.told ?? moment.answer;
    return told !== null && isHidden(told) ? null : told;
  }

  /** What the arena did in the place of an answer that was at fault. */
  instead(moment: Moment): string | null {
    const { told } = moment;
    return moment.fault && this.opens(moment.seat) && told !== undefined && !isHidden(told) ? told : null;
  }

  /** What a bot wrote to stderr, at any time of the match: a seat reads its own when that is over. */
  stderr(seat: Seat): string {
    const open = this.seat === null || (this.seat === seat && this.ended);
    return (open && this.match.stderr[seat]) || "";
  }

  private get layout() {
    return layoutAt(this.deal, this.at.ply);
  }
}

function turned(cards: CardName[], known: (place: number) => boolean): Shown[] {
  return cards.map((card, place) => (known(place) ? card : null));
}

/** Whether a text stands for cards, or an answer, that one is not told. */
function isHidden(text: string): boolean {
  return text === "?" || text === "?.?";
}
