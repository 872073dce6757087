"""Standings: each bot's line from the sets of a league, with the ranks that they leave open."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from arena.stats.elo import ratings
from arena.stats.figures import SIGNIFICANCE, Interval, Standing
from arena.stats.intervals import MIN_SETS, anytime_p_values, holm_adjusted, p_values
from arena.stats.sets import (
    Block,
    Flags,
    dense_ranks,
    league_sets,
    round_noise,
    sets_among,
    zero_small,
)
from arena.stats.strengths import (
    Strengths,
    anytime_plus_minus,
    means,
    plus_minus,
    relative_to,
    select,
    strengths,
    variance_between,
)


def standings(
    blocks: Sequence[Block],
    bots: Sequence[str],
    faults: dict[str, dict[str, int]],
    field: Collection[str] | None = None,
) -> list[Standing]:
    """The table, best first; bots that did exactly as well share a rank.

    The largest part comes first, bots without sets last. `faults` counts every fault of a bot by
    kind, in void sets too. In an open league `field` are the bots that play: they come first, in
    the order of their strengths, those without an interval last, and then the bots that left. Its
    Elo is by the sets in which bots of the field met.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    live = field is not None
    playing = [place for place, bot in enumerate(bots) if field is None or bot in field]
    league = league_sets(sets, len(bots))
    plain, strong = means(league), strengths(league)
    ordered = plain if not live and league.is_equal else strong
    if live:
        league = league_sets(sets_among(sets, playing), len(playing))
        ordered = strong = relative_to(strong, playing)
    ranked = select(ordered, playing)
    ranks = dict(zip(playing, rank_ranges(ranked), strict=True))
    anytime_ranks = (
        dict(zip(playing, rank_ranges(ranked, anytime=True), strict=True)) if live else {}
    )
    elo = dict(zip(playing, ratings(league), strict=True))
    anytime = {bot: anytime_plus_minus(strong, bot) for bot in playing} if live else {}
    games, counted, void, out = (Counter[str]() for _ in range(4))
    for block in blocks:
        for bot in block.lineup:
            (void if block.stakes is None else counted)[bot] += block.sets
            games[bot] += 0 if block.stakes is None else block.deals * block.seatings
            out[bot] += block.disqualified.get(bot, 0)
    height = dense_ranks(ordered.values)

    def key(place: int) -> tuple[int, ...]:
        """Whether it left, has no sets, its part, whether it has no interval yet, its height."""
        part, left = int(strong.part[place]), place not in ranks
        new = live and not left and anytime[place] is None
        return left, part < 0, part, new, int(height[place])

    table: list[Standing] = []
    keys = sorted(map(key, range(len(bots))))
    for place in sorted(range(len(bots)), key=lambda place: (key(place), bots[place])):
        bot, position, rating = bots[place], key(place), elo.get(place)
        half = plus_minus(strong, place) if place in ranks else None
        table.append(
            Standing(
                rank=1 + bisect_left(keys, position) - bisect_left(keys, position[:3]),
                bot=bot,
                stakes_per_deal=_rounded(float(plain.values[place]), 6),
                ci95=_interval(float(plain.values[place]), plus_minus(plain, place)),
                elo=None if rating is None else _rounded(rating.elo, 2),
                elo_pm=None if rating is None else _rounded(rating.pm, 2),
                elo_bound=None if rating is None else rating.bound,
                games=games[bot],
                sets=counted[bot],
                void_sets=void[bot],
                faults=dict(sorted(faults.get(bot, {}).items())),
                ranks=ranks.get(place),
                strength=_rounded(float(strong.values[place]), 6),
                strength_ci95=_interval(float(strong.values[place]), half),
                part=None if position[1] else position[2] + 1,
                disqualified=out[bot],
                anytime_ci95=_interval(float(strong.values[place]), anytime.get(place)),
                anytime_ranks=anytime_ranks.get(place),
                left=place not in ranks,
            )
        )
    return table


def rank_ranges(estimate: Strengths, anytime: bool = False) -> list[tuple[int, int] | None]:
    """The best and the worst rank of each bot in its part, None for a bot without sets.

    A bot ranks below each that is better and above each that is worse, by Holm's procedure over all
    differences of two bots. All ranges of a league are right at once in at least 19 of 20 leagues,
    `anytime` ones at all looks together, because their p-values hold at all looks.
    """
    ranges: list[tuple[int, int] | None] = [None] * len(estimate.values)
    better = _better(estimate, anytime)
    for bot in np.flatnonzero(estimate.part >= 0):
        part = int((estimate.part == estimate.part[bot]).sum())
        ranges[bot] = 1 + int(better[:, bot].sum()), part - int(better[bot].sum())
    return ranges


def _better(estimate: Strengths, anytime: bool) -> Flags:
    """`[i, j]`: whether i is significantly better than j."""
    one, other = np.triu_indices(len(estimate.values), 1)
    sets = np.minimum(estimate.sets[one], estimate.sets[other])
    same = estimate.part[one] == estimate.part[other]
    compared = same & (estimate.free[one] > 0) & (sets >= MIN_SETS)
    one, other, sets = one[compared], other[compared], sets[compared]
    gaps = zero_small(estimate.values[one] - estimate.values[other])
    variances = variance_between(estimate.covariance, one, other)
    if anytime:
        chances = anytime_p_values(gaps, variances, sets.astype(np.float64))
    else:
        chances = p_values(gaps, variances, estimate.free[one].astype(np.float64))
    significant = holm_adjusted(chances) <= SIGNIFICANCE
    better = np.zeros(estimate.covariance.shape, np.bool_)
    better[one[significant & (gaps > 0)], other[significant & (gaps > 0)]] = True
    better[other[significant & (gaps < 0)], one[significant & (gaps < 0)]] = True
    return better


def _interval(value: float, half_width: float | None) -> Interval | None:
    if half_width is None or value != value:
        return None
    ends = (round(round_noise(value + end), 6) for end in (-half_width, half_width))
    return Interval(*ends)


def _rounded(value: float | None, digits: int) -> float | None:
    """The value rounded, and never a negative zero; None for nan."""
    return None if value is None or value != value else round(round_noise(value), digits) + 0.0
