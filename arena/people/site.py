"""The pages of people's seats: what is answered to whom, wherever they are served."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.match.wire import AnyReply, Malformed
from arena.people.advice import NoAdvice, hint, verdicts
from arena.people.conversation import NotOpen
from arena.people.policy import policy
from arena.people.seat import Followed, Seat
from arena.people.stream import Stream

MOST_BYTES: Final = 16_384
"""The most bytes of a request's body."""

BODY_S: Final = 5.0
"""How long a request's body may take."""

MOST_PAGES: Final = 8
"""The most pages that may follow a seat at a time."""

HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class SeatRefusal(Exception):
    """What is wrong with a request: the status, what it is, and what helps."""

    def __init__(self, status: int, error: str, remedy: str = "") -> None:
        super().__init__(error)
        self.status, self.error, self.remedy = status, error, remedy


class HintOn(msgspec.Struct):
    """The number of the request that a hint is asked for."""

    id: int


class Advice(Protocol):
    """Who works out hints and reviews. Both raise `NoAdvice`."""

    async def hint(self, seat: Seat) -> AnyReply:
        """What a review would answer to the open request."""

    async def verdicts(self, seat: Seat, deal: int) -> object:
        """The verdicts on the seat's decisions in a finished deal, as JSON has them."""


class OwnAdvice:
    """Advice worked out in this process, one after another."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()

    async def hint(self, seat: Seat) -> AnyReply:
        """What a review would answer to the open request."""
        async with self._one:
            return await asyncio.to_thread(hint, tuple(seat.lines))

    async def verdicts(self, seat: Seat, deal: int) -> object:
        """The verdicts on the seat's decisions in a finished deal."""
        lines, replies = tuple(seat.lines), dict(seat.conversation.replies)
        async with self._one:
            return await asyncio.to_thread(verdicts, lines, replies, deal)


Handler = Callable[[Request, Seat], Awaitable[ASGIApp]]


