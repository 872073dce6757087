"""The seats of a match and their players: started, greeted, watched and ended.

The bots of a table share a core. Nothing is read of their use of it as long as they answer between
two looks of the watch. Once a question is found open at two looks, the figures of all bots are read
at each look, until a while after the last of these.
"""

from collections.abc import Callable, Sequence
from time import process_time
from typing import Final

import msgspec
import trio

from arena.engine.job import FunctionSeat, PersonLink, Program
from arena.engine.pipes import Excess, Flooded, OutputEnded, Pipes
from arena.engine.players import Gone, Late, Person, SeatPlayer
from arena.engine.process import Process, not_started
from arena.engine.questions import Clock, OpenQuestions
from arena.engine.silence import because
from arena.match.commands import Failed, MatchVoid
from arena.match.record import NOT_READY
from arena.match.unreadable import quoted
from arena.match.wire import Hello, Limits, Malformed, Ready, decode_ready, encode
from arena.sandbox.box import NO_MEANS, NoBox
from arena.sandbox.core_use import CoreUse, lowered
from arena.sandbox.watch import PERIOD_S


class BotSeat:
    """A player, its open questions, and why it is lost, if it is."""

    def __init__(
        self,
        player: SeatPlayer | None,
        lost: Failed | None = None,
        function: FunctionSeat | None = None,
    ) -> None:
        self.player = player
        self.function = function
        """What answers in place of a player, if anything does."""
        self.process = player if isinstance(player, Process) else None
        """The player if it is a process, whose use of the core is watched."""
        self.pipes = None if player is None else player.pipes
        self.questions = OpenQuestions()
        self.use = CoreUse()
        self.greeted = False
        """Whether it has been ready, or failed to be."""
        self.lost = lost

    @property
    def asked(self) -> object:
        """The number of its oldest open request, None without one; "ready" until it is greeted."""
        if not self.greeted:
            return None if self.player is None else "ready"
        return next(iter(self.questions.open), None)

    def lose(self, failed: Failed) -> Failed:
        """Kill the player: every question from now on fails for the same reason."""
        self.lost = msgspec.structs.replace(failed, us=0)
        if self.player is not None:
            self.player.kill()
        return failed


_READ_ON_S: Final = 1.0
"""Seconds for which figures are read after the last question found open at two looks."""

_FEW: Final = 2
"""Tasks that a bot may have ready at a time without being lowered."""


class SharedCore:
    """The running and waiting of each seat's process, which correct its clock and its priority."""

    def __init__(self, seats: Sequence[BotSeat]) -> None:
        self._seats = seats
        self._asked: list[object] = []
        self._read_until = float("-inf")
        self._own = 0.0

    def look(self, now: float) -> None:
        """Look once: note the time withheld from each bot that is asked something."""
        asked = [None if seat.process is None else seat.asked for seat in self._seats]
        before, self._asked = self._asked, asked
        if any(one is not None and one == other for one, other in zip(asked, before, strict=False)):
            if now > self._read_until:
                for seat in self._seats:
                    seat.use.forget()
            self._read_until = now + _READ_ON_S
        if now <= self._read_until:
            self._read(now)

    def _read(self, now: float) -> None:
        own, self._own = self._own, process_time()
        for seat, question in zip(self._seats, self._asked, strict=True):
            if (process := seat.process) is not None:
                try:
                    cpu_s = process.box.cpu_s()
                except (OSError, ValueError, LookupError):  # it is gone
                    cpu_s = None
                seat.use.look(process.watch.pids, now, question, cpu_s)
        total = sum(seat.use.ran for seat in self._seats) + self._own - own
        for seat in self._seats:
            seat.use.count(total - seat.use.ran)
            seat.questions.withheld = seat.use.withheld
        for seat in self._seats:
            if seat.use.starved:
                self._make_room(seat)

    def _make_room(self, starved: BotSeat) -> None:
        """Lower the bots beside a starved one: the tasks of each together weigh no more than one.

        Where the kernel divides the core between sessions or control groups, they do not anyway. A
        bot with few tasks ready is never lowered, so that none can starve and thereby lower others.
        """
        for seat in self._seats:
            if seat is not starved and seat.process is not None:
                tasks = seat.use.ready()
                if tasks > _FEW and lowered(tasks) > seat.use.nice:
                    seat.use.lower(seat.process.watch.pids, lowered(tasks))


Launch = Callable[[int, Program], Process]
"""Starts a program at a seat. Raises OSError if it cannot be started, or `MatchVoid`."""


