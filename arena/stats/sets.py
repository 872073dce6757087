"""Sets, the unit of all statistics: a deal, or a session, that was played in every seating.

Sums of fractions differ in their last bits with the order of adding and with the processor. Values
that are compared, counted or printed must not, so they pass through a function of this file first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from arena.stats.figures import DealRun, Lineup

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_DIGITS: Final = 9

EPSILON: Final = 10.0**-_DIGITS
"""The largest rounding error, relative to the size of the numbers.

Each operation leaves some 1e-16: about 1e-12 after a million, and 5e-12 where four hundred bots met
in pairs in one long chain. Real differences are larger: payments are whole stakes, so the means of
two bots over S sets of g games each are equal, or at least 1 / (g S) stakes apart.
"""


def zero_small(values: Floats, size: Floats | float = 1.0) -> Floats:
    """The numbers, with 0 for rounding errors."""
    return np.where(np.abs(values) <= EPSILON * size, 0.0, values)


def round_noise(value: float) -> float:
    """The number without its rounding error, and never a negative zero.

    A half that an error has pushed to either side of a decimal is a half again.
    """
    return round(value, _DIGITS) + 0.0


def dense_ranks(values: Floats) -> Ints:
    """The rank of each number, from 0 for the greatest; equal numbers share one."""
    order = np.argsort(-values, kind="stable")
    ranks = np.zeros(len(values), np.int64)
    ranks[order[1:]] = np.cumsum(-np.diff(values[order]) > EPSILON)
    return ranks


class Played(DealRun, frozen=True):
    """The part of a stored match that standings need.

    `payments` are stakes, deals by seats; fewer than `deals` if a bot was disqualified.
    `courses` are dealer, declarer or -1, and contract by its number in `GAMES` or -1, one row a
    deal; `disqualified` are seats.
    """

    seating: int
    payments: npt.NDArray[np.int16]
    courses: npt.NDArray[np.int8]
    disqualified: tuple[int, ...]


class Games(msgspec.Struct, frozen=True):
    """The games of complete sets, their first axes being seatings and deals.

    The last axis of `payments` are seats, of `courses` the three numbers of `Played`; `columns`,
    seatings by seats, has the place in the lineup of the bot that sat there. `session` deals make a
    set.
    """

    payments: npt.NDArray[np.int16]
    courses: npt.NDArray[np.int8]
    columns: Ints
    session: int


class SetBlock(msgspec.Struct, frozen=True):
    """Sets of one lineup.

    `bots` are places in the field; `stakes`, sets by bots, is each bot's mean stakes over the games
    it played in the set.
    """

    bots: tuple[int, ...]
    stakes: Floats


class Block(DealRun, frozen=True):
    """All seatings of a lineup over the same deals.

    `stakes` and `games` are None if the sets are void; `disqualified` is the number of matches that
    each bot was disqualified from.
    """

    seatings: int
    sets: int
    stakes: SetBlock | None
    games: Games | None
    disqualified: dict[str, int]


MIRROR: Final = 9 / 8
"""The factor by which a gap at a table of three is larger than the gap in a mirror.

