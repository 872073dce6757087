"""No result depends on a sum's last bits: not on the order of adding, nor on the processor."""

from collections.abc import Sequence
from itertools import combinations

import msgspec
import numpy as np
import pytest

from arena.stats.analysis import analysis
from arena.stats.figures import Analysis, Hypotheses, Standing
from arena.stats.sets import (
    EPSILON,
    Block,
    SetBlock,
    dense_ranks,
    league_sets,
    round_noise,
    zero_small,
)
from arena.stats.sprt import SAME, decide
from arena.stats.standings import rank_ranges, standings
from arena.stats.strengths import means, strengths
from tests.support.worked import simulated, worked_league

NAMES = ("a", "b", "c", "d", "e")


def twins(lineups: Sequence[tuple[int, ...]]) -> list[SetBlock]:
    """Bots 0 and 1 sit together, and do the same, in every set."""
    blocks = []
    for block in simulated(9, [0.3, 0.3, 0.1, -0.3, -0.4], lineups, 30):
        stakes = block.stakes.copy()
        stakes[:, 1] = stakes[:, 0]
        blocks.append(SetBlock(block.bots, stakes - stakes.mean(axis=1, keepdims=True)))
    return blocks


def equal_on_the_whole() -> list[SetBlock]:
    """Bots 0 and 1 make the same, 1/128 a deal, in different sets: halfway between two decimals."""
    sixths = np.zeros((64, 3))
    sixths[:4, 0] = 2, 1, 1, -1
    sixths[40:46, 1] = 1, 1, 1, 1, -2, 1
    sixths[:, 2] = -sixths[:, 0] - sixths[:, 1]
    return [SetBlock((0, 1, 2), sixths / 6)]


LEAGUES = {
    "twins at one table": twins([(0, 1, 2)]),
    "twins in a gauntlet": twins([(0, 1, 2), (0, 1, 3), (0, 1, 4)]),
    "equal on the whole": equal_on_the_whole(),
    "the same in every set": [
        SetBlock(lineup, np.tile(np.array([1, 1, -2]) / 3, (40, 1)))
        for lineup in combinations(range(4), 3)
    ],
    "worked": worked_league()[1],
}


def jolted(blocks: Sequence[SetBlock], seed: int, shuffle: bool = True) -> list[SetBlock]:
    """The same sets in another order, each number with other last bits."""
    chance = np.random.default_rng(seed)
    found = []
    for block in blocks:
        stakes = chance.permutation(block.stakes) if shuffle else block.stakes
        bits = chance.integers(-2, 3, size=stakes.shape) * np.finfo(float).eps
        found.append(SetBlock(block.bots, stakes * (1 + bits)))
    return [found[place] for place in chance.permutation(len(found))] if shuffle else found


def whole(blocks: Sequence[SetBlock]) -> list[Block]:
    return [
        Block(
            tuple(NAMES[bot] for bot in each.bots),
            0,
            len(each.stakes),
            6,
            len(each.stakes),
            each,
            None,
            {},
        )
        for each in blocks
    ]


def table(blocks: Sequence[SetBlock]) -> list[Standing]:
    return standings(whole(blocks), NAMES, {})


def alike(one: object, other: object) -> bool:
    """Equal, but for numbers in their tenth digit: words, counts, and what is None are the same."""
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other


@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("seed", range(8))
def test_standings_are_the_same_to_the_last_digit_for_other_last_bits(name: str, seed: int) -> None:
    assert table(jolted(LEAGUES[name], seed)) == table(LEAGUES[name])


@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("seed", range(8))
def test_every_analysis_says_the_same_for_other_last_bits(name: str, seed: int) -> None:
    def made(blocks: Sequence[SetBlock]) -> Analysis:
        return analysis(whole(blocks), NAMES)

    one, other = made(LEAGUES[name]), made(jolted(LEAGUES[name], seed, shuffle=False))
    assert alike(msgspec.to_builtins(one), msgspec.to_builtins(other))


@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("seed", range(8))
def test_ranks_are_the_same_for_other_last_bits(name: str, seed: int) -> None:
    for estimate in (means, strengths):
        one, other = LEAGUES[name], jolted(LEAGUES[name], seed)
        assert rank_ranges(estimate(league_sets(one, 5))) == rank_ranges(
            estimate(league_sets(other, 5))
        )


def test_bots_equal_on_the_whole_share_a_rank() -> None:
    assert [(line.bot, line.rank) for line in table(equal_on_the_whole())[:3]] == [
        ("a", 1),
        ("b", 1),
        ("c", 3),
    ]


@pytest.mark.parametrize("gap", [0.0, 1 / 3])
def test_the_sequential_test_sees_no_spread_in_last_bits(gap: float) -> None:
    bits = np.random.default_rng(1).integers(-2, 3, SAME) * np.finfo(float).eps
    decision, plain = (decide(each, Hypotheses()) for each in (gap + bits, np.full(SAME, gap)))
    assert (decision.verdict, decision.sets) == (plain.verdict, plain.sets)
    assert decision.llr == pytest.approx(plain.llr)
    assert decision.identical is (gap == 0)


def test_small_is_relative_to_what_was_added() -> None:
    small = np.array([-EPSILON / 2, 2 * EPSILON])
    assert zero_small(small).tolist() == [0, 2 * EPSILON]
    assert zero_small(small, size=4.0).tolist() == [0, 0]


def test_noise_is_rounded_away_and_never_leaves_a_negative_zero() -> None:
    assert str(round_noise(-1e-13)) == "0.0"
    assert round(round_noise(1 / 128 - 1e-13), 6) == round(1 / 128, 6)


def test_values_that_differ_by_noise_share_a_rank() -> None:
    assert dense_ranks(np.array([0.1, 0.3, 0.1 + 1e-15, -2.0])).tolist() == [1, 0, 1, 2]
    assert dense_ranks(np.array([])).size == 0
