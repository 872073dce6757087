"""The time per move of each bot of a league, from its record.

Run it from the project's folder: `.venv/bin/python -m benchmarks.moves leagues/reference.db`.
"""

import argparse
from pathlib import Path

from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.publish.bots import read_times


def main() -> None:
    """Print a line for each bot: moves, and milliseconds as median, 95 % and most."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("league", type=Path)
    store = Store.open(record_path(options.parse_args().league))
    print(f"{'bot':20}   moves   median ms     95 %      most")
    for line in read_times(store).values():
        middle, late, most = (1000 * seconds for seconds in (line.median, line.late, line.most))
        print(f"{line.bot:20} {line.moves:7d} {middle:11.3f} {late:8.1f} {most:9.1f}")


if __name__ == "__main__":
    main()
