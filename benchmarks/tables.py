"""Decisions per second of one worker at several tables at once, as a ratio to one table.

Run it from the project's folder: `.venv/bin/python -m benchmarks.tables`. It needs a C compiler.
"""

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median

from arena.sandbox.isolation import choose_isolation
from benchmarks.speed import arena_speed, build, c_limit, match_of

TABLES = (1, 8, 64)


def main() -> None:
    """Measure in turn and print each round and the medians of the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="times each is measured")
    options.add_argument("--deals", type=int, default=2000, help="deals of a match")
    chosen = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    apart = choose_isolation()
    with tempfile.TemporaryDirectory() as folder:
        bot, parent = (build(name, folder) for name in ("bot", "parent"))
        print("round   C, 1 bot/s" + "".join(f"{tables:8d} tables" for tables in TABLES))
        ratios: list[list[float]] = []
        shares: list[float] = []
        for number in range(chosen.rounds):
            limit = c_limit(parent, bot, 1)
            speeds = [
                arena_speed(match_of(Path(bot), chosen.deals, apart, tables)) for tables in TABLES
            ]
            ratios.append([speed / speeds[0] for speed in speeds])
            shares.append(speeds[-1] / limit)
            print(
                f"{number + 1:5d}   {limit:10,.0f}" + "".join(f"{each:15,.0f}" for each in speeds)
            )
    for tables, column in zip(TABLES, zip(*ratios, strict=True), strict=True):
        print(f"{tables} tables: {median(column):.2f} times one (median of {chosen.rounds})")
    print(f"{TABLES[-1]} tables: {median(shares):.2f} of a C parent with one bot, a line at a time")


if __name__ == "__main__":
    main()
