"""Standings: a fold over the stored matches of a league."""

from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from arena.stats.anytime import plus_minus_at_all_times, ranks_at_all_times
from arena.stats.blocks import Block
from arena.stats.elo import ratings
from arena.stats.floats import Floats, places, settled
from arena.stats.ranks import rank_ranges
from arena.stats.sets import SetBlock
from arena.stats.strengths import (
    Strengths,
    among,
    means,
    plus_minus,
    schedule_is_equal,
    strengths,
)


class Standing(msgspec.Struct, frozen=True):
    """One bot's line. Numbers are None where there are too few sets to say anything.

    `elo_bound` marks an Elo that is only a bound, `games` and `sets` count complete sets.
    `ranks` are the best and the worst rank that the sets leave open. `strength`, in stakes per
    deal, is adjusted for whom the bot met; where the schedule is not equal, it makes the order.
    `part` numbers, from 1, the groups of bots that met, each ranked by itself. `disqualified`
    counts matches.

    In an open league `anytime_ci95`, of the strength, and `anytime_ranks` hold at all looks at the
    table together; a bot that has `left` the field has neither, nor ranks, nor an interval of its
    strength. All strengths are relative to the mean of the field.
    """

    rank: int
    bot: str
    stakes_per_deal: float | None
    ci95: tuple[float, float] | None
    elo: float | None
    elo_pm: float | None
    elo_bound: str | None
    games: int
    sets: int
    void_sets: int
    faults: dict[str, int]
    ranks: tuple[int, int] | None
    strength: float | None
    strength_ci95: tuple[float, float] | None
    part: int | None
    disqualified: int
    anytime_ci95: tuple[float, float] | None = None
    anytime_ranks: tuple[int, int] | None = None
    left: bool = False


def standings(
    blocks: Sequence[Block],
    bots: Sequence[str],
    faults: dict[str, dict[str, int]],
    field: Collection[str] | None = None,
) -> list[Standing]:
    """The table, best first; bots that did exactly as well share a rank.

    The largest part comes first, bots without sets last. `faults` counts every fault of a bot by
    kind, in void sets too. In an open league `field` are the bots that play: they come first, in
    the order of their strengths, the others after them.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    plain = means(sets, len(bots))
    estimate = _adjusted(sets, bots, field)
    equal = field is None and schedule_is_equal(sets, len(bots))
    order = plain.values if equal else estimate.values
    ranks = rank_ranges(plain) if equal else estimate.ranks
    height = places(order)
    rated = ratings(sets, len(bots)).each
    counts = _count(blocks)

    def place(number: int) -> tuple[bool, bool, int, int]:
        """Whether it has left, no sets, part, and what is better first."""
        has = bool(plain.sets[number])
        return estimate.left[number], not has, int(plain.part[number]), int(height[number])

    table: list[Standing] = []
    group: tuple[bool, bool, int] | None = None
    above: tuple[bool, bool, int, int] | None = None
    size = rank = 0
    for number in sorted(range(len(bots)), key=lambda number: (place(number), bots[number])):
        bot, rating, here = bots[number], rated[number], place(number)
        size = size + 1 if group == here[:3] else 1
        rank = rank if above == here else size
        group, above = here[:3], here
        count = counts.get(bot, _Count())
        half = estimate.half[number]
        anytime = estimate.anytime[number]
        table.append(
            Standing(
                rank=rank,
                bot=bot,
                stakes_per_deal=_value(plain.values, plain, number),
                ci95=_interval(plain.values, number, plus_minus(plain, number)),
                elo=_round(rating.elo, 2) if rating else None,
                elo_pm=_round(rating.plus_minus, 2) if rating else None,
                elo_bound=None if rating is None else rating.bound,
                games=count.games,
                sets=count.sets,
                void_sets=count.void_sets,
                faults=dict(sorted(faults.get(bot, {}).items())),
                ranks=ranks[number],
                strength=_value(estimate.values, plain, number),
                strength_ci95=_interval(estimate.values, number, half),
                part=int(plain.part[number]) + 1 if plain.sets[number] else None,
                disqualified=count.disqualified,
                anytime_ci95=_interval(estimate.values, number, anytime),
                anytime_ranks=estimate.anytime_ranks[number],
                left=estimate.left[number],
            )
        )
    return table


def row(line: Standing) -> dict[str, str | int | float | None]:
    """A bot's line as plain values, for sheets; faults are counted over all kinds."""
    best, worst = line.ranks or (None, None)
    low, high = line.ci95 or (None, None)
    strength_low, strength_high = line.strength_ci95 or (None, None)
    anytime_low, anytime_high = line.anytime_ci95 or (None, None)
    anytime_best, anytime_worst = line.anytime_ranks or (None, None)
    return {
        "rank": line.rank if line.sets else None,
        "best_rank": best,
        "worst_rank": worst,
        "part": line.part,
        "bot": line.bot,
        "stakes_per_deal": line.stakes_per_deal,
        "low": low,
        "high": high,
        "strength": line.strength,
        "strength_low": strength_low,
        "strength_high": strength_high,
        "elo": line.elo,
        "elo_bound": line.elo_bound,
        "elo_pm": line.elo_pm,
        "games": line.games,
        "sets": line.sets,
        "void_sets": line.void_sets,
        "faults": sum(line.faults.values()),
        "disqualified": line.disqualified,
        "anytime_low": anytime_low,
        "anytime_high": anytime_high,
        "anytime_best_rank": anytime_best,
        "anytime_worst_rank": anytime_worst,
        "left": "yes" if line.left else "no",
    }


