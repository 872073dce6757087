"""The pages at which people play their seats, on this machine and on a site, and their requests."""

import asyncio
import gzip
import secrets
import sys
import traceback
import webbrowser
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import aclosing, contextmanager
from functools import lru_cache
from pathlib import Path
from socket import create_server, socket
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import Final, Generic, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.base.errors import ArenaError
from arena.base.refusals import Busy, Conflict, Forbidden, Missing, OverQuota, Refusal
from arena.match.commands import MatchVoid
from arena.match.wire import Malformed, message_in
from arena.people.advice import advises, deal_of, hint, verdicts
from arena.people.seat import Ahead, PersonSeat, watched
from arena.people.server import (
    PLAY_PAGE,
    TABLE_LANGUAGES,
    VARY,
    Server,
    body_of,
    check_kind,
    check_origin,
    language_of,
    number_in,
    policy,
    spoken,
    takes_gzip,
)
from arena.tasks.same_deal import MadeByLevel
from arena.zole.deal import Deal

# The most pages that may follow a seat at a time, and that may watch it.
MOST_PAGES: Final = 8
MOST_WATCHING: Final = 50

_LOOK_S: Final = 0.5
_QUIET_S: Final = 15.0  # seconds without an event after which a comment is sent
_AT_ONCE: Final = 1 << 16  # the most bytes that are sent at once, but for a single longer line

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

_Seat = TypeVar("_Seat", bound=PersonSeat)
_T = TypeVar("_T")


