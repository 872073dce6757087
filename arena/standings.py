"""Standings: a fold over the stored matches of a league."""

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from arena.ratings import elo
from arena.schedule import Lineup
from arena.sets import SetBlock
from arena.strengths import Strengths, means, plus_minus


class Played(msgspec.Struct, frozen=True):
    """What standings need of a stored match.

    `payments` are stakes, deals by seats; fewer than `deals` where a bot was disqualified.
    """

    lineup: Lineup
    seating: int
    first: int
    deals: int
    payments: npt.NDArray[np.int16]
    disqualified: bool


class Standing(msgspec.Struct, frozen=True):
    """One bot's line. Numbers are None where there are too few sets to say anything.

    `elo_bound` marks an Elo that is only a bound, `games` and `sets` count complete sets.
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


class Block(msgspec.Struct, frozen=True):
    """All seatings of a lineup over the same deals; `stakes` are None where the sets are void."""

    lineup: Lineup
    deals: int
    seatings: int
    sets: int
    stakes: SetBlock | None


def complete_blocks(
    played: Iterable[Played],
    bots: Sequence[str],
    seats_of: Callable[[Lineup], list[tuple[str, ...]]],
    session: int = 1,
) -> list[Block]:
    """The lineups' runs of deals that have been played in every seating, in a fixed order.

    `seats_of` gives a lineup's seatings; a set is `session` deals in all of them.
    """
    together: dict[tuple[Lineup, int], list[Played]] = {}
    for match in played:
        together.setdefault((match.lineup, match.first), []).append(match)
    place = {bot: number for number, bot in enumerate(bots)}
    blocks: list[Block] = []
    for (lineup, _), group in sorted(together.items(), key=lambda item: item[0]):
        seats = seats_of(lineup)
        if len(group) < len(seats):
            continue
        deals = group[0].deals
        if any(match.disqualified for match in group):
            blocks.append(Block(lineup, deals, len(seats), deals // session, None))
            continue
        totals = np.zeros((deals, len(lineup)))
        games = np.zeros(len(lineup))
        for match in group:
            for seat, bot in enumerate(seats[match.seating]):
                totals[:, lineup.index(bot)] += match.payments[:, seat]
                games[lineup.index(bot)] += 1
        numbers = tuple(place[bot] for bot in lineup)
        sets = totals.reshape(-1, session, len(lineup)).sum(axis=1) / (games * session)
        blocks.append(Block(lineup, deals, len(seats), deals // session, SetBlock(numbers, sets)))
    return blocks


def standings(
    blocks: Sequence[Block], bots: Sequence[str], faults: dict[str, dict[str, int]]
) -> list[Standing]:
    """The table in order of stakes per deal; bots that did exactly as well share a rank.

    `faults` counts every fault of a bot by kind, in void sets too.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    estimate = means(sets, len(bots))
    stakes = [_mean(estimate, number) for number in range(len(bots))]
    ratings = elo(sets, len(bots))

    def worth(number: int) -> float:
        mean = stakes[number]
        return -mean[0] if mean is not None else float("inf")

    table: list[Standing] = []
    for number in sorted(range(len(bots)), key=lambda number: (worth(number), bots[number])):
        bot = bots[number]
        mine = [block for block in blocks if bot in block.lineup]
        counted = [block for block in mine if block.stakes is not None]
        mean, rating = stakes[number], ratings[number]
        line = Standing(
            rank=len(table) + 1,
            bot=bot,
            stakes_per_deal=_short(mean[0] if mean else None, 6),
            ci95=_interval(None if mean is None else mean[1]),
            elo=_short(rating.elo if rating else None, 2),
            elo_pm=_short(rating.plus_minus if rating else None, 2),
            elo_bound=None if rating is None else rating.bound,
            games=sum(block.deals * block.seatings for block in counted),
            sets=sum(block.sets for block in counted),
            void_sets=sum(block.sets for block in mine if block.stakes is None),
            faults=dict(sorted(faults.get(bot, {}).items())),
        )
        above = table[-1] if table else None
        if above is not None and above.stakes_per_deal == line.stakes_per_deal:
            line = msgspec.structs.replace(line, rank=above.rank)
        table.append(line)
    return table


def _mean(estimate: Strengths, bot: int) -> tuple[float, tuple[float, float] | None] | None:
    """A bot's estimate and its 95 % interval."""
    if not estimate.sets[bot]:
        return None
    value, half = float(estimate.values[bot]), plus_minus(estimate, bot)
    return value, None if half is None else (value - half, value + half)


def _interval(bounds: tuple[float, float] | None) -> tuple[float, float] | None:
    return bounds and (round(bounds[0], 6) + 0.0, round(bounds[1], 6) + 0.0)


def _short(value: float | None, digits: int) -> float | None:
    """Rounded, and never a negative zero."""
    return None if value is None else round(value, digits) + 0.0
