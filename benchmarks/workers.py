"""Decisions per second of a league with two workers, as a ratio to one; each has a core for itself.

The league is played as `arena league` does it: its record is written and its standings are reckoned
while the clock runs. Beside it stands what two C parents reach at once, as a ratio to one: so much
the machine gives. Run it from the project's folder: `.venv/bin/python -m benchmarks.workers`. It
needs a C compiler and two cores.
"""

import argparse
import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.engine.runner import play_all
from arena.engine.workers import Lanes
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.summary import summarize
from arena.tasks.season import open_season
from benchmarks.league import league_of
from benchmarks.speed import ROUND_TRIPS, build

BOTS = "abcd"
"""Four bots have 24 matches."""


def main() -> None:
    """Measure in turn and print each round and the medians of the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="times each is measured")
    options.add_argument("--deals", type=int, default=300, help="deals of a match")
    chosen = options.parse_args()
    ratios: list[float] = []
    shares: list[float] = []
    limits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        bot, parent = (build(name, folder) for name in ("bot", "parent"))
        print("round   one worker/s   two workers/s   ratio   C, 1 parent/s   2 parents/s   ratio")
        for number in range(chosen.rounds):
            one, two = (speed(bot, chosen.deals, workers) for workers in (1, 2))
            alone, both = (c_speed(parent, bot, parents) for parents in (1, 2))
            ratios.append(two / one)
            shares.append(one / alone)
            limits.append(both / alone)
            print(
                f"{number + 1:5d}   {one:12,.0f}   {two:13,.0f}   {ratios[-1]:5.2f}"
                f"   {alone:13,.0f}   {both:11,.0f}   {limits[-1]:5.2f}"
            )
    print(
        f"two workers: {median(ratios):.2f} times one, two C parents {median(limits):.2f} times one"
        f" (median of {chosen.rounds})"
    )
    print(
        f"one worker with record and standings: {median(shares):.3f} of a C parent with three bots"
    )


def speed(bot: str, deals: int, workers: int) -> float:
    """Decisions per second of a league, but for the first match of each worker."""
    ended: list[float] = []
    decisions = 0
    with (
        tempfile.TemporaryDirectory() as home,
        open_season(league_of(bot, BOTS, deals, Path(home)), 7) as it,
    ):

        def finished(spec: MatchSpec, record: MatchRecord) -> None:
            nonlocal decisions
            it.store.add(spec, record)
            ended.append(perf_counter())
            decisions += record.results.decisions if len(ended) > workers else 0

        to_play = ((spec, it.job(spec)) for spec in it.remaining())
        play_all(to_play, Lanes(workers), lambda _: None, finished, it.store.add_void)
        summarize(it.store)
        return decisions / (perf_counter() - ended[workers - 1])


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
