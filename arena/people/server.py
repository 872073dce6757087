"""A server of ours for strangers' browsers: it waits for nobody, and ends at once when told to."""

import asyncio
import os
import re
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any, Final

import uvicorn
from httptools import HttpParserError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S: Final = 10.0
"""Seconds that the head of a request may take, and that a connection may be idle."""

_AT_ONCE: Final = struct.pack("ii", 1, 0)
_GRACE_S: Final = 1
"""Seconds that answers under way have once the server is told to end."""

_COMING_S: Final = 0.2
"""Seconds for the requests of those who were let in just before the end."""

_WHOLE: Final = re.compile(rb"https?://([^/?]*)(.*)", re.IGNORECASE | re.DOTALL)
"""The host and the path of a request's target that has both."""

_HEAD: Final = 1 << 16
"""The most bytes of a head, and of what else is not body beyond as much as the body has."""

_QUEUED: Final = 20
"""The most requests of one connection that wait while another is answered."""


class _Protocol(HttpToolsProtocol):
    """A connection that is dropped if no complete request comes, and can be cut off.

    Beyond `most` connections, it is dropped at once. The parser bounds neither heads nor how many
    requests come at once, so this does.
    """

    def __init__(self, most: int, **given: Any) -> None:
        super().__init__(**given)
        self._most = most

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        found = transport.get_extra_info("socket")
        if found.family != socket.AF_UNIX:  # else a body waits for the head's acknowledgement
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if len(self.connections) > self._most:
            self._cut()
        app = self.app

        async def cuttable(scope: Scope, receive: Receive, send: Send) -> None:
            scope["arena.abort"] = self._cut
            await app(scope, receive, send)

        self.app = cuttable
        self._unsent = self._beside = 0
        self._due = self.loop.call_later(HEAD_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._due.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._beside += len(data)
        super().data_received(data)
        if self._beside > _HEAD:
            self._cut()
        if self.cycle is not None and not self.cycle.response_complete:
            self._due.cancel()
            self._due = self.loop.call_later(HEAD_S, self._look)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) == _QUEUED:
            raise HttpParserError("too many requests at once")
        self._beside = 0
        if found := _WHOLE.fullmatch(self.url):  # RFC 9112 has the host of a whole address count
            others = [each for each in self.headers if each[0] != b"host"]
            self.headers[:] = [(b"host", found[1]), *others]
            self.url = found[2]
        self.url = b"/" + self.url.removeprefix(b"/")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._beside -= 2 * len(body)
        super().on_body(body)

    def _look(self) -> None:
        """Cut off a connection that is in no request and moves nothing, else look again later."""
        before, self._unsent = self._unsent, self.transport.get_write_buffer_size()
        idle = self.cycle is None or self.cycle.response_complete
        if idle and (not self._unsent or self._unsent == before):
            self._cut()
        else:
            self._due = self.loop.call_later(HEAD_S, self._look)

    def _cut(self) -> None:
        """Drop the connection, and the data that the system has yet to send over it."""
        found = self.transport.get_extra_info("socket")
        with suppress(OSError):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


class Server(uvicorn.Server):
    """Serves an application to at most `most` connections.

    `stop` is called as soon as the server is told to end. uvicorn waits for every answer, so
    streams must end then, in `stop`, and not when uvicorn says that it shuts down.
    """

    def __init__(self, app: ASGIApp, stop: Callable[[], None], most: int = 500) -> None:
        config = uvicorn.Config(
            app,
            http=partial(_Protocol, most),  # type: ignore[arg-type]
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_S,
        )
        super().__init__(config)
        self._stop = stop

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams at once, for uvicorn waits for them; Ctrl-C is for the command."""
        if sig != signal.SIGINT:
            self.stop()

    def stop(self) -> None:
        """End, soon."""
        self._stop()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, and end once those are answered that had come."""
        for each in (*self.servers, *(sockets or ())):
            each.close()
        await asyncio.sleep(_COMING_S)
        await super().shutdown(sockets)

    def end_with(self, parent: int) -> None:
        """End with the command: when nobody holds the other end of the pipe `parent` any more."""
        loop = asyncio.get_running_loop()

        def look() -> None:
            if not os.read(parent, 1024):
                loop.remove_reader(parent)
                self.stop()

        loop.add_reader(parent, look)
