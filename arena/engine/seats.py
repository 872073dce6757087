"""The seats of a match: players started, greeted, asked, each question on its clock, and ended."""

import os
import select
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final, Literal

import msgspec
import trio
from trio.lowlevel import current_clock, wait_readable

from arena.engine.core import make_room
from arena.engine.job import FunctionSeat, PersonLink
from arena.engine.network import Network
from arena.engine.players import Person
from arena.engine.process import Excerpt, Lost, Pipes, Process
from arena.engine.silence import blame, not_started, with_diagnosis
from arena.match.commands import Failed, MatchVoid, Outcome, Question, Said, Tell
from arena.match.record import NOT_READY, RESTARTED
from arena.match.unreadable import quoted
from arena.match.wire import (
    FaultKind,
    Hello,
    Limits,
    Malformed,
    Ready,
    decode,
    decode_ready,
    reply_to,
    write,
)
from arena.sandbox.box import NO_MEANS, NoBox, Program
from arena.sandbox.isolation import Isolation, scratch_each, start_box
from arena.sandbox.watch import PERIOD_S

NEVER: Final = float("inf")

# The most that a question may stay open, in multiples of its clock, however busy the core. As long
# as bots share the core evenly, one that is ready has a quarter of it or more.
LONGEST: Final = 10

_NOTED_S: Final = 0.02  # withheld time ignored: polls are no more exact, or the arena itself ran

Key = int | Literal["hello"]  # the number of a request, or the greeting


class Open(msgspec.Struct, gc=False):
    """An unanswered question, None for the greeting, and its clock.

    `end` is where its line ends in the player's input, None once the arena has seen it fully
    written. `began` is when the arena was about to write it, `late` when the player's time is up;
    neither is known before the arena first polls for the answer. `withheld` is what its seat's was
    when the question was put.
    """

    question: Question | None
    clock_s: float | None
    end: int | None
    withheld: float
    began: float | None = None
    late: float = NEVER


