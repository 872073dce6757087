"""The crosstable tells of two bots what their common sets and all sets say."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from arena.stats.analysis import crosstable, identical_pairs
from arena.stats.figures import from_other_side
from arena.stats.sets import SetBlock, league_sets
from arena.stats.strengths import means, strengths
from tests.support.worked import simulated

TRIOS = list(combinations(range(4), 3))


def test_a_gap_at_one_table_is_the_paired_test() -> None:
    from scipy.stats import ttest_1samp  # which takes a second to import

    [block] = simulated(1, [0.3, 0.0, -0.3], [(0, 1, 2)], 40)
    gaps = block.stakes[:, 0] - block.stakes[:, 1]
    [pair, *_] = crosstable(league_sets([block], 3), "abc", means(league_sets([block], 3)))
    test = ttest_1samp(gaps, 0, alternative="greater")
    assert pair.met is not None
    assert (pair.bot, pair.other, pair.sets) == ("a", "b", 40)
    assert pair.met.stakes == pytest.approx(gaps.mean())
    assert pair.met.plus_minus == pytest.approx(2.0226909 * gaps.std(ddof=1) / sqrt(40))
    assert pair.met.los == pytest.approx(1 - test.pvalue)
    assert pair.league is not None
    assert pair.league.los == pytest.approx(pair.met.los)


def test_only_common_sets_count_for_the_gap_and_all_for_the_league() -> None:
    blocks = simulated(2, [0.5, 0.0, 0.0, -0.5], TRIOS, 25)
    pairs = {
        (pair.bot, pair.other): pair
        for pair in crosstable(league_sets(blocks, 4), "abcd", means(league_sets(blocks, 4)))
    }
    common = [block for block in blocks if {0, 3} <= set(block.bots)]
    apart = [
        block.stakes[:, block.bots.index(0)] - block.stakes[:, block.bots.index(3)]
        for block in common
    ]
    residuals = np.concatenate([each - each.mean() for each in apart])
    pair = pairs["a", "d"]
    assert pair.met is not None
    assert pair.league is not None
    assert pair.sets == 50
    assert pair.met.stakes == pytest.approx(np.concatenate(apart).mean())
    error = sqrt((residuals**2).sum() / 50**2 * 50 / 48)
    assert pair.met.plus_minus == pytest.approx(2.0106348 * error)
    assert pair.league.stakes != pytest.approx(pair.met.stakes)


def test_a_league_gap_is_not_made_of_two_separate_intervals() -> None:
    """What one wins the other loses: two bots' errors go against each other."""
    blocks = simulated(3, [0.0, 0.0], [(0, 1)], 60)
    estimate = means(league_sets(blocks, 2))
    [pair] = crosstable(league_sets(blocks, 2), "ab", estimate)
    assert pair.league is not None
    alone = 2.0009954 * sqrt(estimate.covariance[0, 0])
    assert pair.league.plus_minus == pytest.approx(2 * alone)


def test_bots_that_made_the_same_in_every_set_are_identical_on_so_many_deals() -> None:
    luck = np.random.default_rng(4).normal(size=12)
    block = SetBlock((0, 1, 2), np.stack([luck, luck, -2 * luck], axis=1))
    [same, other, _] = crosstable(
        league_sets([block], 3), "abc", means(league_sets([block], 3)), session=5
    )
    assert (same.identical, same.deals) == (True, 60)
    assert not other.identical
    assert identical_pairs(league_sets([block], 3)) == [(0, 1, 12)]
    apart = SetBlock((0, 1), np.array([[1.0, -1.0]]))
    assert identical_pairs(league_sets([block, apart], 3)) == []
    assert identical_pairs(league_sets([], 3)) == []
    assert same.met is not None
    assert same.met.los is None


def test_bots_that_never_sat_together_are_compared_through_others_only() -> None:
    blocks = simulated(5, [1.0, 0.0, -1.0], [(0, 1), (1, 2)], 30)
    found = crosstable(league_sets(blocks, 4), "abcd", strengths(league_sets(blocks, 4)))
    pairs = {pair.bot + pair.other: pair for pair in found}
    assert pairs["ac"].met is None
    assert pairs["ac"].league is not None
    assert pairs["ac"].league.stakes > 1
    assert (pairs["ad"].met, pairs["ad"].league, pairs["ad"].identical) == (None, None, False)


def test_nine_common_sets_have_no_interval() -> None:
    [block] = simulated(6, [0.0, 0.0], [(0, 1)], 9)
    [pair] = crosstable(league_sets([block], 2), "ab", means(league_sets([block], 2)))
    assert pair.met is not None
    assert (pair.met.plus_minus, pair.met.los) == (None, None)


def test_a_pair_can_be_read_from_the_other_side() -> None:
    [block] = simulated(7, [0.4, 0.0], [(0, 1)], 20)
    [pair] = crosstable(league_sets([block], 2), "ab", means(league_sets([block], 2)))
    back = from_other_side(pair)
    assert (back.bot, back.other) == ("b", "a")
    assert pair.met is not None
    assert back.met is not None
    assert pair.met.los is not None
    assert back.met.stakes == -pair.met.stakes
    assert back.met.los == 1 - pair.met.los
    assert from_other_side(back).bot == pair.bot
