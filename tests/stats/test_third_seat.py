"""Whether a pair's gap depends on the company is reported only beyond chance."""

from itertools import combinations

import numpy as np
import pytest

from arena.stats.sets import SetBlock
from arena.stats.third_seat import third_seats, welch
from tests.support.worked import simulated

TRIOS = list(combinations(range(4), 3))


@pytest.mark.slow
def test_welch_is_that_of_statsmodels() -> None:
    from statsmodels.stats.oneway import anova_oneway  # which takes seconds to import

    chance = np.random.default_rng(1)
    samples = [chance.normal(mean, spread, 20) for mean, spread in ((0, 1), (0.5, 2), (1, 0.5))]
    theirs = anova_oneway(samples, use_var="unequal", welch_correction=True)
    assert welch(samples) == pytest.approx(theirs.pvalue)


def test_samples_too_small_or_without_spread_are_left_out() -> None:
    chance = np.random.default_rng(2)
    good = chance.normal(size=12)
    assert welch([good, chance.normal(size=10)]) is not None
    assert welch([good, chance.normal(size=9)]) is None
    assert welch([good, np.zeros(30)]) is None
    assert welch([]) is None


def test_a_pair_that_plays_otherwise_beside_a_third_is_found() -> None:
    blocks = simulated(3, [0.0] * 4, TRIOS, 60)
    helped = blocks[0].stakes + np.array([3.0, -3.0, 0.0])
    found = third_seats([SetBlock((0, 1, 2), helped), *blocks[1:]], "abcd")
    pair = next(each for each in found if (each.bot, each.other) == ("a", "b"))
    assert [(beside.others, beside.sets) for beside in pair.beside] == [(("c",), 60), (("d",), 60)]
    assert pair.beside[0].gap.stakes == pytest.approx(6 + pair.beside[1].gap.stakes, abs=1)
    assert pair.adjusted is not None
    assert pair.chance is not None
    assert pair.chance <= pair.adjusted < 0.01
    calm = next(each for each in found if (each.bot, each.other) == ("c", "d"))
    assert calm.adjusted is not None
    assert calm.adjusted > 0.05


def test_additive_strengths_are_rarely_taken_for_an_effect_of_company() -> None:
    told = 0
    for seed in range(100):
        blocks = simulated(seed, [1.0, 0.0, -0.5, -0.5], TRIOS, 20)
        told += any((each.adjusted or 1) <= 0.05 for each in third_seats(blocks, "abcd"))
    assert told <= 10


def test_two_bots_alone_or_one_table_have_no_company_to_compare() -> None:
    assert third_seats(simulated(4, [0.0, 0.0], [(0, 1)], 20), "ab") == ()
    assert third_seats(simulated(4, [0.0] * 3, [(0, 1, 2)], 20), "abc") == ()


def test_company_in_a_single_set_has_a_gap_without_an_interval() -> None:
    blocks = simulated(5, [0.0] * 4, TRIOS, 20)
    once = SetBlock((0, 1, 2), blocks[0].stakes[:1])
    found = third_seats([once, *blocks[1:]], "abcd")
    pair = next(each for each in found if (each.bot, each.other) == ("a", "b"))
    assert [(beside.sets, beside.gap.plus_minus is None) for beside in pair.beside] == [
        (1, True),
        (20, False),
    ]
