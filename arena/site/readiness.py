"""Checks what must hold before the processes of a site start, so that mistakes are told once."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from arena.base.errors import ArenaError, Mistake
from arena.base.toml import TomlFile
from arena.site.config import Site
from arena.site.life import alone
from arena.site.listeners import HELD_S, listen
from arena.site.processes import WEB, names_of


@contextmanager
def ready(site: Site, part: str | None) -> Iterator[socket.socket | None]:
    """Hold a part of a site, or all of it, alone; yield the socket of its web process, if any.

    Raises `ArenaError` if its league is not open, and `MachineError` if it runs already or cannot
    listen at its address.
    """
    if part != WEB and TomlFile(site.league).data.get("format") != "open":
        what = "a site shows an open league, and this is none"
        raise ArenaError(Mistake(what, str(site.league), 'format = "open" makes it one'))
    with ExitStack() as held:  # by files where the user of each part may write
        for each in (WEB, "player") if part is None else (part,):
            held.enter_context(alone(site, site.logs, each, HELD_S))
        yield held.enter_context(listen(site)) if WEB in names_of(site, part) else None