class SeatSite(Generic[_Seat]):
    """A site of seats, each below an address that ends in its token.

    `origins` are the site's own, such as `https://zole.example`; other `routes` come first.
    """

    def __init__(self, origins: frozenset[str], prefix: str, routes: Sequence[Route]) -> None:
        self.seats: dict[str, _Seat] = {}
        self.server: Server = Server(self, self.stop)
        self.stopping: bool = False
        self.origins = origins
        self._hosts = {origin.partition("://")[2] for origin in origins}
        self.page: bytes = PLAY_PAGE.read_bytes()  # the same for all seats and for watchers
        self._one_of = {kind: asyncio.Lock() for kind in ("hint", "review", "levels")}
        self._tasks = set[asyncio.Task[None]]()
        own = [
            ("GET", "", self._show),
            ("GET", "learn", self._show),  # the page knows by its path what it is
            ("GET", "lines", self._lines),
            ("GET", "review", self._review),
            ("GET", "levels", self._levels),
            ("POST", "answer", self._answer),
            ("POST", "hint", self._hint),
            ("POST", "leave", self._leave),
        ]
        seats = [
            Route(f"{prefix}/{{token}}/{end}", self._seated(handler), methods=[method])
            for method, end, handler in own
        ]
        self._router = Router([*routes, *seats], redirect_slashes=False, default=_nothing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that calls the site by its name."""
        request = Request(scope, receive)
        try:
            if request.headers.get("host") not in self._hosts:
                raise Forbidden("unknown Host header", "use the address as given")
            self.admit(request)
            await self._router(scope, receive, send)
        except Refusal as refusal:
            await self.refused(request, refusal)(scope, receive, send)
        except ClientDisconnect:
            raise
        except Exception as error:  # ours: it is logged and answered with 500
            where = traceback.extract_tb(error.__traceback__)[-1]
            what = f"internal error: {type(error).__name__} at {where.name}:{where.lineno}"
            print(what, file=sys.stderr, flush=True)
            raise

    def admit(self, request: Request) -> None:
        """Raise `Refusal` for a request that is not admitted, such as one too many."""

    def refused(self, request: Request, refusal: Refusal) -> Response:
        told = {"error": refusal.what, "remedy": refusal.remedy, "wait_s": refusal.wait_s}
        answer = json_answer(told, refusal.status)
        if refusal.wait_s is not None:
            answer.headers["Retry-After"] = str(refusal.wait_s)
        return answer

    async def serve(self, listener: socket) -> None:
        """Serve until asked to stop; then everybody has left."""
        for seat in self.seats.values():
            self.begin(seat.listen())
        self.begin(self._look())
        await self.server.serve(sockets=[listener])
        for seat in self.seats.values():
            seat.leave()

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Begin work that ends with the loop, if not before."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self) -> None:
        while True:
            for seat in self.seats.values():
                seat.look(monotonic())
            self.looked()
            await asyncio.sleep(_LOOK_S)

    def looked(self) -> None:
        """Do what else is due twice a second."""

    def stop(self) -> None:
        self.stopping = True
        for seat in self.seats.values():
            seat.wake()

    def stream(self, request: Request, seat: _Seat, watching: bool) -> Response:
        """Return the stream of a seat's lines, or of what watchers may see. Raises `Refusal`."""
        said = request.headers.get("last-event-id") or request.query_params.get("after", "0")
        after = number_in(said)
        if after is None:
            raise Refusal("this is not the number of an event")
        pages = seat.watchers if watching else seat.followers
        if len(pages) >= (MOST_WATCHING if watching else MOST_PAGES):
            raise Busy("too many pages follow this", "close some of them", wait_s=30)
        return _Events(self._events(seat, pages, after))

    # The lines after some as server-sent events, each with its number.
    async def _events(
        self, seat: _Seat, pages: list[asyncio.Event], after: int
    ) -> AsyncGenerator[bytes]:
        led, fresh, over, watching = False, True, False, pages is seat.watchers
        ahead: Ahead | None = None
        with seat.page(pages) as page:
            news = b"" if watching else _event("past", {"lines": len(seat.lines)})
            while not self.stopping:
                page.clear()
                leads = pages[-1] is page
                if leads != led:
                    led = leads
                    news += _event("tabs", {"leads": leads})
                while after < len(seat.lines):
                    line = seat.lines[after]
                    after, ahead = after + 1, None
                    if shown := watched(message_in(line)) if watching else line:
                        news += b"id: %d\ndata: %s\n\n" % (after, shown)
                    if len(news) >= _AT_ONCE:
                        yield news
                        news = b""
                if fresh and not watching and seat.request is not None:
                    left_s = seat.left_s(monotonic())
                    news += _event("clock", {"id": seat.request.id, "left_s": left_s})
                if not watching and (now := seat.ahead) != ahead and now is not None:
                    ahead = now
                    news += _event("ahead", now)
                fresh = False
                if seat.over and not over:
                    over = True
                    news += _event("over", {})
                if news:  # an empty one would end the answer
                    yield news
                    news = b""
                try:
                    async with asyncio.timeout(_QUIET_S):
                        await page.wait()
                except TimeoutError:
                    yield b":\n\n"

    # Return a handler that finds the seat first.
    def _seated(
        self, handler: Callable[[Request, _Seat], Awaitable[ASGIApp]]
    ) -> Callable[[Request], Awaitable[ASGIApp]]:
        async def handle(request: Request) -> ASGIApp:
            if handler != self._show:
                check_origin(request, self.origins, unsaid=True)
            seat = self.seats.get(request.path_params["token"])
            if seat is None:
                raise Missing("there is no such seat", "use the address as given")
            seat.present_at = monotonic()
            return await handler(request, seat)

        return handle

    async def _show(self, request: Request, seat: _Seat) -> ASGIApp:
        return whole_page(request, self.page)

    async def _lines(self, request: Request, seat: _Seat) -> ASGIApp:
        return self.stream(request, seat, watching=False)

    async def _answer(self, request: Request, seat: _Seat) -> ASGIApp:
        body = await _json(request)
        if seat.over:
            raise Conflict("the match is over for this seat")
        try:
            seat.answer(body)
        except Malformed as error:
            raise Refusal(str(error)) from None
        return _none()

    async def _leave(self, request: Request, seat: _Seat) -> ASGIApp:
        seat.leave()
        return _none()

    async def _hint(self, request: Request, seat: _Seat) -> ASGIApp:
        try:
            number = msgspec.json.decode(await _json(request), type=dict[str, int]).get("id")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal(str(error)) from None
        asked = seat.request
        if asked is None or asked.id != number:
            raise Conflict("this is not asked any more")
        lines = tuple(seat.lines)
        answer, why = await self._advised(seat, "hint", lambda: hint(lines))
        if seat.request is not asked:
            raise Conflict("this is not asked any more")
        seat.hint(answer)
        return json_answer({"answer": answer, "why": why})

    async def _review(self, request: Request, seat: _Seat) -> ASGIApp:
        deal = number_in(request.query_params.get("deal", ""))
        if deal is None:
            raise Refusal("this is not the number of a deal")
        lines, replies = tuple(seat.lines), dict(seat.replies)
        found = await self._advised(seat, "review", lambda: verdicts(lines, replies, deal))
        told = [{**msgspec.to_builtins(verdict), "why": why} for verdict, why in found]
        return json_answer({"deal": deal, "verdicts": told})

    async def _levels(self, request: Request, seat: _Seat) -> ASGIApp:
        number = number_in(request.query_params.get("deal", ""))
        deal = deal_of(tuple(seat.lines), -1 if number is None else number)
        try:
            made = await self._advised(seat, "levels", lambda: self.played_by_levels(seat, deal))
        except Refusal:
            raise
        except (ArenaError, MatchVoid) as error:
            print(f"a deal could not be played again: {error}", file=sys.stderr, flush=True)
            raise Busy("no bot plays this deal now", "try again later", 60) from None
        return json_answer({"deal": number, "levels": made})

    def played_by_levels(self, seat: _Seat, deal: Deal) -> Sequence[MadeByLevel]:
        """What a bot of each level makes of a deal in a seat. Raises `Missing` if none is here."""
        raise Missing("no bots of other levels are here")

    # Work out advice of a kind in a thread: for one seat after another, and one piece for each.
    async def _advised(self, seat: _Seat, kind: str, work: Callable[[], _T]) -> _T:
        if kind in seat.advised:
            raise OverQuota("other advice is still being worked out", "wait for it", 1)
        seat.advised.add(kind)
        try:
            async with self._one_of[kind]:
                return await asyncio.to_thread(work)
        finally:
            seat.advised.remove(kind)


# An answer with events, which are closed as soon as it ends, however that comes.
class _Events(StreamingResponse):
    def __init__(self, events: AsyncGenerator[bytes]) -> None:
        self._events = events
        super().__init__(events, 200, _HEADERS, "text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._events):
            await super().__call__(scope, receive, send)


def whole_page(request: Request, data: bytes) -> Response:
    """Return a page that holds its scripts and styles, and may use these alone."""
    page = spoken(data, language_of(request, TABLE_LANGUAGES))
    headers, packed = _prepared(page)
    if takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(packed, 200, headers | {"Content-Encoding": "gzip"})
    return Response(page, 200, headers)


@lru_cache(16)
def _prepared(page: bytes) -> tuple[dict[str, str], bytes]:
    own = {"Content-Type": "text/html; charset=utf-8", "Vary": f"Accept-Encoding, {VARY}"}
    return _HEADERS | own | {"Content-Security-Policy": policy(page)}, gzip.compress(page)


def json_answer(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, _HEADERS, "application/json")


async def _json(request: Request) -> bytes:
    check_kind(request, "application/json")
    return await body_of(request)


def _event(name: str, data: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), msgspec.json.encode(data))


def _none() -> Response:
    return Response(status_code=204, headers=_HEADERS)


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    raise Missing("there is nothing here", "use the address as given")


# Seconds that the server stays after the last page was closed, once the match is over.
LINGER_S: Final = 5.0

_END_S: Final = 3.0


class SeatServer(SeatSite[PersonSeat]):
    """The server of people's seats over their ends of socketpairs, which are given away.

    `addresses` are the seats' pages, in order. They call everybody by the names of `players`, by
    seat. `rules` is the page with the rules of Zole, as HTML. A seat is left after `absent_s`
    seconds with nobody there, unless that is None. `levels` plays a deal by a bot of each level.
    """

    def __init__(
        self,
        ends: Sequence[socket],
        absent_s: float | None,
        players: Sequence[str] = (),
        rules: str = "",
        levels: Callable[[Deal], Sequence[MadeByLevel]] | None = None,
    ) -> None:
        self._listener = create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        origins = frozenset(f"http://{name}:{port}" for name in ("127.0.0.1", "localhost"))
        routes = [Route("/zole", self._zole), Route("/{token}/about", self._about)]
        super().__init__(origins, "", routes)
        self._players, self._rules = tuple(players), rules.encode()
        self._of_levels = levels
        self.seats = {secrets.token_urlsafe(16): PersonSeat(end, absent_s) for end in ends}
        self.addresses: tuple[str, ...] = tuple(
            f"http://127.0.0.1:{port}/{token}/" for token in self.seats
        )
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def wait(self, longest_s: float | None = None) -> bool:
        """Wait until no page is open any more; return whether it has ended."""
        self._thread.join(longest_s)
        return not self._thread.is_alive()

    def close(self) -> None:
        """End the server, if it has not ended; everybody leaves."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self.server.stop)
        self.wait(_END_S)

    # Return what the page of a seat gets in addition to its lines.
    async def _about(self, request: Request) -> Response:
        return json_answer({"players": self._players, "advises": advises()})

    def played_by_levels(self, seat: PersonSeat, deal: Deal) -> Sequence[MadeByLevel]:
        if self._of_levels is None:
            return super().played_by_levels(seat, deal)
        return self._of_levels(deal)

    async def _zole(self, request: Request) -> Response:
        return whole_page(request, self._rules)

    def looked(self) -> None:
        last = max(seat.present_at for seat in self.seats.values())
        if all(seat.over for seat in self.seats.values()) and monotonic() - last > LINGER_S:
            self.server.stop()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner, self._listener:
            runner.run(self.serve(self._listener))


@contextmanager
def opened(address: str) -> Iterator[bool]:
    """Open an address in the browser; yield whether one was found.

    Others of this machine may read a command's arguments, so the browser is given a file of ours
    that leads on to the address. It is there until the context ends.
    """
    with TemporaryDirectory(prefix="zole-play-") as folder:
        file = Path(folder, "play.html")
        file.touch(mode=0o600)
        file.write_text(
            f'<!doctype html><meta charset="utf-8"><title>Zole</title>'
            f'<meta http-equiv="refresh" content="0; url={address}">'
        )
        yield webbrowser.open(file.as_uri())
