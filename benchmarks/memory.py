"""Resident memory of a worker after a thousand deals and after many more."""

import os
from contextlib import closing
from pathlib import Path

from arena.engine.runner import results_of
from arena.engine.runner import run as play
from arena.engine.workers import Players
from arena.sandbox.box import children
from arena.sandbox.isolation import choose_isolation
from benchmarks.figures import Row, Rows, Run
from benchmarks.speed import match_of

DEALS = 1000
"""Deals of a match."""
AFTER = (1_000, 20_000, 50_000, 100_000)


def measure(run: Run) -> Rows:
    """Play matches in one worker and look at its memory on the way."""
    job = match_of(Path(run.bot), DEALS, choose_isolation(), tables=64)
    to_play = ((number, job) for number in range(AFTER[-1] // DEALS))
    with closing(Players(1)) as players:
        after = [resident_mib() for _ in results_of(play(to_play, players))]
    deals = ", ".join(f"{deals:,d}" for deals in AFTER)
    mib = ", ".join(f"{after[deals // DEALS - 1]:.1f}" for deals in AFTER)
    yield Row(f"a worker's memory after {deals} deals", (f"{mib} MiB",))


def resident_mib() -> float:
    """Of the only worker that we have."""
    for pid in children(os.getpid()):
        if b"arena.engine.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
    raise SystemExit("there is no worker")
