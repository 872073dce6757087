"""Student's t is that of SciPy; Holm's procedure and anytime intervals follow their definitions."""

from itertools import product

import numpy as np
import pytest

from arena.stats.intervals import (
    PRIOR,
    anytime_half_width,
    anytime_p_values,
    beta_below,
    half_width,
    holm_adjusted,
    t_below,
    t_quantile,
)

FREE = [0.5, 1, 1.5, 2, 3, 7, 29.3, 100, 999, 31_234.5, 1e6]
"""Degrees of freedom, whole ones and those of Satterthwaite and Welch."""

POINTS = [0.0, 1e-12, 1e-3, 0.1, 0.7, 1, 1.7, 1.8, 2, 3.3, 6, 11, 40, 1e3, 1e8]


@pytest.mark.parametrize("free", FREE)
def test_the_chance_to_be_below_is_that_of_scipy(free: float) -> None:
    from scipy.special import stdtr  # which takes a second to import

    for t in (*POINTS, *(-each for each in POINTS)):
        want = float(stdtr(free, t))
        assert t_below(free, t) == pytest.approx(want, rel=1e-8, abs=1e-300), t


@pytest.mark.parametrize("free", FREE)
def test_the_point_is_that_of_scipy(free: float) -> None:
    from scipy.special import stdtrit

    for chance in (1e-12, 1e-6, 0.001, 0.025, 0.2, 0.499, 0.5, 0.6, 0.9, 0.975, 0.9999):
        want = float(stdtrit(free, chance))
        assert t_quantile(free, chance) == pytest.approx(want, rel=1e-8, abs=1e-12), chance


def test_beta_is_that_of_scipy_wherever_it_lies() -> None:
    from scipy.special import betainc

    random = np.random.default_rng(1)
    a, b = 10 ** random.uniform(-0.3, 5, (2, 4000))
    mean = a / (a + b)
    error = np.sqrt(mean * (1 - mean) / (a + b + 1))
    x = np.clip(mean + error * random.normal(0, 4, 4000), 1e-300, 1 - 1e-16)
    assert np.abs(beta_below(a, b, x, 1 - x) - betainc(a, b, x)).max() < 1e-9


def test_many_chances_at_once_are_those_of_each() -> None:
    free, t = np.repeat(FREE, len(POINTS)), np.tile(POINTS, len(FREE))
    found = t_below(free, -t)
    assert found == pytest.approx(
        [float(t_below(*each)) for each in zip(free, -t, strict=True)], rel=1e-12
    )


def test_a_chance_and_its_point_lead_back() -> None:
    for free, chance in product(FREE, (1e-9, 0.01, 0.3, 0.45, 0.8)):
        assert t_below(free, t_quantile(free, chance)) == pytest.approx(chance, rel=1e-9)


def test_holm_multiplies_the_least_chance_by_all_tests_and_never_goes_down() -> None:
    assert holm_adjusted(np.array([0.03, 0.01, 0.04, 0.6])) == pytest.approx(
        [0.09, 0.04, 0.09, 0.6]
    )
    assert holm_adjusted(np.array([0.5, 0.9])) == pytest.approx([1.0, 1.0])
    assert holm_adjusted(np.array([])).size == 0


def test_after_many_sets_the_width_is_that_of_robbins_normal_mixture() -> None:
    sets, variance = 20_000.0, 0.01
    growth = (sets + PRIOR) / PRIOR
    wanted = np.sqrt(variance * (1 + PRIOR / sets) * np.log(growth / 0.05**2))
    assert anytime_half_width(sets, variance) == pytest.approx(wanted, rel=1e-3)


def test_the_width_is_as_many_times_the_ordinary_one_as_the_page_says() -> None:
    ratios = []
    for sets in (80, 240, 1000, 3000):
        wide = anytime_half_width(sets, 1.0)
        assert wide is not None
        ratios.append(wide / half_width(sets - 1, 1.0))
    assert min(ratios) > 1.5
    assert max(ratios) < 1.75


def test_few_sets_have_no_interval() -> None:
    assert anytime_half_width(9, 1.0) is None
    assert anytime_half_width(10, 1.0) is None
    assert anytime_half_width(30, 1.0) is not None


def test_an_interval_ends_where_the_chance_is_one_in_twenty() -> None:
    half = anytime_half_width(50, 0.04)
    assert half is not None
    [chance] = anytime_p_values(np.array([half]), np.array([0.04]), np.array([50.0]))
    assert chance == pytest.approx(0.05)


def test_no_gap_is_no_evidence_and_gaps_without_spread_are_told_apart() -> None:
    gaps, none = np.array([0.0, 0.0, 1.0]), np.array([0.04, 0.0, 0.0])
    chances = anytime_p_values(gaps, none, np.array([50.0] * 3))
    assert list(chances[:2]) == [1.0, 1.0]
    assert chances[2] < 1e-6
