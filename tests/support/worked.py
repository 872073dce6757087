"""The worked tables as sets."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from arena.stats.sets import Floats, SetBlock

DATA = Path(__file__).parents[1] / "data"


def worked_league() -> tuple[list[str], list[SetBlock], dict[str, Any]]:
    """Four bots, four trios of 25 deals: names, sets, and what is expected of them."""
    table = json.loads((DATA / "f3_duplicate_sets_league.json").read_text())
    names, rows = table["names"], dict[tuple[int, ...], list[Floats]]()
    for games in (each["games"] for each in table["sets"]):
        made = np.zeros(len(names))
        for game in games:
            made[[names.index(name) for name in game["seats"]]] += np.array(game["points"])
        lineup = tuple(sorted(names.index(name) for name in games[0]["seats"]))
        rows.setdefault(lineup, []).append(made[list(lineup)] / len(games))
    blocks = [SetBlock(lineup, np.array(stakes)) for lineup, stakes in rows.items()]
    return names, blocks, table["expected"]


def worked_pairs() -> tuple[list[str], list[SetBlock], dict[str, float]]:
    """Wins, draws and losses of three pairs as sets of two bots each: names, sets, expected Elo."""
    table = json.loads((DATA / "f1_three_bots_wdl.json").read_text())
    blocks = []
    for pair in table["pairs"]:
        signs = [1.0] * pair["w"] + [0.0] * pair["d"] + [-1.0] * pair["l"]
        lineup = tuple(table["names"].index(pair[side]) for side in "ab")
        blocks.append(SetBlock(lineup, np.array([[sign, -sign] for sign in signs])))
    return table["names"], blocks, table["expected_elo"]


def simulated(
    seed: int, strength: Sequence[float], lineups: Sequence[tuple[int, ...]], sets: int
) -> list[SetBlock]:
    """Sets whose stakes are correlated within a deal, with ties, zero in sum at each table."""
    chance = np.random.default_rng(seed)
    blocks = []
    for lineup in lineups:
        luck = chance.normal(scale=1.5, size=(sets, len(lineup)))
        luck[:, 0] += luck[:, 1] * 0.7
        stakes = np.round((np.array([strength[bot] for bot in lineup]) + luck) * 6) / 6
        blocks.append(SetBlock(lineup, stakes - stakes.mean(axis=1, keepdims=True)))
    return blocks
