// The table at a place: the hands around the trick, the talon, what was laid aside, the count.

import { Card } from "./card";
import { type Deal, type Match, type Seat, layoutAt } from "./match";
import type { Place } from "./place";
import { Who } from "./seat";
import type { Shown, Sight } from "./sight";
import { counted, nameOf, pointsOf, poolsIn, said } from "./words";

interface Props {
  match: Match;
  deal: Deal;
  at: Place;
  sight: Sight;
}

export function Table(props: Props) {
  const players = props.match.bots.length;
  const nearest = props.at.seat ?? 0;
  return (
    <section class="table" aria-label="The table">
      {props.match.bots.map((_, seat) => (
        <Hand {...props} seat={seat} side={(seat - nearest + players) % players} />
      ))}
      <Middle {...props} />
    </section>
  );
}

/** A seat's cards under its name. Sides are counted from the nearest, to the left. */
function Hand({ match, deal, at, sight, seat, side }: Props & { seat: Seat; side: number }) {
  const board = layoutAt(deal, at.ply);
  const plays = deal.active.includes(seat);
  const asked = deal.moments[at.ply];
  const turn = !sight.waits && asked?.seat === seat;
  const badges = [
    seat === deal.dealer && "dealer",
    seat === deal.active[0] && "forehand",
    seat === board.declarer && "declarer",
    !plays && "sits out",
    turn && (asked.ask !== "play" ? `asked: ${asked.ask}` : leads(deal, at) ? "to lead" : "to play"),
  ].filter((badge) => badge !== false);
  return (
    <div class={`hand side-${side}${turn ? " turn" : ""}`} role="group" aria-label={`Seat ${seat}`}>
      <p class="plate">
        <Who match={match} player={seat} />
        {badges.map((badge) => (
          <span class={`badge ${badge}`}>{badge}</span>
        ))}
        <span class="count">
          {plays && `${counted(board.points[seat]!, "point")}, ${counted(board.tricks[seat]!, "trick")}`}
        </span>
      </p>
      {plays && <Cards cards={sight.hand(seat)} />}
    </div>
  );
}

function Middle({ match, deal, at, sight }: Props) {
  const board = layoutAt(deal, at.ply);
  const trick = board.trick ?? [];
  const discards = sight.discards();
  return (
    <div class="middle">
      <div class="pile">
        <h2>{board.taken ? "talon, taken" : "talon"}</h2>
        <div class={board.taken ? "gone" : ""}>
          <Cards cards={sight.talon()} />
        </div>
      </div>
      <div class="trick" role="group" aria-label="The trick">
        <h2>{heading(match, deal, at)}</h2>
        <div class="laid">
          {trick.map(({ seat, card }, number) => (
            <div class={board.winner === seat ? "placed winner" : "placed"}>
              <Card card={card} last={number === trick.length - 1} />
              <Who match={match} player={seat} />
            </div>
          ))}
        </div>
      </div>
      <div class="pile">
        {discards.length > 0 && (
          <>
            <h2>laid aside</h2>
            <Cards cards={discards} />
          </>
        )}
      </div>
      <p class="sides">{[sides(match, deal, at, sight), pools(match, deal)].filter(Boolean).join(". ")}</p>
    </div>
  );
}

function Cards({ cards }: { cards: Shown[] }) {
  return (
    <div class="cards">
      {cards.map((card) => (
        <Card card={card} />
      ))}
    </div>
  );
}

function leads(deal: Deal, at: Place): boolean {
  const { trick = [], winner } = layoutAt(deal, at.ply);
  return trick.length === 0 || winner !== undefined;
}

function heading(match: Match, deal: Deal, at: Place): string {
  const { contract, winner } = layoutAt(deal, at.ply);
  const what = contract === undefined ? "the auction" : said(contract);
  return winner === undefined ? what : `${what}; trick to ${nameOf(match, winner)}`;
}

/** The pools that were open when the deal began. */
function pools(match: Match, deal: Deal): string {
  const begun = deal.first.find((each) => each.event === "deal");
  const open = begun ? poolsIn(match, begun.pools) : "";
  return open && `Pools: ${open}`;
}

/** The count of both sides and what they need; the talon's where it takes tricks. */
function sides(match: Match, deal: Deal, at: Place, sight: Sight): string {
  const board = layoutAt(deal, at.ply);
  if (board.declarer === undefined) return board.talon_points ? `talon ${counted(board.talon_points, "point")}` : "";
  const won = board.tricks[board.declarer]!;
  if (board.contract === "small_solo") return `declarer ${counted(won, "trick")}, may take none`;
  const all = match.rules.play.tricks === 8 ? " of 120" : "";
  const { points } = deal.result;
  if (sight.over) return `declarer ${points.declarer}${all} points, needs 61; defenders ${points.defenders}, need 60`;
  const laid = sight.discards();
  const known = laid.filter((card) => card !== null);
  const own = board.points[board.declarer]!;
  const aside = laid.length === 0 ? "" : known.length ? " with the cards laid aside" : " without the cards laid aside";
  const theirs = sum(board.points) - own;
  return `declarer ${own + pointsOf(known)}${all} points${aside}, needs 61; defenders ${theirs}, need 60`;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
