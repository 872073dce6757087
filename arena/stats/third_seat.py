"""The gap between two bots by who else sits at their table."""

from collections.abc import Sequence
from itertools import combinations

import msgspec
import numpy as np

from arena.stats.figures import Gap
from arena.stats.floats import Floats, is_dust
from arena.stats.sets import FEWEST, SetBlock
from arena.stats.significance import f_above, holm_adjusted
from arena.stats.strengths import gap_from


class GapBeside(msgspec.Struct, frozen=True):
    """A pair's gap in stakes per deal in the sets with certain others (one at a table of three)."""

    others: tuple[str, ...]
    sets: int
    gap: Gap


class ThirdSeat(msgspec.Struct, frozen=True):
    """A pair and its gap beside each of the others that sat with them.

    `chance` is how often gaps would differ so much by luck if it did not matter who else sits there
    (Welch's analysis of variance, over others with at least ten sets and some spread), `adjusted`
    the same by Holm's procedure over all pairs; both None if there are not two such others.
    """

    bot: str
    other: str
    beside: tuple[GapBeside, ...]
    chance: float | None
    adjusted: float | None


def third_seats(blocks: Sequence[SetBlock], names: Sequence[str]) -> tuple[ThirdSeat, ...]:
    """Every pair that sat at tables with at least two different others."""
    by_lineup: dict[tuple[int, ...], list[Floats]] = {}
    for block in blocks:
        if len(block.stakes):
            by_lineup.setdefault(block.bots, []).append(block.stakes)
    found: dict[tuple[int, int], list[tuple[tuple[int, ...], Floats]]] = {}
    for lineup, stakes in sorted(by_lineup.items()):
        sets = np.concatenate(stakes)
        for a, b in combinations(range(len(lineup)), 2):
            others = tuple(bot for bot in lineup if bot not in (lineup[a], lineup[b]))
            pair = found.setdefault((lineup[a], lineup[b]), [])
            pair.append((others, sets[:, a] - sets[:, b]))
    result = [
        ThirdSeat(
            names[i],
            names[j],
            tuple(_beside(others, gaps, names) for others, gaps in each),
            welch([gaps for _, gaps in each]),
            None,
        )
        for (i, j), each in sorted(found.items())
        if len(each) > 1
    ]
    tested = [number for number, each in enumerate(result) if each.chance is not None]
    chances = holm_adjusted(np.array([result[number].chance for number in tested], np.float64))
    for number, chance in zip(tested, chances, strict=True):
        result[number] = msgspec.structs.replace(result[number], adjusted=float(chance))
    return tuple(result)


def welch(samples: Sequence[Floats]) -> float | None:
    """The chance that the means of samples differ so much by luck, spreads being unequal.

    Welch (1951). Samples of fewer than ten or without spread are left out; None for fewer than two.
    """
    used = [each for each in samples if len(each) >= FEWEST and not is_dust(np.ptp(each))]
    if len(used) < 2:
        return None
    sizes = np.array([len(each) for each in used], np.float64)
    means = np.array([each.mean() for each in used])
    weights = sizes / np.array([each.var(ddof=1) for each in used])
    shares = weights / weights.sum()
    between = float((weights * (means - (shares * means).sum()) ** 2).sum())
    loss = float(((1 - shares) ** 2 / (sizes - 1)).sum())
    k = len(used)
    statistic = between / (k - 1) / (1 + 2 * (k - 2) * loss / (k * k - 1))
    return f_above(k - 1, (k * k - 1) / (3 * loss), statistic)


def _beside(others: tuple[int, ...], gaps: Floats, names: Sequence[str]) -> GapBeside:
    sets = len(gaps)
    variance = float(gaps.var(ddof=1)) / sets if sets > 1 else 0.0
    whole = gap_from(float(gaps.mean()), variance, sets - 1, sets)
    return GapBeside(tuple(names[bot] for bot in others), sets, whole)
