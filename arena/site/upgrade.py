"""The upgrade of a site that runs: another arena takes the place of the one that runs it.

The supervisor lets its processes finish what they do, the web process last, and becomes the other
arena, under its own process number and with its sockets: nobody is refused, and no order is lost.
"""

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Final, NoReturn

from arena.base.errors import MachineError, Mistake
from arena.base.files import write_whole
from arena.site.config import Site
from arena.site.life import holder, lock_path, read_states
from arena.site.listeners import hand_on
from arena.site.processes import WEB, names_of
from arena.site.supervisor import UPGRADE_SIGNAL

BEGUN_S: Final = 120.0
"""Seconds that processes may take to end and to begin anew."""

_ASKED_S: Final = 120.0
"""Seconds for which the word of the arena that is to take over counts."""

_TICK_S: Final = 0.1


def upgrade(site: Site) -> None:
    """Have this arena take the place of the one that runs a site, and wait until it does.

    Raises `MachineError` if none runs it, or if not all processes have begun anew in time.
    """
    write_whole(_path(site), os.fsencode(sys.executable))
    asked = time.time()
    pids = {holder(lock_path(site.logs, part)) for part in (WEB, "player")} - {None}
    for pid in pids:
        assert pid is not None
        os.kill(pid, UPGRADE_SIGNAL)
    if not pids:
        raise MachineError(Mistake("the site does not run", str(site.path), "start it instead"))
    late = [name for name in names_of(site, None) if name != WEB]
    while late := [name for name in late if not _has_begun(site, name, asked)]:
        if time.time() > asked + BEGUN_S:
            what = f"{', '.join(late)} has not begun anew after {BEGUN_S:.0f} s"
            raise MachineError(Mistake(what, str(site.path), f"{site.logs} says why"))
        time.sleep(_TICK_S)


def become_other(site: Site, listeners: Sequence[socket]) -> NoReturn:
    """Become the arena that is to take the place of this one, with the same command."""
    hand_on(listeners)
    python = sys.executable
    with suppress(OSError):  # else only the signal came, and this very Python has another arena
        if _path(site).stat().st_mtime > time.time() - _ASKED_S:
            python = os.fsdecode(_path(site).read_bytes())
    os.execv(python, (python, "-m", "arena", *sys.argv[1:]))


def _has_begun(site: Site, name: str, after: float) -> bool:
    state = read_states(site).get(name)
    return state is not None and state.begun > after and not state.ended


def _path(site: Site) -> Path:
    return site.state / "upgrade"
