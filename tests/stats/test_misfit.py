"""A misfit is found where there is one, seldom elsewhere, and never where data cannot show it."""

from itertools import combinations

import numpy as np
import pytest

from arena.stats.figures import Untested
from arena.stats.misfit import SPARE, pairwise_misfit
from arena.stats.sets import SetBlock
from tests.support.worked import simulated


def circular(seed: int, lineups: list[tuple[int, ...]], sets: int, by: float) -> list[SetBlock]:
    """Bot i makes `by` stakes of bot i + 1, 2 gives 0: the first three beat each other round."""
    blocks = []
    for block in simulated(seed, [0.3, 0.1, 0.0, -0.4, 0.2], lineups, sets):
        stakes = block.stakes.copy()
        for a, b in combinations(range(len(block.bots)), 2):
            if block.bots[a] < 3 and block.bots[b] < 3:
                sign = 1 if (block.bots[b] - block.bots[a]) % 3 == 1 else -1
                stakes[:, a] += sign * by / len(block.bots)
                stakes[:, b] -= sign * by / len(block.bots)
        blocks.append(SetBlock(block.bots, stakes))
    return blocks


@pytest.mark.parametrize("size", [2, 3, 4])
def test_bots_that_beat_each_other_in_a_circle_do_not_fit(size: int) -> None:
    lineups = list(combinations(range(5), size))
    found = pairwise_misfit(circular(1, lineups, 60, 3.0), 5)
    assert found.chance is not None
    assert found.chance < 0.001
    assert found.directions == 6  # (n - 1)(n - 2) / 2


@pytest.mark.parametrize("size", [2, 3])
def test_strengths_alone_are_taken_for_a_misfit_once_in_twenty(size: int) -> None:
    lineups = list(combinations(range(4), size))
    chances = [
        pairwise_misfit(simulated(seed, [1.0, 0.3, -0.3, -1.0], lineups, 25), 4).chance
        for seed in range(400)
    ]
    told = np.mean([chance is not None and chance < 0.05 for chance in chances])
    assert 0.02 < told < 0.085


def test_a_misfit_does_not_show_at_one_table_of_three() -> None:
    found = pairwise_misfit(circular(2, [(0, 1, 2)], 60, 3.0), 3)
    assert (found.chance, found.why) == (None, Untested("tables"))


@pytest.mark.parametrize(
    ("lineups", "sets", "why"),
    [
        (list(combinations(range(4), 3)), 1, Untested("sets")),
        (list(combinations(range(4), 3)), 3, Untested("free", 12)),
        ([], 0, Untested("sets")),
    ],
)
def test_too_few_sets_are_told(lineups: list[tuple[int, ...]], sets: int, why: Untested) -> None:
    assert pairwise_misfit(simulated(3, [0.0] * 4, lineups, sets), 4).why == why


def test_as_many_free_sets_as_are_needed_are_enough() -> None:
    found = pairwise_misfit(simulated(3, [0.0] * 4, list(combinations(range(4), 3)), 4), 4)
    assert (found.why, found.directions, found.free) == (None, 3, SPARE)
    assert found.chance is not None


def test_clones_fit() -> None:
    """Directions in which nothing ever differs are left out."""
    blocks = [SetBlock(lineup, np.zeros((20, 3))) for lineup in combinations(range(4), 3)]
    assert pairwise_misfit(blocks, 4).why == Untested("spread")
