"""Resident memory of a worker after a thousand deals and after many more.

Run it from the project's folder: `.venv/bin/python -m benchmarks.memory`. It needs a C compiler.
"""

import argparse
import os
import tempfile
from pathlib import Path

from arena.engine.runner import play_all
from arena.engine.workers import Lanes
from arena.match.record import MatchRecord
from arena.sandbox.isolation import choose_isolation
from arena.sandbox.tree import children
from benchmarks.speed import build, match_of

DEALS = 1000
"""Deals of a match."""


def main() -> None:
    """Play matches in one worker and print its memory after the first and after each tenth."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--deals", type=int, default=100_000, help="deals in all")
    chosen = options.parse_args()
    after: list[float] = []

    def finished(number: int, record: MatchRecord) -> None:
        after.append(resident_mib())

    with tempfile.TemporaryDirectory() as folder:
        job = match_of(Path(build("bot", folder)), DEALS, choose_isolation(), tables=64)
        matches = max(2, chosen.deals // DEALS)
        play_all(
            [(number, job) for number in range(matches)],
            Lanes(1),
            lambda _: None,
            finished,
            lambda _, __: None,
        )
    for number in (1, *range(matches // 5, matches + 1, max(1, matches // 5))):
        print(f"after {number * DEALS:7,d} deals: {after[number - 1]:.1f} MiB")
    print(f"the last is {after[-1] / after[0]:.3f} times the first")


def resident_mib() -> float:
    """Of the only worker that we have."""
    for pid in children(os.getpid()):
        if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
    raise SystemExit("there is no worker")


if __name__ == "__main__":
    main()
