"""How bots are kept apart on this machine: chosen once for a run, carried to every worker."""

import os
import pwd
import sys
from typing import Final

import msgspec

from arena.errors import MachineError, Mistake
from arena.resources import Level
from arena.sandbox import bubblewrap, landlock
from arena.sandbox.runtimes import Runtimes, runtimes

HELD: Final[dict[Level, str]] = {
    "bubblewrap": "namespaces, mounts, system call filter, limits",
    "landlock": "reduced: file access, system call filter, limits; processes of others are seen",
    "none": "nothing: bots run with all rights of the one who runs the arena",
}
"""What each level holds, in words for people."""

_FIRST_UID = 58000


class Isolation(msgspec.Struct, frozen=True):
    """The level, and what a start needs to know.

    `bwrap` is bubblewrap's program, `uid` the first of the user numbers that bots run as where the
    arena runs as root. `why` says why the level is no stronger.
    """

    level: Level
    runtimes: Runtimes
    bwrap: str = ""
    uid: int | None = None
    why: str = ""


NONE: Final = Isolation("none", Runtimes((), ()))
"""Bots run as the arena's own user runs programs."""


def isolation(level: Level | None = None, read_only: tuple[str, ...] = ()) -> Isolation:
    """The level asked for, or the strongest this machine can hold; `none` only if asked for.

    `read_only` are folders to show besides the runtimes found. Raises `MachineError` that says what
    is missing and how to get it.
    """
    if level == "none":
        return NONE
    uid = _unused_uid() if os.geteuid() == 0 else None
    problems: list[Mistake] = []
    if level != "landlock":
        bwrap, problem = bubblewrap.usable(uid)
        if problem is None:
            return Isolation("bubblewrap", runtimes(read_only), bwrap, uid)
        problems.append(problem)
    if level != "bubblewrap":
        problem = landlock.problem()
        if problem is None:
            why = "; ".join(mistake.what for mistake in problems)
            shown = runtimes(read_only, everybody=uid is not None)
            return Isolation("landlock", shown, "", uid, why)
        problems.append(problem)
    problems.append(
        Mistake(_NOT_ALONE, "", "arena doctor says more; --isolation none goes without")
    )
    raise MachineError(*problems)


_NOT_ALONE = "strangers' bots are not run without a sandbox"


def _unused_uid() -> int:
    """The first of a run of user numbers that no user of this machine has."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return next(
        uid
        for uid in range(_FIRST_UID, sys.maxsize, 1000)
        if taken.isdisjoint(range(uid, uid + 1000))
    )
