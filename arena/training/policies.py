"""Policies at the seats of many tables, and a pool of those that a learner meets."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from arena.training.arrays import Indices, SmallInts
from arena.training.planes import Bools
from arena.training.tables import Tables

Policy = Callable[[SmallInts, Bools], ArrayLike]
"""Decides by rows: observations and masks of what is allowed give the number of an action each."""


def choose_actions(
    tables: Tables, policies: Sequence[Policy], sitting: ArrayLike, due: ArrayLike | None = None
) -> Indices:
    """An action of the asked seat at each table, or at those that are `due`.

    `sitting`, tables by seats, are numbers of `policies`. Each policy is asked once, for all its
    rows together. At tables whose deal is over the action is 0, which does nothing.
    """
    which = np.arange(tables.count) if due is None else np.asarray(due, np.intp)
    seats = tables.seats[which]
    asked = np.where(seats < 0, -1, np.asarray(sitting)[which, seats])
    actions = np.zeros(len(which), np.intp)
    for number in np.unique(asked[asked >= 0]).tolist():
        rows = np.flatnonzero(asked == number)
        seen, masks = tables.observations(which[rows]), tables.masks(which[rows])
        actions[rows] = np.asarray(policies[number](seen, masks), np.intp)
    return actions


def by_chance(masks: Bools, random: np.random.Generator) -> Indices:
    """Any allowed action, by row."""
    actions: Indices = np.where(masks, random.random(masks.shape), -1).argmax(axis=1)
    return actions


class Pool:
    """Opponents of a learner: some that stay, and the `most` added last, such as earlier selves."""

    def __init__(self, stay: Sequence[Policy] = (), most: int = 10) -> None:
        self._stay = tuple(stay)
        self._added: list[Policy] = []
        self._most = most

    def add(self, policy: Policy) -> None:
        """Add an opponent. It must not change: give a copy of what still learns."""
        self._added = [*self._added, policy][-self._most :]

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The opponents; in what `seat` gives, their numbers are these places plus 1."""
        return (*self._stay, *self._added)

    def seat(
        self, count: int, players: int, share: float, random: np.random.Generator
    ) -> SmallInts:
        """Who sits where, tables by seats: 0 is the learner.

        At about a `share` of the tables one seat is the learner's and the others are an
        opponent's, drawn separately for each table; at the rest the learner sits everywhere.
        """
        sitting = np.zeros((count, players), np.int8)
        if self.policies:
            met = random.random(count) < share
            sitting += np.where(met, 1 + self.draw(count, random), 0)[:, None].astype(np.int8)
            sitting[np.arange(count), random.integers(players, size=count)] = 0
        return sitting

    def draw(self, count: int, random: np.random.Generator) -> Indices:
        """The number of an opponent for each table, any as likely as another."""
        return random.integers(len(self.policies), size=count)
