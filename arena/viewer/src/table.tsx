// The table at a place of a match: the hands around the trick, the talon, what was laid aside, the count.

import { type Score, type Seated, Felt, Own, OwnPlace } from "./felt";
import { sorted } from "./cards";
import { type Deal, type Match, type Seat, layoutAt } from "./match";
import type { Place } from "./place";
import type { Shown, Sight } from "./sight";
import { aGame, capital, counted, gameOf, nameOf, pointsOf, poolsIn, said } from "./words";

interface Props {
  match: Match;
  deal: Deal;
  at: Place;
  sight: Sight;
}

export function Table(props: Props) {
  const { match, deal, at, sight } = props;
  const board = layoutAt(deal, at.ply);
  const seats = match.bots.map((_, seat) => seatedAt(props, seat));
  const nearest = seats.find(({ side }) => side === 0)!;
  return (
    <Felt
      seats={seats}
      talon={board.taken ? [] : sight.talon()}
      trick={{ cards: board.trick ?? [], winner: board.winner ?? null }}
      score={score(props)}
    >
      <OwnPlace of={nearest} />
      <Own of={nearest} />
    </Felt>
  );
}

function seatedAt({ match, deal, at, sight }: Props, seat: Seat): Seated {
  const board = layoutAt(deal, at.ply);
  const players = match.bots.length;
  const plays = deal.active.includes(seat);
  const asked = deal.moments[at.ply];
  const turn = !sight.waits && asked?.seat === seat;
  const marks = [
    seat === board.declarer && "declarer",
    seat === deal.dealer && "dealer",
    seat === deal.active[0] && "forehand",
    !plays && "sits out",
    turn && asked.ask !== "play" && `asked: ${asked.ask}`,
  ].filter((mark) => mark !== false);
  return {
    seat,
    side: (seat - (at.seat ?? 0) + players) % players,
    name: match.bots[seat]!,
    marks,
    says: board.contract === undefined ? lastWord(deal, at, sight, seat) : "",
    has: plays && board.contract !== undefined ? [counted(board.tricks[seat]!, "trick"), board.declarer === undefined && counted(board.points[seat]!, "point")].filter(Boolean).join(", ") : "",
    cards: plays ? asHeld(sight.hand(seat)) : [],
    aside: seat === board.declarer ? sight.discards() : [],
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
  return answer === null ? "" : said(answer);
}

/** The points of both sides, or what is played where none are counted. */
function score({ match, deal, at, sight }: Props): Score | string {
  const board = layoutAt(deal, at.ply);
  const { declarer, contract } = board;
  const begun = deal.first.find((each) => each.event === "deal");
  const open = begun ? poolsIn(match, begun.pools) : "";
  const pools = open && `pools: ${open}`;
  if (declarer === undefined || contract === "small_solo") {
    const game = contract === undefined ? "the auction" : declarer === undefined ? said(contract) : `${nameOf(match, declarer)} plays ${aGame(contract)}`;
    const talons = board.talon_points && `talon ${counted(board.talon_points, "point")}`;
    return capital([game, talons, pools].filter(Boolean).join("; "));
  }
  const laid = sight.discards();
  const known = pointsOf(laid.filter((card) => card !== null));
  const own = sight.over ? deal.result.points.declarer! : board.points[declarer]! + known;
  const theirs = sight.over ? deal.result.points.defenders! : board.points.reduce((all, each) => all + each, 0) - board.points[declarer]!;
  const lying = board.winner === undefined ? pointsOf((board.trick ?? []).map(({ card }) => card)) : 0;
  const unknown = laid.length > 0 && laid.includes(null) && !sight.over ? "+" : "";
  return {
    declarer: { words: `${nameOf(match, declarer)} ${own}${unknown} of 61`, points: own, seat: declarer },
    defenders: { words: `defenders ${theirs} of 60`, points: theirs },
    between: [gameOf(contract!), lying > 0 && `${lying} on the table`, pools].filter(Boolean).join("; "),
  };
}