class SeatPages:
    """What is answered below the address of a seat, which ends in its token.

    `find` gives the seat of a token, `origins` are what the site may be called, such as
    `https://zole.example`.
    """

    def __init__(
        self, find: Callable[[str], Awaitable[Seat | None]], page: bytes, advice: Advice
    ) -> None:
        self.origins: frozenset[str] = frozenset()
        self.stopping = False
        self._find = find
        self._page = page
        self._advice = advice
        self._page_headers = {
            **HEADERS,
            "Content-Security-Policy": policy(page),
            "Content-Type": "text/html; charset=utf-8",
        }
        self.show = self._seated(self._show)
        self.lines = self._seated(self._lines, own=True)
        self.review = self._seated(self._review, own=True)
        self.answer = self._seated(self._answer, own=True)
        self.hint = self._seated(self._hint, own=True)
        self.leave = self._seated(self._leave, own=True)

    def routes(self) -> list[Route]:
        """All of them below `/TOKEN/`."""
        get, post = ["GET"], ["POST"]
        return [
            Route("/{token}/", self.show, methods=get),
            Route("/{token}/lines", self.lines, methods=get),
            Route("/{token}/review", self.review, methods=get),
            Route("/{token}/answer", self.answer, methods=post),
            Route("/{token}/hint", self.hint, methods=post),
            Route("/{token}/leave", self.leave, methods=post),
        ]

    def _seated(
        self, handler: Handler, own: bool = False
    ) -> Callable[[Request], Awaitable[ASGIApp]]:
        """A handler of requests to one seat; with `own` only its page may ask."""

        async def handle(request: Request) -> ASGIApp:
            try:
                check_origin(request, self.origins, own)
                seat = await self._find(request.path_params["token"])
                if seat is None:
                    raise SeatRefusal(404, "there is no such seat", "use the address as given")
                seat.busy += 1
                try:
                    return await handler(request, seat)
                finally:
                    seat.busy -= 1
            except SeatRefusal as refusal:
                return refused(refusal)
            except ClientDisconnect:
                return Response(status_code=400)

        return handle

    async def _show(self, request: Request, seat: Seat) -> ASGIApp:
        return Response(self._page, headers=self._page_headers)

    async def _lines(self, request: Request, seat: Seat) -> ASGIApp:
        return stream(request, seat, MOST_PAGES, lambda: self.stopping)

    async def _answer(self, request: Request, seat: Seat) -> ASGIApp:
        body = await _json(request)
        if seat.over:
            raise SeatRefusal(409, "the match is over for this seat")
        try:
            seat.answer(body)
        except NotOpen:
            raise SeatRefusal(
                409, "this is not asked any more", "the next question comes by itself"
            ) from None
        except Malformed as error:
            raise SeatRefusal(422, str(error)) from None
        return _none()

    async def _hint(self, request: Request, seat: Seat) -> ASGIApp:
        try:
            number = msgspec.json.decode(await _json(request), type=HintOn).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise SeatRefusal(422, str(error)) from None
        talk = seat.conversation
        asked = talk.request
        if asked is None or asked.id != number:
            raise SeatRefusal(409, "this is not asked any more")
        try:
            reply = await self._advice.hint(seat)
        except NoAdvice as why:
            raise SeatRefusal(501, str(why), why.remedy) from None
        if talk.request is not asked:
            raise SeatRefusal(409, "this is not asked any more")
        talk.hint(reply)
        return document({"answer": reply, "by": "review"})

    async def _leave(self, request: Request, seat: Seat) -> ASGIApp:
        seat.leave()
        return _none()

    async def _review(self, request: Request, seat: Seat) -> ASGIApp:
        said = request.query_params.get("deal", "")
        if not (said.isascii() and said.isdigit() and len(said) < 10):
            raise SeatRefusal(422, "this is not the number of a deal")
        try:
            found = await self._advice.verdicts(seat, int(said))
        except NoAdvice as why:
            raise SeatRefusal(404, str(why), why.remedy) from None
        return document({"deal": int(said), "verdicts": found})


def check_origin(request: Request, origins: frozenset[str], own: bool) -> None:
    """Raise `Refusal` for who calls the site by another name, or with `own` is not its page."""
    host = request.headers.get("host", "")
    named = [origin for origin in origins if origin.partition("://")[2] == host]
    if not named:
        raise SeatRefusal(403, "this is not the name of this site", "use the address as given")
    origin = request.headers.get("origin", named[0])
    site = request.headers.get("sec-fetch-site", "same-origin")
    if own and (origin not in named or site != "same-origin"):
        raise SeatRefusal(403, "another site has asked", "only the page of the seat may")


def stream(request: Request, lines: Followed, most: int, stopping: Callable[[], bool]) -> Stream:
    """The answer to a page that follows some lines. Raises `Refusal` where so many follow them."""
    said = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise SeatRefusal(422, "this is not the number of an event")
    if len(lines.followers) >= most:
        raise SeatRefusal(503, "too many pages follow this", "close some of them")
    return Stream(lines, int(said), HEADERS, stopping)


async def _json(request: Request) -> bytes:
    """The body of a request, which must be JSON and short."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise SeatRefusal(415, "the body must be JSON", "Content-Type: application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise SeatRefusal(413, f"the body has more than {MOST_BYTES} bytes")
    except TimeoutError:
        raise SeatRefusal(408, f"the body took more than {BODY_S:g} s") from None
    return bytes(body)


def refused(refusal: SeatRefusal) -> Response:
    """The answer that tells what is wrong."""
    said = {"error": refusal.error, "remedy": refusal.remedy}
    return document(said, refusal.status)


def document(value: object, status: int = 200) -> Response:
    """An answer in JSON."""
    headers = {**HEADERS, "Content-Type": "application/json"}
    return Response(msgspec.json.encode(value), status, headers)


def _none() -> Response:
    return Response(status_code=204, headers=HEADERS)
