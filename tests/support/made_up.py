"""Solvers of open hands that solve nothing: values by chance, or as a test says."""

import zlib
from collections.abc import Iterator, Mapping, Sequence

from arena.review.solver import payments
from arena.zole import play
from arena.zole.cards import Cards
from arena.zole.deal import Seat
from arena.zole.scoring import Pools
from arena.zole.state import Discard, Play, State
from tests.support.present import present


class ByChance:
    """Values that mean nothing, always the same for the same cards."""

    def each(
        self, state: State, pools: Pools, among: Sequence[Cards] = ()
    ) -> Iterator[tuple[Cards, int]]:
        for action in play.legal(state):
            assert isinstance(action, Play | Discard)
            number = action.card if isinstance(action, Play) else action.cards
            cards = 1 << number if isinstance(action, Play) else number
            if not among or cards in among:
                yield cards, self._number(state, number) % 7 - 3

    def value(self, state: State, seat: Seat, pools: Pools, above: int | None = None) -> int:
        if state.declarer is None:
            return self._sure_of(state, seat)
        outcomes = paid_in(state, pools)
        paid = outcomes[self._outcome(state, len(outcomes))][seat]
        if above is None or seat != state.declarer or paid > above:
            return paid
        return max(each[seat] for each in outcomes if each[seat] <= above)

    def _sure_of(self, state: State, seat: Seat) -> int:
        return self._number(state, seat) % 7 - 4

    def _outcome(self, state: State, outcomes: int) -> int:
        return self._number(state, 0) % outcomes

    @staticmethod
    def _number(state: State, number: int) -> int:
        cards = (state.hands, state.deal.talon, state.discards, state.contract, number)
        return zlib.crc32(repr(cards).encode())


class AsTold(ByChance):
    """Contracts come to an outcome, counted from the declarer's best, as told by seat and contract;
    table games to what each seat is told to be sure of."""

    def __init__(
        self, outcomes: Mapping[tuple[Seat, str], int], sure: tuple[int, ...] = (0, 0, 0)
    ) -> None:
        self._outcomes = outcomes
        self._sure = sure

    def _sure_of(self, state: State, seat: Seat) -> int:
        return self._sure[seat]

    def _outcome(self, state: State, outcomes: int) -> int:
        named = self._outcomes[present(state.declarer), present(state.contract)]
        return max(0, outcomes - 1 - named)


def paid_in(state: State, pools: Pools) -> tuple[tuple[int, ...], ...]:
    """The payments that a contract can come to, the declarer's worst first."""
    declarer, contract = present(state.declarer), present(state.contract)
    assert contract != "table"
    assert contract != "thrown_in"
    return payments(state.rules, state.active, declarer, contract, pools).paid
