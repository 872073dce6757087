"""The isolation of bots on this machine: chosen once per run, passed to every worker."""

import contextlib
import os
import pwd
import sys
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.sandbox.root import SEATS, Runtimes, runtimes

HELD: Final[dict[IsolationLevel, str]] = {
    "bubblewrap": "namespaces, mounts, system call filter, limits",
    "landlock": "reduced: file access, system call filter, limits; bots can tell what else is here",
    "none": "nothing: bots run with all the rights of the user who runs the arena",
}
"""The protection at each level, in words for people."""

_FIRST_UID = 58000
_UIDS = 1000


class Isolation(msgspec.Struct, frozen=True):
    """The level, and the parameters of a start.

    `bwrap` is bubblewrap's program, `uid` the first of the user numbers that bots run as if the
    arena runs as root. `why` says why the level is not stronger; `read_only` are folders that the
    organiser shows to bots.
    """

    level: IsolationLevel
    runtimes: Runtimes
    bwrap: str = ""
    uid: int | None = None
    why: str = ""
    read_only: tuple[str, ...] = ()


NO_ISOLATION: Final = Isolation("none", Runtimes((), ()))
"""No isolation: bots have all the rights of the user who runs the arena."""


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

    `read_only` are folders to show besides the runtimes found. Raises `MachineError`, saying what
    is missing and how to get it.
    """
    if level == "none":
        return NO_ISOLATION
    if sys.platform != "linux":
        remedy = "--isolation none runs bots with all your rights: only bots that you trust"
        raise MachineError(Mistake("only Linux has the sandbox for bots", "", remedy))
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

        problem = landlock.hindrance()
        if problem is None:
            why = "; ".join(mistake.what for mistake in problems)
            shown = runtimes(read_only, everybody=uid is not None)
            return Isolation("landlock", shown, "", uid, why, read_only)
        problems.append(problem)
    problems.append(
        Mistake(_NOT_ALONE, "", "arena doctor says more; --isolation none goes without")
    )
    raise MachineError(*problems)


_NOT_ALONE = "strangers' bots are not run without a sandbox"


def _unused_uid() -> int:
    """The first of a run of user numbers that no user and no process of this machine has."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            taken.add(process.stat().st_uid)
    return next(
        uid
        for uid in range(_FIRST_UID, sys.maxsize, _UIDS)
        if taken.isdisjoint(range(uid, uid + _UIDS))
    )
