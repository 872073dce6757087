// The table that a game is played at: the others around it, the trick in the middle, each card where it lies.

import type { ComponentChildren } from "preact";
import { Card } from "./card";
import { taking } from "./cards";
import { Emblem } from "./emblem";
import type { CardName, Player, Seat } from "./match";
import type { Shown } from "./sight";
import { type Named, ShortName, initials } from "./names";
import { type Doer, pointsOf } from "./words";
import { say } from "./language";

/** A seat and what everybody at the table sees of it; `side` counts from the reader's to the left. */
export interface Seated {
  seat: Seat;
  side: number;
  name: string;
  /** The name that its emblem is of; a person at the table has a letter. */
  face: string | null;
  /** What it is in this deal: dealer, declarer and the like, each with its words. */
  marks: [mark: string, words: string][];
  /** Its last word in the auction. */
  says: string;
  /** What it has taken, in words. */
  has: string;
  /** How many tricks it has taken, as a pile to be counted. */
  taken?: number;
  /** What a deal that is over paid it; empty before. */
  paid?: string;
  cards: Shown[];
  /** How cards of the nearest hand are marked. */
  marked?: Record<CardName, string>;
  /** What it has laid aside. */
  aside: Shown[];
  turn: boolean;
}

export interface Laid {
  seat: Player;
  card: CardName;
}

export interface Trick {
  cards: Laid[];
  /** Who has taken it, once it is complete. */
  winner: Player | null;
  /** The milliseconds after which a trick that was taken is gathered; it stays where they are missing. */
  rest_ms?: number | undefined;
  /** What stands in the reader's empty place. */
  place?: string | undefined;
}

/** The points of both sides: the declarer pulls from the left, the others from the right. `+` stands for cards not seen. */
export interface Score {
  declarer: { words: string; points: number; seat: Seat };
  defenders: { words: string; points: number };
  between: string;
}

interface Props {
  seats: Seated[];
  talon: Shown[];
  trick: Trick;
  /** What is counted, or a sentence where no points are. */
  score: Score | string;
  /** Whether the deal is over, and its cards lie there without being dealt. */
  still?: boolean;
  children: ComponentChildren;
}

export function Felt({ seats, talon, trick, score, still = false, children }: Props) {
  const others = seats.filter(({ side }) => side > 0).toSorted((one, other) => one.side - other.side);
  return (
    <section class="felt" aria-label={say("table")}>
      <div class={`cloth of-${seats.length}${still ? " still" : ""}`} style={{ "--others": others.length }}>
        {others.map((each) => (
          <div class={`seated at-${placeAt(each.side, seats.length)}`} role="group" aria-label={each.name}>
            <Plate of={each} seats={seats} />
            <div class="held" data-hand={each.seat}>
              <Fan cards={each.cards} />
            </div>
            <Taken count={each.taken} />
            {each.aside.length > 0 && <Pile of="laid-aside" cards={each.aside} />}
          </div>
        ))}
        <div class="middle">
          {talon.length > 0 && <Pile of="talon" cards={talon} />}
          <OfTrick seats={seats} {...trick} />
        </div>
        <div class="score">{typeof score === "string" ? <p>{score}</p> : <Rope {...score} />}</div>
        {children}
      </div>
    </section>
  );
}

const PLACES: Record<number, string[]> = {
  3: ["near", "left", "right"],
  4: ["near", "left", "across", "right"],
  5: ["near", "left", "far-left", "far-right", "right"],
};

/** Where a side is at a table of this many, as a name that the style sheet knows. */
function placeAt(side: number, seats: number): string {
  return PLACES[seats]![side]!;
}

const MARKS = ["declarer", "dealer", "forehand", "sits-out"] as const;

/** What a seat is in a deal, as marks with their words. */
export function marksOf(holds: Record<(typeof MARKS)[number], boolean>): [mark: string, words: string][] {
  return MARKS.filter((mark) => holds[mark]).map((mark) => [mark, say(mark)]);
}

/** What is played, for a heading; before there is a contract, the auction. */
export function gameIn(contract: string | null, declarer: Doer | false): string {
  if (contract === null) return say("the-auction");
  if (declarer === false) return say(contract === "table" ? "table-game" : "thrown-in");
  return say("game-declared", { ...declarer, game: contract });
}

/** Two cards that are not seen, and count for a side: what the declarer laid aside, or the talon of a Zole for the defenders. */
export type Unseen = "aside" | "talon" | null;

/** Whether the talon counts for the defenders. */
export function givesTalon(contract: string | null): boolean {
  return contract === "solo" || contract === "blind";
}

/** The points of both sides. */
export function scoreOf(declarer: Seat, who: Doer, own: number, theirs: number, unseen: Unseen, side: "others" | "yours" | "defenders", between: (string | false)[]): Score {
  return {
    declarer: { words: say("declarer-has", { ...who, count: own, more: unseen === "aside" ? "yes" : "no", reached: own >= 61 ? "yes" : "no" }), points: own, seat: declarer },
    defenders: { words: say("side-has", { side, count: theirs, more: unseen === "talon" ? "yes" : "no", reached: theirs >= 60 ? "yes" : "no" }), points: theirs },
    between: between.filter(Boolean).join("; "),
  };
}

/** The points in a trick that nobody has taken yet, in words. */
export function lying({ cards, winner }: Pick<Trick, "cards" | "winner">): string | false {
  const count = winner === null ? pointsOf(cards.map(({ card }) => card)) : 0;
  return count > 0 && say("on-the-table", { count });
}

