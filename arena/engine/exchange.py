"""Puts questions to the bots of a match and collects their answers."""

import os
import select
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio
from trio.lowlevel import current_clock, wait_readable

from arena.engine.job import FunctionSeat, PersonLink, Program
from arena.engine.pipes import Excess, Flooded, OutputEnded
from arena.engine.process import Process, launch
from arena.engine.questions import NEVER, Alarm, Clock, charge, outcome_of
from arena.engine.seats import BotSeat, BotSeats, failure
from arena.engine.silence import because
from arena.match.commands import MatchVoid, Outcome, Question, Said, Tell
from arena.match.wire import Limits, Malformed, decode, reply_to, write
from arena.sandbox.box import NoBox
from arena.sandbox.isolation import Isolation, scratch_each


class Exchange:
    """The lines between a match and its seats, which must have been started."""

    def __init__(self, seats: BotSeats, nursery: trio.Nursery, clock: Clock) -> None:
        """Start a task in the nursery that watches the deadlines until cancelled."""
        self.seats = seats
        self._seats = seats.all
        self._pipes = seats.pipes
        self._clock = clock
        self._outcomes: list[tuple[int, Outcome]] = []
        self._due = NEVER
        self._epoll = select.epoll()
        self._registered: dict[int, int] = {}
        self._alarm = Alarm(self._epoll.fileno(), clock)
        nursery.start_soon(self._alarm.run)

    def put(self, key: int, question: Question) -> None:
        """Put a question to its seat; `answers` will give its outcome under this key."""
        seat = self._seats[question.seat]
        if seat.lost is not None:
            self._outcomes.append((key, seat.lost))
            return
        if seat.function is not None:
            self._outcomes.append((key, seat.function.said(question)))
            return
        pipes = seat.pipes
        assert pipes is not None
        write(question.line, pipes.unwritten)
        seat.questions.put(key, question, pipes.sent + len(pipes.unwritten))

    def ask_at_once(self, question: Question) -> Said | None:
        """Put a question while no other is open; return its answer if that comes at once.

        If it does not, or is odd, the question counts as `put` under its table. For a single
        question this does the same as `answers`, without the lists that many tables need.
        """
        seat = self._seats[question.seat]
        pipes = seat.pipes
        if seat.function is not None:
            return seat.function.said(question)
        if seat.lost is not None or pipes is None:
            self.put(question.request.table, question)
            return None
        write(question.line, pipes.unwritten)
        began = self._clock()
        self.send()
        os.sched_yield()
        now = self._clock()
        line = pipes.take_only()
        if line is not None:
            try:
                reply = reply_to(question.request, decode(line))
            except Malformed:
                pipes.give_back(line)
            else:
                if now > self.seats.look_due:
                    self.seats.look()
                return Said(reply, charge(now - began, question.clock_s), line)
        end = pipes.sent + len(pipes.unwritten)
        seat.questions.put(question.request.table, question, end, began)
        return None

    def tell(self, command: Tell) -> None:
        """Write a line to its seat, together with the next question; the bot need not read it."""
        pipes = self._seats[command.seat].pipes
        if pipes is not None:
            write(command.line, pipes.unwritten)

    def send(self) -> None:
        """Write as much of the pending input as the pipes take."""
        for pipes in self._pipes:
            if pipes.unwritten:
                pipes.send()

    async def answers(self) -> list[tuple[int, Outcome]]:
        """Wait for outcomes, at least one, each with its key.

        All pending input is written first, all lines to a seat at once. The bots share this
        core, so letting them run now is all that an instant answer needs.
        """
        began = self._clock()
        self.send()
        os.sched_yield()
        while True:
            now = self._clock()
            for seat in self._seats:
                if seat.questions.open:
                    trouble = self._collect(seat, began, now)
                    if trouble is not None:
                        await self._lose(seat, trouble, began, now)
            if now >= self._due:
                self._expire(now)
            if self._outcomes:
                if now > self.seats.look_due:
                    self.seats.look()
                outcomes, self._outcomes = self._outcomes, []
                return outcomes
            await self._wait()

    async def ask(self, question: Question) -> Outcome:
        """Put a single question and wait for its outcome."""
        said = self.ask_at_once(question)
        if said is not None:
            return said
        ((_, outcome),) = await self.answers()
        return outcome

    async def close(self) -> None:
        """End all processes."""
        await self.seats.close()
        self._epoll.close()

    def _collect(
        self, seat: BotSeat, began: float, now: float
    ) -> OutputEnded | Excess | Flooded | None:
        """Take the answers that a seat has written; return the reason if no more can come.

        `began` is when the new questions were written, `now` the latest time the answers can have
        arrived.
        """
        questions, pipes = seat.questions, seat.pipes
        assert pipes is not None
        waiting = questions.open
        while waiting:
            try:
                lines = pipes.take(len(waiting))
            except (OutputEnded, Excess, Flooded) as trouble:
                return trouble
            if not lines:
                self._due = min(self._due, questions.set_deadlines(pipes.sent, began, now))
                return None
            for line in lines:
                outcome = outcome_of(questions, line, began, now)
                if outcome is not None:
                    self._outcomes.append(outcome)
        return None

    async def _lose(
        self, seat: BotSeat, trouble: OutputEnded | Excess | Flooded, began: float, now: float
    ) -> None:
        """Give up a seat: all its questions fail, now and later."""
        assert seat.player is not None
        failed = seat.lose(await failure(seat.player, trouble))
        self._outcomes += seat.questions.fail(failed, began, now)

    def _expire(self, now: float) -> None:
        """Give up the questions that are late; answers that arrived by now are already taken.

        The look finds how long a bot has been kept from its core; it is given that time in
        addition.
        """
        self.seats.look()
        for seat in self._seats:
            for key, failed in seat.questions.expire(now):
                assert seat.player is not None
                self._outcomes.append((key, because(failed, seat.player)))
        self._due = min(seat.questions.earliest() for seat in self._seats)

    async def _wait(self) -> None:
        """Wait until a pipe with open questions is ready, or until the next deadline."""
        wanted: dict[int, int] = {}
        for seat in self._seats:
            if seat.questions.open and seat.pipes is not None:
                wanted[seat.pipes.stdout] = select.EPOLLIN
                if seat.pipes.unwritten:
                    wanted[seat.pipes.stdin] = select.EPOLLOUT
        for fd in self._registered.keys() - wanted.keys():
            self._epoll.unregister(fd)
        for fd in wanted.keys() - self._registered.keys():
            self._epoll.register(fd, wanted[fd])
        self._registered = wanted
        self._alarm.set(self._due)
        try:
            await wait_readable(self._epoll.fileno())
        except trio.ClosedResourceError:  # the alarm woke us
            pass
        finally:
            self._alarm.clear()
        self.send()


@asynccontextmanager
async def exchange_with(
    programs: Sequence[Program | PersonLink | FunctionSeat | None],
    isolation: Isolation,
    limits: Limits,
) -> AsyncIterator[Exchange]:
    """An exchange with programs not started yet, people and functions; all are ended afterwards."""
    failure: BaseException | None = None
    clock = current_clock().current_time
    async with trio.open_nursery() as nursery:
        with scratch_each(isolation, len(programs)) as folders:

            def launch_at(number: int, program: Program) -> Process:
                try:
                    return launch(program, isolation, number, folders[number], limits.line_bytes)
                except NoBox as error:
                    raise MatchVoid(str(error)) from None
                except OSError as error:
                    if isolation.level == "bubblewrap":  # then bubblewrap itself failed to start
                        raise MatchVoid(f"a bot could not be started: {error}") from None
                    raise

            seats = BotSeats(programs, launch_at, limits, nursery, clock)
            exchange = Exchange(seats, nursery, clock)
            try:
                yield exchange
            except (Exception, KeyboardInterrupt) as error:
                failure = error  # raised below: a nursery would wrap it in a group
            finally:
                with trio.CancelScope(shield=True):
                    await exchange.close()
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
