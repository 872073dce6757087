"""Decisions per second of a league with two workers, relative to one; each has a core for itself.

The league is played as `arena league` does it: its record is written and its standings are reckoned
while the clock runs. Beside it stands what two C parents reach at once, relative to one: so much
the machine gives.
"""

import os
import subprocess
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from time import perf_counter

from arena.base.run_events import Completed
from arena.engine.runner import run
from arena.engine.workers import Players
from arena.record.summary import summarize
from arena.tasks.closed_league import resume_closed
from arena.tasks.league_request import request_league
from benchmarks.figures import Row, Rows, Run, ratio
from benchmarks.leagues import league_of
from benchmarks.speed import ROUND_TRIPS

BOTS = "abcd"
"""Four bots have 24 matches."""
DEALS = 300


def measure(run: Run) -> Rows:
    """Two workers beside one, and C parents beside both, in turn."""
    if len(os.sched_getaffinity(0)) < 2:
        yield Row("two workers, relative to one", ("not measured: there is one core",))
        return
    ours: dict[int, list[float]] = {1: [], 2: []}
    limits: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(run.rounds):
        for count in (1, 2):
            ours[count].append(1 / speed(run.bot, count))
        for count in (1, 2):
            limits[count].append(1 / c_speed(run.parent, run.bot, count))
    yield Row("two workers, relative to one", (ratio(ours[2], ours[1]),))
    yield Row("two C parents, relative to one", (ratio(limits[2], limits[1]),))
    what = "one worker with record and standings, as a share of a C parent with three bots"
    yield Row(what, (ratio(ours[1], limits[1]),))


def speed(bot: str, workers: int) -> float:
    """Decisions per second of a league, but for the first match of each worker."""
    with (
        tempfile.TemporaryDirectory() as home,
        resume_closed(request_league(league_of(bot, BOTS, DEALS, Path(home)), 7)) as league,
    ):
        ended: list[float] = []
        decisions = 0
        [to_play] = league.runs()
        with closing(Players(workers)) as players:
            for event in run(to_play, players):
                league.take(event)
                if isinstance(event, Completed):
                    ended.append(perf_counter())
                    decisions += event.result.results.decisions if len(ended) > workers else 0
        summarize(league.store)
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
