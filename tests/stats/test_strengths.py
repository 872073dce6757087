"""Strengths, Elo and their intervals agree with worked tables, other programs and the truth."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from math import isnan, log, sqrt

import msgspec
import numpy as np
import pytest
from scipy.special import betainc, stdtr, stdtrit

from arena.league.ledger import Left
from arena.stats.elo import ELO, MEAN, Rating, ratings
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
    fitted_degrees,
    gap_between,
    means,
    plus_minus,
    relative_to,
    select,
    strengths,
)
from benchmarks.coverage import covered
from benchmarks.open_league import Played
from tests.support import oracles
from tests.support.present import present
from tests.support.worked import simulated, worked_league, worked_pairs

TRIO = [(0, 1, 2)]
TRIOS = list(combinations(range(4), 3))


def test_the_interval_of_a_bot_at_one_table_is_that_of_the_textbook() -> None:
    stakes = np.random.default_rng(1).normal(size=(40, 3))
    error = stakes[:, 1].std(ddof=1) / sqrt(40)
    estimate = means(league_sets([SetBlock((0, 1, 2), stakes)], 3))
    assert plus_minus(estimate, 1) == pytest.approx(2.022690920036762 * error)


LEAGUES = {
    "worked": worked_league()[1],
    "round robin": simulated(20, [0.4, 0.1, 0.0, -0.2, -0.3], list(combinations(range(5), 3)), 15),
    "few sets": simulated(27, [0.7, 0.3, 0.1, -0.1, -0.4, -0.6], [*TRIOS, (3, 4, 5), (2, 4, 5)], 6),
    "gauntlet": simulated(21, [0.5, 0.0, 0.1, -0.6], [(0, 1, 2), (0, 1, 3), (0, 2, 3)], 30),
    "pairs": simulated(22, [0.4, 0.0, -0.4], list(combinations(range(3), 2)), 20),
    "four": simulated(23, [0.4, 0.2, 0, -0.2, -0.4], list(combinations(range(5), 4)), 20),
    "uneven": [
        *simulated(24, [0.3, 0.1, 0.0, -0.4], [(0, 1, 2)], 50),
        *simulated(25, [0.3, 0.1, 0.0, -0.4], [(1, 2, 3)], 12),
        *simulated(26, [0.3, 0.1, 0.0, -0.4], [(0, 3)], 20),
    ],
}


def both(blocks: list[SetBlock], bots: int) -> tuple[Strengths, Strengths]:
    """The plain means and the strengths of a league."""
    league = league_sets(blocks, bots)
    return means(league), strengths(league)


def rated(blocks: list[SetBlock], bots: int) -> list[Rating]:
    """The ratings of bots all of which have one."""
    return [present(each) for each in ratings(league_sets(blocks, bots))]


def test_the_worked_league_has_its_stakes_strengths_elo_and_errors() -> None:
    names, blocks, expected = worked_league()
    (plain, adjusted), rating = both(blocks, 4), rated(blocks, 4)
    factor = sqrt(197 / 200)  # the table's errors have no correction
    elo_errors = [present(each.pm) / t_quantile(96, 0.975) * factor for each in rating]
    for key, values, digits in (
        ("ppd_raw_mean", plain.values, 1e-12),
        ("theta_points_ols", adjusted.values, 1e-10),
        ("theta_points_se_cluster_set", factor * np.sqrt(adjusted.covariance.diagonal()), 1e-10),
        ("elo_set_bt", [each.elo - MEAN for each in rating], 1e-6),
        ("elo_set_se_cluster_set", elo_errors, 1e-6),
    ):
        found = dict(zip(names, values, strict=True))
        assert found == pytest.approx(expected[key], abs=digits), key
    assert list(adjusted.free) == [96] * 4
    turned = [SetBlock(block.bots, block.stakes[::-1]) for block in reversed(blocks)]
    again = [each.elo for each in rated(turned, 4)]
    assert again == pytest.approx([each.elo for each in rating], abs=1e-9)


def test_the_worked_pairs_have_their_elo() -> None:
    names, blocks, expected = worked_pairs()
    elos = {name: each.elo - MEAN for name, each in zip(names, rated(blocks, 3), strict=True)}
    assert elos == pytest.approx(expected, abs=1e-3)


def test_equal_schedules_order_means_as_strengths() -> None:
    plain, adjusted = both(simulated(3, [0.3, 0.0, -0.1, -0.2], TRIOS, 30), 4)
    assert plain.values == pytest.approx(adjusted.values * 8 / 9)  # 2/3 of n/(n - 1)


@pytest.mark.parametrize(
    ("tables", "equal"),
    [
        (TRIOS, True),
        (list(combinations(range(4), 2)), True),
        ([(0, 1, 3), (1, 2, 3)], False),
        ([(0, 1, 2, 3), *combinations(range(4), 2)], False),  # wins of pairs are worth more
    ],
)
def test_a_schedule_is_equal_if_all_met_equally_often_at_tables_of_one_size(
    tables: list[tuple[int, ...]], equal: bool
) -> None:
    assert league_sets(simulated(3, [0.0] * 4, tables, 10), 4).is_equal is equal


def test_bots_that_never_met_are_not_compared() -> None:
    estimate = strengths(league_sets(simulated(7, [0.0] * 6, [(0, 1, 2), (3, 4, 5)], 20), 7))
    assert gap_between(estimate, 0, 1) is not None
    assert gap_between(estimate, 0, 4) is None
    assert isnan(estimate.covariance[0, 4])
    assert isnan(estimate.values[6])
    assert list(estimate.free) == [17] * 6 + [0]
    assert estimate.values[:3].sum() == pytest.approx(0)


@pytest.mark.parametrize(
    ("tables", "sets", "told"),
    [
        (TRIO, 9, [(8, False), (6, False)]),
        (TRIO, 10, [(9, True), (7, True)]),
        (list(combinations(range(6), 3)), 1, [(0, False), (14, True)]),
    ],
    ids=["nine sets", "ten sets", "as many lineups as sets"],
)
def test_a_gap_has_an_interval_with_ten_sets_and_a_degree_of_freedom(
    tables: list[tuple[int, ...]], sets: int, told: list[tuple[int, bool]]
) -> None:
    """Of means, where a set counts around the mean of its table, and of strengths."""
    bots = 1 + max(map(max, tables))
    estimates = both(simulated(8, [0.0] * bots, tables, sets), bots)
    for estimate, (free, intervals) in zip(estimates, told, strict=True):
        gap = present(gap_between(estimate, 0, 1))
        known = [each is not None for each in (gap.pm, gap.los, plus_minus(estimate, 0))]
        assert (known, [*estimate.free]) == ([intervals] * 3, [free] * bots)


def test_a_field_is_measured_against_its_own_mean() -> None:
    """Bots 0 and 4 left; 5, 6 and 7 met only each other, and none of them plays."""
    true = [3.0, 1.0, 0.0, -1.0, -3.0, 1.0, 0.0, -1.0]
    tables = [*combinations(range(5), 3), (5, 6, 7)]
    whole = strengths(league_sets(simulated(3, true, tables, 40), 8))
    found = relative_to(whole, [1, 2, 3])
    assert found.values[[1, 2, 3]].sum() == pytest.approx(0)
    assert found.values[:5] - found.values[0] == pytest.approx(whole.values[:5] - whole.values[0])
    assert found.values[5:] == pytest.approx(whole.values[5:])
    centre = np.eye(8) - np.isin(np.arange(8), [1, 2, 3]) / 3
    wanted = centre[:5, :5] @ whole.covariance[:5, :5] @ centre[:5, :5].T
    assert found.covariance[:5, :5] == pytest.approx(wanted, abs=1e-12)


def test_bots_that_are_selected_keep_their_values_and_gaps() -> None:
    whole = strengths(league_sets(LEAGUES["round robin"], 5))
    field = select(whole, [3, 1, 2])
    assert list(field.values) == list(whole.values[[3, 1, 2]])
    assert gap_between(field, 1, 0) == gap_between(whole, 1, 3)


def test_newcomers_do_not_count_in_the_mean_of_a_field_until_they_have_some_sets() -> None:
    true = [1.0, 0.0, -1.0, 0.5]
    blocks = simulated(2, true, TRIO, 40) + simulated(3, true, [(0, 1, 3)], 10)
    found = relative_to(strengths(league_sets(blocks, 4)), range(4))
    few = relative_to(strengths(league_sets(simulated(2, true, TRIO, 20), 3)), range(3))
    assert found.values[:3].sum() == pytest.approx(0)
    assert few.values.sum() == pytest.approx(0)


def test_strengths_are_those_of_the_pseudo_inverse() -> None:
    """Two parts at tables of different sizes, and a bot without sets."""
    true = np.random.default_rng(5).normal(size=9).tolist()
    tables = [(0, 1, 2), (1, 2, 3), (0, 3), (0, 1, 2, 3), (4, 5), (5, 6, 7)]
    blocks = simulated(11, true, tables, 12)
    design, made, sets = oracles.observed(blocks, 9, oracles.around_the_mean)
    inverse = np.linalg.pinv(design.T @ design, rcond=1e-10)
    values = inverse @ design.T @ made
    scores = design * (made - design @ values)[:, None]
    by_set = np.array([scores[sets == each].sum(axis=0) for each in range(72)])
    found = strengths(league_sets(blocks, 9))
    assert found.values == pytest.approx([*values[:8], np.nan], abs=1e-9, nan_ok=True)
    for part, factor in ((slice(0, 4), 96 / 93), (slice(4, 8), 36 / 33)):
        wanted = factor * (inverse @ by_set.T @ by_set @ inverse)[part, part]
        assert found.covariance[part, part] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_statsmodels_and_choix_find_the_same_strengths_elo_and_intervals(name: str) -> None:
    blocks = LEAGUES[name]
    bots = 1 + max(bot for block in blocks for bot in block.bots)
    league, found = league_sets(blocks, bots), rated(blocks, bots)
    values, covariance = oracles.strengths(blocks, bots)
    np.testing.assert_allclose(strengths(league).values, values, atol=1e-11)
    np.testing.assert_allclose(strengths(league).covariance, covariance, atol=1e-11)
    elos = np.array([rating.elo - MEAN for rating in found])
    by_model, covariance = oracles.elo(blocks, bots)
    np.testing.assert_allclose(elos, by_model, atol=1e-6)
    np.testing.assert_allclose(elos, oracles.choix_elo(blocks, bots), atol=1e-6)
    degrees = fitted_degrees(league)[1][league.part]
    halves = [
        t_quantile(int(free), 0.975) * sqrt(variance)
        for free, variance in zip(degrees, covariance.diagonal(), strict=True)
    ]
    assert [rating.pm for rating in found] == pytest.approx(halves, rel=1e-8)


def won(sets: int) -> Floats:
    """Sets of two bots, all of which the first won."""
    return np.array([[1.0, -1.0]] * sets)


def beats(one: int, other: int, sets: int = 10) -> SetBlock:
    return SetBlock((one, other), won(sets))


@pytest.mark.parametrize(
    ("blocks", "bounds", "apart"),
    [
        ([beats(0, 1)], "><", 19),
        ([beats(0, 1), beats(0, 2)], "><<", 19),
        ([beats(0, 1), beats(1, 2)], ">~<", 19**2),
        ([SetBlock((0, 1, 2), np.array([[2.0, -1, -1], [3, 0, -3], [2, -3, 1]]))], "><<", None),
    ],
    ids=["a pair", "losers that never met", "a chain", "a table"],
)
def test_a_bot_that_won_or_lost_all_has_a_bound_as_if_half_a_set_of_ten_had_gone_the_other_way(
    blocks: list[SetBlock], bounds: str, apart: float | None
) -> None:
    found = rated(blocks, len(bounds))
    assert [(each.bound, each.pm) for each in found] == [(it, None) for it in bounds]
    best, *others = [each.elo for each in found]
    assert best > MEAN > others[-1]
    assert apart is None or best - others[-1] == pytest.approx(ELO * log(apart))
    assert bounds != "><<" or apart is None or others[0] == pytest.approx(others[1])


def test_a_bound_softens_no_results_among_bots_that_can_be_rated() -> None:
    """Four bots beat each other in a circle, and all of them a fifth, conceded half a set by each.

    Twice the sets with one set the other way have the same likelihood.
    """
    results = {(0, 1): 9, (1, 2): 5, (2, 3): 2, (3, 0): 4, (0, 2): 3}
    circle = [beats(*pair, sets) for pair, sets in results.items()]
    found = rated([*circle, *(beats(bot, 4) for bot in range(4))], 5)
    conceded = [SetBlock((bot, 4), np.concatenate([won(19), -won(1)])) for bot in range(4)]
    softened = rated([*circle, *circle, *conceded], 5)
    assert [rating.bound for rating in found] == [">"] * 4 + ["<"]
    assert [rating.elo for rating in found] == pytest.approx([each.elo for each in softened])


def test_groups_that_never_met_are_rated_apart() -> None:
    block = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
    *met, alone = ratings(league_sets([SetBlock((0, 1), block), SetBlock((2, 3), block)], 5))
    elos = [present(each).elo for each in met]
    assert alone is None
    assert [sum(elos[:2]), sum(elos[2:])] == pytest.approx([2 * MEAN] * 2)


def test_there_is_no_interval_for_fewer_than_ten_sets() -> None:
    stakes = np.tile([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]], (4, 1))
    for sets in (9, 10):
        found = rated([SetBlock((0, 1, 2), stakes[:sets])], 3)
        assert [each.pm is None for each in found] == [sets < 10] * 3


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
            away = abs(gap.stakes_per_deal - truth[one] + truth[other])
            double.append(away <= narrower * present(gap.pm))
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
            double.append(holds(off[field[0]] - off[bot], gap.pm))
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
