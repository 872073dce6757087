"""What a program does now, its use of the core it shares, and the time that others took from it.

The kernel counts for each task (`schedstat`) how long it ran, how long it was ready without
running, and its turns. It adds a wait only at its end; the length of one that lasts is estimated
by the looks that found it.
"""

import contextlib
import math
import os
import platform
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

Activity = Literal["computing", "reading", "idle"]

_READS: Final = {"x86_64": ("0", "19"), "aarch64": ("63", "65")}
"""The numbers of the system calls `read` and `readv`, by machine."""

_WAITS: Final = ("pipe_read", "anon_pipe_read", "pipe_wait_readable")
"""The kernel functions in which a process waits that reads an empty pipe."""


def look_at(pids: Sequence[int], pipe: int | None = None) -> Activity | None:
    """The activity of processes, None if it cannot be known.

    They are computing if any thread runs, and reading if one waits for more from the pipe, their
    input, whose other end we hold.
    """
    all_tasks = [task for pid in pids for task in tasks(pid)]
    states = {found for task in all_tasks if (found := task_state(task)) is not None}
    if not states:
        return None
    if states & {"R", "D"}:
        return "computing"
    if pipe is None:
        return "idle"
    inode = os.fstat(pipe).st_ino
    waits = [_reads(task, inode) for task in all_tasks]
    if any(waits):
        return "reading"
    return None if None in waits else "idle"


def tasks(pid: int) -> Iterator[str]:
    """The folder in `/proc` of each thread of a process."""
    with contextlib.suppress(OSError):
        yield from (f"/proc/{pid}/task/{task}" for task in os.listdir(f"/proc/{pid}/task"))


def task_state(task: str) -> str | None:
    """The kernel's letter for the state of a thread, None if the thread is gone."""
    fields = text(f"{task}/stat")
    return fields.rpartition(")")[2].split()[0] if fields else None


def _reads(task: str, inode: int) -> bool | None:
    """Whether a thread waits in a read from a pipe, None if that cannot be known."""
    call = (text(f"{task}/syscall") or "").split()
    if len(call) > 1 and platform.machine() in _READS:
        if call[0] not in _READS[platform.machine()]:
            return False
        with contextlib.suppress(OSError):
            return os.stat(f"{task}/fd/{int(call[1], 16)}").st_ino == inode
    where = text(f"{task}/wchan")
    if where in (None, "", "0"):
        return None
    return where in _WAITS


def text(path: str) -> str | None:
    """The beginning of a file of the kernel, None if it cannot be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(file, 4096).decode(errors="replace")
    except OSError:
        return None
    finally:
        os.close(file)


_NANO: Final = 1e-9

_FIGURES: Final = 3
"""The number of the kernel's figures for each task."""

_JUDGED_S: Final = 0.1
"""Seconds that a program must have been asked before its share of the core is judged."""

_KEPT_FROM: Final = 0.7
"""A program kept from its core for more than this share of its time has less than a third of it,
which it would have beside two programs that compute in one task each."""

_LOWEST: Final = 19
"""The nice value of the lowest priority: its tasks weigh a seventieth of ordinary ones."""


def withheld(
    wall: float, ran: float, waits: Collection[float], others: float, steady: bool
) -> float:
    """The seconds of some time in which a bot was ready and did not run because of others.

    `ran` is how long all its tasks ran, `waits` how long each of them waited, and `others` how long
    the others are known to have run: the bots beside it and the arena. `steady` says that its tasks
    were the same all the time, so that none of its own is unseen.

    The time W to be found is that in which none of its tasks ran, and at least one was ready. So W
    is at most

    - `wall - ran`: a bot's computing is always charged, in however many tasks;
    - the sum of `waits`, since in W at least one task waits: a bot that sleeps waits for nothing;
    - the time that others ran, known or not.

    A single task's wait is W itself. With several, W cannot be told from tasks that wait for each
    other. The known running of others bounds it; beyond that, against load from outside the
    table, only the longest wait of a single task is proof. So no bot is charged with time that
    other bots took from it, and one that lets its own tasks wait for each other and then sleeps
    gains at most as much sleep as it has computed, and no computing ever. Beside a bot that
    computes for it, it may sleep as long as that one computes: `OpenQuestions` bounds the whole.

    A bot whose tasks come and go between two looks may have others that no look has found, which
    its own tasks then wait for: it is then given only the time that others are known to have run.
    """
    proven = max(others, max(waits, default=0.0)) if steady else others
    return max(0.0, min(wall - ran, sum(waits), proven))


def kernel_tells_waits() -> bool:
    """Whether this kernel counts how long a task was ready and did not run."""
    return len((text("/proc/self/schedstat") or "").split()) == _FIGURES


def lowered(tasks: int) -> int:
    """The steps of niceness by which some tasks together weigh no more than a single one.

    Each step takes a fifth of a task's weight (the kernel's `sched_prio_to_weight`).
    """
    steps = math.ceil(math.log(max(1, tasks), 1.25))
    return min(steps, _LOWEST)


