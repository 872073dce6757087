"""Policies decide where they sit, and a pool has opponents for a learner."""

import numpy as np
import pytest

from arena.training.policies import Policy, Pool, choose_actions
from arena.training.tables import Tables
from arena.zole.rules import preset


def first(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.asarray(masks.argmax(axis=1))


def last(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.asarray(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


def test_each_policy_decides_in_its_seats_alone() -> None:
    tables = Tables(preset(), 30, 1)
    sitting = np.tile([0, 1, 1], (30, 1))
    while not tables.over.all():
        masks, seats = tables.masks(), tables.seats
        actions = choose_actions(tables, (first, last), sitting)
        wanted = np.where(seats == 0, first(masks, masks), last(masks, masks))
        assert np.array_equal(actions[seats >= 0], wanted[seats >= 0])
        due = np.flatnonzero(seats == 0)
        assert np.array_equal(choose_actions(tables, (first, last), sitting, due), actions[due])
        tables.step(actions)
    assert not choose_actions(tables, (first, last), sitting).any()


def test_a_pool_keeps_its_first_policies_and_the_last_added_ones() -> None:
    pool = Pool([first], most=2)
    added: list[Policy] = [lambda seen, masks, n=n: n for n in range(3)]  # type: ignore[misc]
    for each in added:
        pool.add(each)
    assert pool.policies == (first, *added[1:])


@pytest.mark.parametrize("players", [3, 5])
def test_a_learner_meets_one_opponent_at_a_share_of_the_tables(players: int) -> None:
    pool = Pool([first, last])
    sitting = pool.seat(3000, players, 0.25, np.random.default_rng(1))
    met = sitting.any(axis=1)
    assert met.mean() == pytest.approx(0.25, abs=0.03)
    assert ((sitting[met] == 0).sum(axis=1) == 1).all()
    assert {*np.unique(sitting)} == {0, 1, 2}
    assert (sitting[met] == sitting[met].max(axis=1, keepdims=True)).sum() == met.sum() * (
        players - 1
    )
    seats = np.flatnonzero((sitting[met] == 0).any(axis=0))
    assert len(seats) == players
    assert not Pool().seat(9, players, 1.0, np.random.default_rng(1)).any()
