"""A Dask scheduler that the arena reaches, or starts here with its workers."""

import asyncio
import logging
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.harmless import one_line
from arena.base.installation import how_to_install
from arena.base.words import whole_number

if TYPE_CHECKING:
    import distributed
    from distributed.security import Security

REACH_S: Final = 10.0
"""Seconds that a scheduler may take to answer."""


_SHORT_LOGS: Final = {
    "distributed.admin.low-level-log-length": 50,
    "distributed.admin.log-length": 50,
}
"""Logs of our own scheduler are short, since they keep the tasks they mention, with their deals."""


class Tls(msgspec.Struct, frozen=True):
    """PEM files: the authority that signs all certificates, our own certificate, its key."""

    ca: str
    cert: str
    key: str


def read_tls(files: tuple[str, str, str]) -> Tls:
    """Authority, certificate and key. Raises `ArenaError` if a file does not exist."""
    for file in files:
        if not Path(file).is_file():
            raise ArenaError(Mistake("there is no such file", file))
    return Tls(*files)


def read_address(text: str) -> int | str:
    """A scheduler's address, or the number of workers to start here. Raises `ArenaError`."""
    kind, _, rest = text.partition(":")
    if kind == "local" and (count := whole_number(rest)):
        return count
    if kind not in ("tcp", "tls") or not rest.startswith("//"):
        remedy = "tcp://HOST:PORT or tls://HOST:PORT is a scheduler, local:N starts one"
        raise ArenaError(Mistake(f"{text} is not a cluster", "--cluster", remedy))
    _host_and_port(text)
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
        for each in (self.client, self._local):
            closing = None if each is None else each.close(timeout=REACH_S)
            if closing is not None:
                await closing


_SILENT: Final = dict.fromkeys(
    ("distributed", "distributed.client", "tornado", "tornado.application"), "critical"
)
"""Levels of Dask's logs, which tell at length the errors that we tell in a line."""


async def connect(where: int | str, tls: Tls | None) -> Scheduler:
    """Connect to the scheduler at an address, or start one here with some workers.

    Raises `ArenaError` or `MachineError`.
    """
    try:
        import dask.config

        dask.config.set(logging=_SILENT)
        from distributed.security import Security
    except ImportError:
        what = "a cluster needs Dask's distributed"
        raise MachineError(Mistake(what, "", how_to_install("cluster"))) from None
    if isinstance(where, str):
        ours = security(where, tls)
        return Scheduler(await _client(where, ours))
    ours = Security.temporary()  # else any user of this machine could use the port
    local = await _start(where, ours)
    return Scheduler(await _client(local.scheduler_address, ours), local)


def security(where: str, tls: Tls | None) -> "Security":
    """Our certificates in Dask's form. Raises `ArenaError` if they do not suit the address."""
    from distributed.security import Security

    encrypted = where.startswith("tls://")
    if tls is None:
        configured = Security()
        if encrypted and _context(configured) is None:
            remedy = "give them with --tls, or in Dask's configuration"
            raise ArenaError(Mistake("this address needs certificates", where, remedy))
        return configured
    if not encrypted:
        remedy = f"write tls{where.removeprefix('tcp')}, or leave out --tls"
        raise ArenaError(Mistake("only a tls:// scheduler takes certificates", where, remedy))
    own = Security(
        tls_ca_file=tls.ca,
        tls_client_cert=tls.cert,
        tls_client_key=tls.key,
        require_encryption=True,
    )
    try:
        _context(own)
    except OSError as error:  # SSL's errors are of this type too
        what = f"the certificate and the key do not match: {error}"
        raise ArenaError(Mistake(what, tls.cert, "--tls CA CERT KEY, in this order")) from None
    return own


def _context(security: "Security") -> object:
    return security.get_connection_args("client").get("ssl_context")


def _host_and_port(address: str) -> tuple[str, int]:
    """The host and port of an address. Raises `ArenaError` if it does not name both."""
    try:
        parts = urlsplit(address)
        if parts.hostname is not None and parts.port is not None:
            return parts.hostname, parts.port
    except ValueError:  # the port is not a number
        pass
    raise ArenaError(Mistake(f"{address} does not name a host and a port", "--cluster"))


async def _client(address: str, security: "Security") -> "distributed.Client":
    from distributed import Client

    connecting = Client(
        address, security=security, timeout=REACH_S, set_as_default=False, asynchronous=True
    )
    try:
        with warnings.catch_warnings():  # of other versions; the arena's own are compared
            warnings.simplefilter("ignore")
            return await asyncio.wait_for(connecting, REACH_S)
    except Exception as error:  # any error that Dask makes of what arrives
        with suppress(Exception):
            await asyncio.wait_for(connecting.close(timeout=1), 2)
        if isinstance(error, TimeoutError) and not str(error):
            error = TimeoutError(f"nothing that a scheduler says in {REACH_S:g} s")
        what = f"no scheduler answers: {one_line(error)}"
        other = "tcp" if address.startswith("tls") else "tls"
        remedy = f"dask scheduler starts one; or is it behind {other}{address[3:]}?"
        raise MachineError(Mistake(what, address, remedy)) from None


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