In a mirror a bot also sits against copies of itself. If it makes as many stakes a deal as its
strength is above the mean of the seats, a strength larger by d makes d / 3 in each of two seats and
2 d / 3 in the third, 4 d / 9 on average, and the other bot as much less: a gap of 8 d / 9.
"""


def complete_blocks(
    played: Iterable[Played],
    bots: Sequence[str],
    seats_of: Callable[[Lineup], list[tuple[str, ...]]],
    session: int = 1,
) -> list[Block]:
    """The lineups' runs of deals that have been played in every seating, in a fixed order.

    `seats_of` gives a lineup's seatings; a set is `session` deals in all of them. Raises
    `ValueError` for matches that are not those of a league.
    """
    by_run: dict[tuple[Lineup, int], list[Played]] = {}
    for match in played:
        by_run.setdefault((match.lineup, match.first), []).append(match)
    place = {bot: number for number, bot in enumerate(bots)}
    blocks: list[Block] = []
    for (lineup, first), group in sorted(by_run.items(), key=lambda item: item[0]):
        seats = seats_of(lineup)
        if len(group) < len(seats):
            continue
        group.sort(key=lambda match: match.seating)
        if [match.seating for match in group] != list(range(len(seats))):
            raise ValueError("a run of deals has a seating twice, or one that does not exist")
        out = Counter(seats[match.seating][seat] for match in group for seat in match.disqualified)
        stakes = games = None
        if not out:
            games = Games(
                np.stack([match.payments for match in group]),
                np.stack([match.courses for match in group]),
                np.array([[lineup.index(bot) for bot in row] for row in seats], np.int64),
                session,
            )
            stakes = SetBlock(tuple(place[bot] for bot in lineup), _stakes(games))
        deals = group[0].deals
        blocks.append(
            Block(lineup, first, deals, len(seats), deals // session, stakes, games, dict(out))
        )
    return blocks


def _stakes(games: Games) -> Floats:
    """Each bot's mean stakes over the games it played in each set, sets by bots of the lineup.

    Those of a mirror are put on the scale of tables at which no bot meets itself.
    """
    sits = np.eye(games.columns.max() + 1)[games.columns]
    by_deal = np.tensordot(games.payments, sits, axes=((0, 2), (0, 1)))
    by_set = by_deal.reshape(-1, games.session, sits.shape[2]).sum(axis=1)
    scale = MIRROR if sits.shape[2] < games.columns.shape[1] else 1.0
    return np.asarray(by_set * scale / (sits.sum(axis=(0, 1)) * games.session), np.float64)


class Stack(msgspec.Struct, frozen=True):
    """Sets of all lineups of one size, lineup by lineup.

    `bots` are lineups by bots, `counts` the sets of each lineup, and `stakes` sets by bots, as in
    `SetBlock`.
    """

    bots: Ints
    counts: Ints
    stakes: Floats

    def of_lineups(self, values: Floats) -> Floats:
        """The sum of one value (or array) for each set, by lineup."""
        return np.asarray(np.add.reduceat(values, np.cumsum(self.counts) - self.counts))

    def scatter(self, values: Floats) -> Floats:
        """The sum of products of every two of a set's values, lineups by bots by bots."""
        size = values.shape[1]
        sums = np.empty((len(self.counts), size, size))
        for one, other in combinations_with_replacement(range(size), 2):
            both = self.of_lineups(values[:, one] * values[:, other])
            sums[:, one, other] = sums[:, other, one] = both
        return sums

    def of_sets(self, values: Floats) -> Floats:
        """One value (or array) for each lineup, by set."""
        return np.repeat(values, self.counts, axis=0)

    @property
    def residuals(self) -> Floats:
        """Stakes less the mean of the set's lineup, sets by bots."""
        means = self.of_lineups(self.stakes) / self.counts[:, None]
        return zero_small(self.stakes - self.of_sets(means))


def sets_among(blocks: Sequence[SetBlock], bots: Sequence[int]) -> list[SetBlock]:
    """The sets in which at least two of some bots sat, with their stakes, by their places."""
    place = {bot: number for number, bot in enumerate(bots)}
    chosen: list[SetBlock] = []
    for block in blocks:
        columns = [column for column, bot in enumerate(block.bots) if bot in place]
        if len(columns) > 1:
            lineup = tuple(place[block.bots[column]] for column in columns)
            chosen.append(SetBlock(lineup, block.stakes[:, columns]))
    return chosen