class BotSeats:
    """A player or a function at each seat that has one; others count as exited processes."""

    def __init__(
        self,
        programs: Sequence[Program | PersonLink | FunctionSeat | None],
        launch: Launch,
        limits: Limits,
        nursery: trio.Nursery,
        clock: Clock,
    ) -> None:
        """Start nothing yet. Tasks in the nursery will look after the processes until cancelled."""
        self.all: list[BotSeat] = []
        """The seats by number, once they are started."""
        self.pipes: list[Pipes] = []
        """The pipes of the seats that have a player."""
        self.look_due = float("-inf")
        """The time of the next look at the processes."""
        self._core = SharedCore(self.all)
        self._programs = programs
        self._launch = launch
        self._limits = limits
        self._nursery = nursery
        self._clock = clock

    async def start(self, hellos: Sequence[Hello]) -> tuple[Ready | Failed, ...]:
        """Start and greet all programs. Raises `MatchVoid`."""
        self._nursery.start_soon(self._keep_looking)
        for number, program in enumerate(self._programs):
            self.all.append(self._seat(number, program))
        for seat in self.all:
            if seat.player is not None:
                try:
                    await seat.player.begin()
                except NoBox as error:
                    raise MatchVoid(str(error)) from None
        said: dict[int, Ready | Failed] = {}
        void: list[MatchVoid] = []

        async def greet_one(number: int) -> None:
            try:
                hello, seat = hellos[number], self.all[number]
                if seat.function is not None:
                    said[number] = seat.function.ready
                    return
                limits = hello.limits if isinstance(seat.player, Person) else self._limits
                said[number] = await greet(seat, hello, limits, self._clock)
            except MatchVoid as error:  # raised below: a nursery would wrap it in a group
                void.append(error)

        async with trio.open_nursery() as nursery:
            for number in range(len(self.all)):
                nursery.start_soon(greet_one, number)
        if void:
            raise void[0]
        return tuple(said[number] for number in range(len(self.all)))

    def look(self) -> None:
        """Check each process's resources; kill one beyond its limits, blamed when next asked."""
        for seat in self.all:
            if seat.player is not None and seat.lost is None:
                seat.player.look()
        now = self._clock()
        self._core.look(now)
        self.look_due = now + PERIOD_S

    def stderr(self) -> tuple[str, ...]:
        """The beginning and the end of each seat's stderr."""
        return tuple("" if seat.player is None else seat.player.stderr.text() for seat in self.all)

    async def close(self) -> None:
        """End all processes, each in its own time."""
        players = [seat.player for seat in self.all if seat.player is not None]
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.close)
        for player in players:
            player.release()

    def _seat(self, number: int, program: Program | PersonLink | FunctionSeat | None) -> BotSeat:
        if isinstance(program, FunctionSeat):
            return BotSeat(None, function=program)
        if program is None:
            return BotSeat(None, Failed("exited", "nobody plays this seat"))
        player: SeatPlayer
        try:
            if isinstance(program, PersonLink):
                player = Person(program, self._limits.line_bytes)
            else:
                player = self._launch(number, program)
        except OSError as error:
            if error.errno in NO_MEANS:
                raise MatchVoid(f"a bot could not be started: {error}") from None
            name = f" {program.run[0]}" if isinstance(program, Program) else ""
            why = not_started(f"{name}: {error.strerror or error}")
            return BotSeat(None, Failed("exited", why))
        self.pipes.append(player.pipes)
        self._nursery.start_soon(player.drain_stderr)
        return BotSeat(player)

    async def _keep_looking(self) -> None:
        """Look forever; `Exchange` looks too, since it may never wait."""
        while True:
            await trio.sleep(PERIOD_S)
            self.look()


async def greet(seat: BotSeat, hello: Hello, limits: Limits, clock: Clock) -> Ready | Failed:
    """Say hello; a seat that does not answer properly and in time is lost. Raises `MatchVoid`."""
    player, start_s = seat.player, limits.start_s
    if player is None:
        assert seat.lost is not None
        return seat.lost
    began, extra = clock(), 0.0
    player.post(encode(hello))
    try:
        while True:
            try:
                deadline = float("inf") if start_s is None else began + start_s + extra
                await player.flush(deadline)
                line = await player.read_line(deadline)
                return decode_ready(line)
            except Late:
                extra = seat.questions.extra(start_s, 0.0)
                if began + (start_s or 0.0) + extra <= clock():
                    us, withheld_us = int((start_s or 0.0) * 1e6), int(extra * 1e6)
                    why = f"no ready within {start_s:g} s"
                    return seat.lose(because(Failed("unready", why, us, withheld_us), player))
    except Malformed as error:
        return seat.lose(Failed("malformed", f"{NOT_READY}{error}: {quoted(line)}"))
    except (Gone, Flooded) as error:
        return seat.lose(await failure(player, error))
    finally:
        seat.greeted = True


async def failure(player: SeatPlayer, trouble: OutputEnded | Excess | Gone | Flooded) -> Failed:
    """The failure to blame a lost player for: a flood, a crossed limit, or its end.

    Raises `MatchVoid` if it was lost because the machine could not watch it.
    """
    how = str(trouble)
    if player.void is not None:
        raise MatchVoid(player.void)
    if isinstance(trouble, Flooded):
        return Failed("flooded", how)
    if isinstance(trouble, Excess):
        player.kill_for(how)
    elif isinstance(trouble, OutputEnded):
        how = await player.describe_end(how)
    if player.crossed is not None:
        return Failed("resource", player.crossed)
    return Failed("exited", how)
