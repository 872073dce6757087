"""The core that the bots of a table share: the time each ran, and the time each was kept from it.

Nothing is read as long as bots answer between two looks of the watch. Once a question is found open
at two looks, the figures of all bots are read at each look, until a while after the last of these.
"""

from collections.abc import Sequence
from time import process_time
from typing import Final

from arena.engine.seat import BotSeat
from arena.sandbox.core_use import lowered

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
