"""The process that hosts guests' tables; it runs as the user of the league's player."""

import os
import signal
from typing import Final

import trio

from arena.base.words import count
from arena.engine.workers import cores
from arena.sandbox.folders import sweep
from arena.site.config import Site
from arena.site.guests.bots import guest_isolation
from arena.site.guests.host import Host
from arena.site.life import Life

_TELL_S: Final = 5.0

_SPARE_CORES: Final = 3
"""The number of cores from which on the tables have one of their own."""


def host_core() -> int | None:
    """Return the core of guests' tables, or None if there are too few cores for one."""
    have = cores()
    return have[-1] if len(have) >= _SPARE_CORES else None


async def _serve(site: Site, life: Life) -> None:
    isolation = guest_isolation(site.league)
    host = Host(site, isolation)
    async with trio.open_nursery() as nursery:
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            nursery.start_soon(host.serve)
            nursery.start_soon(_tell, host, life)
            async for _ in signals:
                nursery.cancel_scope.cancel()
                return


async def _tell(host: Host, life: Life) -> None:
    """Beat again and again, with the number of tables."""
    while True:
        life.beat(f"hosts {count(host.tables, 'table')}")
        await trio.sleep(_TELL_S)


def host_tables(site: Site, life: Life) -> None:
    """Host the tables of a site until this process is told to end. Raises `ArenaError`."""
    os.umask(0o027)
    site.tables.mkdir(parents=True, exist_ok=True)
    sweep()
    core = host_core()
    if core is not None:
        os.sched_setaffinity(0, {core})
    trio.run(_serve, site, life)
