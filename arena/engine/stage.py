"""The processes at a table: they carry out the referee's commands and answer them."""

import errno
import os
import select
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import msgspec
import trio
from trio.lowlevel import wait_readable

from arena.engine.process import Ended, Flooded, Gone, Late, Process
from arena.engine.program import Program
from arena.engine.watchdog import Watchdog
from arena.match.commands import Failed, MatchVoid, Question, Said, Tell
from arena.match.wire import Hello, Limits, Malformed, Ready, decode, encode, reply_to, write
from arena.sandbox.box import NoBox
from arena.sandbox.isolation import Isolation
from arena.sandbox.watch import PERIOD_S

_NEVER = float("inf")
_NO_MEANS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC}


class _Open(msgspec.Struct, gc=False):
    """A question that was put and has no answer yet.

    `ends` is where its line ends in the bot's input, 0 once it was seen that the bot has it. Times
    are by `time.perf_counter`: `begun` is when the arena was about to write it, `late` when the bot
    will have used its time up. Neither is known before the arena has first looked for the answer.
    """

    key: int
    question: Question
    ends: int
    begun: float = 0.0
    late: float = _NEVER


class _Seat:
    """A seat's process, what ended it if it has ended, and its requests.

    `open` are by number, the oldest first; `fresh` says that there may be some among them whose
    deadline is not set for good. `overdue` are the numbers of requests that it let pass.
    """

    def __init__(self, process: Process | None, gone: Failed | None = None) -> None:
        self.process = process
        self.gone = gone
        self.open: dict[int, _Open] = {}
        self.fresh = False
        self.overdue: set[int] = set()

    def end(self, failed: Failed) -> Failed:
        """The process is of no use any more: each further request fails for the same reason."""
        self.gone = msgspec.structs.replace(failed, us=0)
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
        self._came: list[tuple[int, Said | Failed]] = []
        self._due = _NEVER
        self._look_at = 0.0
        self._epoll = select.epoll()
        self._waits: dict[int, int] = {}
        nursery.start_soon(self._watchdog.run)
        nursery.start_soon(self._watch)

    async def start(self, hellos: Sequence[Hello]) -> tuple[Ready | Failed, ...]:
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
            said[number] = await self._greet(self._seats[number], encode(hellos[number]))

        async with trio.open_nursery() as nursery:
            for number in range(len(self._seats)):
                nursery.start_soon(greet, number)
        return tuple(answer for answer in said if answer is not None)

    def put(self, key: int, question: Question) -> None:
        """Put a question to its seat; what comes of it will be among the `answers`, by its key."""
        seat = self._seats[question.seat]
        process = seat.process
        if seat.gone is not None:
            self._came.append((key, seat.gone))
            return
        assert process is not None
        number = question.request.id
        if seat.overdue:
            seat.overdue.discard(number)  # asked again: its answer is wanted now
        write(question.line, process.unwritten)
        seat.open[number] = _Open(key, question, process.sent + len(process.unwritten))
        seat.fresh = True

    def tell(self, command: Tell) -> None:
        """Write a line to its seat, with the next questions; it need not read it."""
        seat = self._seats[command.seat]
        if seat.process is not None:
            write(command.line, seat.process.unwritten)

    def send(self) -> None:
        """Write what the pipes take of all that is to be written."""
        for seat in self._seats:
            process = seat.process
            if process is not None and process.unwritten:
                process.send()

    async def answers(self) -> list[tuple[int, Said | Failed]]:
        """What has come of the questions, at least of one: key and outcome.

        All that is to be written is written first, all lines to a seat at once. The bots share this
        core, so letting them run now is all that an instant answer needs.
        """
        begun = perf_counter()
        self.send()
        os.sched_yield()
        while True:
            now = perf_counter()
            for seat in self._seats:
                if seat.open and (trouble := self._collect(seat, begun, now)) is not None:
                    await self._lose(seat, trouble, begun, now)
            if now >= self._due:
                self._expire(now)
            if self._came:
                if now > self._look_at:
                    self._look()
                came, self._came = self._came, []
                return came
            await self._wait()

    async def ask(self, question: Question) -> Said | Failed:
        """Put a single question and wait for what comes of it."""
        self.put(0, question)
        ((_, outcome),) = await self.answers()
        return outcome

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
        self._epoll.close()

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
        deadline = trio.current_time() + (float("inf") if start_s is None else start_s)
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
            us = int((start_s or 0.0) * 1e6)
            return seat.end(Failed("unready", f"no ready within {start_s:g} s", us))
        except Malformed as error:
            return seat.end(Failed("malformed", f"in place of ready: {error}"))
        except Gone as error:
            return seat.end(_gone(seat.process, str(error)))
        except Flooded as error:
            return seat.end(Failed("flooded", str(error)))

    def _collect(self, seat: _Seat, begun: float, now: float) -> Ended | Gone | Flooded | None:
        """Take the answers of a seat that have come; returns what ended its process, if that is so.

        `begun` is when the questions that are new were written, `now` when the answers were there
        at the latest.
        """
        process, waiting = seat.process, seat.open
        assert process is not None
        while waiting:
            try:
                lines = process.take(len(waiting))
            except (Ended, Gone, Flooded) as trouble:
                return trouble
            if not lines:
                if seat.fresh:
                    self._set_deadlines(seat, process.sent, begun, now)
                return None
            for line in lines:
                try:
                    answer = decode(line)
                    each = None if type(answer) is Ready else waiting.get(answer.id)
                    if each is None:
                        if type(answer) is not Ready and answer.id in seat.overdue:
                            seat.overdue.discard(answer.id)  # the answer to one that timed out
                            continue
                        each = next(iter(waiting.values()))
                    reply = reply_to(each.question.request, answer)
                except Malformed as error:
                    number = _number(line, waiting)
                    seat.overdue.add(number)  # where a stray line came first, the answer follows
                    each = waiting.pop(number)
                    us = _spent(each, begun, now)
                    failed = Failed("malformed", f"{error}: {_shown(line)}", us)
                    self._came.append((each.key, failed))
                    continue
                del waiting[reply.id]
                self._came.append((each.key, Said(reply, _spent(each, begun, now))))
        return None

    async def _lose(
        self, seat: _Seat, trouble: Ended | Gone | Flooded, begun: float, now: float
    ) -> None:
        """A seat's process is of no use any more: all that is open fails, and all that follows."""
        process = seat.process
        assert process is not None
        if isinstance(trouble, Flooded):
            failed = Failed("flooded", str(trouble))
        else:
            how = str(trouble)
            failed = _gone(process, await process.ending(how) if type(trouble) is Ended else how)
        seat.end(failed)
        for each in seat.open.values():
            lost = msgspec.structs.replace(failed, us=_spent(each, begun, now))
            self._came.append((each.key, lost))
        seat.open.clear()

    def _expire(self, now: float) -> None:
        """Fail what was open at a moment and late then; what had come by then has been taken."""
        for seat in self._seats:
            for number, each in list(seat.open.items()):
                if each.late <= now:
                    del seat.open[number]
                    seat.overdue.add(number)
                    clock_s = each.question.clock_s or 0.0
                    why = f"no answer within {clock_s:g} s"
                    self._came.append((each.key, Failed("timeout", why, int(clock_s * 1e6))))
        left = [each.late for seat in self._seats for each in seat.open.values()]
        self._due = min(left, default=_NEVER)

    def _set_deadlines(self, seat: _Seat, sent: int, begun: float, now: float) -> None:
        """Set when a seat's new questions will be late; `sent` is how much input it was written.

        A clock stands still until its question has been written.
        """
        seat.fresh = False
        for each in seat.open.values():
            if each.ends:
                clock_s = each.question.clock_s
                if clock_s is not None:
                    each.late = now + clock_s
                    self._due = min(self._due, each.late)
                each.begun = each.begun or begun
                if each.ends > sent:
                    seat.fresh = True
                else:
                    each.ends = 0

    async def _wait(self) -> None:
        """Wait until a pipe is ready that something is awaited of, or the next deadline."""
        waits: dict[int, int] = {}
        for seat in self._seats:
            if seat.open and seat.process is not None:
                waits[seat.process.stdout] = select.EPOLLIN
                if seat.process.unwritten:
                    waits[seat.process.stdin] = select.EPOLLOUT
        for fd in self._waits.keys() - waits.keys():
            self._epoll.unregister(fd)
        for fd in waits.keys() - self._waits.keys():
            self._epoll.register(fd, waits[fd])
        self._waits = waits
        ready = self._epoll.fileno()
        self._watchdog.set(ready, trio.current_time() + self._due - perf_counter())
        try:
            await wait_readable(ready)
        except trio.ClosedResourceError:  # the watchdog's word
            pass
        finally:
            self._watchdog.clear(ready)
        self.send()

    async def _watch(self) -> None:
        """Look after all processes for ever; `answers` does so too, since it may never wait."""
        while True:
            await trio.sleep(PERIOD_S)
            self._look()

    def _look(self) -> None:
        """See what each process uses; who takes too much is killed, and blamed when next asked."""
        for seat in self._seats:
            if seat.process is not None and seat.gone is None:
                seat.process.look()
        self._look_at = perf_counter() + PERIOD_S


def _gone(process: Process, how: str) -> Failed:
    """The end of a bot: by the limit it crossed, or as it chose."""
    if process.crossed is not None:
        return Failed("resource", process.crossed)
    return Failed("exited", how)


def _spent(each: _Open, begun: float, now: float) -> int:
    """The microseconds to charge for an answer that is there; `begun` is for a new question.

    It is in time, however late the arena looked.
    """
    spent, clock_s = now - (each.begun or begun), each.question.clock_s
    return int((spent if clock_s is None or spent < clock_s else clock_s) * 1e6)


class _Numbered(msgspec.Struct):
    id: int


_numbered = msgspec.json.Decoder(_Numbered)


def _number(line: bytes, open_: dict[int, _Open]) -> int:
    """Which open request a line that is no answer was meant for: by its id, else the oldest."""
    try:
        number = _numbered.decode(line).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        number = -1
    return number if number in open_ else next(iter(open_))


def _shown(line: bytes) -> str:
    """The beginning of a bot's line, for a fault's detail."""
    line = line.rstrip(b"\n")
    text = line[:200].decode(errors="replace")
    return repr(text) + ("…" if len(line) > 200 else "")
