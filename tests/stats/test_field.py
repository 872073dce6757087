"""The field of an open league has the numbers that all bots have together."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.stats.field import field_strengths
from arena.stats.sets import SetBlock
from arena.stats.strengths import Strengths, among, gap_between, strengths, weights
from arena.stats.sums import sums
from tests.support.worked import simulated

NEVER = 11
PLAYING = (8, 9, 10, 3, NEVER)


def blocks() -> list[SetBlock]:
    """Eight bots that left one by one, three that play; three met nobody else, and one nobody."""
    tables = [(one, one + 1, one + 3) for one in range(8)] + [(8, 9, 10), (3, 9, 10)]
    return simulated(1, [*np.linspace(-1, 1, 15)], [*tables, (12, 13, 14)], 15)


def check_field(
    sets: Sequence[SetBlock], bots: int, playing: Sequence[int], left: list[int]
) -> None:
    """Compare the field's estimates with those of all bots, none of which is eliminated."""
    whole = strengths(sets, bots)
    found = field_strengths(sums(sets), bots, playing, left)
    assert found.part.tolist() == whole.part.tolist()
    for part in range(found.part.max() + 1):
        its = found.part == part
        apart = found.values[its] - whole.values[its]
        assert apart == pytest.approx(np.full(len(apart), apart[0]), abs=1e-9)
    wanted: Strengths = among(whole, playing)
    mine = found.field
    assert mine.values == pytest.approx(wanted.values, abs=1e-9, nan_ok=True)
    assert mine.values == pytest.approx(found.values[list(playing)], abs=1e-9, nan_ok=True)
    assert mine.covariance == pytest.approx(wanted.covariance, abs=1e-9, nan_ok=True)
    assert (mine.groups, mine.tables) == (wanted.groups, wanted.tables)
    for name in ("free", "part", "sets"):
        assert getattr(mine, name).tolist() == getattr(wanted, name).tolist()


def test_a_field_has_the_numbers_that_all_bots_have_together() -> None:
    left = [bot for bot in range(15) if bot not in PLAYING]
    for order in ([], left, left[::-1], [*left[3:], 3, *left]):
        check_field(blocks(), 15, PLAYING, order)
    check_field(blocks(), 15, range(15), [])
    check_field(blocks(), 15, (12, NEVER), left)
    check_field([], 3, (0, 2), [1])


def test_those_that_left_one_by_one_are_eliminated_in_steps() -> None:
    """150 bots come and go beside a table that two of the field had by themselves."""
    chance = np.random.default_rng(7)
    tables: list[tuple[int, ...]] = [(0, 151, 152)]
    left, field = [], list(range(12))
    for newcomer in range(12, 150):
        for _ in range(3):
            tables.append(tuple(sorted(int(bot) for bot in chance.choice(field, 3, replace=False))))
        left.append(field.pop(int(chance.integers(len(field)))))
        field.append(newcomer)
    strength = chance.normal(size=155).tolist()
    check_field(simulated(3, strength, tables, 4), 155, (*field, 150, 152), left)


def test_values_are_relative_to_the_field() -> None:
    found = field_strengths(sums(blocks()), 15, PLAYING)
    assert found.values[[8, 9, 10, 3]].sum() == pytest.approx(0)
    assert found.values[12:].sum() == pytest.approx(0)
    assert np.isnan(found.values[NEVER])
    assert found.part[NEVER] == -1


def test_newcomers_do_not_count_in_the_mean_until_they_have_some_sets() -> None:
    part, sets = np.array([0, 0, 0, 1, 1, -1]), np.array([30, 29, 400, 10, 20, 0])
    found = weights(part, sets)
    assert found[:3].tolist() == [[0.5, 0, 0.5, 0, 0, 0]] * 3
    assert found[3:5].tolist() == [[0, 0, 0, 0.5, 0.5, 0]] * 2
    assert not found[5].any()
    one_known = weights(np.zeros(3, np.int64), np.array([30, 20, 20]))
    assert one_known == pytest.approx(np.full((3, 3), 1 / 3))
    blocks = [*simulated(2, [1.0, 0.0, -1.0, 0.5], [(0, 1, 2)], 40)]
    blocks += simulated(3, [1.0, 0.0, -1.0, 0.5], [(0, 1, 3)], 10)
    found_field = field_strengths(sums(blocks), 4, range(4))
    assert found_field.values[:3].sum() == pytest.approx(0)
    assert found_field.values == pytest.approx(found_field.field.values)


def test_gaps_in_the_field_are_those_among_all() -> None:
    whole = strengths(blocks(), 15)
    field = field_strengths(sums(blocks()), 15, PLAYING).field
    wanted, found = gap_between(whole, 8, 10), gap_between(field, 0, 2)
    assert wanted is not None
    assert found is not None
    assert (found.stakes, found.plus_minus) == pytest.approx((wanted.stakes, wanted.plus_minus))
