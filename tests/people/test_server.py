"""What a server of ours does with a connection, whatever is asked over it."""

import asyncio
import socket
from base64 import b64encode
from contextlib import closing, suppress
from hashlib import sha256

import pytest
from starlette.types import Receive, Scope, Send

from arena.people.server import Server, policy
from tests.support.patience import PATIENCE_S


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers each request once its body has come."""
    while (await receive()).get("more_body"):
        pass
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}
    )
    await send({"type": "http.response.body", "body": b""})


async def connected(server: Server) -> tuple[socket.socket, asyncio.Transport]:
    """Both ends of a connection to a server: ours, and the one that it has taken."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    if not server.config.loaded:
        server.config.load()

    def protocol() -> asyncio.Protocol:
        return server.config.http_protocol_class(
            config=server.config,  # type: ignore[call-arg]
            server_state=server.server_state,
            app_state={},
        )

    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(protocol, theirs)
    return ours, transport


async def ended(end: socket.socket) -> None:
    """Wait until the other side has dropped a connection."""
    end.setblocking(False)
    with suppress(ConnectionError):
        receiving = asyncio.get_running_loop().sock_recv(end, 1)
        assert await asyncio.wait_for(receiving, PATIENCE_S) == b""


def test_answers_are_sent_without_delay() -> None:
    async def look() -> int:
        ours, transport = await connected(Server(answering, lambda: None))
        with closing(ours), closing(transport):
            taken: socket.socket = transport.get_extra_info("socket")
            return taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    assert asyncio.run(look()) != 0


def test_a_connection_too_many_is_dropped_at_once() -> None:
    async def look() -> list[bool]:
        server = Server(answering, lambda: None, most=2)
        ends = [await connected(server) for _ in range(3)]
        await ended(ends[2][0])
        found = [transport.is_closing() for _, transport in ends]
        for ours, transport in ends:
            ours.close()
            transport.abort()
        await asyncio.sleep(0)
        return found

    assert asyncio.run(look()) == [False, False, True]


GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


def said_to(data: bytes) -> bytes:
    """All that is answered to somebody who sends this, until the connection is dropped."""

    async def look() -> bytes:
        ours, transport = await connected(Server(answering, lambda: None))
        with closing(ours), closing(transport):
            ours.setblocking(False)
            loop, found = asyncio.get_running_loop(), b""
            sending = asyncio.create_task(loop.sock_sendall(ours, data))
            with suppress(ConnectionError):
                while got := await asyncio.wait_for(loop.sock_recv(ours, 1 << 16), PATIENCE_S):
                    found += got
                    if found.count(b"HTTP/1.1") == data.count(b"HTTP/1.1") and sending.done():
                        break
            sending.cancel()
            await asyncio.wait([sending])
            return found

    return asyncio.run(look())


def test_requests_that_come_at_once_are_answered_in_turn() -> None:
    assert said_to(20 * GET).count(b"200 OK") == 20
    assert said_to(CHUNKED + 1000 * b"4\r\nbody\r\n" + b"0\r\n\r\n" + GET).count(b"200 OK") == 2


@pytest.mark.parametrize(
    "data",
    [
        1000 * GET,
        GET[:-2] + b"X: " + (1 << 20) * b"x",
        GET[:-2] + 100_000 * b"X: y\r\n",
        b"GET /" + (1 << 20) * b"x",
        CHUNKED + b"0\r\n" + 100_000 * b"X: y\r\n",
        CHUNKED + b"1;" + (1 << 20) * b"x",
    ],
    ids=("requests", "a header", "headers", "a path", "trailers", "an extension of a chunk"),
)
def test_a_client_that_sends_too_much_at_once_is_dropped(data: bytes) -> None:
    assert said_to(data).count(b"200 OK") < 30


def test_a_policy_names_the_pages_own_scripts_and_styles() -> None:
    def named(text: bytes) -> str:
        return f"'sha256-{b64encode(sha256(text).digest()).decode()}'"

    page = b'<style>a{}</style><script type="module">1\n2</script><script>3</script>'
    directives = dict(each.strip().split(" ", 1) for each in policy(page).split(";"))
    expected = {
        "script-src": f"{named(b'1' + bytes([10]) + b'2')} {named(b'3')}",
        "style-src": named(b"a{}"),
        "default-src": "'none'",
        "frame-ancestors": "'none'",
    }
    assert directives.items() >= expected.items()
    assert "script-src 'none'" in policy(b"<p>")
    assert policy(b"<p>", "'self'").endswith("; frame-ancestors 'self'")
