"""Serves people's seats at pages of this machine, in a thread of the command."""

import asyncio
import secrets
import socket
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.people.pages import SeatSite, json_answer, whole_page
from arena.people.seat import PersonSeat

# Seconds that the server stays after the last page was closed, once the match is over.
LINGER_S: Final = 5.0

_END_S: Final = 3.0


class SeatServer(SeatSite[PersonSeat]):
    """The server of people's seats over their ends of socketpairs, which are given away.

    `addresses` are the seats' pages, in order. They call everybody by the names of `players`, by
    seat. `rules` is the page that tells how Zole is played, as HTML. A seat that is timed is left
    after `absent_s` seconds with nobody there.
    """

    def __init__(
        self,
        ends: Sequence[socket.socket],
        absent_s: float,
        players: Sequence[str] = (),
        rules: str = "",
    ) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        origins = frozenset(f"http://{name}:{port}" for name in ("127.0.0.1", "localhost"))
        routes = [Route("/zole", self._zole), Route("/{token}/about", self._about)]
        super().__init__(origins, "", routes)
        self._players, self._rules = tuple(players), rules.encode()
        self.seats = {secrets.token_urlsafe(16): PersonSeat(end, absent_s) for end in ends}
        self.addresses = tuple(f"http://127.0.0.1:{port}/{token}/" for token in self.seats)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        """End the server; everybody leaves."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self.server.stop)

    def wait(self, longest_s: float | None = None) -> bool:
        """Wait until nobody looks any more; return whether it has ended."""
        self._thread.join(longest_s)
        return not self._thread.is_alive()

    def close(self) -> None:
        """End it in any case."""
        self.end()
        self.wait(_END_S)

    # Return what the page of a seat is told besides its lines.
    async def _about(self, request: Request) -> Response:
        return json_answer({"players": self._players})

    async def _zole(self, request: Request) -> Response:
        return whole_page(request, self._rules)

    def looked(self) -> None:
        """Stop once all is over and nobody follows any more."""
        last = max(seat.present_at for seat in self.seats.values())
        if all(seat.over for seat in self.seats.values()) and monotonic() - last > LINGER_S:
            self.server.stop()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner, self._listener:
            runner.run(self._serve())

    async def _serve(self) -> None:
        for seat in self.seats.values():
            self.begin(seat.listen())
        await self.serve(self._listener)


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
