"""`examples/train.py` learns what the bot `learned` plays, by the same numbers each time."""

import json
from pathlib import Path

import numpy as np
import pytest

from arena.training.policies import Pool, choose_actions
from arena.training.tables import Tables
from arena.zole.rules import preset
from examples import train
from examples.thumbs import thumbs
from tests.support.adapter import ADAPTER, adapter

CURVE = Path(train.__file__).with_name("learned.jsonl")
"""The curve of the run that made the weights of `sample_bots/learned`."""


def test_the_first_round_of_the_committed_run_comes_out_again() -> None:
    first, *_, last = map(json.loads, CURVE.read_text().splitlines())
    network = train.Network(np.random.default_rng(1))
    error = train.train(network, preset(), 1, 0, 1, train.Plan(last["deals"] // train.TABLES))
    assert first["deals"] == train.TABLES
    assert first["steps"] == network.steps
    assert error == pytest.approx(first["error"], abs=2e-3)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "TABLES", 12)
    monkeypatch.setattr(train, "BATCH", 40)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("share", [0.0, 0.6], ids=["against itself", "against earlier selves too"])
def test_a_run_repeats_exactly_where_it_was_interrupted(tmp_path: Path, share: float) -> None:
    runs = []
    for name in ("whole", "parts"):
        run = train.Run(tmp_path / name, seed=3)
        for last in (2, 4, 6):
            plan = train.Plan(6, share=share, pool=run.pool)
            train.train(run.network, preset(), 3, run.round, last, plan)
            run.round = last
            run.keep({})
            if name == "parts":
                run = train.Run(tmp_path / name, seed=99)
            assert len(run.pool.policies) == 1 + last // 2
        runs.append(run)
    whole, parts = runs
    assert parts.network.steps == whole.network.steps > 6
    for one, other in zip(whole.network.arrays, parts.network.arrays, strict=True):
        assert np.array_equal(one, other)
    saved = [np.load(tmp_path / name / train.WEIGHTS) for name in ("whole", "parts")]
    assert all(np.array_equal(saved[0][name], saved[1][name]) for name in saved[0].files)


def test_only_decisions_of_the_network_are_learned_from() -> None:
    dice = np.random.default_rng(1)
    network, plan = train.Network(dice), train.Plan(1, share=1.0, pool=Pool([thumbs]))
    own = train.play(network, preset(), 200, 0.0, dice, plan)
    everywhere = train.play(network, preset(), 200, 0.0, dice)
    assert 0.2 < len(own.actions) / len(everywhere.actions) < 0.5


def test_rules_of_thumb_beat_chance_by_far() -> None:
    dice, tables = np.random.default_rng(1), Tables(preset(), 600, 1)
    own = np.arange(600) // 3 % 3
    sitting = (np.arange(3) != own[:, None]).astype(np.int8)

    def chance(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return train.by_chance(masks, dice)

    while not tables.over.all():
        tables.step(choose_actions(tables, (thumbs, chance), sitting))
    assert tables.payments()[np.arange(600), own].mean() > 1


def test_learning_brings_values_to_the_stakes_paid() -> None:
    dice = np.random.default_rng(1)
    network = train.Network(dice)
    it = train.play(network, preset(), 100, 1.0, dice)
    some = train.Decisions(it.seen[:500], it.actions[:500], it.stakes[:500])
    errors = [network.learn(some, 1e-3) for _ in range(60)]
    assert errors[-1] < 0.5 * errors[0]


def test_a_networks_slopes_are_those_of_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some weights in each layer, by differences of the error."""
    dice = np.random.default_rng(2)
    network, told = train.Network(dice), list[list[np.ndarray]]()
    decisions = train.play(network, preset(), 20, 1.0, dice)
    monkeypatch.setattr(network, "_descend", lambda slopes, rate: told.append(slopes))
    network.learn(decisions, 0)
    network.arrays = [array.astype(np.float64) for array in network.arrays]
    for array, slope in zip(network.arrays, told[0], strict=True):
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        sides = []
        for shift in (1e-4, -2e-4):
            array[place] += shift
            sides.append(network.learn(decisions, 0))
        array[place] += 1e-4
        assert (sides[0] - sides[1]) / 4e-4 == pytest.approx(slope[place], rel=0.01)


def test_the_adapter_values_actions_as_the_network_that_was_saved(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    network, tables = train.Network(random), Tables(preset(), 8, 5)
    network.save(tmp_path / "weights.npz")
    player = adapter().Network(str(tmp_path / "weights.npz"))
    for _ in range(12):
        masks, looks = tables.masks(), tables.observations()
        for mask, look, values in zip(masks, looks, network.layers(looks)[-1], strict=True):
            told = player.values(look.tobytes(), mask.tobytes())
            assert list(told) == np.flatnonzero(mask).tolist()
            assert list(told.values()) == pytest.approx(values[mask].tolist(), abs=0.02)
        tables.step(train.by_chance(masks, random))


def test_a_run_begins_a_bot_with_nothing_but_adapter_weights_and_manifest(tmp_path: Path) -> None:
    run = train.Run(tmp_path / "mine", seed=1)
    run.keep({"deals": 0})
    sample = {path.name for path in ADAPTER.parent.iterdir()} - {"__pycache__"}
    assert {path.name for path in run.bot.iterdir()} == sample
    assert sample == {"player.py", "weights.npz", "bot.toml"}
    assert (run.bot / "player.py").read_bytes() == ADAPTER.read_bytes()
    assert 'name = "mine"' in (run.bot / "bot.toml").read_text()
