"""A Dask scheduler that the arena is connected to, possibly started here with its workers."""

import asyncio
import logging
import warnings
from typing import TYPE_CHECKING, Final

from arena.base.errors import MachineError, Mistake
from arena.cluster.connect import CONNECT_S, Tls, check_scheduler, security
from arena.engine.workers import pinned

if TYPE_CHECKING:
    import distributed
    from distributed.security import Security

_SHORT_LOGS: Final = {
    "distributed.admin.low-level-log-length": 50,
    "distributed.admin.log-length": 50,
}
"""A scheduler's logs keep the tasks they mention, deals and all."""


class Scheduler:
    """A connection, the scheduler's name for people, and the cores of our own workers.

    `cores` are by the workers' names, which are numbers; empty if the scheduler is not ours.
    """

    def __init__(
        self,
        name: str,
        client: "distributed.Client",
        local: "distributed.LocalCluster | None" = None,
        cores: list[int | None] | None = None,
    ) -> None:
        self.name = name
        self.client = client
        self.cores = cores or []
        self.local = local

    async def close(self) -> None:
        """Disconnect, and end the scheduler if it was started here."""
        for each in (self.client, self.local):
            closing = None if each is None else each.close(timeout=CONNECT_S)
            if closing is not None:
                await closing


async def connect(where: int | str, tls: Tls | None) -> Scheduler:
    """Connect to the scheduler at an address, or start one here with some workers.

    Raises `ArenaError` or `MachineError`.
    """
    try:
        from distributed.security import Security
    except ImportError:
        remedy = 'pip install "zole-arena[cluster]"; docs/cluster.md says how in a clone'
        raise MachineError(Mistake("a cluster needs Dask's distributed", "", remedy)) from None
    logging.disable()  # Dask logs at length what we say in one line
    if isinstance(where, str):
        ours = security(where, tls)
        await check_scheduler(where, ours)
        return Scheduler(where, await _client(where, ours))
    ours = Security.temporary()  # else any user of this machine could use the port
    local = await _start(where, ours)
    client = await _client(local.scheduler_address, ours)
    return Scheduler(f"local:{where}", client, local, pinned(where))


async def _client(address: str, security: "Security") -> "distributed.Client":
    from distributed import Client

    connecting = Client(
        address, security=security, timeout=CONNECT_S, set_as_default=False, asynchronous=True
    )
    try:
        with warnings.catch_warnings():  # of other versions; `make_ready` compares the arena's
            warnings.simplefilter("ignore")
            return await asyncio.wait_for(connecting, CONNECT_S)
    except Exception as error:  # whatever Dask makes of what arrives
        what = f"no scheduler answers: {error}"
        raise MachineError(Mistake(what, address, "dask scheduler starts one")) from None


async def _start(workers: int, security: "Security") -> "distributed.LocalCluster":
    import dask.config
    from distributed import LocalCluster

    with dask.config.set(_SHORT_LOGS):
        return await LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            host="127.0.0.1",
            protocol="tls://",
            security=security,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its other pages
            silence_logs=logging.CRITICAL,
            asynchronous=True,
        )
