"""The seats of a match and their players: started, greeted, watched and ended."""

from collections.abc import Callable, Sequence

import trio

from arena.engine.alarm import Clock
from arena.engine.function import FunctionSeat
from arena.engine.lines import Flooded
from arena.engine.person import Person, PersonLink
from arena.engine.pipes import Excess, OutputEnded, Pipes
from arena.engine.player import Gone, Late, SeatPlayer
from arena.engine.process import Process, not_started
from arena.engine.program import Program
from arena.engine.seat import BotSeat
from arena.engine.shared_core import SharedCore
from arena.engine.silence import because
from arena.match.commands import Failed, MatchVoid
from arena.match.record import NOT_READY
from arena.match.unreadable import quoted
from arena.match.wire import Hello, Limits, Malformed, Ready, decode_ready, encode
from arena.sandbox.box import NO_MEANS, NoBox
from arena.sandbox.watch import PERIOD_S

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
            why = not_started(f": {error.strerror or error}")
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
