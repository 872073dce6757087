"""The site of people's seats: what it answers to whom. It is for this machine's browser alone."""

import asyncio
import hmac
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.match.wire import Malformed
from arena.people.advice import NoAdvice, hint, verdicts
from arena.people.conversation import NotOpen
from arena.people.seat import Seat
from arena.people.stream import Stream

MOST_BYTES: Final = 16_384
"""The most bytes of a request's body."""

BODY_S: Final = 5.0
"""How long a request's body may take."""

MOST_PAGES: Final = 8
"""The most pages that may follow a seat at a time."""

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_INLINE: Final = re.compile(rb"<(script|style)[^>]*>(.*?)</\1>", re.DOTALL)


class Refusal(Exception):
    """What is wrong with a request: the status, what it is, and what helps."""

    def __init__(self, status: int, error: str, remedy: str = "") -> None:
        super().__init__(error)
        self.status, self.error, self.remedy = status, error, remedy


class _Asked(msgspec.Struct):
    id: int


Handler = Callable[[Request, Seat], Awaitable[ASGIApp]]


class Site:
    """The seats by their tokens. `hosts` are what the site is called, once its port is known."""

    def __init__(self, seats: Mapping[str, Seat], page: bytes) -> None:
        self.hosts: frozenset[str] = frozenset()
        self.stopping = False
        self._seats = seats
        self._page = page
        self._page_headers = {
            **_HEADERS,
            "Content-Security-Policy": policy(page),
            "Content-Type": "text/html; charset=utf-8",
        }
        self._advises = asyncio.Lock()
        get, post = ["GET"], ["POST"]
        self.app = Starlette(
            routes=[
                Route("/{token}/", self._seated(self._show), methods=get),
                Route("/{token}/lines", self._seated(self._lines, own=True), methods=get),
                Route("/{token}/review", self._seated(self._review, own=True), methods=get),
                Route("/{token}/answer", self._seated(self._answer, own=True), methods=post),
                Route("/{token}/hint", self._seated(self._hint, own=True), methods=post),
                Route("/{token}/leave", self._seated(self._leave, own=True), methods=post),
                Route("/{rest:path}", self._nothing, methods=[*get, *post]),
            ]
        )
        self.app.router.redirect_slashes = False

    def stop(self) -> None:
        """End every stream."""
        self.stopping = True
        for seat in self._seats.values():
            seat.wake()

    def _seated(
        self, handler: Handler, own: bool = False
    ) -> Callable[[Request], Awaitable[ASGIApp]]:
        """A handler of requests to one seat; with `own` only its page may ask."""

        async def handle(request: Request) -> ASGIApp:
            try:
                self._check(request, own)
                seat = self._seat(request.path_params["token"])
                seat.busy += 1
                try:
                    return await handler(request, seat)
                finally:
                    seat.busy -= 1
            except Refusal as refusal:
                return _refused(refusal)
            except ClientDisconnect:
                return Response(status_code=400)

        return handle

    def _check(self, request: Request, own: bool) -> None:
        """Raise `Refusal` for who is not this machine's browser, or not the page itself."""
        host = request.headers.get("host", "")
        if host not in self.hosts:
            raise Refusal(403, "this is not the name of this site", "use the address as printed")
        origin = request.headers.get("origin", f"http://{host}")
        site = request.headers.get("sec-fetch-site", "same-origin")
        if own and (origin != f"http://{host}" or site != "same-origin"):
            raise Refusal(403, "another site has asked", "only the page of the seat may")

    def _seat(self, given: str) -> Seat:
        """The seat of a token; every one is compared, in constant time."""
        said = given.encode()
        found = None
        for token, seat in self._seats.items():
            if hmac.compare_digest(token.encode(), said):
                found = seat
        if found is None:
            raise Refusal(404, "there is no such seat", "use the address as printed")
        return found

    async def _nothing(self, request: Request) -> Response:
        return _refused(Refusal(404, "there is nothing here", "use the address as printed"))

    async def _show(self, request: Request, seat: Seat) -> ASGIApp:
        return Response(self._page, headers=self._page_headers)

    async def _lines(self, request: Request, seat: Seat) -> ASGIApp:
        said = request.headers.get("last-event-id") or request.query_params.get("after", "0")
        if not (said.isascii() and said.isdigit() and len(said) < 10):
            raise Refusal(422, "this is not the number of an event")
        if len(seat.followers) >= MOST_PAGES:
            raise Refusal(503, "too many pages follow this seat", "close some of them")
        headers = {**_HEADERS, "Content-Type": "text/event-stream; charset=utf-8"}
        return Stream(seat, int(said), headers, lambda: self.stopping)

    async def _answer(self, request: Request, seat: Seat) -> ASGIApp:
        body = await _json(request)
        if seat.over:
            raise Refusal(409, "the match is over for this seat")
        try:
            seat.answer(body)
        except NotOpen:
            raise Refusal(
                409, "this is not asked any more", "the next question comes by itself"
            ) from None
        except Malformed as error:
            raise Refusal(422, str(error)) from None
        return _none()

    async def _hint(self, request: Request, seat: Seat) -> ASGIApp:
        try:
            number = msgspec.json.decode(await _json(request), type=_Asked).id
        except msgspec.DecodeError as error:
            raise Refusal(422, str(error)) from None
        talk = seat.conversation
        asked = talk.request
        if asked is None or asked.id != number:
            raise Refusal(409, "this is not asked any more")
        try:
            async with self._advises:
                reply = await asyncio.to_thread(hint, tuple(talk.lines))
        except NoAdvice as why:
            raise Refusal(501, str(why), why.remedy) from None
        if talk.request is not asked:
            raise Refusal(409, "this is not asked any more")
        talk.hint(reply)
        return _document({"answer": reply, "by": "review"})

    async def _leave(self, request: Request, seat: Seat) -> ASGIApp:
        seat.leave()
        return _none()

    async def _review(self, request: Request, seat: Seat) -> ASGIApp:
        said = request.query_params.get("deal", "")
        if not (said.isascii() and said.isdigit() and len(said) < 10):
            raise Refusal(422, "this is not the number of a deal")
        talk = seat.conversation
        try:
            async with self._advises:
                found = await asyncio.to_thread(
                    verdicts, tuple(talk.lines), dict(talk.replies), int(said)
                )
        except NoAdvice as why:
            raise Refusal(404, str(why), why.remedy) from None
        return _document({"deal": int(said), "verdicts": found})


def policy(page: bytes) -> str:
    """The content security policy of a page: its own scripts and styles, and this site alone."""
    hashes: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for kind, text in _INLINE.findall(page):
        hashes[kind].append(f"'sha256-{b64encode(sha256(text).digest()).decode()}'")
    scripts, styles = (" ".join(each) or "'none'" for each in hashes.values())
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self';"
        " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


async def _json(request: Request) -> bytes:
    """The body of a request, which must be JSON and short."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, "the body must be JSON", "Content-Type: application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise Refusal(413, f"the body has more than {MOST_BYTES} bytes")
    except TimeoutError:
        raise Refusal(408, f"the body took more than {BODY_S:g} s") from None
    return bytes(body)


def _refused(refusal: Refusal) -> Response:
    said = {"error": refusal.error, "remedy": refusal.remedy}
    return _document(said, refusal.status)


def _document(value: object, status: int = 200) -> Response:
    headers = {**_HEADERS, "Content-Type": "application/json"}
    return Response(msgspec.json.encode(value), status, headers)


def _none() -> Response:
    return Response(status_code=204, headers=_HEADERS)
