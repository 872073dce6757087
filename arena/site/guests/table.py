"""One guest's table, as the host knows it: match, lines, guest and watchers, and its end."""

import os
import socket
import subprocess
from contextlib import suppress
from time import monotonic
from typing import Final

import msgspec
import trio

from arena.engine.workers import limit_s
from arena.match.log import answer_line
from arena.match.wire import Hello, Malformed
from arena.people.advice import hint, verdicts
from arena.people.children import start_module
from arena.people.conversation import READY, Conversation, NotOpen
from arena.people.suggestion import Suggestion
from arena.people.watching import watched
from arena.review.verdict import Verdict
from arena.site.guests.play import TableAsked, TablePlayed, seated_players
from arena.site.guests.wire import LEAVE, LONGEST_ASKED, SeatStanding, standing_line

_ARRIVE_S: Final = 60.0
"""Seconds after which a table that nobody has come to is given up."""

LONGEST_S: Final = 2 * 3600.0
"""Seconds that a table may last."""

END_S: Final = 60.0
"""Seconds that the match may go on once its guest has left."""

_KILL_S: Final = 5.0
_LOOK_S: Final = 0.5
_CHUNK: Final = 1 << 16


class Keys(msgspec.Struct, frozen=True):
    """The keys of a table, for guest and watchers, and the session and address that own it."""

    seat: str
    watch: str
    session: str
    address: str


