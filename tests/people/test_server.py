"""What a server of ours does with a connection, whatever is asked over it."""

import asyncio
import socket
from contextlib import closing, suppress

from starlette.types import Receive, Scope, Send

from arena.people.server import Server
from tests.support.patience import PATIENCE_S


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that is never asked."""


async def connected(server: Server) -> tuple[socket.socket, asyncio.Transport]:
    """Both ends of a connection to a server: ours, and the one that it has taken."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    if not server.config.loaded:
        server.config.load()

    def protocol() -> asyncio.Protocol:
        made = server.config.http_protocol_class(
            config=server.config,  # type: ignore[call-arg]
            server_state=server.server_state,
            app_state={},
        )
        assert isinstance(made, asyncio.Protocol)
        return made

    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(protocol, theirs)
    return ours, transport


async def ended(end: socket.socket) -> None:
    """Wait until the other side has dropped a connection."""
    end.setblocking(False)
    with suppress(ConnectionError):
        receiving = asyncio.get_running_loop().sock_recv(end, 1)
        assert await asyncio.wait_for(receiving, PATIENCE_S) == b""


def test_no_answer_waits_for_what_was_sent_before_it() -> None:
    async def look() -> int:
        ours, transport = await connected(Server(nothing, lambda: None))
        with closing(ours), closing(transport):
            taken = transport.get_extra_info("socket")
            return int(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    assert asyncio.run(look()) != 0


def test_a_connection_too_many_is_dropped_at_once() -> None:
    async def look() -> list[bool]:
        server = Server(nothing, lambda: None, most=2)
        ends = [await connected(server) for _ in range(3)]
        await ended(ends[2][0])
        found = [transport.is_closing() for _, transport in ends]
        for ours, transport in ends:
            ours.close()
            transport.abort()
        await asyncio.sleep(0)
        return found

    assert asyncio.run(look()) == [False, False, True]