class BotSeat:
    """A player, or a function instead of one, and its open questions; callers pass the time.

    `ready` is the answer to the greeting, once it has come. `lost` is why each question fails at
    once, if it does; one that `restarts` is then started again for the next deal. `open` has the
    open questions, the oldest first, and `overdue` requests given up whose answers may still come.
    `withheld` is as for `CoreUse`.
    """

    def __init__(
        self,
        player: Process | Person | None = None,
        lost: Failed | None = None,
        function: FunctionSeat | None = None,
    ) -> None:
        self.player = player
        self.process: Process | None = player if isinstance(player, Process) else None
        self.pipes: Pipes | None = None if player is None else player.pipes
        self.function = function
        self.lost = lost
        self.ready = None if function is None else function.ready
        self.open: dict[Key, Open] = {}
        self.overdue: set[Key] = set()
        self.withheld: float = 0.0
        self.restarts = False
        self._new = False
        self._sent = 0

    def at_once(self, question: Question) -> Outcome:
        """The outcome of a question that no player is asked. Raises `FunctionRaised`."""
        if self.function is not None:
            return self.function.answer_to(question)
        assert self.lost is not None
        return Failed(self.lost.kind, self.lost.detail)

    def expect(
        self,
        question: Question | None,
        clock_s: float | None,
        end: int,
        began: float | None = None,
    ) -> None:
        """Expect the answer to a question, or to the greeting; see `Open`."""
        key: Key = "hello" if question is None else question.request.id
        if self.overdue:
            self.overdue.discard(key)  # it is asked again, so its answer is wanted
        self.open[key] = Open(question, clock_s, end, self.withheld, began)
        self._new = True

    def hear(self, line: bytes, began: float, now: float) -> tuple[Question, Outcome] | None:
        """Close the question that a line was meant for; return it with its outcome.

        None for the answer to the greeting, and for a late answer to a question given up. A line
        that answers nothing fails the question with its id, else the oldest. Times are as for
        `charge`.
        """
        if self.ready is None:
            self.open.clear()
            self.words()  # of its start, which belong to no answer
            try:
                self.ready = decode_ready(line)
            except Malformed as error:
                self.lose(Failed("malformed", f"{NOT_READY}{error}: {quoted(line)}"))
            return None
        try:
            said = decode(line)
            each = None if type(said) is Ready else self.open.get(said.id)
            if each is None:
                if type(said) is not Ready and said.id in self.overdue:
                    self.overdue.discard(said.id)
                    return None
                each = next(iter(self.open.values()))
            question = each.question
            assert question is not None
            reply = reply_to(question.request, said)
        except Malformed as error:
            number = self._request_meant_by(line)
            self.overdue.add(number)  # the line may have been stray, and the answer still follow
            each = self.open.pop(number)
            assert each.question is not None
            detail = f"{error}: {quoted(line)}"
            charge = self.charge(each, began, now)
            return each.question, Failed("malformed", detail, *charge, self.words())
        del self.open[reply.id]
        us, extra_us = self.charge(each, began, now)
        return question, Said(reply, us, line, extra_us, self.words())

    def words(self) -> str:
        """What its program wrote to stderr since its last answer."""
        return "" if self.process is None else self.process.words()

    def charge(self, question: Open, began: float, now: float) -> tuple[int, int]:
        """The microseconds that an answer took, and those given to it in addition.

        It took them from the given `began` if it is found at the first poll. An answer in time is
        charged its clock at most, however late the arena polls.
        """
        extra = 0.0  # as nearly always
        if self.withheld != question.withheld:
            extra = self.extra_of(question)
        spent = now - (began if question.began is None else question.began) - extra
        return charged(spent if spent > 0.0 else 0.0, question.clock_s), int(extra * 1e6)

    def extra_of(self, question: Open) -> float:
        """The seconds that an open question is given beyond its clock for time withheld.

        They are bounded by the clock, since two bots together might withhold time from one.
        """
        most = NEVER if question.clock_s is None else question.clock_s * (LONGEST - 1)
        extra = min(self.withheld - question.withheld, most)
        return extra if extra > _NOTED_S else 0.0

    def start_clocks(self, sent: int, began: float, now: float) -> float:
        """Start the clocks of new questions still unanswered; return the first deadline.

        `sent` is the input written so far, in bytes, `began` when writing began, `now` the time of
        the poll. While the player reads on, a clock restarts until its question is fully written;
        one that stops reading runs out of time too.
        """
        due = NEVER
        if self._new:
            self._new = False
            reads, self._sent = sent > self._sent, sent
            for each in self.open.values():
                if each.end is not None:
                    if each.clock_s is not None and (reads or each.late == NEVER):
                        each.late = now + each.clock_s
                        due = min(due, each.late)
                    if each.began is None:
                        each.began = began
                    if each.end > sent:
                        self._new = True
                    else:
                        each.end = None
        return due

    def earliest(self) -> float:
        """The first deadline of an open question."""
        return min((each.late + self.extra_of(each) for each in self.open.values()), default=NEVER)

    def expire(self, now: float) -> list[tuple[Question, Outcome]]:
        """Give up the late questions, charging each its clock, or the player that is not ready."""
        late: list[tuple[Question, Outcome]] = []
        for key, each in list(self.open.items()):
            extra = self.extra_of(each)
            if each.late + extra <= now:
                del self.open[key]
                self.overdue.add(key)
                clock_s = each.clock_s or 0.0
                kind: FaultKind = "unready" if each.question is None else "timeout"
                why = f"no {'ready' if each.question is None else 'answer'} within {clock_s:g} s"
                failed = with_diagnosis(
                    Failed(kind, why, int(clock_s * 1e6), int(extra * 1e6), self.words()),
                    self.player,
                )
                if each.question is None:
                    self.lose(failed)
                else:
                    late.append((each.question, failed))
        return late

    def lose(self, failed: Failed) -> None:
        """Kill the player: every question from now on fails for the same reason."""
        if self.restarts:
            failed = msgspec.structs.replace(failed, detail=f"{failed.detail}{RESTARTED}")
        self.lost = failed
        if self.player is not None:
            self.player.kill()

    def fail(self, failed: Failed, began: float, now: float) -> list[tuple[Question, Outcome]]:
        """Lose the player, and give up all open questions, charging each its own time."""
        self.lose(failed)
        assert self.lost is not None
        kind, detail = self.lost.kind, self.lost.detail
        given_up, self.open = self.open, {}
        return [
            (
                each.question,
                Failed(kind, detail, *self.charge(each, began, now), self.words()),
            )
            for each in given_up.values()
            if each.question is not None
        ]

    def _request_meant_by(self, line: bytes) -> Key:
        try:
            number = _numbered.decode(line).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return next(iter(self.open))
        return number if number in self.open else next(iter(self.open))


