"""Time per match on a cluster of this machine, as a ratio to its own workers, with instant bots.

Run it from the project's folder: `.venv/bin/python -m benchmarks.cluster`. It needs a C compiler
and the extra [cluster]. With `--memory N` it plays N matches on the cluster alone, and prints
how the arena's memory grows.
"""

import argparse
import resource
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

from arena.base.isolation_levels import ISOLATION_LEVELS
from arena.base.resources import STANDARD
from arena.base.run_events import Completed, Playing
from arena.bots.manifest import content_hash, read_bot
from arena.cluster.executor import DaskExecutor
from arena.engine.builds import Copy
from arena.engine.job import Job
from arena.engine.runner import Executor, run
from arena.engine.workers import Players
from arena.match.record import MatchRecord
from arena.sandbox.isolation import choose_isolation
from arena.tasks.league_run import Roster
from benchmarks.leagues import enter
from benchmarks.speed import build, match_of


def main() -> None:
    """Measure in turn and print each round and the median of the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="times each is measured")
    options.add_argument("--matches", type=int, default=200, help="matches of each measurement")
    options.add_argument("--deals", type=int, default=5, help="deals of a match")
    options.add_argument("--workers", type=int, default=1, help="workers of either")
    options.add_argument(
        "--isolation", choices=ISOLATION_LEVELS, help="the strongest where none is given"
    )
    options.add_argument("--memory", type=int, metavar="N", help="play N matches on the cluster")
    chosen = options.parse_args()
    apart = choose_isolation(chosen.isolation)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # bots may be other users
        roster = Roster(Path(folder, "copies"), apart)
        bot = enter(build("bot", folder), Path(folder, "entered"))
        roster.add(Copy(read_bot(bot), content_hash(bot), STANDARD))
        plan = match_of(bot / "bot", chosen.deals, apart).plan
        job = Job(plan, tuple(roster.programs.values()) * 3, apart)

        def cluster() -> Executor[Job, MatchRecord]:
            return DaskExecutor(chosen.workers, roster, lambda _: None)

        if chosen.memory:
            remember(job, chosen.memory, cluster)
            return
        ratios = []
        print("round   ms a match: own workers   cluster   ratio")
        for number in range(chosen.rounds):
            own = seconds(job, chosen.matches, Players(chosen.workers))
            there = seconds(job, chosen.matches, cluster())
            ratios.append(there / own)
            print(f"{number + 1:5d}   {own * 1e3:23.2f}   {there * 1e3:7.2f}   {ratios[-1]:.3f}")
        print(f"cluster: {median(ratios):.3f} of the time of own workers, in the median")


def seconds(job: Job, matches: int, executor: Executor[Job, MatchRecord]) -> float:
    """Seconds a match takes, from the first that came in to the last."""
    times: list[float] = []
    play(job, matches, executor, lambda: times.append(perf_counter()))
    return (times[-1] - times[0]) / (matches - 1)


def remember(job: Job, matches: int, cluster: Callable[[], Executor[Job, MatchRecord]]) -> None:
    """Print the arena's memory as matches come in, ten times."""
    done = 0
    began = perf_counter()

    def finished() -> None:
        nonlocal done
        done += 1
        if done % max(1, matches // 10) == 0:
            print(f"{done:7d} matches, {perf_counter() - began:6.0f} s, {resident_mib():.1f} MiB")

    print("most resident memory of the arena and the scheduler in it")
    play(job, matches, cluster(), finished)


def play(
    job: Job, matches: int, executor: Executor[Job, MatchRecord], finished: Callable[[], None]
) -> None:
    """Play a match so often."""

    def jobs() -> Iterator[tuple[int, Job]]:
        for number in range(matches):
            yield number, job

    with closing(executor):
        for event in run(jobs(), executor):
            if isinstance(event, Playing):
                continue
            if not isinstance(event, Completed):
                raise SystemExit(f"a match came to nothing: {event}")
            if event.result.results.faults:
                raise SystemExit(f"the bot faulted: {event.result.results.faults[0]}")
            finished()


def resident_mib() -> float:
    """The most memory this process has had at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
