"""Time a move of each bot of a league, from its record.

Run it from the project's folder: `.venv/bin/python -m benchmarks.moves leagues/reference.db`.
"""

import argparse
from pathlib import Path

import numpy as np

from arena.logs import read_log
from arena.store import Store, record_path


def main() -> None:
    """Print a line for each bot: moves, and milliseconds as median, 99 % and most."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("league", type=Path)
    store = Store.open(record_path(options.parse_args().league))
    times: dict[str, list[int]] = {}
    for _, spec, record in store.matches():
        _, deals = read_log(record.log)
        for deal in deals:
            for seat, _, microseconds in deal.steps:
                times.setdefault(spec.seats[seat], []).append(microseconds)
    print(f"{'bot':20}   moves   median ms     99 %      most")
    for bot, spent in sorted(times.items()):
        middle, late, most = np.percentile(spent, [50, 99, 100]) / 1000
        print(f"{bot:20} {len(spent):7d} {middle:11.3f} {late:8.1f} {most:9.1f}")


if __name__ == "__main__":
    main()
