"""The time per move of each bot of a league, from its record.

Run it from the project's folder: `.venv/bin/python -m benchmarks.moves leagues/reference.db`.
"""

import argparse
from pathlib import Path

import numpy as np

from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.publish.league import times_by_seat


def main() -> None:
    """Print a line for each bot: moves, and milliseconds as median, 95 % and most."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("league", type=Path)
    store = Store.open(record_path(options.parse_args().league))
    print(f"{'bot':20}   moves   median ms     95 %      most")
    spent: dict[str, list[int]] = {}
    for bots, log in store.logs():
        for bot, own in zip(bots, times_by_seat(log, len(bots)), strict=True):
            spent.setdefault(bot, []).extend(own)
    for bot, times in spent.items():
        middle, late, most = (
            each / 1000 for each in (*np.quantile(times, (0.5, 0.95)), max(times))
        )
        print(f"{bot:20} {len(times):7d} {middle:11.3f} {late:8.1f} {most:9.1f}")


if __name__ == "__main__":
    main()
