"""Serves people's seats at pages of this machine, in a thread of the command."""

import asyncio
import hmac
import secrets
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Thread
from time import monotonic
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from arena.base.refusals import Forbidden, Missing, Refusal
from arena.people.policy import PLAY_PAGE, policy
from arena.people.seat import PersonSeat
from arena.people.server import Server
from arena.people.site import SEAT_HEADERS, OwnAdvice, SeatPages, seat_document

TOKEN_BYTES: Final = 16

LINGER_S: Final = 5.0
"""Seconds that the server stays after the last page was closed, once the match is over."""

_LOOK_S: Final = 0.5
_END_S: Final = 3.0


class SeatServer:
    """The server of people's seats. `addresses` are the seats' pages, in order."""

    def __init__(
        self, ends: Sequence[socket.socket], absent_s: float, players: tuple[str, ...], rules: str
    ) -> None:
        self._seats = {
            secrets.token_urlsafe(TOKEN_BYTES): PersonSeat(end, absent_s) for end in ends
        }
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.addresses = tuple(f"http://127.0.0.1:{port}/{token}/" for token in self._seats)
        site = _Seats(self._seats, PLAY_PAGE.read_bytes(), players, rules.encode())
        names = ("127.0.0.1", "localhost")
        site.pages.origins = frozenset(f"http://{name}:{port}" for name in names)
        self._server = Server(site, site.stop)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return not self._thread.is_alive()

    def end(self) -> None:
        """End the server; everybody leaves."""
        if not self.over:
            self._loop.call_soon_threadsafe(self._server.stop)

    def wait(self, longest_s: float | None = None) -> None:
        """Wait until nobody looks any more."""
        self._thread.join(longest_s)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(seat.listen()) for seat in self._seats.values()]
            tasks.append(group.create_task(self._watch()))
            with self._listener:
                await self._server.serve(sockets=[self._listener])
            for seat in self._seats.values():
                seat.leave()
            for task in tasks:
                task.cancel()

    async def _watch(self) -> None:
        """Leave seats that nobody follows; stop once all are over and nobody follows any more."""
        seats = self._seats.values()
        while True:
            await asyncio.sleep(min(_LOOK_S, LINGER_S))
            now = monotonic()
            for seat in seats:
                seat.look(now)
            last = max(seat.present_at for seat in seats)
            if all(seat.over for seat in seats) and now - last > LINGER_S:
                self._server.stop()


@contextmanager
def serving(
    ends: Sequence[socket.socket],
    absent_s: float,
    players: Sequence[str] = (),
    rules: str = "",
) -> Iterator[SeatServer]:
    """Serve people's seats over their ends of socketpairs, which are given away.

    The page calls everybody by the names of `players`, by seat. `rules` is the page that tells how
    Zole is played, as HTML. A seat that is timed is left after `absent_s` seconds with nobody
    there. The server ends at the latest when the context does.
    """
    server = SeatServer(ends, absent_s, tuple(players), rules)
    try:
        yield server
    finally:
        server.end()
        server.wait(_END_S)


class _Seats:
    """The seats by their tokens, on a site of their own."""

    def __init__(
        self,
        seats: Mapping[str, PersonSeat],
        page: bytes,
        players: tuple[str, ...],
        rules: bytes = b"",
    ) -> None:
        self._seats = seats
        self._players = players
        self._rules = rules
        self.pages = SeatPages(self._find, page, OwnAdvice())
        about = Route("/{token}/about", self._about, methods=["GET"])
        how = Route("/zole", self._zole, methods=["GET"])
        self._router = Router([how, *self.pages.routes(), about], redirect_slashes=False)
        self._router.default = _nothing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that calls the server by its name."""
        request = Request(scope, receive)
        try:
            if f"http://{request.headers.get('host', '')}" not in self.pages.origins:
                raise Forbidden("this is not the name of this site", "use the address as given")
            await self._router(scope, receive, send)
        except Refusal as refusal:
            told = {"error": refusal.what, "remedy": refusal.remedy}
            await seat_document(told, refusal.status)(scope, receive, send)
        except ClientDisconnect:
            pass

    async def _about(self, request: Request) -> Response:
        """What a page is told besides its lines."""
        return seat_document({"players": self._players})

    async def _zole(self, request: Request) -> Response:
        """Return the page that tells how Zole is played by the rules of this table."""
        if not self._rules:
            raise Missing("this table has no page of its rules")
        headers = {
            **SEAT_HEADERS,
            "Content-Security-Policy": policy(self._rules),
            "Content-Type": "text/html; charset=utf-8",
        }
        return Response(self._rules, headers=headers)

    def stop(self) -> None:
        """End every stream."""
        self.pages.stopping = True
        for seat in self._seats.values():
            seat.wake()

    async def _find(self, given: str) -> PersonSeat | None:
        """The seat of a token; every one is compared, in constant time."""
        said = given.encode()
        found = None
        for token, seat in self._seats.items():
            if hmac.compare_digest(token.encode(), said):
                found = seat
        return found


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    raise Missing("there is nothing here", "use the address as given")
