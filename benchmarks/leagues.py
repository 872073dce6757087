"""Whole leagues of instant bots, played by `arena league`: here, or here and at another commit.

    .venv/bin/python -m benchmarks.leagues --against COMMIT

The leagues of both are played in turn, round by round, each on one core by one worker, from the
command line, so that any commit with that command can be compared. Where a control group can be
made for it, processor time is the kernel's own figure, with all that a box spends. It needs a C
compiler.
"""

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep
from typing import Final, NamedTuple

from benchmarks.league import league_of
from benchmarks.speed import build

ROOT: Final = Path(__file__).parent.parent


class Shape(NamedTuple):
    """A league: how many bots, deals a match, and tables that a bot plays at once."""

    bots: int
    deals: int
    tables: int

    @property
    def matches(self) -> int:
        """Every three bots meet in the six orders of their seats."""
        return self.bots * (self.bots - 1) * (self.bots - 2)


SHAPES: Final = {
    "matches of 1,000 deals": Shape(3, 1000, 1),
    "the same at 64 tables": Shape(3, 1000, 64),
    "matches of 10 deals": Shape(7, 10, 1),
    "matches of one deal": Shape(7, 1, 1),
}


class Spent(NamedTuple):
    """What a league took: seconds by the clock, and of processor time where that is known."""

    wall_s: float
    cpu_s: float | None


def main() -> None:
    """Play in turn; print what a match takes and, beside another commit, the ratios."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--against", metavar="COMMIT", help="compare with this commit")
    options.add_argument("--rounds", type=int, default=5, help="times each is measured")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, commits(chosen.against) as places:
        bot = build("bot", folder)
        spent: dict[tuple[str, str], list[Spent]] = {}
        for _ in range(chosen.rounds):
            for shape in SHAPES:
                for name, place in places.items():
                    spent.setdefault((shape, name), []).append(play(place, bot, SHAPES[shape]))
    for shape in SHAPES:
        show(shape, {name: spent[shape, name] for name in places})


@contextmanager
def commits(against: str | None) -> Iterator[dict[str, Path]]:
    """The folders to run from: this one, and the other commit's files in a folder of their own."""
    if against is None:
        yield {"here": ROOT}
        return
    git = ("git", "-C", str(ROOT))
    files = subprocess.run([*git, "archive", against], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(folder, filter="data")
        yield {"here": ROOT, against: Path(folder)}


def play(place: Path, bot: str, shape: Shape) -> Spent:
    """Play a league of the shape with the arena of a folder."""
    with tempfile.TemporaryDirectory() as home, processor_time() as (procs, cpu_s):
        names = "abcdefgh"[: shape.bots]
        file = league_of(bot, names, shape.deals, Path(home), shape.tables)
        core = min(os.sched_getaffinity(0))
        began = perf_counter()
        subprocess.run(
            [sys.executable, "-m", "arena", "league", str(file), "--seed", "7", "--jobs", "1"],
            cwd=place,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=partial(_confine, core, procs),
        )
        return Spent(perf_counter() - began, cpu_s())


def _confine(core: int, procs: Path | None) -> None:
    os.sched_setaffinity(0, {core})
    if procs is not None:
        procs.write_text("0")


@contextmanager
def processor_time() -> Iterator[tuple[Path | None, Callable[[], float | None]]]:
    """A control group to put a program into, and what all in it has used; None where none is had.

    A group counts what a box's processes spend before the arena knows of them; children that
    nobody waits for are missing from the times that a process is told of its own.
    """
    for top, figure in (
        (Path("/sys/fs/cgroup/cpuacct"), lambda group: int(_read(group, "cpuacct.usage")) / 1e9),
        (Path("/sys/fs/cgroup"), lambda group: int(_read(group, "cpu.stat").split()[1]) / 1e6),
    ):
        group = top / f"benchmark-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            yield group / "cgroup.procs", partial(figure, group)
        finally:
            while not _removed(group):  # what ended last is still leaving it
                sleep(0.01)
        return
    yield None, lambda: None


def _removed(group: Path) -> bool:
    try:
        group.rmdir()
    except OSError:
        return False
    return True


def _read(group: Path, name: str) -> str:
    return (group / name).read_text()


def show(shape: str, spent: dict[str, list[Spent]]) -> None:
    """Print what a match takes at each place, in low quartiles, and ratios to the last place."""
    matches = SHAPES[shape].matches
    *_, last = spent
    print(f"\n{shape}, {matches} of them")
    for name, rounds in spent.items():
        walls = [each.wall_s for each in rounds]
        cpus = [each.cpu_s for each in rounds if each.cpu_s is not None]
        line = f"  {name:12s}{low(walls) / matches * 1e3:10.2f} ms a match"
        line += f"{low(cpus) / matches * 1e3:10.2f} ms of processor time" if cpus else ""
        if name != last:
            beside = [each.wall_s for each in spent[last]]
            ratios = [other / mine for mine, other in zip(walls, beside, strict=True)]
            line += f"   {low(beside) / low(walls):.2f} times as fast"
            line += f" (rounds {min(ratios):.2f} to {max(ratios):.2f})"
        print(line, flush=True)


def low(values: list[float]) -> float:
    """The lower quartile: disturbed little by the machine's neighbours, and no lucky run."""
    return quantiles(values, n=4, method="inclusive")[0] if len(values) > 1 else values[0]


if __name__ == "__main__":
    main()
