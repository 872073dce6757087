"""A server for untrusted browsers: it waits for none, and checks where requests come from."""

import asyncio
import re
import signal
import socket
import struct
from base64 import b64encode
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn
from httptools import HttpParserError
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

import arena
from arena.base.refusals import Forbidden, Slow, TooLarge, WrongKind
from arena.reports.language import ENGLISH, languages_with, preferred

# The page of a table, the same for all seats, for watchers and for the lesson.
PLAY_PAGE: Final = Path(arena.__file__).parent / "viewer" / "play.html"

TABLE_LANGUAGES: Final = languages_with("table")

# The headers of a request that the language of a page depends on.
VARY: Final = "Accept-Language, Cookie"

# The cookie that keeps the choice; pages of tables read it by their script.
LANGUAGE_COOKIE: Final = "language"

# Seconds that the head of a request may take, and that a connection may be idle.
_HEAD_S: Final = 10.0

MOST_BODY_BYTES: Final = 16_384  # the most bytes of a body other than an archive
_BODY_S: Final = 10.0  # seconds that such a body may take

SEND_S: Final = 5.0  # seconds that a reader may take to receive a piece before it is cut off
_PIECE: Final = 1 << 16

_AT_ONCE: Final = struct.pack("ii", 1, 0)
_KEPT_S: Final = 10  # seconds to keep a connection: more than an open page waits before it asks
_GRACE_S: Final = 1  # seconds that answers under way have once the server is asked to stop
_COMING_S: Final = 0.2  # seconds for the requests of those who were let in just before the end

# The host and the path of a request's target that has both.
_WHOLE: Final = re.compile(rb"https?://([^/?]*)(.*)", re.IGNORECASE | re.DOTALL)

# The most bytes of a head, and of what else is not body beyond as much as the body has.
_HEAD: Final = 1 << 16

_QUEUED: Final = 20  # the most requests of one connection that wait while another is answered

_GZIP: Final = re.compile(r"(?:^|[, ])(?:gzip|\*)(?! *; *q=0(?:\.0*)? *(?:,|$))", re.IGNORECASE)

_WORDS: Final = re.compile(rb'<script type="application/json" lang="(\w+)">.*?</script>\n *')
_INLINE: Final = re.compile(rb"<(script|style)[^>]*>(.*?)</\1>", re.DOTALL)


# A connection that is dropped if no complete request comes, and can be cut off.
# Beyond `most` connections, it is dropped at once. The parser bounds neither heads nor how many
# requests come at once, so this does.
class _Protocol(HttpToolsProtocol):
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
        self.app = partial(self._answer, self.app)
        self._unsent = self._beside = 0
        self._due = self.loop.call_later(_HEAD_S, self._look)

    # Answer in pieces, and cut off a reader who does not take one in time.
    async def _answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        scope["arena.abort"] = self._cut

        async def send_in_time(message: Message) -> None:
            body, more = message.get("body", b""), message.get("more_body", False)
            for at in range(0, max(len(body), 1), _PIECE):
                piece = body[at : at + _PIECE]
                rest = more or at + _PIECE < len(body)
                part = {**message, "body": piece, "more_body": rest} if body else message
                try:
                    async with asyncio.timeout(SEND_S):
                        await send(part)
                except TimeoutError:
                    self._cut()
                    raise ClientDisconnect from None

        with suppress(ClientDisconnect):
            await app(scope, receive, send_in_time)

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
            self._due = self.loop.call_later(_HEAD_S, self._look)

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

    # Cut off a connection that is in no request and moves nothing, else check again later.
    def _look(self) -> None:
        before, self._unsent = self._unsent, self.transport.get_write_buffer_size()
        idle = self.cycle is None or self.cycle.response_complete
        if idle and (not self._unsent or self._unsent == before):
            self._cut()
        else:
            self._due = self.loop.call_later(_HEAD_S, self._look)

    # Drop the connection, and the data that the system has yet to send over it.
    def _cut(self) -> None:
        found = self.transport.get_extra_info("socket")
        with suppress(OSError):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


