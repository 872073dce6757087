"""The value of each answer of a decision in one deal if everybody then plays with open hands.

Values are stakes to the seat that is asked, pools included. In the play a solver finds them. Before
the play:

- A declarer of an ordinary game lays aside the best cards for that very deal. It could not know so
  much, so declaring looks better than it is, for all seats alike.
- Later seats make the best bids for themselves by the same values. Of equals they choose a contract
  that wins, and pass if none does.
- Cards thrown in are worth nothing. In a table game whose loser pays, a seat is sure of what it
  gets when the two others play against it; the game is worth the middle between that and a
  winner's pay, since others look after themselves. (In 400 deals played by a sample bot, seats
  that were sure of nothing but a loss of 4 paid 0.9 on average, and those sure of 2 were paid 1.6.)
  If the winner collects, hardly anybody is sure of anything, and a table game is worth nothing.
- A surrender or an accepted offer is worth what it pays. A declarer accepts an offer that is
  as good for it as playing on.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, assert_never

from arena.match.log import YES_NO
from arena.review.decisions import OFFER_WORD, DecisionKind, action_text
from arena.review.solver import payments_of
from arena.zole import play
from arena.zole.cards import INDEX, Cards, mask, names
from arena.zole.deal import Seat
from arena.zole.scoring import Pools, settle
from arena.zole.state import State, turn_of


class OpenHands(Protocol):
    """The questions to a solver of open hands. Values are stakes, pools included."""

    def each(
        self, state: State, pools: Pools, among: Sequence[Cards]
    ) -> Iterable[tuple[Cards, int]]:
        """Each of some legal cards or discards, as sets, and the payment to the seat to act."""

    def value(self, state: State, seat: Seat, pools: Pools) -> int:
        """The payment to a seat from a state in play or before the discard."""


def answer_values(
    solver: OpenHands,
    state: State,
    seat: Seat,
    kind: DecisionKind,
    answers: tuple[str, ...],
    pools: Pools,
) -> tuple[float, ...]:
    """The stakes to a seat after each of some of its legal answers; multiples of a half."""
    match kind:
        case "play":
            # An offer is worth no more than the best card.
            asked = map(action_text, play.legal(state)) if OFFER_WORD in answers else answers
            found = _each(solver, state, pools, asked)
            if OFFER_WORD in answers:
                accepted = settle(play.offer(state, accepted=True), pools).payments[seat]
                found[OFFER_WORD] = min(accepted, max(found.values()))
        case "discard":
            found = _each(solver, state, pools, answers)
        case "surrender" | "offer":
            end = play.surrender(state) if kind == "surrender" else play.offer(state, accepted=True)
            ended = settle(end, pools).payments[seat]
            found = {YES_NO[True]: ended, YES_NO[False]: solver.value(state, seat, pools)}
        case "blind" | "bid" | "talon":
            auction = _Auction(solver, pools)
            found = {
                action_text(action): auction.worth(play.apply(state, action), seat)
                for action in play.legal(state)
                if action_text(action) in answers
            }
        case _:
            assert_never(kind)
    return tuple(found[answer] for answer in answers)


def _each(
    solver: OpenHands, state: State, pools: Pools, answers: Iterable[str]
) -> dict[str, float]:
    among = [mask(INDEX[card] for card in answer.split(".")) for answer in answers]
    return {".".join(names(cards)): stakes for cards, stakes in solver.each(state, pools, among)}


class CachedOpenHands:
    """A solver's answers, each found once.

    Seatings of a deal whose players know the same are valued in the same worlds.
    """

    def __init__(self, solver: OpenHands) -> None:
        self._solver = solver
        self._values: dict[tuple[State, Seat, Pools], int] = {}
        self._cards: dict[tuple[State, Pools], dict[Cards, int]] = {}

    def each(
        self, state: State, pools: Pools, among: Sequence[Cards]
    ) -> Iterable[tuple[Cards, int]]:
        found = self._cards.setdefault((state, pools), {})
        if new := [cards for cards in among if cards not in found]:
            found.update(self._solver.each(state, pools, new))
        return [(cards, found[cards]) for cards in among]

    def value(self, state: State, seat: Seat, pools: Pools) -> int:
        key = state, seat, pools
        if key not in self._values:
            self._values[key] = self._solver.value(state, seat, pools)
        return self._values[key]


class _Auction:
    """The auction of one deal by backward induction. Each contract is solved once."""

    def __init__(self, solver: OpenHands, pools: Pools) -> None:
        self._solver = solver
        self._pools = pools
        self._solved: dict[tuple[Seat | None, str | None, Seat], float] = {}

    def worth(self, state: State, seat: Seat) -> float:
        """The stakes to a seat if all bid, and take or give the talon, as is best for them."""
        while state.phase not in ("discard", "play", "over"):
            state = self._next(state)
        if state.phase == "over":
            return settle(state, self._pools).payments[seat]
        key = state.declarer, state.contract, seat
        if key not in self._solved:
            if state.declarer is None:
                self._solved[key] = self._table(state, seat)
            else:
                self._pay(state, self._solver.value(state, state.declarer, self._pools))
        return self._solved[key]

    def _next(self, state: State) -> State:
        """The state after the best action of the seat to act, for itself."""
        seat = turn_of(state)
        first, *others = (play.apply(state, action) for action in play.legal(state))
        if not others:
            return first
        best = max(others, key=lambda each: self.worth(each, seat))
        stakes = self.worth(best, seat)
        if first.contract == "table":  # slowest to solve, and often decides nothing
            if stakes >= state.rules.table.stake:
                return best
            if stakes <= -2 * state.rules.table.stake:
                return first
        passed = self.worth(first, seat)
        return best if stakes > passed or stakes == passed > 0 else first

    def _pay(self, state: State, stakes: int) -> None:
        """Keep the worth of a contract to all seats, by the outcome that pays its declarer this."""
        declarer = state.declarer
        assert declarer is not None
        outcomes = payments_of(state, self._pools).paid
        found = next(paid for paid in outcomes if paid[declarer] == stakes)
        for seat, paid in enumerate(found):
            self._solved[declarer, state.contract, seat] = paid

    def _table(self, state: State, seat: Seat) -> float:
        if state.rules.table.settlement == "fewest_tricks_collects":
            return 0
        return (self._solver.value(state, seat, self._pools) + state.rules.table.stake) / 2
