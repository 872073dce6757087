"""The pages by which people play their seats, at home and on a site."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.base.refusals import Busy, Conflict, Missing, Refusal
from arena.match.wire import Malformed
from arena.people.advice import hint, verdicts
from arena.people.asking import body_of, check_kind, check_origin, number_in, takes_gzip
from arena.people.conversation import NotOpen
from arena.people.policy import policy
from arena.people.seat import Followed, PersonSeat
from arena.people.stream import Stream
from arena.people.suggestion import Suggestion

MOST_PAGES: Final = 8
"""The most pages that may follow a seat at a time."""

SEAT_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class HintOn(msgspec.Struct):
    """A page's request for a hint: the number of the seat's open request."""

    id: int


class Advice(Protocol):
    """The source of hints and reviews. Both methods raise `Refusal`."""

    async def hint(self, seat: PersonSeat) -> Suggestion:
        """Return the answer that a review would give to the open request."""

    async def verdicts(self, seat: PersonSeat, deal: int) -> object:
        """Return the verdicts on the seat's decisions in a finished deal, as JSON has them."""


class OwnAdvice:
    """Advice worked out in this process, one piece after another."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()

    async def hint(self, seat: PersonSeat) -> Suggestion:
        """Return the answer that a review would give to the open request."""
        async with self._one:
            return await asyncio.to_thread(hint, tuple(seat.lines))

    async def verdicts(self, seat: PersonSeat, deal: int) -> object:
        """Return the verdicts on the seat's decisions in a finished deal."""
        lines, replies = tuple(seat.lines), dict(seat.conversation.replies)
        async with self._one:
            return await asyncio.to_thread(verdicts, lines, replies, deal)


SeatHandler = Callable[[Request, PersonSeat], Awaitable[ASGIApp]]


class SeatPages:
    """The handlers of all requests below the address of a seat, which ends in its token.

    `find` returns the seat of a token, or None. `origins` are the site's own, such as
    `https://zole.example`.
    """

    def __init__(
        self, find: Callable[[str], Awaitable[PersonSeat | None]], page: bytes, advice: Advice
    ) -> None:
        self.origins: frozenset[str] = frozenset()
        self.stopping = False
        self._find = find
        self._page, self._packed = page, gzip.compress(page)
        self._advice = advice
        self._page_headers = {
            **SEAT_HEADERS,
            "Content-Security-Policy": policy(page),
            "Content-Type": "text/html; charset=utf-8",
            "Vary": "Accept-Encoding",
        }
        self.show = self._seated(self._show)
        self.lines = self._seated(self._lines, own=True)
        self.review = self._seated(self._review, own=True)
        self.answer = self._seated(self._answer, own=True)
        self.hint = self._seated(self._hint, own=True)
        self.leave = self._seated(self._leave, own=True)

    def routes(self) -> list[Route]:
        """Return the routes, all below `/TOKEN/`."""
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
        self, handler: SeatHandler, own: bool = False
    ) -> Callable[[Request], Awaitable[ASGIApp]]:
        """Return a handler that finds the seat first; with `own`, only the seat's page may ask."""

        async def handle(request: Request) -> ASGIApp:
            if own:
                check_origin(request, self.origins, unsaid=True)
            seat = await self._find(request.path_params["token"])
            if seat is None:
                raise Missing("there is no such seat", "use the address as given")
            seat.busy += 1
            try:
                return await handler(request, seat)
            finally:
                seat.busy -= 1

        return handle

    async def _show(self, request: Request, seat: PersonSeat) -> ASGIApp:
        return self.page(request)

    def page(self, request: Request) -> Response:
        """Return the page of a table, which is the same for all seats and for watchers."""
        if not takes_gzip(request.headers.get("accept-encoding", "")):
            return Response(self._page, headers=self._page_headers)
        packed = {**self._page_headers, "Content-Encoding": "gzip"}
        return Response(self._packed, headers=packed)

    async def _lines(self, request: Request, seat: PersonSeat) -> ASGIApp:
        return stream(request, seat, MOST_PAGES, lambda: self.stopping)

    async def _answer(self, request: Request, seat: PersonSeat) -> ASGIApp:
        body = await _json(request)
        if seat.over:
            raise Conflict("the match is over for this seat")
        try:
            seat.answer(body)
        except NotOpen:
            what = "this is not asked any more"
            raise Conflict(what, "the next question comes by itself") from None
        except Malformed as error:
            raise Refusal(str(error)) from None
        return _none()

    async def _hint(self, request: Request, seat: PersonSeat) -> ASGIApp:
        try:
            number = msgspec.json.decode(await _json(request), type=HintOn).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal(str(error)) from None
        talk = seat.conversation
        asked = talk.request
        if asked is None or asked.id != number:
            raise Conflict("this is not asked any more")
        found = await self._advice.hint(seat)
        if talk.request is not asked:
            raise Conflict("this is not asked any more")
        talk.hint(found.answer)
        return seat_document({"answer": found.answer, "why": found.why, "by": "review"})

    async def _leave(self, request: Request, seat: PersonSeat) -> ASGIApp:
        seat.leave()
        return _none()

    async def _review(self, request: Request, seat: PersonSeat) -> ASGIApp:
        deal = number_in(request.query_params.get("deal", ""))
        if deal is None:
            raise Refusal("this is not the number of a deal")
        found = await self._advice.verdicts(seat, deal)
        return seat_document({"deal": deal, "verdicts": found})


def stream(request: Request, lines: Followed, most: int, stopping: Callable[[], bool]) -> Stream:
    """Return the stream of lines to a page. Raises `Refusal`, also where `most` pages follow."""
    said = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    after = number_in(said)
    if after is None:
        raise Refusal("this is not the number of an event")
    if len(lines.followers) >= most:
        raise Busy("too many pages follow this", "close some of them", wait_s=30)
    return Stream(lines, after, SEAT_HEADERS, stopping)


async def _json(request: Request) -> bytes:
    """Return the body of a request. Raises `Refusal` unless it is JSON, and short."""
    check_kind(request, "application/json")
    return await body_of(request)


def seat_document(value: object, status: int = 200) -> Response:
    """Return an answer in JSON."""
    headers = {**SEAT_HEADERS, "Content-Type": "application/json"}
    return Response(msgspec.json.encode(value), status, headers)


def _none() -> Response:
    return Response(status_code=204, headers=SEAT_HEADERS)
