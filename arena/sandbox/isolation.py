"""The isolation of bots on this machine: chosen once per run, and programs started at it."""

import contextlib
import logging
import os
import pwd
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.sandbox.box import Box, NoBox, Program, spawn
from arena.sandbox.folders import SEATS, SYSTEM, Runtimes, runtimes, scratch, settings
from arena.sandbox.limits import Group, homes, kernel_limits

_log: Final = logging.getLogger(__name__)

HELD: Final[dict[IsolationLevel, str]] = {
    "bubblewrap": "namespaces, mounts, system call filter, limits",
    "landlock": "reduced: file access, system call filter, limits; bots can see what else is here",
    "none": "nothing: bots run with all the rights of the user who runs the arena",
}
"""The protection at each level, in words for people."""

_FIRST_UID = 58000
_UIDS = 1000


class Isolation(msgspec.Struct, frozen=True):
    """The level, and the parameters of a start.

    `bwrap` is bubblewrap's program, `uid` the first of the user numbers that bots run as if the
    arena runs as root. `why` is the reason why the level is not stronger; `read_only` are folders
    that the organiser shows to bots.
    """

    level: IsolationLevel
    runtimes: Runtimes
    bwrap: str = ""
    uid: int | None = None
    why: str = ""
    read_only: tuple[str, ...] = ()


NO_ISOLATION: Final = Isolation("none", Runtimes((), ()))


def for_worker(isolation: Isolation, number: int) -> Isolation:
    """The isolation for one of several workers: its bots run as users that no other worker has.

    The kernel counts processes by user, and one bot must not use up another's share.
    """
    if isolation.uid is None:
        return isolation
    return msgspec.structs.replace(isolation, uid=isolation.uid + number * SEATS % _UIDS)


def choose_isolation(
    level: IsolationLevel | None = None, read_only: tuple[str, ...] = ()
) -> Isolation:
    """Choose the level asked for, else the strongest that works here other than `none`.

    `read_only` are further folders to show. Raises `MachineError`, saying what
    is missing and how to get it.
    """
    chosen = _chosen(level, read_only)
    _log.debug("bots are kept apart at the level %s, user %s", chosen.level, chosen.uid)
    return chosen


def _chosen(level: IsolationLevel | None, read_only: tuple[str, ...]) -> Isolation:
    if level == "none":
        return NO_ISOLATION
    uid = _unused_uid() if os.geteuid() == 0 else None
    problems: list[Mistake] = []
    if level != "landlock":
        from arena.sandbox import bubblewrap  # a level is loaded where it is tried

        bwrap, problem = bubblewrap.usable(uid)
        if problem is None:
            return Isolation("bubblewrap", runtimes(read_only), bwrap, uid, "", read_only)
        problems.append(problem)
    if level != "bubblewrap":
        from arena.sandbox import landlock

        problem = landlock.unavailable_reason()
        if problem is None:
            why = "; ".join(mistake.what for mistake in problems)
            shown = runtimes(read_only, everybody=uid is not None)
            return Isolation("landlock", shown, "", uid, why, read_only)
        problems.append(problem)
    problems.append(
        Mistake(
            "untrusted bots are not run without a sandbox",
            "",
            "arena doctor shows why; --isolation none runs them without one",
        )
    )
    raise MachineError(*problems)


@contextmanager
def scratch_each(isolation: Isolation, programs: int) -> Iterator[list[str]]:
    """A scratch folder for each of some programs, removed afterwards; no bot can guess its name.

    A box of bubblewrap has its own, so its name here is empty.
    """
    if isolation.level == "bubblewrap":
        yield [""] * programs
        return
    with scratch() as folder:
        yield [tempfile.mkdtemp(dir=folder) for _ in range(programs)]


def start_box(
    isolation: Isolation,
    program: Program,
    scratch: str,
    seat: int = 0,
    network: int | None = None,
) -> Box:
    """Start a program with three pipes from the calling thread.

    `scratch` is empty for a box that has its own scratch folder. `seat` gives programs that
    run at the same time different user numbers. `network` is a descriptor by which the program
    asks for connections. Raises OSError if it cannot be started, `NoBox` if the machine is at
    fault.
    """
    from arena.sandbox import bubblewrap, landlock  # only workers start programs

    if isolation.level != "none":
        landlock.refuse_huge_pages()
    if isolation.level == "bubblewrap":
        try:
            return bubblewrap.start_bubble(
                isolation.bwrap, isolation.uid, isolation.runtimes, program, seat, network
            )
        except OSError as error:  # then bubblewrap itself failed to start
            raise NoBox(f"a bot could not be started: {error}") from None
    kept = ("PATH", "LANG", "LC_ALL", "TZ")
    environment = {key: os.environ[key] for key in kept if key in os.environ}
    environment |= {**program.variables(network), "HOME": scratch, "TMPDIR": scratch}
    fds = () if network is None else (network,)
    if isolation.level == "landlock":
        environment["PATH"] = ":".join(isolation.runtimes.path)
        return _start_reduced(isolation, program, scratch, seat, environment, fds)
    # Processes that outlive a killed worker are found by `sweep`: to have the kernel end them
    # would take a fork of the whole arena, which costs several times a bot's own start.
    return Box(spawn(program.run, program.folder, environment, fds=fds), scratch)


def _start_reduced(
    isolation: Isolation,
    program: Program,
    scratch: str,
    seat: int,
    environment: dict[str, str],
    fds: tuple[int, ...],
) -> Box:
    from arena.sandbox import landlock, seccomp

    uid = None if isolation.uid is None else isolation.uid + seat
    if uid is not None:
        os.chown(scratch, uid, uid)
    readable = [*SYSTEM, *settings(), *isolation.runtimes.folders, program.folder]
    calls = seccomp.filter_path("reduced").read_bytes()
    limits = kernel_limits(program.resources, own_tasks=uid is not None)
    try:
        group = Group(homes(), next(_number), program.resources)
        doors = group.doors()
    except OSError as error:
        raise NoBox(f"no control group can be made: {error}") from None
    rules = landlock.ruleset(readable, [scratch])

    def before() -> None:
        for door in doors:
            os.write(door, b"0")
        landlock.die_with_parent()
        for limit, value in limits.items():
            resource.setrlimit(limit, (value, value))
        landlock.restrict(rules)
        seccomp.install_filter(calls)

    try:
        popen = spawn(program.run, program.folder, environment, uid, before, fds)
    except BaseException:
        group.close()
        raise
    finally:
        for fd in (rules, *doors):
            os.close(fd)
    return Box(popen, scratch, group)


_number = count()  # distinguishes the control groups of this process's programs


def _unused_uid() -> int:
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            taken.add(process.stat().st_uid)
    return next(
        uid
        for uid in range(_FIRST_UID, sys.maxsize, _UIDS)
        if taken.isdisjoint(range(uid, uid + _UIDS))
    )
