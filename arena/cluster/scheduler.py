"""A Dask scheduler that the arena reaches, or starts here with its workers."""

import asyncio
import logging
import re
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.harmless import one_line
from arena.base.installation import how_to_install
from arena.base.words import whole_number

if TYPE_CHECKING:
    import distributed
    from distributed.security import Security

REACH_S: Final = 10.0  # seconds that a scheduler may take to answer

_ADDRESS: Final = r"(tcp|tls)://([^\s/:@\[\]]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}/?"
_CLOSE_S: Final = 1.0
_CLOSED: Final = "closed"  # the state of a client that Dask does not close when it is collected


_SHORT_LOGS: Final = {
    "distributed.admin.low-level-log-length": 50,
    "distributed.admin.log-length": 50,
}
"""Logs of our own scheduler are short, since they keep the tasks they mention, with their deals."""


def read_address(text: str) -> int | str:
    """A scheduler's address, or the number of workers to start here. Raises `ArenaError`."""
    kind, _, rest = text.partition(":")
    if kind == "local" and (count := whole_number(rest)):
        return count
    if not re.fullmatch(_ADDRESS, text):
        remedy = "tcp://HOST:PORT or tls://HOST:PORT is a scheduler, local:N starts one"
        raise ArenaError(Mistake(f"{text} is not a cluster", "--cluster", remedy))
    return text


class Scheduler:
    """A connection to a scheduler, which may be our own."""

    def __init__(
        self, client: "distributed.Client", local: "distributed.LocalCluster | None" = None
    ) -> None:
        self.client = client
        self._local = local

    async def close(self) -> None:
        """Disconnect, and end the scheduler if it was started here."""
        await _leave(self.client)
        if self._local is not None and (closing := self._local.close(REACH_S)) is not None:
            await closing


_SILENT: Final = dict.fromkeys(
    ("distributed", "distributed.client", "tornado", "tornado.application"), "critical"
)
"""Levels of Dask's logs, which report at length the errors that we report in a line."""


async def connect(where: int | str) -> Scheduler:
    """Connect to the scheduler at an address, or start one here with some workers.

    Raises `MachineError`.
    """
    try:
        import dask.config

        dask.config.set(logging=_SILENT)
        from distributed.security import Security
    except ImportError:
        what = "a cluster needs Dask's distributed"
        raise MachineError(Mistake(what, "", how_to_install("cluster"))) from None
    if isinstance(where, str):
        return Scheduler(await _client(where, _security(where)))
    ours = Security.temporary()  # else any user of this machine could use the port
    local = await _start(where, ours)
    return Scheduler(await _client(local.scheduler_address, ours), local)


# The certificates of Dask's configuration. Raises `MachineError` without them.
def _security(where: str) -> "Security":
    from distributed.security import Security

    configured = Security()
    try:
        context = configured.get_connection_args("client").get("ssl_context")
    except OSError as error:  # SSL's errors are of this type too
        what = f"the certificates of Dask's configuration cannot be used: {error}"
        raise MachineError(Mistake(what, where)) from None
    if where.startswith("tls://") and context is None:
        remedy = "set distributed.comm.tls in Dask's configuration"
        raise MachineError(Mistake("this address needs certificates", where, remedy))
    return configured


async def _client(address: str, security: "Security") -> "distributed.Client":
    from distributed import Client

    connecting = Client(
        address, security=security, timeout=REACH_S, set_as_default=False, asynchronous=True
    )
    try:
        with warnings.catch_warnings():  # of other versions; the arena's own are compared
            warnings.simplefilter("ignore")
            return await asyncio.wait_for(connecting, REACH_S)
    except asyncio.CancelledError:
        connecting.status = _CLOSED
        raise
    except Exception as error:  # any error that Dask makes of what arrives
        await _leave(connecting)
        if isinstance(error, TimeoutError) and not str(error):
            error = TimeoutError(f"nothing that a scheduler says in {REACH_S:g} s")
        what = f"no scheduler answers: {one_line(error)}"
        other = "tcp" if address.startswith("tls") else "tls"
        remedy = f"dask scheduler starts one; or is it behind {other}{address[3:]}?"
        raise MachineError(Mistake(what, address, remedy)) from None


async def _leave(client: "distributed.Client") -> None:
    try:
        with suppress(Exception):  # any error that Dask makes of a lost connection
            closing = client.close(timeout=_CLOSE_S)
            if closing is not None:
                await closing
    finally:
        client.status = _CLOSED


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
