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
    wilson,
)
from tests.support.present import present

FREE = [0.5, 1, 1.5, 2, 3, 7, 29.3, 100, 999, 31_234.5, 1e6]
"""Degrees of freedom, whole ones and those of Satterthwaite and Welch."""

POINTS = [0.0, 1e-12, 1e-3, 0.1, 0.7, 1, 1.7, 1.8, 2, 3.3, 6, 11, 40, 1e3, 1e8]
CHANCES = [1e-12, 0.001, 0.025, 0.499, 0.5, 0.6, 0.9999]


def test_the_chance_to_be_below_is_that_of_scipy_for_one_value_and_for_many() -> None:
    from scipy.special import stdtr  # which takes a second to import

    every = np.array(list(product(FREE, [*POINTS, *(-each for each in POINTS)])))
    wanted = stdtr(*every.T)
    assert t_below(*every.T) == pytest.approx(wanted, rel=1e-8, abs=1e-300)
    alone = [float(t_below(*each)) for each in every]
    assert alone == pytest.approx(wanted, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("free", FREE)
def test_the_point_of_a_chance_is_that_of_scipy(free: float) -> None:
    from scipy.special import stdtrit

    found = [t_quantile(free, chance) for chance in CHANCES]
    assert found == pytest.approx(stdtrit(free, CHANCES), rel=1e-8, abs=1e-12)


def test_beta_is_that_of_scipy_wherever_it_lies() -> None:
    from scipy.special import betainc

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
    growth = (sets + PRIOR) / PRIOR
    wanted = np.sqrt(variance * (1 + PRIOR / sets) * np.log(growth / 0.05**2))
    assert anytime_half_width(sets, variance) == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize("sets", [80, 240, 1000, 3000])
def test_the_width_is_as_many_times_the_ordinary_one_as_the_page_says(sets: int) -> None:
    assert 1.5 < present(anytime_half_width(sets, 1.0)) / half_width(sets - 1, 1.0) < 1.75


def test_few_sets_have_no_interval() -> None:
    known = [anytime_half_width(sets, 1.0) is not None for sets in (9, 10, 30)]
    assert known == [False, False, True]


def test_an_interval_ends_where_the_chance_is_one_in_twenty() -> None:
    half = present(anytime_half_width(50, 0.04))
    [chance] = anytime_p_values(np.array([half]), np.array([0.04]), np.array([50.0]))
    assert chance == pytest.approx(0.05)


def test_no_gap_is_no_evidence_and_a_gap_without_spread_is_certain() -> None:
    gaps, variances = np.array([0.0, 0.0, 1.0]), np.array([0.04, 0.0, 0.0])
    chances = anytime_p_values(gaps, variances, np.array([50.0] * 3))
    assert chances == pytest.approx([1.0, 1.0, 0.0], abs=1e-6)