class LeagueSets(msgspec.Struct, frozen=True):
    """All sets of a field of bots, prepared for whatever is computed from them.

    `stacks` hold them by the size of their tables. `met[i, j]` counts the sets of both i and j,
    `[i, i]` all those of i; `lineups` likewise. A part are bots that met, directly or through
    others. `part` is the number of each bot's part, the largest first, -1 for one without sets.
    `groups` (G) and `tables` (T) are the numbers of sets and of lineups of each part, and `results`
    those of independent results: k - 1 in a set at a table of k.
    """

    stacks: tuple[Stack, ...]
    met: Ints
    lineups: Ints
    part: Ints
    groups: Ints
    tables: Ints
    results: Ints

    @property
    def parts(self) -> list[Ints]:
        """The bots of each part."""
        return [np.flatnonzero(self.part == number) for number in range(len(self.groups))]

    def by_bot(self, values: Callable[[Stack], Floats]) -> Floats:
        """The sum over all lineups of one value for each bot of them (lineups by bots)."""
        total = np.zeros(len(self.part))
        for stack in self.stacks:
            total += np.bincount(stack.bots.ravel(), values(stack).ravel(), len(total))
        return total

    def by_pair(self, values: Callable[[Stack], Floats]) -> Floats:
        """The sum over all lineups of one value for each two bots (lineups by bots by bots)."""
        total = np.zeros((len(self.part), len(self.part)))
        for stack in self.stacks:
            total += _by_pair(stack.bots, values(stack), len(total))
        return total

    @property
    def is_equal(self) -> bool:
        """Whether plain means are fair: any two bots that met at all met equally often.

        Then they have the order of the adjusted strengths.
        """
        sizes = [{*self.part[stack.bots[:, 0]].tolist()} for stack in self.stacks]
        if sum(map(len, sizes)) > len(set().union(*sizes)):
            return False
        return all(
            len(np.unique(self.met[np.ix_(bots, bots)][~np.eye(len(bots), dtype=bool)])) == 1
            for bots in self.parts
        )


def league_sets(blocks: Sequence[SetBlock], bots: int) -> LeagueSets:
    """The sets of a field of this many bots."""
    stacks = _stacks(blocks)
    met, lineups = np.zeros((bots, bots)), np.zeros((bots, bots))
    for stack in stacks:
        lineups += _by_pair(stack.bots, np.ones(1), bots)
        met += _by_pair(stack.bots, stack.counts[:, None, None], bots)
    label = strong_groups(met > 0)
    sat = np.diag(met) > 0
    names, size = np.unique(label[sat], return_counts=True)
    part = np.full(bots, -1)
    for number, name in enumerate(names[np.argsort(-size, kind="stable")]):
        part[sat & (label == name)] = number
    groups, tables, results = (np.zeros(len(names)) for _ in range(3))
    for stack in stacks:
        parts = part[stack.bots[:, 0]]
        groups += np.bincount(parts, stack.counts, len(names))
        tables += np.bincount(parts, minlength=len(names))
        results += np.bincount(parts, stack.counts * (stack.bots.shape[1] - 1), len(names))
    counts = (each.astype(np.int64) for each in (met, lineups, part, groups, tables, results))
    return LeagueSets(stacks, *counts)


def _stacks(blocks: Sequence[SetBlock]) -> tuple[Stack, ...]:
    by_lineup: dict[tuple[int, ...], list[Floats]] = {}
    for block in blocks:
        if len(block.stakes):
            by_lineup.setdefault(block.bots, []).append(block.stakes)
    stacked: list[Stack] = []
    for size in sorted({len(lineup) for lineup in by_lineup}):
        lineups = sorted(lineup for lineup in by_lineup if len(lineup) == size)
        counts = [sum(map(len, by_lineup[lineup])) for lineup in lineups]
        stakes = np.concatenate([each for lineup in lineups for each in by_lineup[lineup]])
        stacked.append(Stack(np.array(lineups, np.int64), np.array(counts, np.int64), stakes))
    return tuple(stacked)


def _by_pair(lineups: Ints, values: Floats | Ints, bots: int) -> Floats:
    places = lineups[:, :, None] * bots + lineups[:, None, :]
    each = np.broadcast_to(values, places.shape)
    total = np.bincount(places.ravel(), each.ravel(), bots * bots)
    return np.asarray(total.reshape(bots, bots), np.float64)


def differences(values: Floats) -> Floats:
    """The differences of every two bots at a table, sets by bots by bots."""
    return zero_small(values[:, :, None] - values[:, None, :])


def strong_groups(links: Flags) -> Ints:
    """The number of each bot's group: bots that lead to each other, directly or through others.

    `links[i, j]`: i leads to j. (SciPy has this too, but takes longer to import than to play.)
    """
    if not len(links):
        return np.zeros(0, np.int64)
    reached = links | np.eye(len(links), dtype=bool)
    while True:
        further = reached.astype(np.float64) @ reached > 0
        if np.array_equal(further, reached):
            mutual = np.where(reached & reached.T, np.arange(len(links)), len(links))
            return np.asarray(mutual.min(axis=1, initial=len(links)), np.int64)
        reached = further
