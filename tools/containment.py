"""What misbehaving bots take from the machine before they are ended: `python -m tools.containment`.

Every animal of the zoo that the arena ends for what it takes, or each that is named, plays a match
of its own, at each level, as an ordinary user and as root. The match runs in a control group: the
most memory at one moment, which is all that the kernel counts (pages, files in memory, its own
tables), and the most processes and threads are told without what a harmless match takes.
Needs root, and control groups of version 1 for memory and for tasks.
"""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from tests.sandbox.test_zoo import ANIMALS, League, Way, write_zoo
from tests.support.command import PROJECT
from tests.support.ordinary import ordinary
from tests.support.patience import until

WAYS: Final = (
    Way(True, 1),
    Way(False, 1),
    Way(True, 1, "landlock"),
    Way(False, 1, "landlock"),
)
HARMLESS: Final = "machine"
"""Takes nothing: without it there would be no table."""

GROUPS: Final = Path("/sys/fs/cgroup")
TARGET: Final = {"tcp_port": 9, "victim_pid": 1 << 22, "work": "/nowhere"}


class Taken(NamedTuple):
    """The most that a match took at one moment, and why its bot was ended."""

    mib: float
    tasks: int
    why: str


def main() -> None:
    """Play every animal in every way, and print a line for each."""
    wanted = sys.argv[1:] or [name for name, each in ANIMALS.items() if is_ended(each)]
    print(f"{'animal':24}{'level':12}{'as':6}{'MiB':>8}{'tasks':>7}  ended for")
    for way in WAYS:
        usual = played(way._replace(only=(HARMLESS,)))
        for name in wanted:
            taken = played(way._replace(only=(name,)))
            user = "user" if way.other_user else "root"
            more, tasks = taken.mib - usual.mib, taken.tasks - usual.tasks
            print(f"{name:24}{way.level:12}{user:6}{more:8.0f}{tasks:7}  {taken.why}", flush=True)


def is_ended(animal: dict[str, object]) -> bool:
    """Whether an animal is ended for what it takes, at one level at least."""
    landlock = animal.get("landlock")
    faults = (animal.get("fault"), landlock.get("fault") if isinstance(landlock, dict) else None)
    return "resource" in faults


def played(way: Way) -> Taken:
    """Play the tables of a league."""
    with tempfile.TemporaryDirectory(prefix="zoo-") as base:
        Path(base).chmod(0o755)
        folder = Path(base) / "league"
        folder.mkdir()
        path = write_zoo(folder, TARGET, way)[0]
        command, environment = [sys.executable], {**os.environ, "PYTHONPATH": PROJECT}
        if way.other_user:
            command, environment = ordinary(folder, [])
        with measured() as (memory, pids), counted(pids) as most:
            join = f'echo $$ >{memory}/cgroup.procs; echo $$ >{pids}/cgroup.procs; exec "$@"'
            words = (*command, *way.words, "league", str(path), "--json", "--jobs", "1")
            done = subprocess.run(
                ("sh", "-c", join, "sh", *words), env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
            peak = int((memory / "memory.max_usage_in_bytes").read_text()) / 2**20
        records = [record for _, record in League(path, "{}", way).matches]
        faults = [each.fault.detail for record in records for each in record.results.faults]
        return Taken(peak, max(most), "; ".join(dict.fromkeys(faults)))


@contextmanager
def measured() -> Iterator[tuple[Path, Path]]:
    """Groups for the memory and the tasks of a match."""
    folders = [GROUPS / kind / f"containment-{os.getpid()}" for kind in ("memory", "pids")]
    for each in folders:
        each.mkdir()
    try:
        yield folders[0], folders[1]
    finally:
        for each in folders:
            until(partial(is_removed, each))


def is_removed(group: Path) -> bool:
    """Remove a group, and those that the arena made in it, if the last process is gone."""
    for each in (*group.glob("*/"), group):
        with suppress(OSError):
            each.rmdir()
    return not group.exists()


@contextmanager
def counted(pids: Path) -> Iterator[list[int]]:
    """The numbers of processes and threads that a group has, as they are counted."""
    found, over = [0], threading.Event()

    def count() -> None:
        while not over.wait(0.002):
            found.append(int((pids / "pids.current").read_text()))

    counting = threading.Thread(target=count)
    counting.start()
    try:
        yield found
    finally:
        over.set()
        counting.join()


if __name__ == "__main__":
    main()