class _Numbered(msgspec.Struct):
    id: int


_numbered = msgspec.json.Decoder(_Numbered)


def charged(spent: float, clock_s: float | None) -> int:
    """The whole microseconds that an answer in time is charged for the seconds spent on it."""
    return int((spent if clock_s is None or spent < clock_s else clock_s) * 1e6)


class Seats:
    """A player or a function at each seat that has one; others count as exited processes."""

    def __init__(
        self,
        programs: Sequence[Program | PersonLink | FunctionSeat | None],
        launch: Callable[[int, Program], Process],
        limits: Limits,
        nursery: trio.Nursery,
        restart: bool = False,
    ) -> None:
        """Start nothing yet. Tasks in the nursery will watch the players until cancelled.

        `launch` starts a program at a seat. It raises OSError if the program cannot be started,
        `NoBox` if the machine is at fault.
        """
        self.all: list[BotSeat] = []
        self._programs = programs
        self._launch = launch
        self._limits = limits
        self._nursery = nursery
        self._restart = restart
        self._clock = current_clock().current_time
        self._pipes: list[Pipes] = []
        self._outcomes: list[tuple[Question, Outcome]] = []
        self._told = False
        self._due = NEVER
        self._look_due = self._clock() + PERIOD_S
        self._epoll = select.epoll()

    async def start(self, hellos: Sequence[Hello]) -> tuple[Ready | Failed, ...]:
        """Start all players, and greet those that there is a hello for. Raises `MatchVoid`."""
        self._nursery.start_soon(self._keep_looking)
        try:
            for number, program in enumerate(self._programs):
                self.all.append(self._seat(number, program))
        except NoBox as error:
            raise MatchVoid(str(error)) from None
        await self._greet(range(len(self.all)), hellos)
        return tuple(said for seat in self.all if (said := seat.ready or seat.lost) is not None)

    async def restart(self, hellos: Sequence[Hello]) -> None:
        """Start those bots anew that have ended, if they may be. Raises `MatchVoid`."""
        lost = [number for number, seat in enumerate(self.all) if seat.restarts and seat.lost]
        for number in lost:
            process = self.all[number].process
            assert process is not None
            await process.close()
            process.release()
            self._pipes.remove(process.pipes)
            try:
                self.all[number] = self._seat(number, self._programs[number], process.stderr)
            except NoBox as error:
                raise MatchVoid(str(error)) from None
        await self._greet(lost, hellos)

    async def _greet(self, numbers: Sequence[int], hellos: Sequence[Hello]) -> None:
        """Let players begin, and greet those that there is a hello for. Raises `MatchVoid`."""
        try:
            for number in numbers:
                process = self.all[number].process
                if process is not None:
                    await process.begin()
        except NoBox as error:
            raise MatchVoid(str(error)) from None
        for number in numbers:
            seat = self.all[number]
            if seat.pipes is not None and number < len(hellos):
                hello = hellos[number]
                limits = hello.limits if isinstance(seat.player, Person) else self._limits
                write(hello, seat.pipes.unwritten)
                seat.expect(None, limits.start_s, len(seat.pipes.unwritten))
        await self._hear(lambda: not any(seat.open for seat in self.all))

    async def ask(self, questions: Sequence[Question]) -> list[tuple[Question, Outcome]]:
        """Put questions, and wait for outcomes, at least one, of all that are open.

        All pending input is written first, all lines to a seat at once. The bots share this core,
        so letting them run now is enough for an instant answer. Raises `MatchVoid`, and
        `FunctionRaised`.
        """
        for question in questions:
            seat = self.all[question.seat]
            pipes = seat.pipes
            if pipes is None or seat.lost is not None:
                self._outcomes.append((question, seat.at_once(question)))
            else:
                write(question.line, pipes.unwritten)
                seat.expect(question, question.clock_s, pipes.sent + len(pipes.unwritten))
        await self._hear(lambda: bool(self._outcomes))
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def ask_at_once(self, question: Question) -> Outcome | None:
        """Put a question while no other is open; return its outcome if that comes at once.

        If not, the question is open, and `ask` waits for it. Nothing is awaited here: at a
        single table that would cost about a twentieth of a decision.
        """
        seat = self.all[question.seat]
        pipes = seat.pipes
        if pipes is None or seat.lost is not None:
            return seat.at_once(question)
        write(question.line, pipes.unwritten)
        began = self._clock()
        if self._told:
            self.send()
        else:
            pipes.send()
        os.sched_yield()
        now = self._clock()
        lines: list[bytes] = []
        try:
            lines = pipes.take()
            if lines:
                reply = reply_to(question.request, decode(lines[0]))
                if now > self._look_due:
                    self._look(now)
                us = charged(now - began, question.clock_s)
                return Said(reply, us, lines[0], 0, seat.words())
        except (Lost, Malformed):  # which the next poll finds again, or is handled below
            pass
        seat.expect(question, question.clock_s, pipes.sent + len(pipes.unwritten), began)
        self._outcomes += filter(None, (seat.hear(line, began, now) for line in lines))
        return None

    def tell(self, command: Tell) -> None:
        """Write a line to its seat, together with the next question; the bot need not read it."""
        pipes = self.all[command.seat].pipes
        if pipes is not None:
            write(command.line, pipes.unwritten)
            self._told = True

    def send(self) -> None:
        """Write as much of the pending input as the pipes take."""
        for pipes in self._pipes:
            if pipes.unwritten:
                pipes.send()
        self._told = any(pipes.unwritten for pipes in self._pipes)

    def stderr(self) -> tuple[str, ...]:
        """The beginning and the end of each seat's stderr."""
        return tuple("" if it.process is None else it.process.stderr.text() for it in self.all)

    async def close(self) -> None:
        """End all players, each in its own time."""
        players = [seat.player for seat in self.all if seat.player is not None]
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.close)
        for player in players:
            player.release()
        self._epoll.close()

    def _seat(
        self,
        number: int,
        program: Program | PersonLink | FunctionSeat | None,
        stderr: Excerpt | None = None,
    ) -> BotSeat:
        """Start a player. With the `stderr` of an earlier process of it, that goes on."""
        if isinstance(program, FunctionSeat):
            return BotSeat(function=program)
        if program is None:
            return BotSeat(lost=Failed("exited", "nobody plays this seat"))
        player: Process | Person
        try:
            if isinstance(program, PersonLink):
                player = Person(program, self._limits.line_bytes)
            else:
                player = self._launch(number, program)
                player.stderr = stderr or player.stderr
                self._nursery.start_soon(player.drain_stderr)
        except OSError as error:
            if error.errno in NO_MEANS:
                raise MatchVoid(f"a bot could not be started: {error}") from None
            name = f" {program.run[0]}" if isinstance(program, Program) else ""
            return BotSeat(lost=Failed("exited", not_started(f"{name}: {error.strerror or error}")))
        self._pipes.append(player.pipes)
        seat = BotSeat(player)
        seat.restarts = self._restart and seat.process is not None
        return seat

    # Write what is pending, take all answers that come, give up what is late, until `enough`.
    # An answer that has arrived was in time, however late the arena polls.
    async def _hear(self, enough: Callable[[], bool]) -> None:
        began = self._clock()
        self.send()
        os.sched_yield()
        while True:
            now = self._clock()
            for seat in self.all:
                if seat.open:
                    try:
                        self._collect(seat, began, now)
                    except Lost as lost:
                        assert seat.player is not None
                        self._outcomes += seat.fail(await blame(seat.player, lost), began, now)
            if now >= self._due:
                self._look(now)  # which finds how long each bot was kept from its core
                for seat in self.all:
                    self._outcomes += seat.expire(now)
                self._due = min(seat.earliest() for seat in self.all)
            if now > self._look_due:
                self._look(now)
            if enough():
                return
            await self._wait()

    # Take the answers that a seat has written. Raises `Lost` if no more can come.
    def _collect(self, seat: BotSeat, began: float, now: float) -> None:
        pipes, waiting = seat.pipes, seat.open
        assert pipes is not None
        while waiting:
            lines = pipes.take(len(waiting))
            if not lines:
                self._due = min(self._due, seat.start_clocks(pipes.sent, began, now))
                return
            self._outcomes += filter(None, [seat.hear(line, began, now) for line in lines])

    # Wait until there is output to read, or room for input, or until the next deadline.
    async def _wait(self) -> None:
        waiting = [seat.pipes for seat in self.all if seat.open and seat.pipes is not None]
        wanted = {pipes.stdout: select.EPOLLIN for pipes in waiting}
        wanted |= {pipes.stdin: select.EPOLLOUT for pipes in waiting if pipes.unwritten}
        for fd, events in wanted.items():  # else each line of an instant bot would cost more
            self._epoll.register(fd, events)
        try:
            with trio.CancelScope(deadline=self._due):
                await wait_readable(self._epoll.fileno())
        finally:
            for fd in wanted:
                self._epoll.unregister(fd)
        self.send()

    # Poll the bots every `PERIOD_S` seconds; instant answers never let this task run.
    async def _keep_looking(self) -> None:
        while True:
            await trio.sleep_until(self._look_due)
            if (now := self._clock()) >= self._look_due:
                self._look(now)

    def _look(self, now: float) -> None:
        self._look_due = now + PERIOD_S
        processes = []
        for seat in self.all:
            if (process := seat.process) is not None and seat.lost is None:
                process.look()
                process.core_use.look(next(iter(seat.open), None), now)
                seat.withheld = process.core_use.withheld
                processes.append(process)
        make_room([process.core_use for process in processes])
        for unwatched in (process for process in processes if process.void is not None):
            holders = [each for each in processes if each.crossed is None and each.watch.much()]
            for holder in holders:
                holder.kill_for(f"{holder.watch.much()}, and the machine lacks means")
                unwatched.void = None
            if not holders:
                unwatched.kill()


@asynccontextmanager
async def seats_for(
    programs: Sequence[Program | PersonLink | FunctionSeat | None],
    isolation: Isolation,
    limits: Limits,
    restart: bool = False,
) -> AsyncIterator[Seats]:
    """Seats for programs not started yet, people and functions; all are ended afterwards."""
    failure: BaseException | None = None
    async with trio.open_nursery() as nursery:
        with scratch_each(isolation, len(programs)) as folders:

            def launch(number: int, program: Program) -> Process:
                if program.network:
                    network = Network(program.network)
                    nursery.start_soon(network.serve)
                    with network.end as end:
                        box = start_box(isolation, program, folders[number], number, end.fileno())
                else:
                    box = start_box(isolation, program, folders[number], number)
                return Process(box, program.resources, limits.line_bytes)

            seats = Seats(programs, launch, limits, nursery, restart)
            try:
                yield seats
            except (Exception, KeyboardInterrupt) as error:
                failure = error  # raised below: a nursery would wrap it in a group
            finally:
                with trio.CancelScope(shield=True):
                    await seats.close()
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
