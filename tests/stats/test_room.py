"""Strengths by a tournament's tables: what cards all tables share does not count."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.stats.floats import Floats
from arena.stats.room import (
    RoomStrengths,
    RoomTable,
    chance_of_the_best,
    room_strengths,
    winners_of,
)

POINTS = (6.0, 4.0, 2.0, 0.0)


def rounds_of(
    strengths: Sequence[float],
    rounds: int,
    random: np.random.Generator,
    luck: float = 0.0,
    error: float = 0.0,
    fours: int = 0,
) -> list[RoomTable]:
    """Tables drawn by lot, with luck for each seat of a round and errors at each table."""
    found: list[RoomTable] = []
    for number in range(rounds):
        order = random.permutation(len(strengths)).tolist()
        cards = {size: luck * random.standard_normal(size) for size in (3, 4)}
        sizes = [3] * ((len(order) - 4 * fours) // 3) + [4] * fours
        for size in sizes:
            bots, order = order[:size], order[size:]
            made = np.array([strengths[bot] for bot in bots])
            made = made + cards[size] + error * random.standard_normal(size)
            found.append(RoomTable(number, tuple(bots), tuple((made - made.mean()).tolist())))
    return found


def test_luck_that_all_tables_share_cancels() -> None:
    true = np.linspace(-1, 1, 9)
    tables = rounds_of(true.tolist(), 5, np.random.default_rng(1), luck=5.0)
    found = room_strengths(tables, 9, True)
    assert found is not None
    assert found.values == pytest.approx(true, abs=1e-9)
    assert found.half == pytest.approx(np.zeros(9), abs=1e-6)
    assert found.error > 1  # at a table, luck counts
    fresh = room_strengths(tables, 9, False)
    assert fresh is not None
    assert abs(fresh.values - true).max() > 0.1


def test_a_table_of_its_size_alone_counts_as_it_is() -> None:
    true = [0.5, 0.2, 0.0, -0.1, -0.2, -0.2, -0.2]
    tables = rounds_of(true, 8, np.random.default_rng(2), fours=1)
    found = room_strengths(tables, 7, True)
    assert found is not None
    assert found.values == pytest.approx(true, abs=1e-9)


def test_bots_that_all_make_nothing_are_alike() -> None:
    found = room_strengths(rounds_of([0.0] * 9, 5, np.random.default_rng(6)), 9, True)
    assert found is not None
    assert not found.values.any()
    assert not found.half.any()
    assert chance_of_the_best(found, 7, 24, POINTS, True) is None


def test_bots_that_nothing_compares_have_no_strengths() -> None:
    assert room_strengths([], 3, True) is None
    apart = [RoomTable(0, (0, 1, 2), (1, 0, -1)), RoomTable(0, (3, 4, 5), (1, 0, -1))]
    assert room_strengths(apart * 3, 6, False) is None
    assert room_strengths(rounds_of([0, 0, 0], 1, np.random.default_rng(1)), 3, True) is None


@pytest.mark.parametrize(("bots", "fours"), [(12, 0), (13, 1)])
def test_intervals_hold_the_true_strengths_as_often_as_they_say(bots: int, fours: int) -> None:
    random = np.random.default_rng(3)
    inside: list[Floats] = []
    for _ in range(300):
        true = 0.3 * random.standard_normal(bots)
        tables = rounds_of(true.tolist(), 7, random, luck=0.6, error=0.3, fours=fours)
        found = room_strengths(tables, bots, True)
        assert found is not None
        inside.append(np.abs(found.values - (true - true.mean())) <= found.half)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


def test_the_best_wins_where_nothing_is_luck() -> None:
    strengths = np.tile(np.array([0.3, 0.0, -0.1, 0.1, -0.2, 0.2, -0.3]), (50, 1))
    random = np.random.default_rng(4)
    winners = winners_of(strengths, 1e-9, 6, 24, POINTS, True, random)
    assert (winners == 0).all()


@pytest.mark.parametrize(("bots", "fours"), [(5, True), (7, False), (8, True), (12, True)])
def test_where_all_is_luck_everybody_wins_as_often(bots: int, fours: bool) -> None:
    winners = winners_of(
        np.zeros((6000, bots)), 1.0, 4, 24, POINTS, fours, np.random.default_rng(5)
    )
    shares = np.bincount(winners, minlength=bots) / 6000
    assert shares == pytest.approx(np.full(bots, 1 / bots), abs=0.03)


def test_more_luck_makes_the_best_win_more_rarely() -> None:
    values = np.linspace(-0.5, 0.5, 12)
    none, small = np.zeros(12), np.full(12, 0.001)
    chances = [
        chance_of_the_best(RoomStrengths(values, none, small, error), 7, 24, POINTS, True)
        for error in (0.01, 0.3, 3.0)
    ]
    assert chances[0] == pytest.approx(1, abs=0.1)
    assert [*chances] == sorted(chances, reverse=True)  # type: ignore[type-var]
    assert chances[2] == pytest.approx(1 / 12, abs=0.1)


def test_of_bots_that_equal_name_nothing_is_said() -> None:
    found = RoomStrengths(np.linspace(-0.1, 0.1, 6), np.ones(6), np.ones(6), 1.0)
    assert chance_of_the_best(found, 7, 24, POINTS, True) is None
