"""Decisions per second of two workers, as a ratio to one; each is pinned to a core with its bots.

Beside it stands what two C parents reach at once, as a ratio to one: so much the machine gives.
Run it from the project's folder: `.venv/bin/python -m benchmarks.workers`. It needs a C compiler
and two cores.
"""

import argparse
import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.lanes import Lanes
from arena.records import MatchRecord
from arena.runner import play_all
from arena.sandbox.isolation import isolation
from arena.worker import Job
from benchmarks.speed import ROUND_TRIPS, build, match_of


def main() -> None:
    """Measure in turn and print each round and the median of the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="times each is measured")
    options.add_argument("--matches", type=int, default=8, help="matches of a run")
    options.add_argument("--deals", type=int, default=1000, help="deals of a match")
    chosen = options.parse_args()
    ratios: list[float] = []
    limits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        bot, parent = (build(name, folder) for name in ("bot", "parent"))
        job = match_of(Path(bot), chosen.deals, isolation())
        print("round   one worker/s   two workers/s   ratio   C, 1 parent/s   2 parents/s   ratio")
        for number in range(chosen.rounds):
            one, two = (speed(job, chosen.matches, workers) for workers in (1, 2))
            alone, both = (c_speed(parent, bot, parents) for parents in (1, 2))
            ratios.append(two / one)
            limits.append(both / alone)
            print(
                f"{number + 1:5d}   {one:12,.0f}   {two:13,.0f}   {ratios[-1]:5.2f}"
                f"   {alone:13,.0f}   {both:11,.0f}   {limits[-1]:5.2f}"
            )
    print(
        f"two workers: {median(ratios):.2f} times one, two C parents {median(limits):.2f} times one"
        f" (median of {chosen.rounds})"
    )


def speed(job: Job, matches: int, workers: int) -> float:
    """Decisions per second of some matches, the workers' own start left out."""
    ended: list[float] = []
    decisions = 0

    def finished(number: int, record: MatchRecord) -> None:
        nonlocal decisions
        ended.append(perf_counter())
        decisions += record.decisions if len(ended) > workers else 0

    play_all(
        [(number, job) for number in range(matches + workers)],
        Lanes(workers),
        lambda _: None,
        finished,
        lambda _, __: None,
    )
    return decisions / (ended[-1] - ended[workers - 1])  # the first of each worker is its warm-up


def c_speed(parent: str, bot: str, parents: int) -> float:
    """Round trips per second of C parents at once, each on a core of its own with three bots."""
    running = [
        subprocess.Popen(
            [parent, bot, str(ROUND_TRIPS), "3"],
            stdout=subprocess.PIPE,
            preexec_fn=partial(os.sched_setaffinity, 0, {core}),
        )
        for core in sorted(os.sched_getaffinity(0))[:parents]
    ]
    return sum(float(each.communicate()[0]) for each in running)


if __name__ == "__main__":
    main()
