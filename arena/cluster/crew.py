"""The workers of a Dask scheduler, on any machine, as the lanes of a run."""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from time import monotonic
from typing import Final

import msgspec

from arena import __version__
from arena.base.errors import MachineError, Mistake
from arena.cluster.answers import Wrong, one_line
from arena.cluster.lane import RemoteLane
from arena.cluster.link import GO_ON, SILENT_S, ClientLink, PendingAnswer
from arena.cluster.matches import MatchWork
from arena.cluster.orders import Admission, Readiness
from arena.cluster.trust import UNFIT, Trust
from arena.engine.builds import BUILD_S
from arena.engine.runner import WorkersFault
from arena.engine.transfer import pack_copy

WORKERS_ARRIVE_S: Final = 60.0
"""Seconds that a run waits without a worker."""

ANSWER_S: Final = 60.0
"""Seconds that a worker may take to answer before it plays, besides building bots."""

_SHOWN: Final = 5
"""The number of refused workers that the last line of a run names."""

_LOOK_S: Final = 1.0


class _Asked:
    """A question to a worker before it plays: whether it can, and which bots it lacks."""

    def __init__(self, reply: PendingAnswer, limit_s: float, sent: frozenset[str] | None) -> None:
        """`sent` are the hashes of the bots sent to it, None if it is asked for its version."""
        self.reply = reply
        self.late = monotonic() + limit_s
        self.is_late = False
        self.sent = sent


