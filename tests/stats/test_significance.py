"""Student's t is that of SciPy, over all that leagues can ask of them."""

from itertools import product

import numpy as np
import pytest

from arena.stats.beta import beta_below
from arena.stats.significance import each_t_below, t_below, t_point

FREE = [0.5, 1, 1.5, 2, 3, 7, 29.3, 100, 999, 31_234.5, 1e6, 1e8]
"""Degrees of freedom, whole ones and those of Satterthwaite and Welch."""

POINTS = [0.0, 1e-12, 1e-3, 0.1, 0.7, 1, 1.7, 1.8, 2, 3.3, 6, 11, 40, 1e3, 1e8]


@pytest.mark.parametrize("free", FREE)
def test_the_chance_to_be_below_is_that_of_scipy(free: float) -> None:
    from scipy.special import stdtr  # which takes a second to import

    for t in (*POINTS, *(-each for each in POINTS)):
        want = float(stdtr(free, t))
        assert t_below(free, t) == pytest.approx(want, rel=1e-10, abs=1e-300), t


@pytest.mark.parametrize("free", FREE)
def test_the_point_is_that_of_scipy(free: float) -> None:
    from scipy.special import stdtrit

    for chance in (1e-12, 1e-6, 0.001, 0.025, 0.2, 0.499, 0.5, 0.6, 0.9, 0.975, 0.9999):
        want = float(stdtrit(free, chance))
        assert t_point(free, chance) == pytest.approx(want, rel=1e-9, abs=1e-12), chance


def test_beta_is_that_of_scipy_wherever_it_lies() -> None:
    from scipy.special import betainc

    random = np.random.default_rng(1)
    a, b = 10 ** random.uniform(-0.3, 5, (2, 4000))
    mean = a / (a + b)
    error = np.sqrt(mean * (1 - mean) / (a + b + 1))
    x = np.clip(mean + error * random.normal(0, 4, 4000), 1e-300, 1 - 1e-16)
    assert np.abs(beta_below(a, b, x, 1 - x) - betainc(a, b, x)).max() < 1e-11


def test_many_chances_at_once_are_those_of_each() -> None:
    free, t = np.repeat(FREE, len(POINTS)), np.tile(POINTS, len(FREE))
    found = each_t_below(free, -t)
    assert found == pytest.approx(
        [t_below(*each) for each in zip(free, -t, strict=True)], rel=1e-12
    )


def test_a_chance_and_its_point_lead_back() -> None:
    for free, chance in product(FREE, (1e-9, 0.01, 0.3, 0.45, 0.8)):
        assert t_below(free, t_point(free, chance)) == pytest.approx(chance, rel=1e-9)
