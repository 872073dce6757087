"""The field of an open league has the same numbers, sparsely solved, as all bots densely solved."""

import numpy as np
import pytest

from arena.stats.field import field_strengths
from arena.stats.sets import SetBlock
from arena.stats.strengths import gap_between, strengths, weights
from arena.stats.sums import sums
from tests.support.worked import simulated

NEVER = 11
PLAYING = (8, 9, 10, 3, NEVER)


def blocks() -> list[SetBlock]:
    """Eight bots that left one by one, three that play; three met nobody else, and one nobody."""
    tables = [(one, one + 1, one + 3) for one in range(8)] + [(8, 9, 10), (3, 9, 10)]
    return simulated(1, [*np.linspace(-1, 1, 15)], [*tables, (12, 13, 14)], 15)


def test_sparse_and_dense_agree() -> None:
    found = sums(blocks())
    dense, sparse = (field_strengths(found, 15, PLAYING, dense=most) for most in (100, 0))
    assert sparse.part.tolist() == dense.part.tolist()
    assert sparse.values == pytest.approx(dense.values, nan_ok=True)
    one, other = dense.field, sparse.field
    assert other.values == pytest.approx(one.values, nan_ok=True)
    assert other.covariance == pytest.approx(one.covariance, nan_ok=True)
    assert (other.groups, other.tables) == (one.groups, one.tables)
    for name in ("free", "part", "sets"):
        assert getattr(other, name).tolist() == getattr(one, name).tolist()


def test_gaps_in_the_field_are_those_among_all() -> None:
    whole = strengths(blocks(), 15)
    field = field_strengths(sums(blocks()), 15, PLAYING, dense=0).field
    wanted, found = gap_between(whole, 8, 10), gap_between(field, 0, 2)
    assert wanted is not None
    assert found is not None
    assert (found.stakes, found.plus_minus) == pytest.approx((wanted.stakes, wanted.plus_minus))


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
    for dense in (100, 0):
        found_field = field_strengths(sums(blocks), 4, range(4), dense)
        assert found_field.values[:3].sum() == pytest.approx(0)
        assert found_field.values == pytest.approx(found_field.field.values)
