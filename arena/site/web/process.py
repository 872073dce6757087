"""The process `web`: it serves pages, and takes uploads into the spool.

It confines itself before the first request. Its log, a line of JSON for each request, goes to
standard error.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.base.files import allow_descriptors
from arena.base.installation import shipped
from arena.people.server import Server
from arena.sandbox import landlock
from arena.sandbox.seccomp import filter_path, install_filter
from arena.site.config import Site, make_folders
from arena.site.process import end_with_input, input_is_pipe, listen, notifier
from arena.site.registry import Registry
from arena.site.web.app import App, write_log
from arena.site.web.authors import sweep_spool
from arena.site.web.public import all_routes
from arena.site.web.web import Web


def confine(site: Site) -> tuple[str, ...]:
    """Give up every right that is not needed, for good; return which this machine cannot drop.

    From now on the process reads its own program and what is published, writes the registry
    and the spool, sees the names and sizes of other files of the site, starts no program and makes
    no connection. It must not have started a thread yet: that would not be confined.
    """
    missing = []
    problem = landlock.unavailable_reason()
    if problem is not None:
        missing.append(problem.what)
    else:
        readable = [*_program(), str(site.published.parent), str(site.state)]
        writable = [str(site.registry.parent), str(site.spool)]
        counted = [str(site.folder), str(site.league.parent)]
        rules = landlock.ruleset(readable, writable, counted)
        try:
            landlock.restrict(rules)
        finally:
            os.close(rules)
    try:
        program = filter_path("server").read_bytes()
    except FileNotFoundError as error:
        missing.append(str(error))
    else:
        install_filter(program)
    return tuple(missing)


# Return the folders of this program and its imports, without the one it was started in.
def _program() -> list[str]:
    folders = {
        "/lib",
        "/lib64",
        "/usr/lib",
        str(Path(arena.__file__).parent),
        str(shipped("protocol")),  # its guide is a page
        sys.prefix,
        sys.base_prefix,
    }
    folders |= {each for each in sys.path if each.endswith("-packages")}
    return sorted(folders)


# The most connections of readers and others at a time.
_CONNECTIONS: Final = 5000

_BEAT_S: Final = 5.0


def serve_web(site: Site, descriptor: int | None = None) -> None:
    """Serve a site, at the socket of a descriptor if there is one, until asked to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # until the server takes its place
    allow_descriptors(_CONNECTIONS + 200)  # if the system lets us
    notify = notifier()
    with listen(site) if descriptor is None else socket.socket(fileno=descriptor) as listener:
        port = listener.getsockname()[1]
        if site.port == 0:
            place, address = f"{site.host}:{port}", f"http://127.0.0.1:{port}"
            site = msgspec.structs.replace(site, listen=place, address=address)
        make_folders(site)
        sweep_spool(site.spool)
        web = Web(site, Registry.open(site.registry, site.quotas))
        for missing in confine(site):
            write_log(msgspec.json.encode({"confinement": missing}) + b"\n")
        notify("READY=1")
        asyncio.run(_serve(web, listener, notify))


async def _serve(web: Web, listener: socket.socket, notify: Callable[[str], None]) -> None:
    server = Server(App(web, all_routes(), write_log), lambda: None, _CONNECTIONS)
    if input_is_pipe():
        threading.Thread(target=end_with_input, daemon=True).start()

    async def beat() -> None:
        while True:
            notify("WATCHDOG=1")
            await asyncio.sleep(_BEAT_S)

    needed = [asyncio.create_task(each) for each in (web.watch(), beat())]
    for each in needed:  # without news it is better restarted
        each.add_done_callback(lambda _: server.stop())
    try:
        await server.serve(sockets=[listener])
        for each in needed:
            if each.done():
                await each
    finally:
        for each in needed:
            each.cancel()
        web.close()