/** Who a seat is, what it is in this deal, and what it has. */
export function Plate({ of, seats }: { of: Seated; seats: Named[] }) {
  const { seat, name, face, marks, says, has, paid = "", turn } = of;
  return (
    <div class={`plate${turn ? " turn" : ""}`}>
      <i class={`seat-${seat}`} aria-hidden="true">
        {face === null ? initials(seats.map(({ name }) => name), seat) : <Emblem name={face} />}
      </i>
      <ShortName name={face ?? name} others={seats.filter((each) => each.seat !== seat).map((each) => each.name)} />
      <span class="has">{has}</span>
      {paid !== "" && <b class={`paid ${paid.startsWith("+") ? "won" : paid === "0" ? "" : "lost"}`}>{paid}</b>}
      {(marks.length > 0 || says !== "") && (
        <span class="marks">
          {marks.map(([mark, words]) => (
            <span class={`badge ${mark}`}>{words}</span>
          ))}
          {says !== "" && <span class="badge says">{says}</span>}
        </span>
      )}
    </div>
  );
}

/** The nearest seat's name and what it laid aside, and what can be done there. */
export function OwnPlace({ of, seats, children }: { of: Seated; seats: Named[]; children?: ComponentChildren }) {
  return (
    <div class="mine">
      <div class="self">
        <Plate of={of} seats={seats} />
        <Taken count={of.taken} />
        {of.aside.length > 0 && <Pile of="laid-aside" cards={of.aside} />}
      </div>
      {children}
    </div>
  );
}

/** How a card lies in a fan of this many: its style turns and sinks it by the distance from the middle, and deals it. */
export function fanned(place: number, cards: number) {
  return { "--from-middle": place - (cards - 1) / 2, "--dealt": place + (place < 4 ? 0 : 4) };
}

/** The nearest seat's cards, as large as there is room. */
export function Own({ of: { seat, cards, marked = {} } }: { of: Seated }) {
  return (
    <div class="own" data-hand={seat} role="group" aria-label={say("nearest-hand")} style={{ "--cards": cards.length, "--gaps": 0 }}>
      {cards.map((card, place) => (
        <span class={`in-own ${marked[card ?? ""] ?? ""}`} key={card ?? place} style={fanned(place, cards.length)}>
          <Card card={card} />
        </span>
      ))}
    </div>
  );
}

/** Cards held in a hand: backs, or faces where one may see them. */
export function Fan({ cards }: { cards: Shown[] }) {
  if (cards.length === 0) return null;
  const all = cards.every((card) => card === null);
  return (
    <div class="fan" role={all ? "img" : "group"} aria-label={say("cards", { count: cards.length })} data-count={cards.length} style={{ "--cards": cards.length }}>
      {cards.map((card, place) => (
        <span class="in-fan" key={card ?? place} style={fanned(place, cards.length)} aria-hidden={all}>
          <Card card={card} />
        </span>
      ))}
    </div>
  );
}

/** The tricks that a seat has taken, face down side by side; its plate says how many. */
function Taken({ count = 0 }: { count?: number | undefined }) {
  if (count === 0) return null;
  return (
    <span class="taken" aria-hidden="true">
      {Array.from({ length: count }, (_, place) => (
        <i key={place} />
      ))}
    </span>
  );
}

function Pile({ of, cards }: { of: "talon" | "laid-aside"; cards: Shown[] }) {
  return (
    <div class={`pile ${of}`} role="group" aria-label={say(of)}>
      <span class="piled">
        {cards.map((card) => (
          <Card card={card} />
        ))}
      </span>
      <span class="words">{say(of)}</span>
    </div>
  );
}

/** The trick as it was laid, each card towards its seat. */
function OfTrick({ seats, cards, winner, rest_ms, place }: Trick & { seats: Seated[] }) {
  const side = (player: Player) => (player === "talon" ? "talon" : placeAt(seats[player]!.side, seats.length));
  const best = taking(cards.map(({ card }) => card));
  const gathers = winner !== null && rest_ms !== undefined;
  const past = winner !== null && !gathers;
  return (
    <div
      class={`trick${gathers ? ` gathers to-${side(winner)}` : past ? " past" : ""}`}
      role="group"
      aria-label={say("the-trick")}
      style={gathers ? { "--rest": `${rest_ms}ms` } : undefined}
    >
      {cards.map(({ seat, card }, number) => (
        <div key={card} class={`laid from-${side(seat)} seat-${seat}${number === best ? " takes" : ""}`}>
          <Card card={card} />
          {number === 0 && <span class="led">{say("led")}</span>}
        </div>
      ))}
      {past && place !== undefined && <p class="led was">{say("trick-before")}</p>}
      {place !== undefined && <p class="place">{place}</p>}
    </div>
  );
}

/** 120 points as one rope: the declarer's from the left, the others' from the right, a mark at 61. */
function Rope({ declarer, defenders, between }: Score) {
  return (
    <>
      <p>{declarer.words}</p>
      <p class="between">{between}</p>
      <p>{defenders.words}</p>
      <div class="rope" aria-hidden="true">
        <i class={`seat-${declarer.seat}`} style={{ width: `${declarer.points / 1.2}%` }} />
        <i style={{ width: `${defenders.points / 1.2}%` }} />
      </div>
    </>
  );
}
