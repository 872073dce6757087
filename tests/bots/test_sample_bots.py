"""The sample bots play without a fault and as well as they should; learned plays its network."""

import json
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.bots.manifest import content_hash
from arena.bots.templates import KITS
from arena.match.wire import AnyReply, AnyRequest, decode, reply_to
from arena.training.actions import ACTIONS
from arena.training.observation import HISTORY_SIZE, OBSERVATION_SIZE
from arena.training.tables import Tables
from arena.zole.deal import Seat
from arena.zole.rules import preset, preset_names
from tests.support.adapter import adapter
from tests.support.command import document
from tests.support.positions import Position, begin, legal_actions, observe, step
from tests.support.present import present
from tests.support.scripted import ASKS_ALL, drive, plan_of
from tests.test_documents import blocks

SAMPLES = Path(__file__).parents[2] / "sample_bots"
NEEDS_NUMPY = "batch"
IN_KITS = {kit.bot for kit in KITS.values()}
OTHERS = sorted({path.name for path in SAMPLES.iterdir()} - IN_KITS - {NEEDS_NUMPY})
"""Those that begin no kit; kits are held to theirs in `test_templates.py`."""

SLOW = {"sampler": "1", "master": "1"}
"""Deals for a bot that thinks."""

LOADS = {"learned": "6"}
"""Deals for one that has much to compute."""

FROZEN = "a19f744365fb372d08591dd5a9da3d21713bd29e1a0b22396d8114f02a56985a"
"""The content of the sampler: ratings are anchored on it, so that a new one needs a new name."""


def games(*arguments: str | Path) -> Any:
    """The document of a match; a sample bot is named by its folder."""
    folders = [SAMPLES / name if (SAMPLES / name).exists() else name for name in arguments]
    return document("match", *folders, "--seed", "1", "--isolation", "none", "--no-timeout")


def faults(played: Any) -> list[dict[str, int]]:
    return [total["faults"] for total in played["totals"]]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("rules", ["pagat", "piedalies", "lzsf"])
def test_a_sample_bot_plays_any_rules_without_a_fault(name: str, rules: str) -> None:
    deals = {**SLOW, **LOADS}.get(name, "12")
    played = games(*[name] * 3, "--rules", rules, "--deals", deals, "--seatings", "one")
    assert faults(played) == [{}, {}, {}]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW | LOADS else ()) for name in OTHERS],
)
def test_copies_of_a_sample_bot_tie_exactly(name: str) -> None:
    totals = games(*[name] * 3, "--deals", SLOW.get(name, "2"))["totals"]
    assert [total["stakes"] for total in totals] == [0, 0, 0]


def test_a_bot_with_numpy_plays_many_tables_without_a_fault(tmp_path: Path) -> None:
    """By the tests' own Python, since the one of the machine need not have NumPy."""
    bot = tmp_path / NEEDS_NUMPY
    shutil.copytree(SAMPLES / NEEDS_NUMPY, bot)
    manifest = bot / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"python3"', f'"{sys.executable}"'))
    assert faults(games(bot, bot, bot, "--deals", "70", "--seatings", "one")) == [{}, {}, {}]


@pytest.mark.slow
def test_careful_declares_and_wins_as_often_as_sensible_players_do() -> None:
    played = games(*["careful"] * 3, "--deals", "600", "--seatings", "one")
    results = [game["result"] for game in played["games"]]
    declared = [result for result in results if result["declarer"] is not None]
    won = [result for result in declared if result["payments"][result["declarer"]] > 0]
    assert 0.05 < 1 - len(declared) / len(results) < 0.45
    assert 0.65 < len(won) / len(declared) < 0.92


@pytest.mark.slow
def test_careful_beats_random_by_more_than_a_stake_a_deal() -> None:
    careful, chance = games("careful", "random", "--deals", "60")["totals"]
    assert careful["stakes_per_deal"] - chance["stakes_per_deal"] > 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "deals"), [("sampler", 12), ("master", 12), ("learned", 60)])
def test_a_strong_sample_bot_beats_careful(name: str, deals: int) -> None:
    """Twelve deals are few, but both bots are deterministic, so the result is always the same."""
    played = games(name, "careful", "--deals", f"{deals}")
    strong, careful = played["totals"]
    assert strong["stakes"] > careful["stakes"]
    assert faults(played) == [{}, {}]


def test_master_has_the_cards_and_the_reader_of_sampler_which_is_frozen_and_small_weights() -> None:
    """A bot's folder stands alone, so they are copies, and must not drift apart."""
    for name in ("game.hpp", "json.hpp"):
        assert (SAMPLES / "master" / name).read_bytes() == (SAMPLES / "sampler" / name).read_bytes()
    assert (SAMPLES / "master" / "weights.bin").stat().st_size < 2_000_000
    assert content_hash(SAMPLES / "sampler") == FROZEN


GIVING_UP: dict[str, object] = {"declarer": "before_lead_3", "defender": True}
BETWEEN = "surrender offer accept play_on"
RULES: list[tuple[str, dict[str, object], str]] = [
    ("pagat", {}, f"solo {BETWEEN}"),
    ("piedalies", {}, f"small_solo {BETWEEN}"),
    ("lzsf", {}, "blind look take give small_solo"),
    ("zole_net", {}, BETWEEN),
    ("gamerules", {}, ""),
    ("lzsf", {"players": 4, "surrender": GIVING_UP}, f"blind look {BETWEEN}"),
    ("piedalies", {"players": 5, "auction": {"mode": "ranked"}}, f"small_solo {BETWEEN}"),
    ("lzsf", {"auction": {"mode": "ranked"}}, "blind look small_solo"),
    ("zole_net", {"table": {"talon": "first_two_tricks"}}, ""),
]
"""Rules, and the answers given in some deals by them apart from `pass`, `ordinary` and cards."""