class _Task(msgspec.Struct):
    """A task's figures at a look: nanoseconds run and waited, turns, and the start of its wait."""

    ran: int
    waited: int
    turns: int
    ready_since: float | None = None

    def waits_s(self, now: float) -> float:
        """Seconds that it has waited so far, including a wait that lasts."""
        lasting = 0.0 if self.ready_since is None else now - self.ready_since
        return self.waited * _NANO + lasting


class _Span:
    """The sums over some looks: seconds that passed, that a program ran and that others ran."""

    def __init__(self) -> None:
        self.wall = self.ran = self.others = 0.0
        self.waits: dict[str, float] = {}

    def add(self, wall: float, ran: float, waits: Mapping[str, float]) -> None:
        self.wall += wall
        self.ran += ran
        for task, waited in waits.items():
            self.waits[task] = self.waits.get(task, 0.0) + waited

    def withheld(self, steady: bool) -> float:
        return withheld(self.wall, self.ran, self.waits.values(), self.others, steady)


class CoreUse:
    """One program's use of its core, from look to look, and since it was last asked something."""

    def __init__(self) -> None:
        self.withheld = 0.0
        """Seconds withheld from it while it was asked, in all."""
        self.ran = 0.0
        """Seconds that its tasks ran between the last two looks."""
        self.nice = 0
        """The nice value, relative to this process, that its tasks were last given."""
        self._turn: object = None
        self._tasks: dict[str, _Task] = {}
        """The tasks by their folders in `/proc`."""
        self._looked: float | None = None
        self._cpu_s: float | None = None
        self._before = 0.0
        self._spans = (_Span(), _Span())
        self._span = self._spans[True]

    @property
    def starved(self) -> bool:
        """Whether it gets less of its core than beside two programs that compute in a task each."""
        asked = sum(span.wall for span in self._spans)
        return asked > _JUDGED_S and self.withheld - self._before > _KEPT_FROM * asked

    def ready(self) -> int:
        """The number of its tasks that could run now."""
        return sum(task_state(task) == "R" for task in self._tasks)

    def look(
        self, pids: Sequence[int], now: float, turn: object, cpu_s: float | None = None
    ) -> None:
        """Read the figures of some processes; `turn` is the program's open question, or None.

        `cpu_s` is the program's running time in all, if a control group tells. A call of `count`
        must follow.
        """
        if turn != self._turn:
            self._turn, self._before = turn, self.withheld
            self._spans = (_Span(), _Span())
        looked, self._looked = self._looked, now
        before, self._tasks = self._tasks, {}
        waits: dict[str, float] = {}
        ran, steady = 0, True
        for task in (each for pid in pids for each in tasks(pid)):
            figures = (text(f"{task}/schedstat") or "").split()
            if len(figures) != _FIGURES:
                continue  # it is gone, or this kernel does not count
            new = self._tasks[task] = _Task(*map(int, figures))
            old = before.pop(task, None)
            if looked is None:
                continue
            if old is None:
                old, steady = _Task(0, 0, 0), False
            elif turn is not None and (new.ran, new.turns) == (old.ran, old.turns):
                if old.ready_since is not None:
                    new.ready_since = old.ready_since
                elif task_state(task) == "R":
                    new.ready_since = now
            waits[task] = max(0.0, new.waits_s(now) - old.waits_s(looked))
            ran += new.ran - old.ran
        steady = steady and not before
        self.ran = ran * _NANO
        if cpu_s is not None:  # then nothing is unseen
            self.ran = cpu_s - (cpu_s if self._cpu_s is None else self._cpu_s)
            steady = True
        self._cpu_s = cpu_s
        self._span = self._spans[steady]
        self._span.add(0.0 if looked is None else now - looked, self.ran, waits)

    def count(self, others: float) -> None:
        """Count the seconds that others ran between the last two looks."""
        if self._turn is not None:
            self._span.others += others
            found = sum(span.withheld(steady == 1) for steady, span in enumerate(self._spans))
            self.withheld = max(self.withheld, self._before + found)

    def forget(self) -> None:
        """Begin anew with the next look."""
        self._turn = self._looked = self._cpu_s = None
        self._tasks = {}

    def lower(self, pids: Sequence[int], nice: int) -> None:
        """Make the tasks of some processes, and all they will start, nicer than this process.

        Their group goes first, at once, so that no task escapes that begins meanwhile.
        """
        self.nice = nice
        value = min(os.getpriority(os.PRIO_PROCESS, 0) + nice, _LOWEST)
        each = [(os.PRIO_PROCESS, int(os.path.basename(task))) for task in self._tasks]
        with contextlib.suppress(OSError, IndexError):
            if (group := os.getpgid(pids[0])) != os.getpgid(0):
                each.insert(0, (os.PRIO_PGRP, group))
        for which, number in each:
            with contextlib.suppress(OSError):
                os.setpriority(which, number, value)
