"""Tables as a vector environment of Gymnasium: a learner among opponents."""

import numpy as np
import pytest

from arena.training.observation import HISTORY_SIZE, OBSERVATION_SIZE, WHERE
from arena.training.policies import Pool
from arena.training.vector import VectorEnvironment
from arena.zole.rules import Rules, preset, preset_names
from tests.training.test_policies import first, last


def chosen(masks: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    return np.asarray(np.where(masks, dice.random(masks.shape), -1).argmax(axis=1))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("name", preset_names())
def test_the_learner_is_asked_at_every_table_whatever_the_rules(name: str, players: int) -> None:
    table = VectorEnvironment(40, Pool([first, last]), name, players, surrenders=True, history=True)
    seen, infos = table.reset(seed=1)
    dice, ended, paid = np.random.default_rng(1), 0, 0.0
    for _ in range(20):
        assert seen.shape == (40, OBSERVATION_SIZE + HISTORY_SIZE)
        assert table.observation_space.contains(seen)
        assert infos["action_mask"].any(axis=1).all()
        assert (seen[:, WHERE["question"]].sum(axis=1) == 1).all()
        seen, rewards, over, cut, infos = table.step(chosen(infos["action_mask"], dice))
        assert not cut.any()
        assert not rewards[~over].any()
        assert np.array_equal(infos["_final_obs"], over)
        ended += int(over.sum())
        paid += float(np.abs(rewards).sum())
    assert ended > 20
    assert paid > 0


def test_a_seed_fixes_the_deals_and_the_opponents() -> None:
    def run(seed: int) -> bytes:
        table = VectorEnvironment(8, Pool([first, last]))
        seen, infos = table.reset(seed=seed)
        told = [seen.tobytes()]
        for _ in range(30):
            seen, rewards, *_, infos = table.step(infos["action_mask"].argmax(axis=1))
            told += [seen.tobytes(), rewards.tobytes()]
        return b"".join(told)

    assert run(1) == run(1) != run(2)


def test_places_go_round_and_rules_may_be_given() -> None:
    rules: Rules = preset("lzsf", {"players": 4})
    table = VectorEnvironment(12, Pool([first]), rules)
    seen, infos = table.reset(seed=3)
    places = np.zeros(3)
    for _ in range(60):
        places += seen[:, WHERE["place"]].sum(axis=0)
        seen, *_, infos = table.step(infos["action_mask"].argmax(axis=1))
    assert places.min() > 0.25 * places.sum() * 0.9
    with pytest.raises(ValueError, match="no opponents"):
        VectorEnvironment(2, Pool())
