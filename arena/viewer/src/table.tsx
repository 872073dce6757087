// The table at a place of a match: the hands around the trick, the talon, what was laid aside, the count.

import { type Score, type Seated, Felt, Own, OwnPlace, gameIn, givesTalon, lying, marksOf, scoreOf } from "./felt";
import { sorted } from "./cards";
import { say } from "./language";
import { layoutAt } from "./layout";
import { Marks, marksIn } from "./marks";
import type { Deal, Seat } from "./match";
import type { Place } from "./place";
import type { Shown, Sight, View } from "./sight";
import { doer, isWord, pointsOf, poolsIn } from "./words";

export function Table(view: View) {
  const { match, deal, at, sight } = view;
  const layout = layoutAt(deal, at.ply);
  const seats = match.bots.map((_, seat) => seatedAt(view, seat));
  const nearest = seats.find(({ side }) => side === 0)!;
  const moment = deal.moments[at.ply - 1];
  const marks = moment !== undefined && sight.opens(moment.seat) ? marksIn(moment.note) : {};
  return (
    <Marks.Provider value={marks}>
      <Felt
        seats={seats}
        talon={layout.taken ? [] : sight.talon()}
        trick={{ cards: layout.trick, winner: layout.winner }}
        score={score(view)}
      >
        <OwnPlace of={nearest} seats={seats} />
        <Own of={nearest} />
      </Felt>
    </Marks.Provider>
  );
}

function seatedAt({ match, deal, at, sight }: View, seat: Seat): Seated {
  const layout = layoutAt(deal, at.ply);
  const players = match.bots.length;
  const plays = deal.active.includes(seat);
  const asked = deal.moments[at.ply];
  const turn = !sight.waits && asked?.seat === seat;
  const marks = marksOf({ declarer: seat === layout.declarer, dealer: seat === deal.dealer, forehand: seat === deal.active[0], "sits-out": !plays });
  if (turn && asked.ask !== "play") marks.push(["asked", say("asked", { ask: asked.ask })]);
  return {
    seat,
    side: (seat - (at.seat ?? 0) + players) % players,
    name: match.bots[seat]!,
    face: match.bots[seat]!,
    marks,
    says: layout.contract === null ? lastWord(deal, at, sight, seat) : "",
    has: plays && layout.contract !== null ? [say("tricks", { count: layout.tricks[seat]! }), layout.declarer === null && say("points", { count: layout.points[seat]! })].filter(Boolean).join(", ") : "",
    cards: plays ? asHeld(sight.hand(seat)) : [],
    aside: seat === layout.declarer ? sight.discards() : [],
    turn,
  };
}

/** Cards that one sees are sorted as players do. */
function asHeld(cards: Shown[]): Shown[] {
  return cards.every((card) => card !== null) ? sorted(cards) : cards;
}

/** What a seat has said last in the auction, as far as it may be told. */
function lastWord(deal: Deal, at: Place, sight: Sight, seat: Seat): string {
  const spoken = deal.moments.slice(0, at.ply).findLast((moment) => moment.seat === seat && ["bid", "talon"].includes(moment.ask));
  const answer = spoken ? sight.answer(spoken) : null;
  return answer !== null && isWord(answer) ? say("word", { word: answer }) : (answer ?? "");
}

/** The points of both sides, or what is played where none are counted. */
function score({ match, deal, at, sight }: View): Score | string {
  const layout = layoutAt(deal, at.ply);
  const { declarer, contract } = layout;
  const begun = deal.first.find((each) => each.event === "deal");
  const open = begun ? poolsIn(match, begun.pools) : "";
  const pools = open && say("pools", { pools: open });
  if (declarer === null || contract === "small_solo") {
    const talons = layout.talonPoints > 0 && say("talon-has", { count: layout.talonPoints });
    return [gameIn(contract, declarer !== null && doer(match, declarer)), talons, pools].filter(Boolean).join("; ");
  }
  const laid = sight.discards();
  const known = pointsOf(laid.filter((card) => card !== null));
  const own = sight.over ? deal.result.points.declarer! : layout.points[declarer]! + known;
  const theirs = sight.over ? deal.result.points.defenders! : layout.points.reduce((all, each) => all + each, 0) - layout.points[declarer]!;
  const unseen = sight.over ? null : givesTalon(contract) ? "talon" : laid.includes(null) ? "aside" : null;
  const between = [lying({ cards: layout.trick, winner: layout.winner }), say("game", { game: contract! }), pools];
  return scoreOf(declarer, doer(match, declarer), own, theirs, unseen, "defenders", between);
}
