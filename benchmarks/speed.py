"""Decisions per second of one worker, as a share of what a C parent reaches with the same bot.

Run it from the project's folder: `.venv/bin/python -m benchmarks.speed`. It needs a C compiler.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.base.isolation_levels import LEVELS
from arena.engine.program import Program
from arena.engine.worker import Job, play_match
from arena.league.file import limits_for
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import MatchPlan
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.zole.rules import preset

HERE = Path(__file__).parent
ROUND_TRIPS = 200_000


def main() -> None:
    """Measure in turn and print each round and the median of the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7, help="times each is measured")
    options.add_argument("--deals", type=int, default=1000, help="deals of a match of the arena's")
    options.add_argument("--isolation", choices=LEVELS, help="the strongest where none is given")
    chosen = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        bot, parent = (build(name, folder) for name in ("bot", "parent"))
        job = match_of(Path(bot), chosen.deals, choose_isolation(chosen.isolation))
        ones: list[float] = []
        threes: list[float] = []
        print("round   C, 1 bot/s   C, 3 bots/s   arena/s   of 1    of 3")
        for number in range(chosen.rounds):
            one, three = c_limit(parent, bot, 1), c_limit(parent, bot, 3)
            speed = arena_speed(job)
            ones.append(speed / one)
            threes.append(speed / three)
            print(
                f"{number + 1:5d}   {one:10,.0f}   {three:11,.0f}   {speed:7,.0f}"
                f"   {ones[-1]:.3f}   {threes[-1]:.3f}"
            )
    print(
        f"one worker: {median(ones):.3f} of a C parent with one bot, {median(threes):.3f} of one"
        f" with three, as at a table (median of {chosen.rounds})"
    )


def build(name: str, folder: str) -> str:
    """Compile a C program of this folder; returns its path."""
    target = f"{folder}/{name}"
    subprocess.run(["cc", "-O2", "-o", target, HERE / f"{name}.c"], check=True)
    return target


def match_of(bot: Path, deals: int, apart: Isolation, tables: int = 1) -> Job:
    """A match of three instant bots that can play at so many tables."""
    rules = preset()
    limits, max_faults = limits_for(rules)
    some = league_deals(rules, "7", ("a", "b", "c"), 0, deals)
    plan = MatchPlan(rules, limits, max_faults, some, seat_seeds(rules, "7", some))
    bot.parent.chmod(0o755)  # bots may be other users
    program = Program("bot", (f"./{bot.name}", str(tables)), str(bot.parent))
    return Job(plan, (program,) * 3, apart)


def c_limit(parent: str, bot: str, bots: int) -> float:
    """Round trips per second of a C parent with so many bots on this core, asked in turn."""
    done = subprocess.run(
        [parent, bot, str(ROUND_TRIPS), str(bots)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def arena_speed(job: Job) -> float:
    """Decisions per second of a whole match: full rules, log, results, start and end included."""
    began = perf_counter()
    record = play_match(job)
    spent = perf_counter() - began
    if record.results.faults:
        raise SystemExit(f"the bot faulted: {record.results.faults[0]}")
    return record.results.decisions / spent


if __name__ == "__main__":
    main()
