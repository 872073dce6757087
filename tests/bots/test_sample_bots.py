"""The sample bots play without a fault, and as well as they should."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.bots.manifest import content_hash
from arena.bots.templates import KITS
from tests.support.command import run_here

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


def games(*arguments: str | Path) -> dict[str, Any]:
    """The document of a match; a sample bot is named by its folder."""
    folders = [SAMPLES / name if (SAMPLES / name).exists() else name for name in arguments]
    more = ("--seed", "1", "--isolation", "none", "--json", "--no-timeout")
    done = run_here("match", *folders, *more)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def faults(document: dict[str, Any]) -> list[dict[str, int]]:
    return [total["faults"] for total in document["totals"]]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("rules", ["pagat", "piedalies", "lzsf"])
def test_a_sample_bot_plays_any_rules_without_a_fault(name: str, rules: str) -> None:
    deals = {**SLOW, **LOADS}.get(name, "12")
    document = games(*[name] * 3, "--rules", rules, "--deals", deals, "--seatings", "one")
    assert faults(document) == [{}, {}, {}]


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
    document = games(*["careful"] * 3, "--deals", "600", "--seatings", "one")
    results = [game["result"] for game in document["games"]]
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
    document = games(name, "careful", "--deals", f"{deals}")
    strong, careful = document["totals"]
    assert strong["stakes"] > careful["stakes"]
    assert faults(document) == [{}, {}]


def test_master_has_the_cards_and_the_reader_of_sampler_and_small_weights() -> None:
    """A bot's folder stands alone, so they are copies, and must not drift apart."""
    for name in ("game.hpp", "json.hpp"):
        assert (SAMPLES / "master" / name).read_bytes() == (SAMPLES / "sampler" / name).read_bytes()
    assert (SAMPLES / "master" / "weights.bin").stat().st_size < 2_000_000


def test_the_anchor_of_ratings_is_frozen() -> None:
    assert content_hash(SAMPLES / "sampler") == FROZEN
