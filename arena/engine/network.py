"""What a bot reaches of the network: the addresses that its league's file names, and no others.

    bot                              arena                                  HOST:PORT
     |--- packet "HOST:PORT" --------->|                                        |
     |                                 |------------- connects ---------------->|
     |<-- packet "ok", a descriptor ---|                                        |
     |<==== stream, one of a pair ====>|<============== bytes ==================>|

A bot opens no socket itself and stays under the same filter. It gets one end of a pair of streams,
and the arena passes on what either side writes. What it may not reach, or cannot, is answered with
a packet that gives the reason, and no descriptor.
"""

import array
import contextlib
import select
import socket
from typing import Final

import trio

MOST_CONNECTIONS: Final = 8
"""The most connections that a bot has at a time."""

CONNECT_S: Final = 10.0
"""Seconds within which a connection must be made."""

_LONGEST_ADDRESS: Final = 300
_CHUNK: Final = 1 << 16
_PAUSE_S: Final = 0.004  # after each chunk, for a bot cannot be charged for the arena's own work


class Network:
    """The connections of a bot, which ask for them through `end`, closed once `serve` returns."""

    def __init__(self, addresses: tuple[str, ...]) -> None:
        """Raises OSError without a free descriptor. The caller closes `end` once the bot has it."""
        self.end: socket.socket
        own, self.end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._own = trio.socket.from_stdlib_socket(own)
        self._addresses = addresses
        self._connections = 0

    async def serve(self) -> None:
        """Answer the bot's packets until its end is closed; connections last until cancelled."""
        with self._own:
            async with trio.open_nursery() as nursery:
                with contextlib.suppress(OSError):
                    while packet := await self._own.recv(_LONGEST_ADDRESS):
                        await self._answer(packet.decode(errors="replace"), nursery)

    async def _answer(self, address: str, nursery: trio.Nursery) -> None:
        """Answer with a stream to an address, or with the reason why there is none."""
        try:
            stream = await self._connected(address)
            inner, theirs = socket.socketpair()
        except (OSError, trio.TooSlowError) as error:
            why = "it does not answer" if isinstance(error, trio.TooSlowError) else str(error)
            await self._own.send(f"no connection to {address}: {why}".encode()[:1000])
            return
        self._connections += 1
        own = trio.SocketStream(trio.socket.from_stdlib_socket(inner))
        nursery.start_soon(self._pass_on, own, stream)
        with theirs:
            handle = array.array("i", (theirs.fileno(),))
            await self._own.sendmsg([b"ok"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handle)])

    async def _connected(self, address: str) -> trio.SocketStream:
        """A connection to an address. Raises OSError with a text for the bot, and TooSlowError."""
        if address not in self._addresses:
            raise OSError("the league's file does not allow it")
        if self._connections == MOST_CONNECTIONS:
            raise OSError(f"{MOST_CONNECTIONS} are open already")
        host, _, port = address.rpartition(":")
        with trio.fail_after(CONNECT_S):
            return await trio.open_tcp_stream(host.strip("[]"), int(port))

    async def _pass_on(self, inner: trio.SocketStream, outer: trio.SocketStream) -> None:
        """Pass bytes on until both sides end, one fails, or the bot has closed its own."""
        async with inner, outer, trio.open_nursery() as nursery:

            async def pump(source: trio.SocketStream, target: trio.SocketStream) -> None:
                try:
                    while chunk := await source.receive_some(_CHUNK):
                        await target.send_all(chunk)
                        await trio.sleep(_PAUSE_S)
                    await target.send_eof()
                    if source is inner and _is_closed(inner):
                        nursery.cancel_scope.cancel()
                except trio.BrokenResourceError:
                    nursery.cancel_scope.cancel()

            nursery.start_soon(pump, inner, outer)
            nursery.start_soon(pump, outer, inner)
        self._connections -= 1


def _is_closed(stream: trio.SocketStream) -> bool:
    """Whether the other end of a pair of streams is closed, not only for writing."""
    asked = select.poll()
    asked.register(stream.socket.fileno(), select.POLLHUP)
    return bool(asked.poll(0))
