"""Guests' tables in the web process: the lines from the host, and those who follow them."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

import msgspec

from arena.base.refusals import Busy, Missing, Refusal
from arena.people.policy import PLAY_PAGE
from arena.people.seat import Followed, PersonSeat
from arena.people.site import SeatPages
from arena.people.suggestion import Suggestion
from arena.site.guests.wire import (
    GUEST_ABSENT_S,
    LEAVE,
    LONGEST_TOLD,
    OWN_LINE,
    AnyAsk,
    DealReviewed,
    GuestTold,
    HintAsked,
    Hinted,
    ReviewAsked,
    SeatStanding,
    Sit,
    TableRefused,
    Watch,
    line_of,
    standing_in,
)
from arena.site.web.door import Door

LINGER_S: Final = 30.0
"""Seconds to keep lines that nobody follows, unless a guest still needs them."""

_HOST_S: Final = 30.0
"""Seconds that the host may take for an answer."""

_LOOK_S: Final = 0.5
_MOST_FOLLOWED: Final = 300
"""The most tables that may be followed, those that are over among them."""

_A = TypeVar("_A", bound=GuestTold)
_T = TypeVar("_T", "GuestSeat", "WatchedTable")


class GuestSeat(PersonSeat):
    """A guest's seat. The host keeps all that was said, so this may be lost."""

    def __init__(self, end: socket.socket) -> None:
        super().__init__(end, GUEST_ABSENT_S)
        self.standing: SeatStanding | None = None
        self.settled = asyncio.Event()
        """Set once all lines so far have come."""

    def hear(self, line: bytes) -> None:
        """Take the next line, without its newline."""
        if line.startswith(OWN_LINE):
            self.standing = standing_in.decode(line.removeprefix(OWN_LINE))
        else:
            super().hear(line)
        standing = self.standing
        if standing is not None and not self.settled.is_set() and len(self.lines) >= standing.lines:
            self.conversation.resume(standing.is_open, monotonic() - standing.ago_s)
            self.settled.set()

    def leave(self) -> None:
        """Tell the host that the guest leaves: else it waits for another web process to come."""
        self._write(LEAVE + b"\n")
        super().leave()


class WatchedTable(Followed):
    """A table as its watchers see it."""

    def __init__(self, end: socket.socket) -> None:
        super().__init__(end)
        self.standing: SeatStanding | None = None
        self.settled = asyncio.Event()

    def hear(self, line: bytes) -> None:
        """Take the next line, without its newline."""
        if line.startswith(OWN_LINE):
            self.standing = standing_in.decode(line.removeprefix(OWN_LINE))
            self.settled.set()
        else:
            super().hear(line)


class Guests:
    """Guests' seats and watched tables by their keys, fetched from the host when asked for.

    All of it can be fetched again: a web process may end and another go on.
    """

    def __init__(self, door: Door, origins: frozenset[str]) -> None:
        self.pages = SeatPages(self.seat, PLAY_PAGE.read_bytes(), _HostsAdvice(self))
        self.pages.origins = origins
        self._door = door
        self._seats: dict[str, GuestSeat] = {}
        self._watched: dict[str, WatchedTable] = {}
        self._fetching = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, question: AnyAsk, answer: type[_A]) -> _A:
        """Return the host's answer, of this kind.

        Raises `Refusal`, also for the host's refusals.
        """
        try:
            async with asyncio.timeout(_HOST_S):
                end = await self._door.connected()
                reader, writer = await asyncio.open_unix_connection(sock=end, limit=LONGEST_TOLD)
                with contextlib.closing(writer):
                    writer.write(line_of(question))
                    line = await reader.readline()
            told: _A | TableRefused = msgspec.json.decode(line, type=answer | TableRefused)
        except (OSError, TimeoutError, ValueError, msgspec.DecodeError):
            raise _closed() from None
        if isinstance(told, TableRefused):
            refusal = Refusal(told.error, told.remedy, told.wait_s)
            refusal.status = told.status
            raise refusal
        return told

    async def seat(self, key: str) -> GuestSeat | None:
        """Return the seat of a guest's key, or None. Raises `Refusal`."""
        return await self._found(self._seats, key, Sit(key), GuestSeat)

    async def watched(self, key: str) -> WatchedTable:
        """Return the table of a watchers' key. Raises `Refusal`."""
        found = await self._found(self._watched, key, Watch(key), WatchedTable)
        if found is None:
            raise Missing("there is no such table", "use the address as given")
        return found

    def key_of(self, seat: PersonSeat) -> str:
        """Return the key of a seat."""
        return next(key for key, each in self._seats.items() if each is seat)

    def stop(self) -> None:
        """End every stream. No guest leaves by that."""
        self.pages.stopping = True
        for lines in (*self._seats.values(), *self._watched.values()):
            lines.wake()

    async def _found(
        self,
        known: dict[str, _T],
        key: str,
        question: Sit | Watch,
        make: Callable[[socket.socket], _T],
    ) -> _T | None:
        async with self._fetching:
            found = known.get(key)
            if found is None:
                if len(known) >= _MOST_FOLLOWED:
                    raise _closed()
                found = known[key] = make(await self._connected(question))
                task = asyncio.create_task(self._keep(known, key, found))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        try:
            async with asyncio.timeout(_HOST_S):
                await found.settled.wait()
        except TimeoutError:
            raise _closed() from None
        return None if found.standing is None else found

    async def _connected(self, question: Sit | Watch) -> socket.socket:
        """Return a socket over which the host tells lines. Raises `Refusal`."""
        try:
            end = await self._door.connected()
            try:
                await asyncio.get_running_loop().sock_sendall(end, line_of(question))
            except OSError:
                end.close()
                raise
        except OSError:
            raise _closed() from None
        return end

    async def _keep(self, known: dict[str, _T], key: str, found: _T) -> None:
        """Take lines until nobody follows them and no guest needs them."""
        listening = asyncio.create_task(found.listen())
        try:
            while not (listening.done() and found.standing is None):
                await asyncio.wait([listening], timeout=_LOOK_S)
                if listening.done():
                    found.settled.set()
                    await asyncio.sleep(_LOOK_S)
                now = monotonic()
                if isinstance(found, GuestSeat):
                    found.look(now)
                needed = isinstance(found, GuestSeat) and not found.over
                if not (needed or found.followers) and now - found.present_at > LINGER_S:
                    break
        finally:
            listening.cancel()
            known.pop(key, None)


class _HostsAdvice:
    """Advice from the host, which has the processor time for it."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests

    async def hint(self, seat: PersonSeat) -> Suggestion:
        """Return the answer that a review would give to the open request."""
        question = HintAsked(self._guests.key_of(seat))
        return (await self._guests.ask(question, Hinted)).suggestion

    async def verdicts(self, seat: PersonSeat, deal: int) -> object:
        """Return the verdicts on the seat's decisions in a finished deal."""
        question = ReviewAsked(self._guests.key_of(seat), deal)
        return (await self._guests.ask(question, DealReviewed)).verdicts


def _closed() -> Busy:
    return Busy("there are no tables for guests now", "try again later", wait_s=30)
