"""What the sandbox costs, by level: a bot's start and end, a match's, and each decision.

Run it from the project's folder: `.venv/bin/python -m benchmarks.sandbox`. It needs a C compiler.
"""

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import trio

from arena.base.errors import MachineError
from arena.base.isolation_levels import LEVELS, IsolationLevel
from arena.engine.process import running
from arena.engine.program import Program
from arena.engine.worker import play_match
from arena.sandbox.isolation import Isolation, choose_isolation
from benchmarks.speed import build, match_of

STARTS = 30
FEW = 100
LINE = b'{"type":"hello"}\n'


def main() -> None:
    """Measure all levels in turn, round by round, and print medians and ratios to none."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7, help="times each is measured")
    options.add_argument("--deals", type=int, default=2000, help="deals that are timed")
    chosen = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    levels = dict(available())
    starts: dict[IsolationLevel, list[float]] = {level: [] for level in levels}
    matches: dict[IsolationLevel, list[float]] = {level: [] for level in levels}
    speeds: dict[IsolationLevel, list[float]] = {level: [] for level in levels}
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(build("bot", folder))
        for _ in range(chosen.rounds):
            for level, apart in levels.items():
                starts[level].append(start_up(bot, apart))
                matches[level].append(match_of_one(bot, apart))
                speeds[level].append(speed(bot, apart, chosen.deals))
    print("level        bot, start to end   ratio   match of one deal   decisions/s   ratio")
    for level in levels:
        start, match, fast = (median(each[level]) for each in (starts, matches, speeds))
        share = median(
            mine / bare for mine, bare in zip(speeds[level], speeds["none"], strict=True)
        )
        times = start / median(starts["none"])
        print(
            f"{level:10s}   {1000 * start:14.2f} ms   {times:5.2f}   {1000 * match:14.2f} ms"
            f"   {fast:11,.0f}   {share:5.3f}"
        )


def available() -> list[tuple[IsolationLevel, Isolation]]:
    """The levels that this machine holds, the weakest first."""
    found: list[tuple[IsolationLevel, Isolation]] = []
    for level in reversed(LEVELS):
        try:
            found.append((level, choose_isolation(level)))
        except MachineError as error:
            print(f"{level} is left out: {error.mistakes[0]}")
    return found


def speed(bot: Path, apart: Isolation, deals: int) -> float:
    """Decisions per second between two matches of different length, so that no start counts."""
    spent: list[tuple[int, float]] = []
    for length in (FEW, FEW + deals):
        job = match_of(bot, length, apart)
        began = perf_counter()
        decisions = play_match(job).results.decisions
        spent.append((decisions, perf_counter() - began))
    (few, short), (many, long) = spent
    return (many - few) / (long - short)


def match_of_one(bot: Path, apart: Isolation) -> float:
    """Seconds of a match of one deal, all but its decisions being start and end; a median."""
    job = match_of(bot, 1, apart)
    times = []
    for _ in range(STARTS):
        began = perf_counter()
        play_match(job)
        times.append(perf_counter() - began)
    return median(times)


def start_up(bot: Path, apart: Isolation) -> float:
    """Seconds to start a bot, get its ready, and see it gone; the median of some."""
    bot.parent.chmod(0o755)
    program = Program("bot", (f"./{bot.name}",), str(bot.parent))
    times = []
    for _ in range(STARTS):
        began = perf_counter()
        trio.run(greeted, program, apart)
        times.append(perf_counter() - began)
    return median(times)


async def greeted(program: Program, apart: Isolation) -> None:
    """Start a bot, greet it and end it."""
    async with running(program, apart, 65536) as process:
        process.post(LINE)
        await process.read_line(trio.current_time() + 10)


if __name__ == "__main__":
    main()
