"""How to reach a Dask scheduler: its address, our certificates, and whether it answers."""

import asyncio
import re
import socket
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.numbers import whole_number

if TYPE_CHECKING:
    from distributed.security import Security

CONNECT_S: Final = 10.0
"""How long a scheduler may take to answer."""


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
    """A scheduler's address, or how many workers to start here. Raises `ArenaError`."""
    kind, _, rest = text.partition(":")
    if kind == "local" and (count := whole_number(rest)):
        return count
    if kind not in ("tcp", "tls") or not rest.startswith("//"):
        remedy = "tcp://HOST:PORT or tls://HOST:PORT is a scheduler, local:N starts one"
        raise ArenaError(Mistake(f"{text} is not a cluster", "--cluster", remedy))
    _host_and_port(text)
    return text


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
        with socket.create_connection((host, port), CONNECT_S) as plain:  # Dask retries for long
            if isinstance(context, ssl.SSLContext) and not _trusted(plain, context):
                what = "the scheduler and this arena do not trust each other's certificates"
                remedy = "one authority must sign both, and both sides must be given it"
                raise MachineError(Mistake(what, where, remedy))
    except OSError as error:
        what = f"no scheduler answers: {error}"
        raise MachineError(Mistake(what, where, "dask scheduler starts one")) from None
    try:
        kind = await asyncio.wait_for(_identity(where, security), CONNECT_S)
    except TimeoutError:
        what = f"what listens there has not answered for {CONNECT_S:g} s"
        raise MachineError(Mistake(what, where, "if it is a scheduler, start it anew")) from None
    except Exception:  # Dask takes whatever it reads for lengths and messages, and fails anyhow
        kind = None
    if kind != "Scheduler":
        what = "what listens there is not a scheduler"
        other = "tcp" if where.startswith("tls") else "tls"
        remedy = f"is it at another port, or behind {other}{where[3:]}?"
        raise MachineError(Mistake(what, where, remedy))


def _trusted(plain: socket.socket, context: ssl.SSLContext) -> bool:
    """Whether both sides accept each other's certificates, or TLS is not used at all.

    We write nothing: sending to a side that hung up would destroy its last message.
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
    """What kind of process the one at an address says it is."""
    from distributed.core import rpc

    there = rpc(where, timeout=CONNECT_S, connection_args=security.get_connection_args("client"))
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
