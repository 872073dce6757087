// The deals that a seat could not tell from the real one, numbered and drawn as `arena/review/worlds.py` does.

import type { Seat } from "../match";
import { type Card, type Cards, members } from "./cards";
import type { Situation } from "./situation";
import { below, words } from "./stream";

const TALON = ["talon 1", "talon 2"] as const;

/** Where hidden cards lie: how many, and which cannot. */
interface Place {
  where: Seat | (typeof TALON)[number] | "discards";
  size: number;
  barred: Cards;
}

/** A deal as it may have been. */
export interface World {
  hands: Cards[];
  discards: Cards;
  talon: [Card, Card];
}

export class Worlds {
  /** How many ways the hidden cards may lie; at most 3.2e12, so that numbers are exact. */
  readonly placings: number;
  private readonly places: Place[];
  private readonly cards: Card[];
  private readonly ways = new Map<string, number>();

  constructor(private readonly asked: Situation) {
    const { active, hands, voids, sees, contract, talon, discards } = asked;
    const others = active.filter((seat) => !sees.hands?.includes(seat));
    const untaken = ([0, 1] as const).filter((place) => contract !== "ordinary" && !sees.talon?.includes(place));
    const aside = contract === "ordinary" && !sees.discards;
    this.places = [
      ...others.map((seat) => ({ where: seat, size: size(hands[seat]!), barred: voids[seat]! })),
      ...untaken.map((place) => ({ where: TALON[place], size: 1, barred: 0 })),
      ...(aside ? [{ where: "discards" as const, size: size(discards), barred: 0 }] : []),
    ];
    const hidden = [
      ...others.map((seat) => hands[seat]!),
      ...untaken.map((place) => 1 << talon[place]),
      aside ? discards : 0,
    ];
    this.cards = members(hidden.reduce((all, cards) => all | cards));
    this.placings = this.count(this.places.map(({ size }) => size));
  }

  /** So many worlds, drawn independently; or each placing once, if there are no more. */
  *sample(count: number, key: string): Generator<World> {
    const stream = words(key);
    const all = this.placings <= count;
    for (let number = 0; number < (all ? this.placings : count); number++) {
      yield this.world(this.placing(all ? number : below(this.placings, stream)));
      if (!all && this.drawsTalon()) [10, 9].forEach((left) => below(left, stream));
    }
  }

  /** Whether two of a declarer's ten cards are drawn as the talon's: the stream goes on, no value hangs on them. */
  private drawsTalon(): boolean {
    const { contract, sees } = this.asked;
    return contract === "ordinary" && !(sees.talon?.includes(0) && sees.talon.includes(1));
  }

  /** In how many ways the last cards, as many as there is room for, go into free places. */
  private count(free: number[]): number {
    const room = free.reduce((total, each) => total + each, 0);
    if (room === 0) return 1;
    const key = free.join();
    let ways = this.ways.get(key);
    if (ways === undefined) {
      const card = this.cards[this.cards.length - room]!;
      ways = this.choices(card, free).reduce((total, [, rest]) => total + this.count(rest), 0);
      this.ways.set(key, ways);
    }
    return ways;
  }

  /** The places that a card may go to, each with what is free after that. */
  private choices(card: Card, free: number[]): [place: number, rest: number[]][] {
    return this.places.flatMap(({ barred }, place) =>
      free[place]! > 0 && !((barred >> card) & 1)
        ? [[place, free.map((each, other) => (other === place ? each - 1 : each))] as [number, number[]]]
        : [],
    );
  }

  /** The placing of a number from 0: the cards of each place. */
  private placing(rank: number): Cards[] {
    let free = this.places.map(({ size }) => size);
    const held = this.places.map(() => 0);
    for (const card of this.cards)
      for (const [place, rest] of this.choices(card, free)) {
        const ways = this.count(rest);
        if (rank < ways) {
          held[place]! |= 1 << card;
          free = rest;
          break;
        }
        rank -= ways;
      }
    return held;
  }

  private world(held: Cards[]): World {
    const { hands, discards, talon, sees } = this.asked;
    const found: World = {
      hands: hands.map((hand, seat) => (sees.hands?.includes(seat) ? hand : 0)),
      discards: sees.discards ? discards : 0,
      talon: [...talon],
    };
    this.places.forEach(({ where }, place) => {
      const cards = held[place]!;
      if (where === "discards") found.discards = cards;
      else if (typeof where === "number") found.hands[where] = cards;
      else found.talon[TALON.indexOf(where)] = members(cards)[0]!;
    });
    return found;
  }
}

function size(cards: Cards): number {
  return members(cards).length;
}
