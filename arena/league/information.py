"""The precision of a field's strengths, from who sat with whom how often and nothing else.

The results of the k bots of a table in a set add up to nothing, and the spread of each is `NOISE`.
So the set adds `C (k - 1) / (k NOISE²)` to the information on the bots' strengths θ, with the
matrix `C = I - J / k`, which takes the mean away. A bot that leaves is eliminated (the Schur
complement of its row), so that what others learned from it stays. The sum to shrink is that of
Var(θi - θj) over all pairs of the field, as in A-optimal designs of experiments (Atkinson, Donev
and Tobias, "Optimum Experimental Designs").

Machines may differ in the last bits, so callers that compare gains round them first.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from arena.stats.floats import Flags, Floats

NOISE: Final = 1.3
"""The spread of a bot's result in a set of one deal, in stakes a deal.

It is 1.1 to 1.3 for sensible bots. It is not measured in the league itself, so that no result
decides who meets or when to stop.
"""

SPREAD: Final = 3.0
"""The spread of strengths assumed before anything is known, in stakes a deal."""


_ANEW: Final = 500
"""Tables after which the covariance is worked out anew, before rounding adds up."""


class Information:
    """The information on the strengths of some bots, by their places; new bots come last.

    `field` marks the bots that count in the sum to shrink. With `V` the covariance and `D` the bots
    that count, `W = V D V` and `s = V D 1` are kept along with it, since a table's gain is a few
    numbers of these. They are worked out when first asked for, so that a long ledger is read
    quickly.
    """

    def __init__(self) -> None:
        self.field: Flags = np.zeros(0, bool)
        self._matrix: Floats = np.zeros((0, 0))
        self._known: Known | None = None
        self._added = 0

    def join(self) -> None:
        """Add a bot of which nothing is known, and which does not count yet."""
        size = len(self.field)
        self._matrix = np.pad(self._matrix, (0, 1))
        self._matrix[size, size] = 1 / (SPREAD * SPREAD)
        self.field = np.append(self.field, False)
        if self._known is not None:
            self._known.join()

    def count(self, bot: int, counts: bool) -> None:
        """Set whether a bot counts."""
        if self.field[bot] != counts:
            self.field[bot] = counts
            if self._known is not None:
                self._known.count(bot, 1.0 if counts else -1.0)

    def drop(self, bot: int) -> None:
        """Forget a bot that does not count; what others learned from it stays."""
        row = self._matrix[bot].copy()
        self._matrix -= np.multiply.outer(row / row[bot], row)
        self._matrix = _without(self._matrix, bot)
        self.field = np.delete(self.field, bot)
        if self._known is not None:
            self._known.drop(bot)

    def add(self, table: Sequence[int], deals: int) -> None:
        """Add a number of deals of a table; a negative number takes them away again."""
        size = len(table)
        centre = (np.eye(size) - 1 / size) / _noise(size, deals)
        self._matrix[np.ix_(table, table)] += centre
        self._added += 1
        if self._added % _ANEW == 0:
            self._known = None
        elif self._known is not None:
            self._known.add(table, deals)

    @property
    def known(self) -> "Known":
        """The strengths' covariance, kept up to date with the matrix once it was asked for."""
        if self._known is None:
            self._known = Known(self._matrix, self.field)
        return self._known


