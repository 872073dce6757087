"""A deadline for waiting on a descriptor, cheaper than a cancel scope for each wait."""

from collections.abc import Callable

import trio
from trio.lowlevel import notify_closing

Clock = Callable[[], float]
"""The time in seconds, by the clock of the loop that the whole match runs in."""


class Alarm:
    """Wakes the waiter for a descriptor by `trio.ClosedResourceError` once a deadline has passed.

    The waiter then looks once more before it gives up: an answer that has arrived was in time,
    however late the arena itself looks.
    """

    def __init__(self, fd: int, clock: Clock) -> None:
        self._fd = fd
        self._clock = clock
        self._due = float("inf")
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Watch the deadline forever."""
        while True:
            with trio.CancelScope(deadline=self._due) as self._scope:
                await trio.sleep_forever()
            if self._due <= self._clock():
                self._due = float("inf")
                notify_closing(self._fd)

    def set(self, due: float) -> None:
        """Wake the waiter at a time of the clock."""
        self._due = due
        if due < self._scope.deadline:
            self._scope.deadline = due

    def clear(self) -> None:
        """Wake nobody. The sleep goes on, since the next deadline is usually later."""
        self._due = float("inf")
