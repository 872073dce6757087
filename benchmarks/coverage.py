"""How often the 95 % intervals of strengths and Elo contain the truth, in simulated leagues.

Stakes are correlated within a deal, come in sixths, and spread differently for each bot.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from arena.stats.elo import ratings
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.strengths import plus_minus, strengths
from benchmarks.figures import Row, Rows, Run

LEAGUES: Final = 200
"""The leagues per round and row."""

Tables = Sequence[tuple[int, ...]]


def measure(run: Run) -> Rows:
    """Simulate round robins and drawn schedules with few and many sets a table."""
    for bots, sets, drawn in CASES:
        found = covered(bots, sets, drawn, LEAGUES * run.rounds)
        kind = f"{drawn} drawn tables" if drawn else "each table"
        what = f"95 % intervals of {bots} bots that hold, {sets} sets at {kind}"
        yield Row(what, ("strengths {:.3f}, Elo {:.3f}".format(*found),))


CASES: Final = (
    (3, 10, 0),
    (5, 2, 0),
    (5, 5, 0),
    (5, 10, 0),
    (10, 2, 0),
    (10, 5, 0),
    (10, 10, 0),
    (10, 2, 40),
    (10, 5, 20),
    (10, 10, 20),
    (30, 10, 60),
)
"""Bots, sets at each table, and the number of tables drawn by lot, 0 for all there are."""


def covered(bots: int, sets: int, drawn: int, leagues: int, seed: int = 1) -> tuple[float, float]:
    """The shares of intervals of strengths and of Elo that contain the truth."""
    random = np.random.default_rng(seed)
    true = np.linspace(-0.6, 0.6, bots)
    spread = np.resize([0.8, 1.0, 1.2, 1.5, 1.0], bots)
    every = list(combinations(range(bots), 3))
    large = [
        SetBlock(table, _stakes(random, table, true, spread, 400_000 // len(every)))
        for table in every
    ]
    elo = np.array([it.elo for it in ratings(league_sets(large, bots)) if it])
    held: list[list[bool]] = [[], []]
    for _ in range(leagues):
        tables: Tables = every
        if drawn:
            seats = [random.permutation(bots)[:3] for _ in range(drawn)]
            tables = [tuple(sorted(each.tolist())) for each in seats]
        blocks = [SetBlock(table, _stakes(random, table, true, spread, sets)) for table in tables]
        found = strengths(league_sets(blocks, bots))
        for bot, rating in enumerate(ratings(league_sets(blocks, bots))):
            half = plus_minus(found, bot)
            if half is not None and (found.part == 0).all():
                held[0].append(bool(abs(found.values[bot] - true[bot]) <= half))
                if rating is not None and rating.pm is not None:
                    held[1].append(bool(abs(rating.elo - elo[bot]) <= rating.pm))
    return float(np.mean(held[0])), float(np.mean(held[1]))


def _stakes(
    random: np.random.Generator, table: tuple[int, ...], true: Floats, spread: Floats, sets: int
) -> Floats:
    """Sets at a table: strengths less their mean, and luck that the others pay for."""
    bots = list(table)
    luck = random.normal(size=(sets, 3)) * spread[bots]
    luck[:, 1] += 0.6 * luck[:, 0]
    raw = np.round((true[bots] + luck) * 6) / 6
    return np.asarray(raw - raw.mean(axis=1, keepdims=True), np.float64)
