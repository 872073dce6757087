"""The core that the bots of a table share: who runs on it, and who is kept from it.

Nothing is read as long as bots answer between two looks of the watch. Once a question is found open
at two looks, the figures of all bots are read at each look, until a while after the last such one.
"""

from collections.abc import Sequence
from time import process_time
from typing import Final

from arena.engine.seat import BotSeat
from arena.sandbox.core_use import lowered

_READ_ON_S: Final = 5.0
"""How long the figures are read after the last question that was found open at two looks."""


class SharedCore:
    """What each seat's process runs and waits, and what follows for its clock and its priority."""

    def __init__(self, seats: Sequence[BotSeat]) -> None:
        self._seats = seats
        self._asked: list[object] = []
        self._read_until = float("-inf")
        self._own = 0.0

    def look(self, now: float) -> None:
        """Look once: note what was withheld from each bot that is asked something."""
        asked = [seat.asked for seat in self._seats]
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
                seat.use.look(process.watch.pids, now, question, process.box.cpu_s())
        total = sum(seat.use.ran for seat in self._seats) + self._own - own
        for seat in self._seats:
            seat.use.count(total - seat.use.ran)
            seat.questions.withheld = seat.use.withheld
        for seat in self._seats:
            if seat.use.starved:
                self._make_room(seat)

    def _make_room(self, starved: BotSeat) -> None:
        """Let no bot weigh more on the core than one task of a starved one, with all its tasks.

        Where the kernel divides the core between sessions or control groups, this is so already.
        """
        for seat in self._seats:
            if seat is not starved and seat.process is not None:
                nice = lowered(starved.use.nice, seat.use.ready())
                if nice > seat.use.nice:
                    seat.use.lower(seat.process.watch.pids, nice)
