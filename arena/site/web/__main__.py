"""Starts the web process. Its input is one line, `WebServing`, and ends when its parent does.

Its output is one line, `WebServed`, once it listens, and then empty lines as signs of life; its log
goes to stderr.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, MachineError
from arena.base.files import allow_descriptors
from arena.people.server import Server
from arena.site.config import Site, read_site
from arena.site.life import tell_watcher
from arena.site.listeners import listen
from arena.site.registry.file import Registry
from arena.site.web.confine import confine
from arena.site.web.frame import Frame, write_log
from arena.site.web.public import all_routes
from arena.site.web.spooling import sweep_spool
from arena.site.web.web import Web

_CONNECTIONS: Final = 5000
"""The most connections of readers and others at a time."""

_TELL_S: Final = 5.0


class WebServing(msgspec.Struct, frozen=True):
    """The site to serve: the path of its file, and the descriptor of a socket that listens.

    Without one, the process listens by itself.
    """

    site: str
    listener: int | None = None


class WebServed(msgspec.Struct, frozen=True):
    """The port at which the site is served, and what of the confinement is missing here."""

    port: int
    missing: tuple[str, ...]


async def serve_web(
    web: Web, listener: socket.socket, told: Callable[[], object], parent: int
) -> None:
    """Serve until told to end, or until the descriptor `parent` does."""
    server = Server(Frame(web, write_log, all_routes()), lambda: None, _CONNECTIONS)
    server.end_with(parent)
    needed = [asyncio.create_task(each) for each in (web.watch(), _go_on())]
    for each in needed:  # without news or tables it is better started anew
        each.add_done_callback(lambda _: server.stop())
    told()
    try:
        await server.serve(sockets=[listener])
        for each in needed:
            if each.done():
                await each
    finally:
        for each in needed:
            each.cancel()
        web.close()


async def _go_on() -> None:
    """Tell the supervisor again and again that requests are answered."""
    while True:
        tell_watcher()
        await asyncio.sleep(_TELL_S)


def prepared(site: Site) -> Registry:
    """Make the folders that the process needs, and open the registry.

    Each reader takes a descriptor, so as many are allowed as there may be, if the system lets us.
    """
    allow_descriptors(_CONNECTIONS + 200)
    for folder in (site.spool, site.cut, site.published.parent, site.state):
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    sweep_spool(site.spool)
    return Registry.open(site.registry, site.quotas)


def run_web() -> None:
    """Serve the site that the first line of input names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as given:
        asked = msgspec.json.decode(given.readline(), type=WebServing)
    try:
        site = read_site(Path(asked.site))
        listener = listen(site) if asked.listener is None else socket.socket(fileno=asked.listener)
    except (ArenaError, MachineError) as error:
        sys.exit(str(error))
    port = listener.getsockname()[1]
    if site.port == 0:
        site = msgspec.structs.replace(site, port=port, address=f"http://127.0.0.1:{port}")
    with listener:
        web = Web(site, prepared(site))
        missing = confine(site)
        for part in missing:
            write_log(msgspec.json.encode({"confinement": part}) + b"\n")

        def told() -> None:
            sys.stdout.buffer.write(msgspec.json.encode(WebServed(port, missing)) + b"\n")
            sys.stdout.flush()

        asyncio.run(serve_web(web, listener, told, sys.stdin.fileno()))


if __name__ == "__main__":
    run_web()
