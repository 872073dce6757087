"""Deadlines of all who wait for a pipe, in one task."""

import trio
from trio.lowlevel import notify_closing


class Watchdog:
    """One task for all deadlines: it wakes those who wait past theirs.

    Cheaper than a cancel scope for every decision. A waiter that is woken looks once more at its
    pipe before it gives up: an answer that is there has come, however late the arena itself was.
    """

    def __init__(self) -> None:
        self._due: dict[int, float] = {}
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Watch for ever."""
        while True:
            with trio.CancelScope(deadline=min(self._due.values(), default=float("inf"))) as scope:
                self._scope = scope
                await trio.sleep_forever()
            now = trio.current_time()
            for fd, due in list(self._due.items()):
                if due <= now:
                    self._due[fd] = float("inf")
                    notify_closing(fd)

    def set(self, fd: int, deadline: float) -> None:
        """Wake the waiter on a file descriptor at a time."""
        self._due[fd] = deadline
        if deadline < self._scope.deadline:
            self._scope.deadline = deadline

    def clear(self, fd: int) -> None:
        """Forget a file descriptor."""
        self._due.pop(fd, None)
