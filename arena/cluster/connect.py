"""A Dask scheduler that the arena reaches, or starts here with its workers."""

import asyncio
import logging
import re
import socket
import ssl
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.installation import how_to_install
from arena.base.words import whole_number
from arena.engine.workers import pinned

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
            closing = None if each is None else each.close(timeout=REACH_S)
            if closing is not None:
                await closing


async def connect(where: int | str, tls: Tls | None) -> Scheduler:
    """Connect to the scheduler at an address, or start one here with some workers.

    Raises `ArenaError` or `MachineError`.
    """
    try:
        from distributed.security import Security
    except ImportError:
        what = "a cluster needs Dask's distributed"
        raise MachineError(Mistake(what, "", how_to_install("cluster"))) from None
    logging.disable()  # Dask logs at length the errors that we tell in a line
    if isinstance(where, str):
        ours = security(where, tls)
        await check_scheduler(where, ours)
        return Scheduler(where, await _client(where, ours))
    ours = Security.temporary()  # else any user of this machine could use the port
    local = await _start(where, ours)
    client = await _client(local.scheduler_address, ours)
    return Scheduler(f"local:{where}", client, local, pinned(where))


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


async def check_scheduler(where: str, security: "Security") -> None:
    """Check that a scheduler answers at an address. Raises `ArenaError` or `MachineError`.

    If something else listens there, Dask's own client would wait forever.
    """
    host, port = _host_and_port(where)
    context = _context(security) if where.startswith("tls://") else None
    try:
        with socket.create_connection((host, port), REACH_S) as plain:  # Dask retries for long
            if isinstance(context, ssl.SSLContext) and not _trusted(plain, context):
                what = "the scheduler and this arena do not trust each other's certificates"
                remedy = "one authority must sign both, and both sides must be given it"
                raise MachineError(Mistake(what, where, remedy))
    except OSError as error:
        what = f"no scheduler answers: {error}"
        raise MachineError(Mistake(what, where, "dask scheduler starts one")) from None
    try:
        kind = await asyncio.wait_for(_identity(where, security), REACH_S)
    except TimeoutError:
        what = f"what listens there has not answered for {REACH_S:g} s"
        raise MachineError(Mistake(what, where, "if it is a scheduler, start it anew")) from None
    except Exception:  # Dask takes any bytes for lengths and messages, and fails in any way
        kind = None
    if kind != "Scheduler":
        what = "what listens there is not a scheduler"
        other = "tcp" if where.startswith("tls") else "tls"
        remedy = f"is it at another port, or behind {other}{where[3:]}?"
        raise MachineError(Mistake(what, where, remedy))


def _trusted(plain: socket.socket, context: ssl.SSLContext) -> bool:
    """Whether both sides accept each other's certificates, or TLS is not used at all.

    Nothing is written: sending to a side that hung up would destroy its last message.
    """
    try:
        with context.wrap_socket(plain) as there:
            there.recv(1)
    except ssl.SSLError as error:
        return not re.search("certificate|unknown.ca", str(error), re.IGNORECASE)
    except OSError:  # it hung up, or is silent
        pass
    return True


async def _identity(where: str, security: "Security") -> object:
    """The kind of process that answers at an address, by its own word; None if it does not say."""
    from distributed.core import rpc

    there = rpc(where, timeout=REACH_S, connection_args=security.get_connection_args("client"))
    try:
        answer = await there.identity(n_workers=0)
        return answer.get("type") if isinstance(answer, dict) else None
    finally:
        await there.close_rpc()


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
        with warnings.catch_warnings():  # of other versions; `make_ready` compares the arena's
            warnings.simplefilter("ignore")
            return await asyncio.wait_for(connecting, REACH_S)
    except Exception as error:  # any error that Dask makes of what arrives
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