class Cluster:
    """The workers of a scheduler that can play a run's matches.

    Tasks go to a worker by its address, and each holds about a second's matches. A worker that
    answers wrongly, late or not at all is refused: it gets nothing more in this run. All calls come
    from the playing thread, except those of `RemoteLane` when a result arrives.
    """

    def __init__(
        self,
        link: ClientLink,
        work: MatchWork,
        tell: Callable[[str], None],
        refused: dict[str, str],
    ) -> None:
        """Use the workers of a scheduler, to be disconnected at the end, for some matches.

        `tell` reports the workers that come and go. Addresses of workers that must not work, with
        the reasons, are kept in `refused`.
        """
        self._link = link
        self._work = work
        self._tell = tell
        self._trust = Trust(refused)
        self._asked: dict[str, _Asked] = {}
        self._alone = False
        self._lanes: dict[str, list[RemoteLane]] = {}
        self._ready: list[RemoteLane] = []
        self._numbers: dict[str, int] = {}
        self._manned = monotonic()
        self._looked = self._manned - _LOOK_S

    def spare(self) -> int:
        """The number of lanes that are ready. Raises `MachineError` if there will be none."""
        self._link.check()
        found_out = self._trust.refused().keys() & self._lanes.keys()
        if found_out or monotonic() >= self._looked + _LOOK_S:
            self._look()
        for address, asked in list(self._asked.items()):
            if asked.reply.done():
                self._answered(address, asked)
        workers, refused = self._link.workers, self._trust.refused()
        answering = not all(asked.is_late for asked in self._asked.values())
        if self._lanes or answering or workers is None:
            self._manned = monotonic()
        elif workers and refused.keys() >= workers.keys():
            told = [f"{each}: {why}" for each, why in refused.items() if each in workers]
            more = [f"and {len(told) - _SHOWN} more"] if len(told) > _SHOWN else []
            why = "; ".join([*told[:_SHOWN], *more])
            raise MachineError(Mistake("no worker can play this league", self._link.name, why))
        elif monotonic() > self._manned + WORKERS_ARRIVE_S:
            what = "no worker answers" if workers else "there has been no worker"
            what += f" for {WORKERS_ARRIVE_S:.0f} s"
            remedy = f"dask worker {self._link.name} starts one; {GO_ON}"
            raise MachineError(Mistake(what, self._link.name, remedy))
        return len(self._ready)

    def known(self) -> dict[str, str]:
        """What each worker does, by address, or why it is not used."""
        found = dict.fromkeys(self._lanes, "works")
        found |= dict.fromkeys(self._asked, "is asked whether it can work")
        return found | self._trust.refused()

    def open(self, wanted: int) -> Sequence[RemoteLane]:
        """Up to `wanted` of the lanes that are ready."""
        taken, self._ready = self._ready[:wanted], self._ready[wanted:]
        return taken

    def close(self) -> None:
        """Abandon running matches, which the workers then end, and disconnect."""
        for lanes in self._lanes.values():
            for lane in lanes:
                lane.abandon(BrokenExecutor())
        self._link.close()

    def _look(self) -> None:
        """Notice workers that have come, gone, or failed to do their part."""
        now = self._looked = monotonic()
        workers = self._link.workers
        if workers is None:
            return
        if not workers and not self._alone:
            self._tell(f"there is no worker yet; dask worker {self._link.name} starts one")
        self._alone = not workers
        for address in [*self._lanes, *self._asked]:
            if address in workers:
                self._doubt(address, now)
        refused = self._trust.refused()
        for address in {*self._lanes, *self._asked, *refused}:
            if address not in workers or address in refused:
                self._forget(address, address in workers)
        for address, about in workers.items():
            if address in self._lanes or address in self._asked or address in refused:
                continue
            if (why := self._trust.greet(address, about.host) or about.odd) is not None:
                self._turn_away(address, why)
            else:
                version = self._link.call(address, "version", b"")
                self._asked[address] = _Asked(version, ANSWER_S, None)

    def _turn_away(self, address: str, why: str) -> None:
        """Refuse a worker that has not played yet."""
        self._trust.refuse(address, why)
        self._tell(f"worker {address} is not used: {why}")

    def _doubt(self, address: str, now: float) -> None:
        """Refuse a worker that has stopped, or that should have answered."""
        asked = self._asked.get(address)
        if (silent_s := self._link.silent_s(address)) > SILENT_S:
            self._trust.refuse(address, f"it has stopped: no sign of life for {silent_s:.0f} s")
        elif asked is not None and now > asked.late and not asked.is_late:
            asked.is_late = True
            self._tell(f"worker {address} has not answered yet; it plays once it does")
        elif any(lane.overdue(now) for lane in self._lanes.get(address, ())):
            self._trust.refuse(address, "it has not played in the time that the bots have")

    def _forget(self, address: str, there: bool) -> None:
        """Do without a worker; give its matches to others."""
        why = self._trust.why_refused(address) or "it is gone"
        lanes = self._lanes.pop(address, [])
        asked = self._asked.pop(address, None)
        if lanes:
            again = "; start it anew to have it used again" if there else ""
            self._tell(f"worker {address}: {why}; other workers play its matches{again}")
        elif asked is not None and there:
            self._tell(f"worker {address} is not used: {why}")
        for lane in lanes:
            lane.abandon(WorkersFault(UNFIT) if there else self._trust.loss(address))
        self._ready = [lane for lane in self._ready if lane.address != address]
        if asked is not None:
            self._link.drop(asked.reply)
        self._trust.forget(address, there, bool(lanes))

    def _ask(self, address: str, sent: frozenset[str], bot: str | None) -> None:
        """Ask a worker whether it can play, and send it a bot, if one is named."""
        copies = self._work.copies
        entry = msgspec.msgpack.encode(Admission(self._work.demand, tuple(copies.values())))
        packed = None
        if bot is not None:
            archive = {copies[bot].digest: pack_copy(copies[bot], self._work.home)}
            sent, packed = sent | archive.keys(), msgspec.msgpack.encode(archive)
        reply = self._link.call(address, "make_ready", entry, packed)
        limit_s = ANSWER_S + BUILD_S * len(copies)
        self._asked[address] = _Asked(reply, limit_s, sent)

    def _answered(self, address: str, asked: _Asked) -> None:
        """Send a worker a bot that it lacks, start using it, or tell why not."""
        del self._asked[address]
        try:
            answer = asked.reply.result()
            if asked.sent is None:
                version = answer.decode(errors="replace")
                if version != __version__:
                    raise Wrong(f"it has arena {one_line(version)}, this is {__version__}")
                self._ask(address, frozenset(), None)
                return
            bot = self._lacking(answer, asked.sent)
        except BrokenExecutor:
            return  # it left; if it returns, it is asked again
        except Wrong as error:
            self._turn_away(address, str(error))
            return
        if bot is None:
            self._use(address)
        else:
            self._ask(address, asked.sent, bot)

    def _lacking(self, answer: bytes, sent: frozenset[str]) -> str | None:
        """The name of a bot that a worker still lacks. Raises `Wrong` if it cannot play."""
        try:
            ready = msgspec.msgpack.decode(answer, type=Readiness)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise Wrong(f"an answer that cannot be read: {one_line(error)}") from None
        if ready.refusal is not None:
            raise Wrong(one_line(ready.refusal))
        names = {copy.digest: name for name, copy in self._work.copies.items()}
        for digest in ready.missing:
            if digest not in names:
                raise Wrong("it asks for a bot that does not play")
            if digest in sent:
                raise Wrong(f"it lacks {names[digest]}, which was sent to it")
            return names[digest]
        return None

    def _use(self, address: str) -> None:
        """Open as many lanes as a worker has threads; no two of one machine share a number."""
        about = (self._link.workers or {}).get(address)
        if about is None:
            return
        link, lanes = self._link, list[RemoteLane]()
        for _ in range(about.nthreads):
            number = self._numbers.get(about.host, 0)
            self._numbers[about.host] = number + 1
            core = link.cores[about.name] if link.cores and about.name is not None else None
            lanes.append(RemoteLane(link, self._trust, self._work, address, number, core))
        self._lanes[address] = lanes
        self._ready += lanes
        self._tell(f"worker {address}: {len(lanes)} at a time, isolation {self._work.demand.level}")
