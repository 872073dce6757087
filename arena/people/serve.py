"""The process that serves people's seats: started by the command, it ends with it.

Its input is one line, then it stays open as long as the command runs; its output is one line.
"""

import asyncio
import hmac
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from arena.base.refusals import Forbidden, Missing, Refusal
from arena.people.policy import policy
from arena.people.seat import PersonSeat
from arena.people.server import Server
from arena.people.site import SEAT_HEADERS, OwnAdvice, SeatPages, seat_document

_LOOK_S: Final = 0.5


class Serving(msgspec.Struct, frozen=True):
    """The seats to serve, by token, as descriptors, the path of the page, all names by seat.

    `rules` is the page that tells how Zole is played, as HTML; there is none if it is empty.
    A seat that is timed is left after `absent_s` seconds with nobody there. The server ends
    `linger_s` seconds after the last page was closed, once every seat is over.
    """

    seats: dict[str, int]
    page: str
    absent_s: float
    linger_s: float
    players: tuple[str, ...] = ()
    rules: str = ""


class Served(msgspec.Struct, frozen=True):
    """The port of the server."""

    port: int


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


async def serve(asked: Serving, told: Callable[[Served], None], parent: int) -> None:
    """Serve until every seat is over and nobody looks, or the descriptor `parent` ends."""
    seats = {
        token: PersonSeat(socket.socket(fileno=fd), asked.absent_s)
        for token, fd in asked.seats.items()
    }
    path = Path(asked.page)
    site = _Seats(seats, path.read_bytes(), asked.players, asked.rules.encode())
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        names = ("127.0.0.1", "localhost")
        site.pages.origins = frozenset(f"http://{name}:{port}" for name in names)
        server = Server(site, site.stop)
        server.end_with(parent)
        told(Served(port))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(seat.listen()) for seat in seats.values()]
            tasks.append(group.create_task(_watch(seats, server, asked.linger_s)))
            await server.serve(sockets=[listener])
            for seat in seats.values():
                seat.leave()
            for task in tasks:
                task.cancel()


async def _watch(seats: dict[str, PersonSeat], server: Server, linger_s: float) -> None:
    """Leave seats that nobody follows; stop once all are over and nobody follows any more."""
    while True:
        await asyncio.sleep(min(_LOOK_S, linger_s))
        now = monotonic()
        for seat in seats.values():
            seat.look(now)
        last = max(seat.present_at for seat in seats.values())
        if all(seat.over for seat in seats.values()) and now - last > linger_s:
            server.stop()


def serve_seats() -> None:
    """Serve the seats given in the first line of input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as given:
        asked = msgspec.json.decode(given.readline(), type=Serving)

    def told(served: Served) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(served) + b"\n")
        sys.stdout.flush()

    asyncio.run(serve(asked, told, sys.stdin.fileno()))


if __name__ == "__main__":
    serve_seats()
