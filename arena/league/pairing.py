"""Who sits where in a round of a tournament: tables of three and four, by standing and history.

HiGHS solves it as a partition: each possible table of neighbours in the standing has a cost, and
every bot sits at one table. It is imported when a round is paired, which few commands do.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Final

import msgspec
import numpy as np

from arena.stats.floats import Ints

WIDTHS: Final = (6, 12, 24)
"""How far apart in the standing bots of a table may be: the least by which no two meet again."""

_LOTS: Final = 1 << 16
"""The number of lots that tell tables of one cost apart; all of them weigh less than one place."""


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round, the strongest first, by seat; and the bots that have a bye."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


def pair(
    order: Sequence[str],
    before: Sequence[Pairing],
    authors: Mapping[str, str] | None,
    fours: bool,
    lot: str,
) -> Pairing:
    """The next round of bots in `order` of standing, the best first, after the rounds `before`.

    No two bots meet twice, or meet a bot of the same one of the `authors`, if that can be avoided
    among `WIDTHS[-1]` neighbours; then those sit at tables of four that have done so least; then
    neighbours in the standing meet. Where the number is not a multiple of three there are tables of
    four if `fours` says so and there are bots enough, else byes for those at the bottom who have
    had fewest. At a table everybody takes the seat that they have had least. `lot` decides what all
    this leaves open, so that equal arguments lead to equal rounds.
    """
    spare = len(order) % 3
    byes: tuple[str, ...] = ()
    if not fours or len(order) < 4 * spare:
        had = Counter(bot for each in before for bot in each.byes)
        upwards = [*reversed(order)]
        byes = tuple(sorted(upwards, key=had.__getitem__)[:spare])
        spare = 0
    field = [bot for bot in order if bot not in byes]
    past = _Past(field, before, authors)
    tables = _without_meeting(past, spare, lot) or _with_fewest_meetings(past, spare, lot)
    seats = Counter(
        (bot, seat) for each in before for table in each.tables for seat, bot in enumerate(table)
    )
    return Pairing(tuple(_seated(table, seats, lot) for table in tables), byes)


class _Past:
    """What the bots of a round, numbered by standing, have behind them.

    `met[i, j]` counts the rounds in which two met, and one more for two of an author; `fours` is
    how often a bot sat at a table of four, less that of whoever did least. Both have a place
    more, for the fourth at a table of three, who is nobody.
    """

    def __init__(
        self, field: Sequence[str], before: Sequence[Pairing], authors: Mapping[str, str] | None
    ) -> None:
        self.field = field
        size = len(field)
        place = {bot: number for number, bot in enumerate(field)}
        self.met = np.zeros((size + 1, size + 1), np.int64)
        self.fours = np.zeros(size + 1, np.int64)
        for table in (table for each in before for table in each.tables):
            here = [place[bot] for bot in table if bot in place]
            self.met[np.ix_(here, here)] += 1
            self.fours[here] += len(table) == 4
        self.fours[:size] -= self.fours[:size].min(initial=self.fours.max())
        if authors is not None:
            persons = np.array([authors[bot] for bot in field])
            self.met[:size, :size] += persons[:, None] == persons

    def candidates(self, fours: int, width: int) -> Ints:
        """Tables of bots that are at most `width` places apart, four ascending places a row.

        If there are to be tables of `fours`, bots that have sat at them least count the places
        among themselves.
        """
        size = len(self.field)
        found = {(*three, size) for three in _neighbours(range(size), 3, width)}
        if fours:
            least = np.flatnonzero(self.fours[:size] == 0).tolist()
            found |= {*_neighbours(range(size), 4, width), *_neighbours(least, 4, width)}
        return np.array(sorted(found), np.int64).reshape(-1, 4)

    def meetings(self, tables: Ints) -> Ints:
        """The number of meetings that each table repeats."""
        return np.asarray(sum(self.met[one, other] for one, other in _pairs(tables)), np.int64)

    def cost(self, tables: Ints, lot: str) -> Ints:
        """The squares of the distances in the standing of each table's bots, and its lot.

        A bot that sits at a table of four before its turn outweighs them.
        """
        size = len(self.field)
        nobody = tables == size
        cost = np.where(nobody[:, 3], 0, self.fours[tables].sum(axis=1) * 3 * size**2)
        placed = np.where(nobody, -1, tables)
        for one, other in _pairs(placed):
            cost = cost + np.where(other < 0, 0, (one - other) ** 2)
        names = ("\n".join(self.named(table)) for table in tables)
        lots = np.fromiter((_drawn(lot, each) % _LOTS for each in names), np.int64, len(tables))
        return np.asarray(cost * _LOTS + lots, np.int64)

    def named(self, table: Ints) -> tuple[str, ...]:
        """The bots of a table, the best first."""
        return tuple(self.field[place] for place in table if place < len(self.field))


def _neighbours(places: Sequence[int], size: int, width: int) -> Iterator[tuple[int, ...]]:
    for number, place in enumerate(places):
        for others in combinations(places[number + 1 : number + 1 + width], size - 1):
            yield place, *others


def _pairs(tables: Ints) -> Iterable[tuple[Ints, Ints]]:
    return combinations(tables.T, 2)


def _without_meeting(past: _Past, fours: int, lot: str) -> list[tuple[str, ...]] | None:
    """The tables of a round in which nobody meets anybody again; None if there is no such round."""
    for width in WIDTHS:
        tables = past.candidates(fours, width)
        tables = tables[past.meetings(tables) == 0]
        found = _partition(past, tables, fours, past.cost(tables, lot))
        if found is not None:
            return found
    return None


def _with_fewest_meetings(past: _Past, fours: int, lot: str) -> list[tuple[str, ...]]:
    """The tables of a round in which as few as possible meet again."""
    tables = past.candidates(fours, WIDTHS[-1])
    meetings = past.meetings(tables)
    fewest = _chosen(past, tables, fours, meetings)
    assert fewest is not None  # neighbours in the standing always form a round
    limit = meetings, int(meetings[fewest].sum())
    found = _partition(past, tables, fours, past.cost(tables, lot), limit)
    assert found is not None
    return found


def _partition(
    past: _Past, tables: Ints, fours: int, cost: Ints, limit: tuple[Ints, int] | None = None
) -> list[tuple[str, ...]] | None:
    """Those tables that seat every bot at the least cost, in the order of standing, if any do."""
    chosen = _chosen(past, tables, fours, cost, limit)
    return None if chosen is None else [past.named(table) for table in tables[chosen]]


def _chosen(
    past: _Past, tables: Ints, fours: int, cost: Ints, limit: tuple[Ints, int] | None = None
) -> Ints | None:
    """The rows of those tables; of a `limit`, a number of each table, they have just that sum."""
    from highspy import Highs, HighsLp, HighsModelStatus, HighsVarType, MatrixFormat

    size = len(past.field)
    sums = [*(np.any(tables == place, axis=1) for place in range(size)), tables[:, 3] < size]
    due = [*[1] * size, fours]
    if limit is not None:
        sums.append(limit[0])
        due.append(limit[1])
    if not all(each.any() for each in sums[:size]):
        return None
    row, column = np.nonzero(sums)
    problem = HighsLp()
    problem.num_col_ = problem.a_matrix_.num_col_ = len(tables)
    problem.num_row_ = problem.a_matrix_.num_row_ = len(due)
    problem.col_cost_ = cost.astype(np.float64)
    problem.col_lower_, problem.col_upper_ = np.zeros(len(tables)), np.ones(len(tables))
    problem.row_lower_ = problem.row_upper_ = np.array(due, np.float64)
    problem.integrality_ = [HighsVarType.kInteger] * len(tables)
    problem.a_matrix_.format_ = MatrixFormat.kRowwise
    problem.a_matrix_.start_ = np.searchsorted(row, np.arange(len(due) + 1))
    problem.a_matrix_.index_ = column
    problem.a_matrix_.value_ = np.array(sums, np.float64)[row, column]
    solver = Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
        solver.setOptionValue(option, value)
    solver.passModel(problem)
    solver.run()
    if solver.getModelStatus() != HighsModelStatus.kOptimal:
        return None
    return np.flatnonzero(np.array(solver.getSolution().col_value) > 0.5)


def _seated(bots: Sequence[str], had: Mapping[tuple[str, int], int], lot: str) -> tuple[str, ...]:
    """The bots of a table in the seats that they have had least."""

    def cost(seats: tuple[str, ...]) -> tuple[int, int]:
        often = sum(had[bot, seat] for seat, bot in enumerate(seats))
        return often, _drawn(lot, "\n".join(seats))

    return min(permutations(bots), key=cost)


def _drawn(lot: str, names: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{lot}\n{names}".encode()).digest()[:4], "big")