class _Adjusted(msgspec.Struct, frozen=True):
    """Strengths, half their intervals and what else there is to say of them, bot by bot."""

    values: Floats
    half: list[float | None]
    ranks: list[tuple[int, int] | None]
    anytime: list[float | None]
    anytime_ranks: list[tuple[int, int] | None]
    left: list[bool]


class _Count(msgspec.Struct):
    """What a bot has played."""

    games: int = 0
    sets: int = 0
    void_sets: int = 0
    disqualified: int = 0


def _adjusted(
    sets: Sequence[SetBlock], bots: Sequence[str], field: Collection[str] | None
) -> _Adjusted:
    size = len(bots)
    whole = strengths(sets, size)
    if field is None:
        half = [plus_minus(whole, bot) for bot in range(size)]
        nothing: list[None] = [None] * size
        return _Adjusted(
            whole.values, half, rank_ranges(whole), [*nothing], [*nothing], [False] * size
        )
    left = [bot not in field for bot in bots]
    playing = [number for number, gone in enumerate(left) if not gone]
    mine = among(whole, playing)
    found = _Adjusted(
        whole.values.copy(), [None] * size, [None] * size, [None] * size, [None] * size, left
    )
    for part in np.unique(mine.part[mine.part >= 0]):
        members = np.flatnonzero(whole.part == part)
        first = int(np.flatnonzero(mine.part == part)[0])
        found.values[members] += mine.values[first] - whole.values[playing[first]]
    ranks, anytime_ranks = rank_ranges(mine), ranks_at_all_times(mine)
    for place, number in enumerate(playing):
        found.half[number] = plus_minus(mine, place)
        found.ranks[number] = ranks[place]
        found.anytime[number] = plus_minus_at_all_times(mine, place)
        found.anytime_ranks[number] = anytime_ranks[place]
    return found


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


def _value(values: Floats, estimate: Strengths, bot: int) -> float | None:
    return _round(float(values[bot]), 6) if estimate.sets[bot] else None


def _interval(values: Floats, bot: int, half: float | None) -> tuple[float, float] | None:
    if half is None:
        return None
    value = float(values[bot])
    return round(settled(value - half), 6), round(settled(value + half), 6)


def _round(value: float | None, digits: int) -> float | None:
    """Rounded, and never a negative zero."""
    return None if value is None else round(settled(value), digits) + 0.0
