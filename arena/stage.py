"""The processes at a table: they carry out the referee's commands and answer them."""

import errno
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import msgspec
import trio

from arena.messages import Limits, Malformed, Ready, decode, encode, reply_to
from arena.procedure import Failed, MatchVoid, Question, Said, Start, Tell
from arena.process import Flooded, Gone, Late, Process, Program, Watchdog
from arena.sandbox.box import NoBox
from arena.sandbox.isolation import Isolation
from arena.sandbox.watch import PERIOD_S

_NO_MEANS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC}


class _Seat:
    """A seat's process, what ended it if it has ended, and the requests it let pass."""

    def __init__(self, process: Process | None, gone: Failed | None = None) -> None:
        self.process = process
        self.gone = gone
        self.overdue: set[int] = set()

    def end(self, failed: Failed) -> Failed:
        """The process is of no use any more: each further request fails for the same reason."""
        self.gone = msgspec.structs.replace(failed, seconds=0.0)
        if self.process is not None:
            self.process.kill()
        return failed


class Stage:
    """A process for each seat that has a program; the others are as if they had ended at once.

    The processes are looked after in the nursery, until it is cancelled.
    """

    def __init__(
        self,
        programs: Sequence[Program | None],
        isolation: Isolation,
        limits: Limits,
        nursery: trio.Nursery,
        scratch: str,
    ) -> None:
        self._programs = programs
        self._isolation = isolation
        self._limits = limits
        self._nursery = nursery
        self._scratch = scratch
        self._watchdog = Watchdog()
        self._seats: list[_Seat] = []
        self._look_at = 0.0
        nursery.start_soon(self._watchdog.run)
        nursery.start_soon(self._watch)

    async def start(self, command: Start) -> tuple[Ready | Failed, ...]:
        """Start and greet all programs. Raises `MatchVoid`."""
        for number, program in enumerate(self._programs):
            self._seats.append(self._spawn(number, program))
        for seat in self._seats:
            if seat.process is not None:
                try:
                    await seat.process.begin()
                except NoBox as error:
                    raise MatchVoid(str(error)) from None
        said: list[Ready | Failed | None] = [None] * len(self._seats)

        async def greet(number: int) -> None:
            said[number] = await self._greet(self._seats[number], encode(command.hellos[number]))

        async with trio.open_nursery() as nursery:
            for number in range(len(self._seats)):
                nursery.start_soon(greet, number)
        return tuple(answer for answer in said if answer is not None)

    async def ask(self, question: Question) -> Said | Failed:
        """Put a question to its seat and wait for what comes of it."""
        seat = self._seats[question.seat]
        process = seat.process
        if seat.gone is not None or process is None:
            assert seat.gone is not None
            return seat.gone
        clock_s = question.clock_s
        line: bytes | None = None
        seat.overdue.discard(question.request.id)  # asked again: its answer is wanted now
        try:
            line = process.exchange(encode(question.line))
            if line is None:
                await process.flush(_deadline(clock_s))
                line = await process.read_line(_deadline(clock_s, process.written))
            if process.written > self._look_at:
                self._look()
            answer = decode(line)
            while seat.overdue and not isinstance(answer, Ready) and answer.id in seat.overdue:
                seat.overdue.discard(answer.id)  # the answer to a request that timed out
                line = await process.read_line(_deadline(clock_s, process.written))
                answer = decode(line)
            reply = reply_to(question.request, answer)
        except Malformed as error:
            seat.overdue.add(question.request.id)  # where a stray line came first, it follows
            return Failed("malformed", f"{error}: {_shown(line)}", _spent(process, clock_s))
        except Late:
            seat.overdue.add(question.request.id)
            return Failed("timeout", f"no answer within {clock_s:g} s", _spent(process, clock_s))
        except Gone as error:
            return seat.end(_gone(process, error, _spent(process, clock_s)))
        except Flooded as error:
            return seat.end(Failed("flooded", str(error), _spent(process, clock_s)))
        return Said(reply, _spent(process, clock_s))

    def tell(self, command: Tell) -> None:
        """Write a line to its seat, which need not read it."""
        process = self._seats[command.seat].process
        if process is not None:
            process.post(encode(command.line))

    def process(self, seat: int) -> Process | None:
        """A seat's process, where one could be started."""
        return self._seats[seat].process

    async def close(self) -> None:
        """End all processes, each in its own time."""
        processes = [seat.process for seat in self._seats if seat.process is not None]
        async with trio.open_nursery() as nursery:
            for process in processes:
                nursery.start_soon(process.close)
        for process in processes:
            process.release()

    def stderr(self) -> tuple[str, ...]:
        """What each seat wrote to stderr, head and tail."""
        return tuple(
            "" if seat.process is None else seat.process.stderr.text() for seat in self._seats
        )

    def _spawn(self, number: int, program: Program | None) -> _Seat:
        if program is None:
            return _Seat(None, Failed("exited", "nobody plays this seat"))
        folder = Path(self._scratch, str(number))
        folder.mkdir()
        try:
            process = Process(
                program,
                self._isolation,
                number,
                str(folder),
                self._watchdog,
                self._limits.line_bytes,
            )
        except OSError as error:
            if error.errno in _NO_MEANS or self._isolation.level == "bubblewrap":
                raise MatchVoid(f"a bot could not be started: {error}") from None
            why = f"cannot be started: {error.strerror or error}"
            return _Seat(None, Failed("exited", why))
        self._nursery.start_soon(process.drain_stderr)
        return _Seat(process)

    async def _greet(self, seat: _Seat, hello: bytes) -> Ready | Failed:
        if seat.process is None:
            assert seat.gone is not None
            return seat.gone
        start_s = self._limits.start_s
        deadline = _deadline(start_s)
        try:
            seat.process.post(hello)
            await seat.process.flush(deadline)
            answer = decode(await seat.process.read_line(deadline))
            if not isinstance(answer, Ready):
                raise Malformed("the first answer must be ready")
            if answer.protocol != 1:
                raise Malformed(f"protocol 1 is spoken here, not {answer.protocol}")
            return answer
        except Late:
            return seat.end(Failed("unready", f"no ready within {start_s:g} s", start_s or 0.0))
        except Malformed as error:
            return seat.end(Failed("malformed", f"in place of ready: {error}"))
        except Gone as error:
            return seat.end(_gone(seat.process, error, 0.0))
        except Flooded as error:
            return seat.end(Failed("flooded", str(error)))

    async def _watch(self) -> None:
        """Look after all processes for ever; `ask` does so too, since it may never wait."""
        while True:
            await trio.sleep(PERIOD_S)
            self._look()

    def _look(self) -> None:
        """See what each process uses; who takes too much is killed, and blamed when next asked."""
        for seat in self._seats:
            if seat.process is not None and seat.gone is None:
                seat.process.look()
        self._look_at = perf_counter() + PERIOD_S


def _gone(process: Process, error: Gone, seconds: float) -> Failed:
    """The end of a bot: by the limit it crossed, or as it chose."""
    if process.crossed is not None:
        return Failed("resource", process.crossed, seconds)
    return Failed("exited", str(error), seconds)


def _deadline(clock_s: float | None, begun: float | None = None) -> float:
    """When the time is up, by trio's clock, if it began at some moment, or begins now."""
    if clock_s is None:
        return float("inf")
    return trio.current_time() + clock_s - (0.0 if begun is None else perf_counter() - begun)


def _spent(process: Process, clock_s: float | None) -> float:
    """The seconds to charge since the line was written.

    An answer that was there when the arena looked is in time, however late the arena looked.
    """
    spent = perf_counter() - process.written
    return round(spent if clock_s is None or spent < clock_s else clock_s, 6)


def _shown(line: bytes | None) -> str:
    """The beginning of a bot's line, for a fault's detail."""
    if line is None:
        return ""
    text = line[:200].decode(errors="replace")
    return repr(text) + ("…" if len(line) > 200 else "")
