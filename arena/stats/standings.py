"""Standings: a fold over the stored matches of a league."""

from collections.abc import Collection, Iterable, Sequence

import msgspec
import numpy as np

from arena.stats.anytime import plus_minus_at_all_times, ranks_at_all_times
from arena.stats.blocks import Block
from arena.stats.elo import Rating, ratings
from arena.stats.field import field_strengths, plain_means, sets_among
from arena.stats.figures import Standing
from arena.stats.floats import Floats, Ints, places, settled
from arena.stats.ranks import rank_ranges
from arena.stats.sets import SetBlock
from arena.stats.strengths import means, plus_minus, schedule_is_equal, strengths
from arena.stats.sums import sums

_Ranks = tuple[int, int] | None


def standings(
    blocks: Sequence[Block],
    bots: Sequence[str],
    faults: dict[str, dict[str, int]],
    field: Collection[str] | None = None,
    left: Iterable[str] = (),
) -> list[Standing]:
    """The table, best first; bots that did exactly as well share a rank.

    The largest part comes first, bots without sets last. `faults` counts every fault of a bot by
    kind, in void sets too. Bots that have no interval yet come behind those that have one. In an
    open league `field` are the bots that play: they come first, in the order of their strengths,
    and the others after them. `left` are the others in the order in which they left, which makes it
    quick if they are many.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    found = _of_all(sets, len(bots)) if field is None else _of_field(sets, bots, field, left)
    height = places(np.array([np.nan if value is None else value for value in found.order]))
    intervals = found.half if field is None else found.anytime
    counts = _count(blocks)

    def place(number: int) -> tuple[bool, bool, int, bool, int]:
        """The sort key: whether it left, has no sets, its part, if its place is open, its rank."""
        part = found.part[number]
        new = not found.left[number] and intervals[number] is None
        return found.left[number], part is None, part or 0, new, int(height[number])

    table: list[Standing] = []
    above: tuple[bool, bool, int, bool, int] | None = None
    size = rank = 0
    for number in sorted(range(len(bots)), key=lambda number: (place(number), bots[number])):
        bot, rating, here = bots[number], found.elo[number], place(number)
        size = size + 1 if above and above[:3] == here[:3] else 1
        rank = rank if above == here else size
        above = here
        count = counts.get(bot, _Count())
        mean, half = found.plain[number] or (None, None)
        strength = found.strength[number]
        table.append(
            Standing(
                rank=rank,
                bot=bot,
                stakes_per_deal=_round(mean, 6),
                ci95=_interval(mean, half),
                elo=_round(rating.elo, 2) if rating else None,
                elo_pm=_round(rating.plus_minus, 2) if rating else None,
                elo_bound=None if rating is None else rating.bound,
                games=count.games,
                sets=count.sets,
                void_sets=count.void_sets,
                faults=dict(sorted(faults.get(bot, {}).items())),
                ranks=found.ranks[number],
                strength=_round(strength, 6),
                strength_ci95=_interval(strength, found.half[number]),
                part=found.part[number],
                disqualified=count.disqualified,
                anytime_ci95=_interval(strength, found.anytime[number]),
                anytime_ranks=found.anytime_ranks[number],
                left=found.left[number],
            )
        )
    return table


class _Found(msgspec.Struct, frozen=True):
    """The results from the sets, bot by bot: means and strengths with half their intervals, ranks.

    `part` counts from 1, None without sets; the table is ordered by `order`.
    """

    order: list[float | None]
    part: list[int | None]
    plain: list[tuple[float, float | None] | None]
    strength: list[float | None]
    half: list[float | None]
    ranks: list[_Ranks]
    elo: list[Rating | None]
    anytime: list[float | None]
    anytime_ranks: list[_Ranks]
    left: list[bool]


class _Count(msgspec.Struct):
    """The numbers of games and sets of a bot."""

    games: int = 0
    sets: int = 0
    void_sets: int = 0
    disqualified: int = 0


def _of_all(sets: Sequence[SetBlock], bots: int) -> _Found:
    """The results of a league of a fixed size."""
    plain, adjusted = means(sets, bots), strengths(sets, bots)
    order = plain if schedule_is_equal(sets, bots) else adjusted
    return _Found(
        _numbers(order.values),
        _from_one(plain.part),
        [
            None if value is None else (value, plus_minus(plain, bot))
            for bot, value in enumerate(_numbers(plain.values))
        ],
        _numbers(adjusted.values),
        [plus_minus(adjusted, bot) for bot in range(bots)],
        rank_ranges(order),
        ratings(sets, bots).each,
        [None] * bots,
        [None] * bots,
        [False] * bots,
    )


def _of_field(
    sets: Sequence[SetBlock], bots: Sequence[str], field: Collection[str], left: Iterable[str]
) -> _Found:
    """The results of an open league; Elo is by the sets in which bots of the field met."""
    absent = [bot not in field for bot in bots]
    playing = [number for number, gone in enumerate(absent) if not gone]
    numbers = {bot: number for number, bot in enumerate(bots)}
    added = sums(sets)
    estimate = field_strengths(added, len(bots), playing, [numbers[bot] for bot in left])
    mine = estimate.field
    half: list[float | None] = [None] * len(bots)
    anytime = [*half]
    ranks: list[_Ranks] = [None] * len(bots)
    anytime_ranks = [*ranks]
    elo: list[Rating | None] = [None] * len(bots)
    at_end, at_all = rank_ranges(mine), ranks_at_all_times(mine)
    rated = ratings(sets_among(sets, playing), len(playing)).each
    for place, number in enumerate(playing):
        half[number], anytime[number] = (
            plus_minus(mine, place),
            plus_minus_at_all_times(mine, place),
        )
        ranks[number], anytime_ranks[number] = at_end[place], at_all[place]
        elo[number] = rated[place]
    values = _numbers(estimate.values)
    return _Found(
        values,
        _from_one(estimate.part),
        plain_means(added, estimate.part),
        values,
        half,
        ranks,
        elo,
        anytime,
        anytime_ranks,
        absent,
    )


def _numbers(values: Floats) -> list[float | None]:
    return [None if value != value else float(value) for value in values]


def _from_one(part: Ints) -> list[int | None]:
    return [int(number) + 1 if number >= 0 else None for number in part]


def _count(blocks: Sequence[Block]) -> dict[str, _Count]:
    counts: dict[str, _Count] = {}
    for block in blocks:
        for bot in block.lineup:
            count = counts.setdefault(bot, _Count())
            if block.stakes is None:
                count.void_sets += block.sets
            else:
                count.games += block.deals * block.seatings
                count.sets += block.sets
            count.disqualified += block.disqualified.get(bot, 0)
    return counts


def _interval(value: float | None, half: float | None) -> tuple[float, float] | None:
    if value is None or half is None:
        return None
    return round(settled(value - half), 6), round(settled(value + half), 6)


def _round(value: float | None, digits: int) -> float | None:
    """The value rounded, and never a negative zero."""
    return None if value is None else round(settled(value), digits) + 0.0
