"""Checks what must hold before the processes of a site start, so that mistakes are told once."""

import errno
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.toml import TomlFile
from arena.site.config import Site
from arena.site.life import alone
from arena.site.processes import WEB, names_of

_PATIENCE_S: Final = 3.0
"""Seconds to wait for what parts of a killed site may still hold."""

_TICK_S: Final = 0.1


@contextmanager
def ready(site: Site, part: str | None) -> Iterator[None]:
    """Hold a part of a site, or all of it, alone, and check that it can start.

    Raises `ArenaError` if its league is not open, and `MachineError` if it runs already or cannot
    listen at its addresses.
    """
    if part != WEB and TomlFile(site.league).data.get("format") != "open":
        what = "a site shows an open league, and this is none"
        raise ArenaError(Mistake(what, str(site.league), 'format = "open" makes it one'))
    with ExitStack() as held:  # by files where the user of each part may write
        for each in (WEB, "player") if part is None else (part,):
            held.enter_context(alone(site, site.logs, each, _PATIENCE_S))
        if WEB in names_of(site, part):
            _check_place(site, "listen", (site.host, site.port))
            if site.metrics is not None:
                _check_place(site, "metrics", site.metrics)
        yield


def _check_place(site: Site, key: str, place: tuple[str, int]) -> None:
    """Raise `MachineError` if nobody can listen at the address of a key of the site's file."""
    host, port = place
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(place)
            return
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                what = f"the site cannot listen at {host}:{port}: {error.strerror}"
                remedy = f"end what listens there, or name another place in {key}"
                raise MachineError(Mistake(what, str(site.path), remedy)) from None
        time.sleep(_TICK_S)
