"""The crosstable compares two bots by their common sets and by all sets; helpers are found.

Authors whose bots give each other more than strengths and style explain are flagged, honest ones
are not.
"""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from arena.stats.analysis import companies, crosstable, identical_pairs
from arena.stats.figures import Company, HeadToHead, from_other_side
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import means, strengths
from tests.support.present import present
from tests.support.worked import simulated

TRIOS = list(combinations(range(4), 3))
SPREAD = 1.6
"""Of a bot's stakes a deal in a set, about that of sample bots."""


def pairs(blocks: Sequence[SetBlock], bots: str) -> dict[str, HeadToHead]:
    """The crosstable by the names of the two, with plain means for the league's gaps."""
    league = league_sets(blocks, len(bots))
    found = crosstable(league, bots, means(league), session=5)
    return {pair.bot + pair.other: pair for pair in found}


def test_a_gap_at_one_table_is_the_paired_test() -> None:
    """Student's test of one sample, with 39 degrees of freedom; SciPy gives its chance."""
    from scipy.special import stdtr  # which takes a second to import

    [block] = simulated(1, [0.3, 0.0, -0.3], [(0, 1, 2)], 40)
    gaps = block.stakes[:, 0] - block.stakes[:, 1]
    error = gaps.std(ddof=1) / sqrt(40)
    pair = pairs([block], "abc")["ab"]
    met, league = present(pair.met), present(pair.league)
    assert (pair.sets, pair.deals) == (40, 200)
    assert met.stakes == pytest.approx(gaps.mean())
    assert met.plus_minus == pytest.approx(2.0226909 * error)
    assert [met.los, league.los] == pytest.approx([stdtr(39, gaps.mean() / error)] * 2)


def test_only_common_sets_count_for_the_gap_and_all_for_the_league() -> None:
    blocks = simulated(2, [0.5, 0.0, 0.0, -0.5], TRIOS, 25)
    apart = [
        block.stakes[:, block.bots.index(0)] - block.stakes[:, block.bots.index(3)]
        for block in blocks
        if {0, 3} <= set(block.bots)
    ]
    residuals = np.concatenate([each - each.mean() for each in apart])
    error = sqrt((residuals**2).sum() / 50**2 * 50 / 48)
    pair = pairs(blocks, "abcd")["ad"]
    met = present(pair.met)
    assert pair.sets == 50
    assert met.stakes == pytest.approx(np.concatenate(apart).mean())
    assert met.plus_minus == pytest.approx(2.0106348 * error)
    assert present(pair.league).stakes != pytest.approx(met.stakes)


def test_a_league_gap_is_not_made_of_two_separate_intervals() -> None:
    """What one wins the other loses: two bots' errors go against each other."""
    blocks = simulated(3, [0.0, 0.0], [(0, 1)], 60)
    alone = 2.0009954 * sqrt(means(league_sets(blocks, 2)).covariance[0, 0])
    assert present(pairs(blocks, "ab")["ab"].league).plus_minus == pytest.approx(2 * alone)


def test_bots_that_made_the_same_in_every_set_are_identical_on_so_many_deals() -> None:
    luck = np.random.default_rng(4).normal(size=12)
    block = SetBlock((0, 1, 2), np.stack([luck, luck, -2 * luck], axis=1))
    found = pairs([block], "abc")
    assert {name: pair.identical for name, pair in found.items()} == {
        "ab": True,
        "ac": False,
        "bc": False,
    }
    assert (found["ab"].deals, present(found["ab"].met).los) == (60, None)
    apart = SetBlock((0, 1), np.array([[1.0, -1.0]]))
    assert identical_pairs(league_sets([block], 3)) == [(0, 1, 12)]
    assert identical_pairs(league_sets([block, apart], 3)) == []
    assert identical_pairs(league_sets([], 3)) == []


def test_bots_that_never_sat_together_are_compared_through_others_only() -> None:
    league = league_sets(simulated(5, [1.0, 0.0, -1.0], [(0, 1), (1, 2)], 30), 4)
    found = {pair.bot + pair.other: pair for pair in crosstable(league, "abcd", strengths(league))}
    assert found["ac"].met is None
    assert present(found["ac"].league).stakes > 1
    assert (found["ad"].met, found["ad"].league, found["ad"].identical) == (None, None, False)


def test_nine_common_sets_have_no_interval() -> None:
    met = present(pairs(simulated(6, [0.0, 0.0], [(0, 1)], 9), "ab")["ab"].met)
    assert (met.plus_minus, met.los) == (None, None)


def test_a_pair_can_be_read_from_the_other_side() -> None:
    pair = pairs(simulated(7, [0.4, 0.0], [(0, 1)], 20), "ab")["ab"]
    back = from_other_side(pair)
    one, other = present(pair.met), present(back.met)
    assert (back.bot, back.other) == ("b", "a")
    assert (other.stakes, other.los) == (-one.stakes, 1 - present(one.los))
    assert from_other_side(back).bot == pair.bot


