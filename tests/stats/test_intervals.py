"""Intervals follow their definitions, and cover the truth as often as they say."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product

import msgspec
import numpy as np
import pytest
from scipy.special import betainc, stdtr, stdtrit

from arena.league.ledger import Left
from arena.stats.figures import Lineup
from arena.stats.intervals import (
    PRIOR,
    anytime_half_width,
    anytime_p_values,
    beta_below,
    half_width,
    holm_adjusted,
    t_below,
    t_quantile,
    wilson,
)
from arena.stats.sets import Floats, LeagueSets, SetBlock, league_sets
from arena.stats.standings import rank_ranges
from arena.stats.strengths import (
    Strengths,
    anytime_plus_minus,
    gap_between,
    means,
    plus_minus,
    relative_to,
    select,
    strengths,
)
from benchmarks.coverage import covered
from benchmarks.open_league import Played
from tests.support.present import present
from tests.support.worked import simulated

FREE = [0.5, 1, 1.5, 2, 3, 7, 29.3, 100, 999, 31_234.5, 1e6]
"""Degrees of freedom, whole ones and those of Satterthwaite and Welch."""

POINTS = [0.0, 1e-12, 1e-3, 0.1, 0.7, 1, 1.7, 1.8, 2, 3.3, 6, 11, 40, 1e3, 1e8]
CHANCES = [1e-12, 0.001, 0.025, 0.499, 0.5, 0.6, 0.9999]


def test_students_distribution_is_that_of_scipy_for_one_value_and_for_many() -> None:
    every = np.array(list(product(FREE, [*POINTS, *(-each for each in POINTS)])))
    wanted = pytest.approx(stdtr(*every.T), rel=1e-8, abs=1e-300)
    assert t_below(*every.T) == wanted
    assert [float(t_below(*each)) for each in every] == wanted
    for free in FREE:
        found = [t_quantile(free, chance) for chance in CHANCES]
        assert found == pytest.approx(stdtrit(free, CHANCES), rel=1e-8, abs=1e-12), free


def test_beta_is_that_of_scipy_wherever_it_lies() -> None:
    random = np.random.default_rng(1)
    a, b = 10 ** random.uniform(-0.3, 5, (2, 4000))
    mean = a / (a + b)
    error = np.sqrt(mean * (1 - mean) / (a + b + 1))
    x = np.clip(mean + error * random.normal(0, 4, 4000), 1e-300, 1 - 1e-16)
    assert np.abs(beta_below(a, b, x, 1 - x) - betainc(a, b, x)).max() < 1e-9


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    """Its ends are as far from the estimate as 1.96 of their own errors."""
    z = 1.959963984540054
    for hits, number in ((0, 12), (1, 30), (19, 20), (50, 100), (40, 40)):
        ends = np.array(wilson(hits / number, number, z))
        errors = np.sqrt(ends * (1 - ends) / number)
        assert np.abs(ends - hits / number) == pytest.approx(z * errors), (hits, number)
        assert ends[0] < ends[1]


def test_holm_multiplies_the_least_chance_by_all_tests_and_never_goes_down() -> None:
    found = holm_adjusted(np.array([0.03, 0.01, 0.04, 0.6]))
    assert found == pytest.approx([0.09, 0.04, 0.09, 0.6])
    assert holm_adjusted(np.array([0.5, 0.9])) == pytest.approx([1.0, 1.0])
    assert holm_adjusted(np.array([])).size == 0


def test_after_many_sets_the_width_is_that_of_robbins_normal_mixture() -> None:
    sets, variance = 20_000.0, 0.01
    wanted = np.sqrt(variance * (1 + PRIOR / sets) * np.log((sets + PRIOR) / PRIOR / 0.05**2))
    assert anytime_half_width(sets, variance) == pytest.approx(wanted, rel=1e-3)
    for many in (80, 240, 1000, 3000):  # as docs/statistics.md says
        ratio = present(anytime_half_width(many, 1.0)) / half_width(many - 1, 1.0)
        assert 1.5 < ratio < 1.75, many


def test_an_interval_that_always_holds_ends_where_the_chance_is_one_in_twenty() -> None:
    """Few sets have none; no gap is no evidence, and a gap without spread is certain."""
    known = [anytime_half_width(sets, 1.0) is not None for sets in (9, 10, 30)]
    assert known == [False, False, True]
    gaps = np.array([present(anytime_half_width(50, 0.04)), 0.0, 0.0, 1.0])
    chances = anytime_p_values(gaps, np.array([0.04, 0.04, 0.0, 0.0]), np.array([50.0] * 4))
    assert chances == pytest.approx([0.05, 1.0, 1.0, 0.0], rel=0, abs=5e-8)


SPREAD = np.array([0.8, 1.0, 1.2, 1.5, 1.0])
TRUE = [0.5, 0.25, 0.1, -0.25, -0.6]
Schedule = tuple[tuple[tuple[tuple[int, ...], ...], int], ...]
ROUND: Schedule = ((tuple(combinations(range(5), 3)), 20),)
GAUNTLET: Schedule = (
    (((0, 1, 3), (0, 2, 3), (0, 3, 4)), 20),
    (((0, 1, 2), (0, 1, 4), (0, 2, 4)), 12),
)

counts = pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.slow)])
"""How many leagues are played."""


@cache
def leagues(schedule: Schedule, count: int, longer: int = 1) -> list[LeagueSets]:
    """Leagues by a schedule; `longer` multiplies its sets, until estimates are the truth."""
    return [
        league_sets(
            [
                block
                for part, (tables, sets) in enumerate(schedule)
                for block in simulated(2 * number + part, TRUE, tables, sets * longer)
            ],
            5,
        )
        for number in range(count)
    ]


def coverage(
    schedule: Schedule,
    estimate: Callable[[LeagueSets], Strengths],
    count: int,
    narrower: float = 1.0,
) -> tuple[float, float]:
    """How often intervals of single bots, and of differences of two, hold the truth."""
    truth = estimate(leagues(schedule, 1, longer=1000)[0]).values
    single, double = list[bool](), list[bool]()
    for found in map(estimate, leagues(schedule, count)):
        off = np.abs(found.values - truth)
        single += [off[bot] <= narrower * present(plus_minus(found, bot)) for bot in range(5)]
        for one, other in combinations(range(5), 2):
            gap = present(gap_between(found, one, other))
            away = abs(gap.stakes - truth[one] + truth[other])
            double.append(away <= narrower * present(gap.plus_minus))
    return float(np.mean(single)), float(np.mean(double))


@counts
@pytest.mark.parametrize("schedule", [ROUND, GAUNTLET], ids=["round robin", "gauntlet"])
@pytest.mark.parametrize("estimate", [means, strengths])
def test_intervals_of_stakes_hold_the_truth_19_times_of_20(
    schedule: Schedule, estimate: Callable[[LeagueSets], Strengths], count: int
) -> None:
    for share in coverage(schedule, estimate, count):
        assert 0.92 < share < 0.98
    if count == 200:  # few leagues, yet enough to notice intervals that are a fifth too narrow
        assert max(coverage(schedule, estimate, count, narrower=0.8)) < 0.92


@pytest.mark.parametrize(
    ("bots", "sets", "tables", "count"),
    [
        (10, 2, 0, 60),
        (10, 10, 20, 60),
        pytest.param(5, 20, 0, 2000, marks=pytest.mark.slow),
    ],
)
def test_intervals_of_strengths_and_elo_hold_however_few_sets_a_table_has(
    bots: int, sets: int, tables: int, count: int
) -> None:
    for share in covered(bots, sets, tables, count):
        assert 0.92 < share < 0.975


@counts
def test_all_rank_ranges_of_a_league_hold_the_truth_19_times_of_20(count: int) -> None:
    found = [[it or (1, 5) for it in rank_ranges(means(each))] for each in leagues(ROUND, count)]
    lowest, highest = np.moveaxis(np.array(found), 2, 0)
    held = (lowest <= np.arange(1, 6)) & (np.arange(1, 6) <= highest)
    assert held.all(axis=1).mean() > 0.94
    assert (highest - lowest).mean() < 3  # not all of them say "any rank"


class HeavyTailed(Played):
    """An open league with stakes in sixths, which are now and then far out."""

    def _results(self, lineup: Lineup) -> SetBlock:
        bots = [self._place[bot] for bot in lineup]
        luck = self.chance.standard_t(5, size=(10, 3)) * SPREAD[np.array(bots) % 5] * 0.8
        luck[:, 1] += 0.4 * luck[:, 0]
        raw = np.round((np.array([self.strength[bot] for bot in lineup]) + luck) * 6) / 6
        return SetBlock(tuple(bots), raw - raw.mean(axis=1, keepdims=True))


COMING, LEAVING = {100: 8, 400: 9}, {300: 2, 600: 8}
"""The orders at which bots come and leave."""

UNEQUAL = np.array([0.5, 0.3, 0.1, 0.1, 0.0, -0.1, -0.3, -0.6, 0.2, -0.2])
BOTS = len(UNEQUAL)


def looks(seed: int, orders: int, true: Floats) -> Iterator[tuple[list[int], Strengths]]:
    """The bots that play and their strengths, while an open league is played."""
    league = HeavyTailed(seed)
    for bot in range(8):
        league.join(f"author {bot}", true[bot])
    for number in range(1, orders + 1):
        if number in LEAVING:
            league._write(Left(f"bot {LEAVING[number]}", "withdrawn"))
        if number in COMING:
            league.join(f"author {COMING[number]}", true[COMING[number]])
        league.play(1)
        if number <= 50 or number % 5 == 0:
            field = [int(bot.removeprefix("bot ")) for bot in league.draw.ledger.bots]
            yield field, relative_to(strengths(league_sets(league.sets, BOTS)), field)


def holds(off: float, half: float | None) -> bool:
    """Whether an interval contains the truth; without one, nothing is claimed."""
    return half is None or bool(abs(off) <= half)


@pytest.mark.slow
def test_intervals_of_an_open_league_hold_as_often_as_they_say() -> None:
    """Those of a bot and those of a gap at its end, and those that hold always at all its looks."""
    single, double, always = list[bool](), list[bool](), list[bool]()
    for seed in range(100):
        held = dict.fromkeys(range(BOTS), True)
        for field, estimate in looks(seed, 500, UNEQUAL):
            known = msgspec.structs.replace(estimate, values=UNEQUAL.copy())
            off = estimate.values - relative_to(known, field).values
            for bot in field:
                held[bot] &= holds(off[bot], anytime_plus_minus(estimate, bot))
        always += held.values()
        single += [holds(off[bot], plus_minus(estimate, bot)) for bot in field]
        for bot in field[1:]:
            gap = present(gap_between(estimate, field[0], bot))
            double.append(holds(off[field[0]] - off[bot], gap.plus_minus))
    assert 0.93 <= np.mean(single) <= 0.97
    assert 0.93 <= np.mean(double) <= 0.97
    assert np.mean(always) >= 0.95


@pytest.mark.parametrize(
    ("count", "orders", "most"),
    [(2, 60, 0), pytest.param(100, 1000, 4, marks=pytest.mark.slow)],
)
def test_an_open_league_seldom_ranks_one_equal_bot_above_another_at_any_look(
    count: int, orders: int, most: int
) -> None:
    wrong = 0
    for seed in range(count):
        estimates = (select(it, field) for field, it in looks(seed, orders, np.zeros(BOTS)))
        wrong += any(
            ranks is not None and ranks != (1, int((estimate.part == part).sum()))
            for estimate in estimates
            for ranks, part in zip(rank_ranges(estimate, anytime=True), estimate.part, strict=True)
        )
    assert wrong <= most