class Server(uvicorn.Server):
    """Serves an application to at most `most` connections.

    `stop` is called as soon as the server is asked to stop. uvicorn waits for every answer, so
    streams must end then, in `stop`, and not when uvicorn announces its shutdown.
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
            timeout_keep_alive=_KEPT_S,
        )
        super().__init__(config)
        self._stop = stop

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams at once, for uvicorn waits for them; Ctrl-C is for the command."""
        if sig != signal.SIGINT:
            self.stop()

    def stop(self) -> None:
        self._stop()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, and end once those are answered that had come."""
        for each in (*self.servers, *(sockets or ())):
            each.close()
        await asyncio.sleep(_COMING_S)
        await super().shutdown(sockets)


def check_origin(
    request: Request, origins: Container[str], unsaid: bool, beside: Container[str] = ()
) -> None:
    """Raise `Forbidden` if another site may have made a browser send the request.

    Browsers send the origin that a request comes from, and whether it is the same one or only of
    the same site, as another port is: then it must be `beside`. A request without is a program's,
    which may ask if `unsaid`.
    """
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin" if unsaid else "")
    ours = site == "same-origin" and (origin is None or origin in origins)
    if not ours and not (site == "same-site" and origin in beside):
        raise Forbidden("cross-site request rejected", "only the site's own pages may, or a token")


def check_kind(request: Request, wanted: str) -> None:
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said != wanted:
        raise WrongKind(f"the body must be {wanted}", f"Content-Type: {wanted}")


async def body_of(request: Request) -> bytes:
    """The body of a request, which must be short and come in time. Raises `Refusal`."""
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BODY_BYTES:
                    raise TooLarge(f"the body has more than {MOST_BODY_BYTES} bytes")
    except TimeoutError:
        raise Slow(f"the body took more than {_BODY_S:g} s", "try again") from None
    return bytes(body)


def number_in(text: str) -> int | None:
    """The number that a text spells; None for other texts, and for numbers too long to be ours."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def cookie_of(request: Request, name: str) -> str | None:
    """A cookie as it was sent, the last of its name; None if there is none.

    Starlette decodes quoted values, of which a long one takes Python before 3.11.10 many seconds
    (CVE-2024-7592). No cookie of ours is quoted.
    """
    found = None
    for each in ";".join(request.headers.getlist("cookie")).split(";"):
        key, _, value = each.partition("=")
        if key.strip() == name:
            found = value.strip()
    return found


def language_of(request: Request, among: Sequence[str]) -> str:
    """The language for a reader, of some; the first of them where none is preferred."""
    for tag in (request.query_params.get("lang"), cookie_of(request, LANGUAGE_COOKIE)):
        if tag is not None and tag in among:
            return tag
    return preferred(request.headers.get("accept-language", ""), among) or among[0]


def takes_gzip(accepted: str) -> bool:
    """Whether `Accept-Encoding` takes gzip: `gzip;q=0` refuses it."""
    return _GZIP.search(accepted) is not None


@lru_cache(16)
def spoken(page: bytes, language: str) -> bytes:
    """A page of the viewer with its words in a language, and in English, alone."""
    wanted = {language.encode(), ENGLISH.encode()}
    return _WORDS.sub(lambda found: found[0] if found[1] in wanted else b"", page)


def policy(page: bytes, framed_by: str = "'none'", forms: str = "'none'") -> str:
    """The content security policy of a page: its own scripts and styles, and this site alone.

    `framed_by` are the pages that may show it inside them; its forms lead to `forms`.
    """
    hashes: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for kind, text in _INLINE.findall(page):
        hashes[kind].append(f"'sha256-{b64encode(sha256(text).digest()).decode()}'")
    scripts, styles = (" ".join(each) or "'none'" for each in hashes.values())
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self';"
        f" img-src data:; base-uri 'none'; form-action {forms}; frame-ancestors {framed_by}"
    )