def ladder(
    seed: int, authors: int, orders: int, style: float = 0.0, thrown: float = 0.0
) -> list[SetBlock]:
    """Orders of ten sets by lot; the bots of honest authors suit each other by `style`.

    Bot 0 loses this share of its deals to bot 1: two stakes, of which the third bot gets a quarter.
    """
    chance = np.random.default_rng(seed)
    strength = chance.normal(scale=0.5, size=authors)
    suits = chance.normal(scale=style, size=(authors, authors))
    suits = (suits - suits.T) / np.sqrt(2)
    blocks = []
    for _ in range(orders):
        lineup = np.sort(chance.choice(authors, 3, replace=False))
        mean = strength[lineup] + suits[np.ix_(lineup, lineup)].sum(axis=1) / 3
        stakes: Floats = mean + chance.normal(scale=SPREAD, size=(10, 3))
        if lineup[0] == 0 and lineup[1] == 1:
            stakes[chance.random(10) < thrown] += -2.0, 1.5, 0.5
        stakes -= stakes.mean(axis=1, keepdims=True)
        blocks.append(SetBlock(tuple(map(int, lineup)), stakes))
    return blocks


def company(blocks: list[SetBlock], authors: Sequence[str]) -> tuple[Company, ...]:
    return companies(league_sets(blocks, len(authors)), authors)


def flagged(blocks: list[SetBlock], authors: Sequence[str]) -> list[str]:
    return [each.giver + each.taker for each in company(blocks, authors) if each.improbable]


def at_any_look(blocks: list[SetBlock], authors: str, every: int) -> list[str]:
    """The pairs flagged at a look after every `every` orders."""
    looks = range(every, len(blocks) + 1, every)
    return [pair for look in looks for pair in flagged(blocks[:look], authors)]


def test_an_author_who_throws_deals_to_a_friend_is_flagged() -> None:
    blocks = ladder(1, 12, 300, thrown=1.0)
    assert flagged(blocks, "abcdefghijkl") == ["ab"]
    first = company(blocks, "abcdefghijkl")[0]
    assert 2 < first.stakes < 3.5
    assert present(first.plus_minus) < first.stakes


@pytest.mark.parametrize("style", [0.0, 0.3])
def test_honest_authors_are_not_flagged(style: float) -> None:
    assert at_any_look(ladder(2, 8, 400, style), "abcdefgh", 40) == []


def test_the_bots_of_an_author_count_together() -> None:
    """Every other order is played by the helper's second bot: neither alone would be flagged."""
    blocks = ladder(3, 12, 320, thrown=1.0)
    for number, block in enumerate(blocks):
        if block.bots[0] == 0 and number % 2:
            blocks[number] = SetBlock((*block.bots[1:], 12), block.stakes[:, [1, 2, 0]])
    assert flagged(blocks, "abcdefghijkla") == ["ab"]
    assert company([SetBlock((0, 12), np.ones((20, 2)))], "abcdefghijkla") == ()


def test_every_pair_that_met_is_listed_and_few_sets_are_no_evidence() -> None:
    blocks = [
        SetBlock((0, 1, 2), np.array([[-8.0, 8.0, 0.0]] * 9)),
        SetBlock((0, 2, 3), np.zeros((9, 3))),
    ]
    found = company(blocks, "abcde")
    assert {"".join(sorted(each.giver + each.taker)) for each in found} == {
        *("ab", "ac", "bc", "ad", "cd")
    }
    assert {each.chance for each in found} == {1.0}
    assert all(each.plus_minus is None for each in found if each.sets < 10)
    assert company([], "abc") == ()


def test_gifts_are_what_strengths_leave_over() -> None:
    """All pairs meet beside all others; one gains 1.2 on another there and nowhere else."""
    noise = np.tile([[0.1, -0.1, 0.0], [-0.1, 0.1, 0.0]], (20, 1))
    blocks = [
        SetBlock(lineup, noise + (np.array([-0.6, 0.6, 0.0]) if lineup[:2] == (0, 1) else 0.0))
        for lineup in combinations(range(5), 3)
    ]
    least = company(blocks, "abcde")[0]
    assert (least.giver, least.taker, least.sets) == ("a", "b", 120)
    # 1.2 less what it adds to the strengths: of 0 and 1, -0.36 and +0.36 by least squares
    assert least.stakes == pytest.approx(1.2 - 0.72)


@pytest.mark.slow  # hundreds of leagues
@pytest.mark.parametrize(("style", "thrown", "within"), [(0.1, 1.0, 600), (0.1, 1 / 3, 3000)])
def test_helpers_are_flagged_within_the_orders_that_are_documented(
    style: float, thrown: float, within: int
) -> None:
    for seed in range(20):
        assert "ab" in flagged(ladder(seed, 12, within, style, thrown), "abcdefghijkl"), seed


@pytest.mark.slow
def test_hardly_a_league_of_honest_authors_ever_has_a_pair_that_is_flagged() -> None:
    leagues = [ladder(seed, 6, 800, 0.2 * (seed % 3)) for seed in range(300)]
    assert sum(bool(at_any_look(blocks, "abcdef", 20)) for blocks in leagues) <= 3