class Compared:
    """A match in which adapters take the seats, and each thing they see is compared."""

    position: Position | None = None
    seat: Seat

    def __init__(self, name: str, changes: dict[str, object], deals: int):
        self.plan, self.dice = plan_of(preset(name, changes), deals), random.Random(4)
        self.seen: Counter[str] = Counter()
        desk = partial(adapter().Desk, self.policy, surrenders=True, history=True)
        self.desks = [desk() for _ in range(self.plan.rules.players)]
        drive(self.plan, self.answer, ASKS_ALL)

    def answer(self, seat: Seat, request: AnyRequest) -> AnyReply:
        if self.position is None or self.position.question is None:
            self.position = begin(self.plan.rules, self.plan.deals[request.deal], surrenders=True)
        self.seat = seat
        (said,) = self.desks[seat].answers([json.loads(msgspec.json.encode(request))])
        return reply_to(request, decode(json.dumps(said).encode()))

    def policy(self, observations: Sequence[bytes], masks: Sequence[bytes]) -> list[int]:
        position = present(self.position)
        assert position.seat == self.seat
        assert list(observations) == [observe(position, self.seat, history=True).tobytes()]
        assert list(masks) == [legal_actions(position).tobytes()]
        by_word: dict[str, list[int]] = {}
        for each in np.flatnonzero(legal_actions(position)).tolist():
            by_word.setdefault(ACTIONS[each].split()[0], []).append(each)
        word = self.dice.choice(list(by_word))
        self.seen[word] += 1
        action = self.dice.choice(by_word[word])
        self.position = step(position, action)
        return [action]


@pytest.mark.parametrize(("name", "changes", "words"), RULES)
def test_the_adapter_makes_of_a_seats_lines_what_environments_show_it(
    name: str, changes: dict[str, object], words: str
) -> None:
    """Its actions and planes are those of the environments."""
    assert {name for name, changes, _ in RULES if not changes} == {*preset_names()}
    player = adapter()
    sizes = (player.SIZE, player.HISTORY_SIZE, player.ACTIONS)
    assert sizes == (OBSERVATION_SIZE, HISTORY_SIZE, ACTIONS)
    assert {"pass", "play", *words.split()} <= {*Compared(name, changes, deals=24).seen}


def test_the_policy_of_the_guide_chooses_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = [each for each in blocks("docs/start/trainer.md") if each.language == "python"]
    policies: list[Callable[[Sequence[bytes], Sequence[bytes]], np.ndarray]] = []
    monkeypatch.setitem(sys.modules, "player", adapter())
    monkeypatch.setattr(adapter(), "play", policies.append)
    exec(block.text, {})
    tables = Tables(preset(), 20, 1)
    for _ in range(30):
        masks = tables.masks()
        looks = [look.tobytes() for look in tables.observations()]
        actions = policies[0](looks, [mask.tobytes() for mask in masks])
        assert masks[np.arange(20), actions][~tables.over].all()
        tables.step(actions)


def weights(inputs: int = OBSERVATION_SIZE) -> dict[str, np.ndarray]:
    """A small network's weights."""
    dice = np.random.default_rng(1)
    shapes = {"w0": (inputs, 5), "b0": (5,), "w1": (5, 64), "b1": (64,)}
    return {name: dice.standard_normal(it).astype("<f4") for name, it in shapes.items()}


@pytest.mark.parametrize(
    "laid",
    [
        weights(),
        {name: np.asfortranarray(each) for name, each in weights().items()},
        weights() | {"w0": np.ascontiguousarray(weights()["w0"].T).T},
    ],
    ids=["by rows", "by columns", "as torch has it"],
)
def test_weights_are_read_right_whether_they_lie_by_rows_or_by_columns(
    tmp_path: Path, laid: dict[str, np.ndarray]
) -> None:
    path, made = tmp_path / "weights.npz", weights()
    np.savez(path, allow_pickle=False, **laid)
    tables = Tables(preset(), 3, 1)
    look, mask = tables.observations()[0], tables.masks()[0]
    values = np.maximum(look @ made["w0"] + made["b0"], 0) @ made["w1"] + made["b1"]
    told = adapter().Network(str(path)).values(look.tobytes(), mask.tobytes())
    assert list(told.values()) == pytest.approx(values[mask].tolist(), rel=1e-4)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"w0": weights()["w0"].T}, "w0 is 5 x 375, but has 375 inputs, a row each"),
        ({"w1": weights()["w1"][:, :9]}, "the last layer has 9 outputs, not 64, by action"),
        (
            {"w0": weights()["w0"].astype(">f4")},
            "weights must be floats (<f2, <f4, <f8), not >f4",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused_in_a_sentence(
    tmp_path: Path, wrong: dict[str, np.ndarray], words: str
) -> None:
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **(weights() | wrong))
    with pytest.raises(ValueError, match=re.escape(words)):
        adapter().Network(str(tmp_path / "weights.npz"))


@pytest.mark.parametrize("history", [0, HISTORY_SIZE])
def test_a_network_is_shown_a_history_if_it_has_inputs_for_one(
    tmp_path: Path, history: int
) -> None:
    np.savez(tmp_path / "weights.npz", allow_pickle=False, **weights(OBSERVATION_SIZE + history))
    assert adapter().Network(str(tmp_path / "weights.npz")).history == (history > 0)