class GuestTable:
    """A table from its first line to its last. `played` is None until it is over."""

    def __init__(self, keys: Keys, asked: TableAsked) -> None:
        self.keys = keys
        self.number = asked.number
        self.players = seated_players(asked.bots)
        self.played: TablePlayed | None = None
        self.ended_at = 0.0
        """The moment at which it ended, by the monotonic clock."""
        self.advised = False
        """True while advice is being worked out."""
        self._asked = asked
        self._talk = Conversation()
        self._watched: list[bytes] = []
        self._news = trio.Event()
        self._silent = False
        self._greeted: Hello | None = None
        self._end: trio.SocketStream | None = None
        self._attached = 0
        self._came = False
        self._present_at = self._began_at = monotonic()
        self._heard_at = self._began_at
        self._left_at: float | None = None
        self._finished = trio.Event()

    async def play(self) -> None:
        """Play the table until it is over; however that ends, nobody waits for it afterwards."""
        ours, theirs = socket.socketpair()
        process = self._start(theirs)
        theirs.close()
        assert process.stdout is not None
        result = os.dup(process.stdout.fileno())
        process.stdout.close()
        try:
            async with (
                trio.SocketStream(trio.socket.from_stdlib_socket(ours)) as self._end,
                trio.lowlevel.FdStream(result) as told,
                trio.open_nursery() as nursery,
            ):
                nursery.start_soon(self._look, process)
                await self._hear(self._end)
                said = b"".join([chunk async for chunk in told])
                self.played = msgspec.json.decode(said, type=TablePlayed) if said else None
                nursery.cancel_scope.cancel()
        finally:
            process.terminate()  # whose handler ends its bots
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(_end, process)
            self._end = None
            self._silent = True
            self.played = self.played or TablePlayed(why="the table broke off")
            self.ended_at = monotonic()
            self._tell()
            self._finished.set()

    async def result(self) -> TablePlayed:
        """Wait until the table is over, and return its outcome."""
        await self._finished.wait()
        assert self.played is not None
        return self.played

    @property
    def over(self) -> bool:
        """True once the guest has been told that the match is over; its outcome follows soon."""
        return self._silent or self._talk.over

    async def sit(self, stream: trio.SocketStream, rest: bytes) -> None:
        """Send the seat's lines over a stream, and take answers from it, until either ends."""
        self._attached += 1
        self._came = True
        try:
            async with trio.open_nursery() as nursery:

                async def take() -> None:
                    await self._take(stream, rest)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(take)
                await self._send(stream, self._talk.lines)
                nursery.cancel_scope.cancel()
        finally:
            self._attached -= 1
            self._present_at = monotonic()

    async def watch(self, stream: trio.SocketStream) -> None:
        """Send what watchers may see over a stream, until either ends."""
        async with trio.open_nursery() as nursery:

            async def leave() -> None:
                with suppress(trio.BrokenResourceError):
                    await stream.receive_some()
                nursery.cancel_scope.cancel()

            nursery.start_soon(leave)
            await self._send(stream, self._watched)
            nursery.cancel_scope.cancel()

    def hint(self) -> Suggestion:
        """Return the answer that a review would give, which takes a while. Raises `NoAdvice`."""
        return hint(tuple(self._talk.lines))

    def verdicts(self, deal: int) -> tuple[Verdict, ...]:
        """Return the verdicts on a finished deal, which takes a while. Raises `Refusal`."""
        return verdicts(tuple(self._talk.lines), dict(self._talk.replies), deal)

    def leave(self) -> None:
        """End the guest's seat, as a bot's seat ends with its program."""
        if self._left_at is None:
            self._left_at = monotonic()
            if self._end is not None:
                self._end.socket.shutdown(socket.SHUT_RDWR)

    def _start(self, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        """Start the process of the match, which dies with the thread that calls this."""
        process = start_module(
            "arena.site.guests.play", [theirs], [str(theirs.fileno())], piped=True
        )
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(self._asked) + b"\n")
        process.stdin.close()
        return process

    async def _hear(self, end: trio.SocketStream) -> None:
        """Take the referee's lines until they end."""
        rest = b""
        try:
            async for chunk in end:
                self._heard_at = monotonic()
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._talk.hear(line, monotonic())
                    seen = watched(line)
                    if seen is not None:
                        self._watched.append(seen)
                self._tell()
                if self._talk.over:
                    break
        except trio.BrokenResourceError:
            pass
        self._silent = True
        self._tell()

    async def _look(self, process: "subprocess.Popen[bytes]") -> None:
        """End the table if its guest stays away, if it lasts too long, or if the match hangs."""
        while True:
            now = monotonic()
            if self._attached:
                self._present_at = now
            patience_s = (
                self._asked.absent_s if self._came else min(_ARRIVE_S, self._asked.absent_s)
            )
            if now - self._present_at > patience_s or now - self._began_at > LONGEST_S:
                self.leave()
            if self._left_at is not None and now - self._left_at > END_S:
                process.terminate()
            if self._talk.request is not None:  # no line comes before it is answered
                self._heard_at = now
            elif now - self._heard_at > limit_s(self._asked.terms.limits, deals=1):
                process.kill()  # it was stopped, or hangs
            await trio.sleep(_LOOK_S)

    async def _take(self, stream: trio.SocketStream, rest: bytes) -> None:
        """Take the web's lines until they end, or one is longer than a guest's can be."""
        try:
            while True:
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    await self._answer(line)
                if len(rest) > LONGEST_ASKED:
                    return
                chunk = await stream.receive_some(_CHUNK)
                if not chunk:
                    return
                rest += chunk
        except trio.BrokenResourceError:
            return

    async def _answer(self, line: bytes) -> None:
        """Hand on a guest's answer if it fits the open request; else the web has told the guest."""
        if line == LEAVE:
            self.leave()
            return
        try:
            answer = self._talk.answer(line)
        except (NotOpen, Malformed):
            return
        hello = self._talk.hello
        if answer is None:
            if hello is None or hello is self._greeted:
                return
            self._greeted = hello
            answer = answer_line(READY).encode() + b"\n"
        if self._end is not None:
            try:
                await self._end.send_all(answer)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return  # the match has just ended

    async def _send(self, stream: trio.SocketStream, lines: list[bytes]) -> None:
        """Send lines as they come. A reader who stops reading holds up nobody else."""
        sent, chunk = 0, standing_line(self._standing(len(lines)))
        try:
            while True:
                news = self._news
                chunk += b"".join(line + b"\n" for line in lines[sent:])
                sent = len(lines)
                if chunk:
                    await stream.send_all(chunk)
                    chunk = b""
                elif self._silent:
                    return
                else:
                    await news.wait()
        except trio.BrokenResourceError:
            return

    def _standing(self, lines: int) -> SeatStanding:
        talk, now = self._talk, monotonic()
        request, left = talk.request, talk.left_s(now)
        ago = 0.0 if request is None or left is None else (request.clock_s or 0.0) - left
        return SeatStanding(lines, request is not None, ago, self.keys.watch, self.players)

    def _tell(self) -> None:
        """Wake those who send lines."""
        self._news.set()
        self._news = trio.Event()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a process that was told to end, and kill it if it does not."""
    try:
        process.wait(_KILL_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
