"""Standings: a fold over the stored matches of a league."""

from collections.abc import Sequence

import msgspec

from arena.stats.blocks import Block
from arena.stats.elo import ratings
from arena.stats.floats import places, settled
from arena.stats.ranks import rank_ranges
from arena.stats.strengths import Strengths, means, plus_minus, schedule_is_equal, strengths


class Standing(msgspec.Struct, frozen=True):
    """One bot's line. Numbers are None where there are too few sets to say anything.

    `elo_bound` marks an Elo that is only a bound, `games` and `sets` count complete sets.
    `ranks` are the best and the worst rank that the sets leave open. `strength`, in stakes per
    deal, is adjusted for whom the bot met; where the schedule is not equal, it makes the order.
    `part` numbers, from 1, the groups of bots that met, each ranked by itself. `disqualified`
    counts matches.
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


def standings(
    blocks: Sequence[Block], bots: Sequence[str], faults: dict[str, dict[str, int]]
) -> list[Standing]:
    """The table, best first; bots that did exactly as well share a rank.

    The largest part comes first, bots without sets last. `faults` counts every fault of a bot by
    kind, in void sets too.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    plain, adjusted = means(sets, len(bots)), strengths(sets, len(bots))
    order = plain if schedule_is_equal(sets, len(bots)) else adjusted
    open_ranks = rank_ranges(order)
    height = places(order.values)
    rated = ratings(sets, len(bots)).each

    def place(number: int) -> tuple[bool, int, int]:
        """No sets, part, and what is better first."""
        return not order.sets[number], int(order.part[number]), int(height[number])

    table: list[Standing] = []
    above: list[tuple[bool, int, int]] = []
    for number in sorted(range(len(bots)), key=lambda number: (place(number), bots[number])):
        bot, rating = bots[number], rated[number]
        mine = [block for block in blocks if bot in block.lineup]
        counted = [block for block in mine if block.stakes is not None]
        here = place(number)
        rank = 1 + sum(there[:2] == here[:2] for there in above)
        if above and above[-1] == here:
            rank = table[-1].rank
        line = Standing(
            rank=rank,
            bot=bot,
            stakes_per_deal=_value(plain, number),
            ci95=_interval(plain, number),
            elo=_round(rating.elo, 2) if rating else None,
            elo_pm=_round(rating.plus_minus, 2) if rating else None,
            elo_bound=None if rating is None else rating.bound,
            games=sum(block.deals * block.seatings for block in counted),
            sets=sum(block.sets for block in counted),
            void_sets=sum(block.sets for block in mine if block.stakes is None),
            faults=dict(sorted(faults.get(bot, {}).items())),
            ranks=open_ranks[number],
            strength=_value(adjusted, number),
            strength_ci95=_interval(adjusted, number),
            part=int(order.part[number]) + 1 if order.sets[number] else None,
            disqualified=sum(block.disqualified.get(bot, 0) for block in mine),
        )
        table.append(line)
        above.append(here)
    return table


def row(line: Standing) -> dict[str, str | int | float | None]:
    """A bot's line as plain values, for sheets; faults are counted over all kinds."""
    best, worst = line.ranks or (None, None)
    low, high = line.ci95 or (None, None)
    strength_low, strength_high = line.strength_ci95 or (None, None)
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
    }


def _value(estimate: Strengths, bot: int) -> float | None:
    return _round(float(estimate.values[bot]), 6) if estimate.sets[bot] else None


def _interval(estimate: Strengths, bot: int) -> tuple[float, float] | None:
    half = plus_minus(estimate, bot)
    if half is None:
        return None
    value = float(estimate.values[bot])
    return round(settled(value - half), 6), round(settled(value + half), 6)


def _round(value: float | None, digits: int) -> float | None:
    """Rounded, and never a negative zero."""
    return None if value is None else round(settled(value), digits) + 0.0
