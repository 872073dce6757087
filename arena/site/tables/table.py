"""One guest's table: its match in a process of its own, the seat's lines, guest and watchers."""

import asyncio
import os
import socket
import sys
from time import monotonic
from typing import Final

import msgspec

from arena.engine.workers import limit_s
from arena.people.seat import Followed, PersonSeat
from arena.people.watching import watched
from arena.site.tables.play import TableAsked, TablePlayed, seated_players

_ARRIVE_S: Final = 60.0
"""Seconds after which a table that nobody has come to is given up."""

LONGEST_S: Final = 2 * 3600.0
"""Seconds that a table may last."""

END_S: Final = 60.0
"""Seconds that the match may go on once its guest has left."""

_KILL_S: Final = 5.0
_LOOK_S: Final = 0.5


class Keys(msgspec.Struct, frozen=True):
    """The keys of a table, for guest and watchers, and the session and address that own it."""

    seat: str
    watch: str
    session: str
    address: str


class GuestSeat(PersonSeat):
    """A guest's seat, and what others may see of it; `advised` while advice is worked out."""

    def __init__(self, end: socket.socket, absent_s: float) -> None:
        super().__init__(end, absent_s)
        self.watched = Followed()
        self.advised = False

    def hear(self, line: bytes) -> None:
        """Take the next line of the referee, without its newline."""
        super().hear(line)
        if (seen := watched(line)) is not None:
            self.watched.lines.append(seen)
            self.watched.wake()

    def leave(self) -> None:
        """Leave the table; watchers see no more of it."""
        super().leave()
        self.watched.over = True
        self.watched.wake()


class GuestTable:
    """A table from its first line to its last. `played` is None until it is over."""

    def __init__(self, keys: Keys, asked: TableAsked) -> None:
        ours, self._theirs = socket.socketpair()
        self.keys = keys
        self.number = asked.number
        self.players = seated_players(asked.bots)
        self.seat = GuestSeat(ours, asked.absent_s)
        self.played: TablePlayed | None = None
        self.ended_at = 0.0
        """The moment at which it ended, by the monotonic clock."""
        self._asked = asked
        self._finished = asyncio.Event()

    async def play(self) -> None:
        """Play the table until it is over; however that ends, nobody waits for it afterwards."""
        played = TablePlayed(why="its process cannot be started")
        tasks: list[asyncio.Task[None]] = []
        try:
            with self._theirs as end:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "arena.site.tables.play", str(end.fileno())),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    pass_fds=[end.fileno()],
                    process_group=0,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                )
            tasks += map(asyncio.create_task, (self.seat.listen(), self._look(process)))
            try:
                said, _ = await process.communicate(msgspec.json.encode(self._asked) + b"\n")
            finally:
                if process.returncode is None:
                    process.kill()
            played = TablePlayed(why="its process died")
            played = msgspec.json.decode(said, type=TablePlayed)
        except (OSError, msgspec.DecodeError):
            pass
        finally:
            for task in tasks:
                task.cancel()
            self.seat.leave()
            self.played, self.ended_at = played, monotonic()
            self._finished.set()

    async def result(self) -> TablePlayed:
        """Wait until the table is over, and return its outcome."""
        await self._finished.wait()
        assert self.played is not None
        return self.played

    async def _look(self, process: asyncio.subprocess.Process) -> None:
        """End the table if its guest stays away, if it lasts too long, or if the match hangs."""
        seat = self.seat
        began = heard_at = monotonic()
        heard, left_at = 0, float("inf")
        while True:
            now = monotonic()
            seat.look(now)
            late = not seat.came and now - began > min(_ARRIVE_S, self._asked.absent_s)
            if not seat.over and (late or now - began > LONGEST_S):
                seat.leave()
            if seat.over:
                left_at = min(left_at, now)
            if now - left_at > END_S + _KILL_S:
                process.kill()
            elif now - left_at > END_S:
                process.terminate()
            if seat.conversation.request is not None or len(seat.lines) > heard:
                heard, heard_at = len(seat.lines), now  # nothing comes before it is answered
            elif now - heard_at > limit_s(self._asked.terms.limits, deals=1):
                process.kill()  # it was stopped, or hangs
            await asyncio.sleep(_LOOK_S)
