"""Trust in workers: which still get matches, and which of their failures count against a match."""

from concurrent.futures import BrokenExecutor
from typing import Final

from arena.engine.runner import WorkersFault
from arena.engine.workers import Done
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord

MOST_VOID: Final = 3
"""The number of void matches in a row at which a worker is refused."""

MOST_LOST: Final = 3
"""Workers of a machine lost in a row, before they have played, after which it gets no more."""

UNFIT: Final = "its worker did not play it as it should"
"""The reason for a refused worker's void match. Records keep it: it has no stranger's words."""


class Trust:
    """The standing of workers, by address. A worker that was refused gets nothing more.

    Results arrive in another thread than the one that looks after the workers.
    """

    def __init__(self, refused: dict[str, str]) -> None:
        """`refused` has the reasons why workers must not play, and gets more of them."""
        self._refused = refused
        self._proven: set[str] = set()
        self._void: dict[str, int] = {}
        self._hosts: dict[str, str] = {}
        self._lost: dict[str, int] = {}

    def greet(self, address: str, host: str) -> str | None:
        """Note a new worker and its machine; return why it must not play, if it must not."""
        self._hosts[address] = host
        if self._lost.get(host, 0) >= MOST_LOST:
            return f"{MOST_LOST} workers there were lost before they played"
        return None

    def refuse(self, address: str, why: str) -> None:
        """Refuse a worker: it gets nothing more to play."""
        self._refused.setdefault(address, why)

    def refused(self) -> dict[str, str]:
        """All refused workers, with the reasons."""
        return self._refused.copy()

    def why_refused(self, address: str) -> str | None:
        """The reason why a worker is refused, or None."""
        return self._refused.get(address)

    def judge(self, address: str, results: Done[MatchRecord]) -> Done[MatchRecord]:
        """Note a worker's results, and return them as they count.

        A match that is void on a worker that has never played one does not count as spoilt, and a
        worker on which too many in a row are void is refused.
        """
        for result in results:
            void = self._void.get(address, 0) + 1 if isinstance(result, MatchVoid) else 0
            self._void[address] = void
            if void == 0:
                self._proven.add(address)
                self._lost.pop(self._hosts.get(address, ""), None)
            elif void == MOST_VOID:
                self.refuse(address, f"{MOST_VOID} matches in a row were void: {result}")
        if address in self._proven:
            return results
        return [WorkersFault(str(each)) for each in results]

    def loss(self, address: str) -> Exception:
        """The exception for the matches of a worker that was lost.

        They may have been the cause only if the worker has played others.
        """
        return BrokenExecutor() if address in self._proven else WorkersFault("its worker was lost")

    def forget(self, address: str, there: bool, played: bool) -> None:
        """Note that a worker plays no more; if it is gone, it may come back as a new one.

        `played` says that it was given matches.
        """
        host = self._hosts.get(address, "")
        if played and not there and address not in self._proven:
            self._lost[host] = self._lost.get(host, 0) + 1
        self._void.pop(address, None)
        self._proven.discard(address)
        if not there:
            self._refused.pop(address, None)
            self._hosts.pop(address, None)
