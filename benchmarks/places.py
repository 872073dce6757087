"""The arenas that are compared: this one and, built aside, another commit's or one in a folder."""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import arena
from arena.base.installation import form
from benchmarks.processor import Group, group

ROOT: Final = Path(__file__).parent.parent
INSIDE: Final = Path(__file__).with_name("inside.py")


class Spent(NamedTuple):
    """What something took: seconds by the clock, and of processor time where that is known."""

    wall_s: float
    cpu_s: float | None

    def each(self, count: float) -> "Spent":
        """The same for one of this many."""
        return Spent(self.wall_s / count, None if self.cpu_s is None else self.cpu_s / count)

    def less(self, other: "Spent") -> "Spent":
        """What is left without a part."""
        cpu_s = None
        if self.cpu_s is not None and other.cpu_s is not None:
            cpu_s = self.cpu_s - other.cpu_s
        return Spent(self.wall_s - other.wall_s, cpu_s)


class Played(NamedTuple):
    """Matches of instant bots: the decisions of one, and what one took."""

    decisions: float
    spent: Spent


class Place:
    """An arena to measure, which runs on one core in processes of its own.

    All places have the same interpreter and the same packages, so that only the arena differs.
    """

    def __init__(self, name: str, folder: Path, together: Group) -> None:
        self.name = name
        self.form = form(folder / "arena")
        self._together = together
        self._ready: set[str | None] = set()
        self._enter = partial(_enter, min(os.sched_getaffinity(0)), together)
        # what only this project has, such as benchmarks beside an installed arena, comes last
        self.environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)  # it would compile at each start
        self._player: subprocess.Popen[bytes] | None = None

    def arena(self, *words: str) -> Spent:
        """Run the command `arena` with some words."""
        return self.command(sys.executable, "-P", "-m", "arena", *words)

    def command(self, *words: str) -> Spent:
        """Run a program on the core of this place."""

        def run() -> None:
            subprocess.run(
                words,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self.environment,
                preexec_fn=self._enter,
            )

        return self._measured(run)

    def play(
        self, bot: str, deals: int, tables: int = 1, level: str | None = None, times: int = 1
    ) -> Played:
        """Play a match of three of a bot repeatedly, at the strongest level if none is given."""
        if level not in self._ready:  # nothing is loaded or found out while it is measured
            self._ask(bot, 1, tables, level, 1)
            self._ready.add(level)
        decisions = 0.0

        def run() -> None:
            nonlocal decisions
            decisions = self._ask(bot, deals, tables, level, times)

        spent = self._measured(run).each(times)
        return Played(decisions, spent)

    def close(self) -> None:
        """End the process that plays its matches."""
        if self._player is not None:
            self._player.communicate()

    def _ask(self, *request: str | int | None) -> float:
        if self._player is None:
            self._player = subprocess.Popen(
                [sys.executable, "-P", INSIDE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self.environment,
                preexec_fn=self._enter,
            )
        to, of = self._player.stdin, self._player.stdout
        assert to is not None
        assert of is not None
        to.write(json.dumps(request).encode() + b"\n")
        to.flush()
        answer = of.readline()
        if not answer:
            raise SystemExit(f"{self.name}: no match was played")
        return float(json.loads(answer))

    def _measured(self, action: Callable[[], None]) -> Spent:
        began, before = perf_counter(), self._together.spent_s()
        action()
        wall_s, after = perf_counter() - began, self._together.spent_s()
        return Spent(wall_s, None if before is None or after is None else after - before)


def _enter(core: int, together: Group) -> None:
    os.sched_setaffinity(0, {core})
    together.enter()


@contextmanager
def places(against: str | None) -> Iterator[list[Place]]:
    """This arena and, if one is named, another: a commit's, or that in a folder.

    Raises SystemExit with a line that says what is wrong with the name.
    """
    with tempfile.TemporaryDirectory() as aside:
        folders = {"here": Path(arena.__file__).parents[1]}
        if against is not None:
            folders[against] = built(against, Path(aside))
        with group(f"benchmark-{os.getpid()}") as together:
            found = [Place(name, folder, together) for name, folder in folders.items()]
            try:
                yield found
            finally:
                for place in found:
                    place.close()


def built(arena: str, aside: Path) -> Path:
    """The folder of another arena; a commit's files are put aside first. Raises SystemExit."""
    if Path(arena, "arena", "__init__.py").is_file():
        return Path(arena).absolute()
    git = ("git", "-C", str(ROOT))
    commit = subprocess.run(
        [*git, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{arena}^{{commit}}"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    if not commit:
        raise SystemExit(f"{arena}: neither a commit of this project nor a folder with an arena")
    files = subprocess.run([*git, "archive", commit], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(files)) as archive:
        archive.extractall(aside, filter="data")
    return aside
