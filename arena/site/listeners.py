"""The sockets at which a site is reached. They outlast its web process, and an upgrade.

Whoever asks while no web process runs waits for the next one.
"""

import errno
import os
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from arena.base.errors import MachineError, Mistake
from arena.site.config import Site

HELD_S: Final = 3.0
"""Seconds to wait for addresses that parts of a killed site may still hold."""

_TICK_S: Final = 0.1
_BACKLOG: Final = 4096
_GIVEN: Final = "ZOLE_ARENA_LISTENERS"


def listen(site: Site) -> list[socket.socket]:
    """Listen at the address of a site.

    Sockets that the arena before this one handed on are taken over. Raises `MachineError`.
    """
    places = {"listen": (site.host, site.port)}
    given = [socket.socket(fileno=int(each)) for each in os.environ.pop(_GIVEN, "").split()]
    found: list[socket.socket] = []
    with ExitStack() as unused:
        for key, place in places.items():
            found.append(_given(given, place) or _listener(site, key, place))
            unused.enter_context(found[-1])
        unused.pop_all()
    for each in given:
        if each not in found:
            each.close()
    return found


def hand_on(listeners: Sequence[socket.socket]) -> None:
    """Leave sockets to the program that this process becomes."""
    for each in listeners:
        each.set_inheritable(True)
    os.environ[_GIVEN] = " ".join(str(each.fileno()) for each in listeners)


def _given(given: Sequence[socket.socket], place: tuple[str, int]) -> socket.socket | None:
    host, port = place
    for each in given:
        its_host, its_port = each.getsockname()[:2]
        if its_host == host and port in (its_port, 0):
            each.set_inheritable(False)
            return each
    return None


def _listener(site: Site, key: str, place: tuple[str, int]) -> socket.socket:
    """Listen at the address of a key of the site's file."""
    host, port = place
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    until = time.monotonic() + HELD_S
    while True:
        try:
            return socket.create_server(place, family=family, backlog=_BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                what = f"the site cannot listen at {host}:{port}: {os.strerror(error.errno or 0)}"
                remedy = f"end what listens there, or name another place in {key}"
                raise MachineError(Mistake(what, str(site.path), remedy)) from None
        time.sleep(_TICK_S)
