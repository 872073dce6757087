"""Rounds of simulated tournaments: repeated meetings, distances in the standing, time to pair.

A bot's result of a round is its strength and chance, both normal, as in `benchmarks.tournament`.
"""

from collections import Counter
from itertools import combinations
from math import sqrt
from time import process_time
from typing import Final

import numpy as np

from arena.league.pairing import Pairing, pair
from benchmarks.figures import Row, Rows, Run

ROUNDS: Final = 7
SPREAD: Final = 0.3
"""The standard deviation of strengths, in stakes a deal."""

ERROR: Final = 0.85
"""The standard deviation of a round's stakes a deal."""

POINTS: Final = (6, 4, 2, 0)


def measure(run: Run) -> Rows:
    """Several tournaments of each size for each round of the benchmark."""
    for bots in (12, 15, 30, 60, 62):
        found = np.array([tournament(bots, seed) for seed in range(4 * run.rounds)])
        repeats, distance, milliseconds = found.mean(axis=0)
        figures = (
            f"{repeats:.1f} repeats, rms distance {distance:.2f}, {milliseconds:.1f} ms a pairing"
        )
        yield Row(f"{ROUNDS} rounds of {bots} bots", (figures,))


def tournament(bots: int, seed: int) -> tuple[int, float, float]:
    """Repeated meetings, the rms distance of two at a table, and milliseconds a pairing."""
    random = np.random.default_rng(seed)
    strength = random.normal(scale=SPREAD, size=bots)
    points = np.zeros(bots)
    rounds: list[Pairing] = []
    squares: list[int] = []
    took = 0.0
    for number in range(ROUNDS):
        order = np.argsort(-points, kind="stable").tolist()
        place = {str(bot): rank for rank, bot in enumerate(order)}
        began = process_time()
        rounds.append(pair((*place,), tuple(rounds), None, True, f"{seed} {number}"))
        took += process_time() - began
        result = strength + random.normal(scale=ERROR, size=bots)
        for table in rounds[-1].tables:
            best_first = sorted(map(int, table), key=lambda bot: -result[bot])
            squares += [(place[one] - place[two]) ** 2 for one, two in combinations(table, 2)]
            for won, bot in zip(POINTS, best_first, strict=False):
                points[bot] += won
    tables = [table for each in rounds for table in each.tables]
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    repeats = sum(count - 1 for count in met.values())
    return repeats, sqrt(sum(squares) / len(squares)), 1e3 * took / ROUNDS
