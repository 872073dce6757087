"""Payments of finished deals, for many tables at once; `arena.zole.scoring` has the reasons.

Each deal stands by itself: there are no tokens on the table, so pools change nothing.
"""

import numpy as np
from numpy.typing import NDArray

from arena.training.arrays import CONTRACT, Arrays, Indices, SmallInts
from arena.zole.deal import active_seats
from arena.zole.rules import POINTS_ROWS, Contract, Rules
from arena.zole.scoring import Level, Pools, contract_payments, level_of

StakesArray = NDArray[np.int16]

_LEVELS: tuple[Level, ...] = (*POINTS_ROWS, "made", "lost")
_LEVEL = {name: number for number, name in enumerate(_LEVELS)}
_DECLARED: tuple[Contract, ...] = ("ordinary", "solo", "small_solo", "blind")
_LOST: tuple[Level, ...] = ("31_60", "31_60", "lost", "31_60")
_WON: tuple[Level, ...] = ("ge61", "ge61", "made", "ge61")
_GIVEN_UP: SmallInts = np.array(
    [[_LEVEL[each] for each in row] for row in (_LOST, _LOST, _WON)], np.int8
)
"""By `Arrays.gave_up` and contract: the level of a deal that was given up."""


class Payments:
    """The payments of deals by some rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        dealers, tricks = range(rules.players), range(rules.play.tricks + 1)
        self.seats: SmallInts = np.array(
            [active_seats(rules.players, each) for each in dealers], np.int8
        )
        """The seat of each place, by dealer."""
        self._level: SmallInts = np.array(
            [
                [
                    [_LEVEL[level_of(rules, each, points, made)] for points in range(121)]
                    for made in tricks
                ]
                for each in _DECLARED
            ],
            np.int8,
        )
        """By contract, the declarer's tricks and card points: the level of a deal played out."""
        self._declared: StakesArray = np.array(
            [
                [
                    [
                        [self._paid(contract, level, dealer, place) for place in range(3)]
                        for dealer in dealers
                    ]
                    for level in _LEVELS
                ]
                for contract in _DECLARED
            ],
            np.int16,
        )
        """By contract, level, dealer and the declarer's place: the payments by seat."""

    def of(self, state: Arrays, finished: Indices) -> StakesArray:
        """The payments of finished deals in stakes, by table and seat."""
        paid = np.zeros((len(finished), self._rules.players), np.int16)
        contract, dealer = state.contract[finished], state.dealer[finished]
        declarer = state.declarer[finished]
        declared = declarer >= 0
        level = self._levels(state, finished)
        found = self._declared[contract % len(_DECLARED), level, dealer, declarer]
        paid[declared] = found[declared]
        at_table = np.flatnonzero(contract == CONTRACT["table"])
        if len(at_table):
            seats = self.seats[dealer[at_table]]
            paid[at_table[:, None], seats] = self._at_table(state, finished[at_table])
        return paid

    def _paid(self, contract: Contract, level: Level, dealer: int, place: int) -> tuple[int, ...]:
        if (contract == "small_solo") != (level in ("made", "lost")):
            return (0,) * self._rules.players
        active = active_seats(self._rules.players, dealer)
        return contract_payments(self._rules, active, active[place], contract, level, Pools())[0]

    def _levels(self, state: Arrays, finished: Indices) -> SmallInts:
        declarer, contract = state.declarer[finished], state.contract[finished] % len(_DECLARED)
        points = state.points[finished, declarer] + state.aside_points[finished].astype(np.int16)
        level = self._level[contract, state.tricks[finished, declarer], points]
        return np.where(
            state.gave_up[finished], _GIVEN_UP[state.gave_up[finished], contract], level
        )

    def _at_table(self, state: Arrays, finished: Indices) -> StakesArray:
        table = self._rules.table
        tricks = state.tricks[finished, :3].astype(np.int16)
        points = state.points[finished, :3].astype(np.int16)
        by_points = table.settlement == "most_points_pays"
        count = points * 128 + tricks if by_points else tricks * 128 + points
        if table.settlement == "fewest_tricks_collects":
            pays = count != count.min(axis=1, keepdims=True)
        else:
            pays = count == count.max(axis=1, keepdims=True)
        losers = pays.sum(axis=1, keepdims=True)
        stakes: StakesArray = np.where(pays, losers - 3, losers) * np.int16(table.stake)
        return stakes