class Known:
    """The covariance of strengths, with `square` W and `sums` s; see `Information`.

    A table of k adds k - 1 contrasts c, one after the other. With `seen` = V c, `spread` = c'V c
    and the noise, and `step` = seen / spread, V loses step seen' (Sherman and Morrison). The sum
    over pairs of the n bots that count loses `curve` / spread, with `both` = U c, curve = c'U c and
    U = n W - s s', the `worth`. U itself, and W likewise, loses step half' + half step', with
    `half` = both - step curve / 2.
    """

    def __init__(self, matrix: Floats, field: Flags) -> None:
        self.covariance = np.asarray(np.linalg.inv(matrix), np.float64)
        among = self.covariance[:, field]
        self._square: Floats = among @ among.T
        self._sums: Floats = among.sum(axis=1)
        self._counted = int(np.count_nonzero(field))
        self._room: Floats = np.empty_like(self.covariance)

    def join(self) -> None:
        size = len(self._sums)
        self.covariance = np.pad(self.covariance, (0, 1))
        self.covariance[size, size] = SPREAD * SPREAD
        self._square = np.pad(self._square, (0, 1))
        self._sums = np.append(self._sums, 0.0)
        self._room = np.empty_like(self.covariance)

    def count(self, bot: int, sign: float) -> None:
        row = self.covariance[bot].copy()
        self._subtract(self._square, row[None] * -sign, row[None])
        self._sums += row * sign
        self._counted += int(sign)

    def drop(self, bot: int) -> None:
        self.covariance = _without(self.covariance, bot)
        self._square = _without(self._square, bot)
        self._sums = np.delete(self._sums, bot)
        self._room = np.empty_like(self.covariance)

    def add(self, table: Sequence[int], deals: int) -> None:
        noise = _noise(len(table), deals)
        known = {bot: self.covariance[bot] for bot in table}
        square = {bot: self._square[bot] for bot in table}
        passed: list[tuple[Floats, Floats, Floats]] = []
        for size in range(1, len(table)):
            bots, weights = table[: size + 1], _contrast(size)
            seen = _weighed(known, bots, weights)
            both = _weighed(square, bots, weights)
            spread = noise + float(_weighed(seen, bots, weights))
            curve = float(_weighed(both, bots, weights))
            total = float(_weighed(self._sums, bots, weights))
            step, half = seen / spread, both - seen * (curve / (2 * spread))
            known = {bot: known[bot] - step * seen[bot] for bot in table}
            square = {bot: square[bot] - step * half[bot] - half * step[bot] for bot in table}
            self._sums -= step * total
            passed.append((seen, step, half))
        rows, steps, halves = (np.array(each) for each in zip(*passed, strict=True))
        self._subtract(self.covariance, steps, rows)
        self._subtract(self._square, np.vstack([steps, halves]), np.vstack([halves, steps]))

    def needs(self, deals: int) -> Floats:
        """The gain from each bot alone if all others were known: a rule of thumb."""
        alone = np.diagonal(self.covariance)
        worth = np.diagonal(self._square) * self._counted - self._sums * self._sums
        return np.asarray(worth / (_noise(3, deals) + alone), np.float64)

    def gains_with(self, some: Sequence[int], deals: int) -> Floats:
        """The gain of a table of some bots and one more, for every bot as that one.

        The result means nothing for the bots that are at the table already. `alone` and
        `alone_worth` are the diagonals of V and U, all that the last contrast needs of the other.
        """
        noise = _noise(len(some) + 1, deals)
        counted = self._counted
        known = {bot: self.covariance[bot] for bot in some}
        worth = {
            bot: self._square[bot] * counted - self._sums * float(self._sums[bot]) for bot in some
        }
        alone = np.diagonal(self.covariance)
        alone_worth = np.diagonal(self._square) * counted - self._sums * self._sums
        gain = 0.0
        for size in range(1, len(some)):  # first the bots at the table among themselves
            bots, weights = some[: size + 1], _contrast(size)
            seen = _weighed(known, bots, weights)
            both = _weighed(worth, bots, weights)
            spread = noise + float(_weighed(seen, bots, weights))
            curve = float(_weighed(both, bots, weights))
            gain += curve / spread
            step = seen / spread
            half = both - step * (curve / 2)
            known = {bot: known[bot] - step * float(seen[bot]) for bot in some}
            worth = {
                bot: worth[bot] - step * float(half[bot]) - half * float(step[bot]) for bot in some
            }
            alone = alone - step * seen
            alone_worth = alone_worth - step * half * 2.0
        *weights, last = _contrast(len(some))
        seen, both = _weighed(known, some, weights), _weighed(worth, some, weights)
        spreads = float(_weighed(seen, some, weights)) + seen * (2 * last) + alone * (last * last)
        curves = float(_weighed(both, some, weights)) + both * (2 * last)
        return gain + (curves + alone_worth * (last * last)) / (spreads + noise)

    def _subtract(self, square: Floats, left: Floats, right: Floats) -> None:
        """Subtract the products of rows with rows, without allocating."""
        np.matmul(left.T, right, out=self._room)
        np.subtract(square, self._room, out=square)

    def errors(self, field: Flags) -> Floats:
        """The standard error of each bot of the field less the field's mean, in stakes a deal."""
        mean = float(self._sums[field].sum()) / self._counted**2
        alone = np.diagonal(self.covariance)
        variance = alone[field] - self._sums[field] * (2 / self._counted) + mean
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)), np.float64)


def _without(square: Floats, bot: int) -> Floats:
    return np.delete(np.delete(square, bot, 0), bot, 1)


def _noise(size: int, deals: int) -> float:
    """The variance of a bot's result at a table in `deals` deals, before the mean is taken.

    A set of s deals counts as much as s sets of one.
    """
    return NOISE * NOISE * size / ((size - 1) * deals)


def _contrast(size: int) -> list[float]:
    """Weights by which the bot of place `size` is compared with those before it; squares add to 1.

    Those of size 1, 2, … k - 1 make up the matrix `I - J / k` of a table of k.
    """
    scale = math.sqrt(size * (size + 1))
    return [1 / scale] * size + [-size / scale]


def _weighed(
    rows: Floats | Mapping[int, Floats], bots: Sequence[int], weights: Sequence[float]
) -> Floats:
    """The weighed sum of some bots' rows, added one by one."""
    total = rows[bots[0]] * weights[0]
    for bot, weight in zip(bots[1:], weights[1:], strict=True):
        total = total + rows[bot] * weight
    return np.asarray(total, np.float64)
