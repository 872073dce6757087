"""The process that serves guests' tables."""

import asyncio
import os
from collections.abc import Callable
from typing import Final

from arena.base.words import count
from arena.engine.workers import cores
from arena.people.server import Server
from arena.sandbox.folders import sweep
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.life import Life
from arena.site.listeners import bound
from arena.site.tables.bots import guest_isolation
from arena.site.tables.handlers import TABLE_ROUTES
from arena.site.tables.service import GuestTables
from arena.site.web.frame import Frame, write_log

_TELL_S: Final = 5.0
_SPARE_CORES: Final = 3
"""The number of cores from which on the tables have one of their own."""


def serve_tables(site: Site, life: Life) -> None:
    """Serve the tables of a site until this process is told to end. Raises `ArenaError`."""
    os.umask(0o027)
    site.tables.mkdir(parents=True, exist_ok=True)
    sweep()
    have = cores()
    if len(have) >= _SPARE_CORES:
        os.sched_setaffinity(0, have[-1:])
    asyncio.run(_serve(site, guest_isolation(site.league), life))


async def _serve(site: Site, isolation: Isolation, life: Life) -> None:
    tables = GuestTables(site, isolation)

    async def tell() -> None:
        while True:
            life.beat(f"hosts {count(len(tables.playing), 'table')}")
            await asyncio.sleep(_TELL_S)

    telling = asyncio.create_task(tell())
    try:
        await serve_guests(tables)
    finally:
        telling.cancel()


async def serve_guests(
    tables: GuestTables, begun: Callable[[Server], object] = lambda server: None
) -> None:
    """Serve tables at the port of their site until told to end; `begun` is called before."""
    server = Server(Frame(tables, write_log, TABLE_ROUTES, tables.site.address), tables.stop)
    with bound(tables.site, tables.site.tables_at) as listener:
        begun(server)
        forgetting = asyncio.create_task(tables.forget())
        try:
            await server.serve(sockets=[listener])
        finally:
            forgetting.cancel()
