"""The workers of a Dask scheduler, on any machine, as the lanes of a run."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from arena import __version__
from arena.base.errors import MachineError, Mistake
from arena.cluster.connect import Tls
from arena.cluster.lane import RemoteLane
from arena.cluster.scheduler import LOST, Scheduler, connect
from arena.cluster.transfer import pack_copy
from arena.cluster.worker import Demand, Readiness, RemoteJob, make_ready, play
from arena.engine.builds import Copy
from arena.engine.runner import BatchResult
from arena.engine.worker import Job
from arena.tasks.season import Season

if TYPE_CHECKING:
    import distributed

ARRIVE_S: Final = 60.0
"""How long a run waits without a worker."""

_LOOK_S: Final = 1.0


def cluster_of(
    season: Season, where: int | str, tls: Tls | None, tell: Callable[[str], None]
) -> "Cluster":
    """The cluster that plays a season. Raises as `connect` does."""
    apart = season.isolation
    demand = Demand(__version__, apart.level, apart.read_only)

    def pack(name: str) -> bytes:
        return pack_copy(season.copies[name], Path(season.programs[name].folder).parent)

    return Cluster(connect(where, tls), demand, season.copies, pack, tell)


class Cluster:
    """The workers of a scheduler that can play as the run demands.

    Tasks go to a worker by its address, and each holds about a second's matches. All calls come
    from the playing thread, except what `RemoteLane` does when a result arrives.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        demand: Demand,
        copies: Mapping[str, Copy],
        pack: Callable[[str], bytes],
        tell: Callable[[str], None],
    ) -> None:
        """Use the workers of a scheduler, which is closed at the end.

        `copies` are the bots by name, `pack` makes an archive of one of them, `tell` reports who
        comes and goes.
        """
        self._demand = demand
        self._copies = copies
        self._pack = pack
        self._tell = tell
        self._scheduler = scheduler
        self._client = scheduler.client
        self._where = scheduler.name
        self._asked: dict[str, distributed.Future[str | Readiness]] = {}
        self._refused: dict[str, str] = {}
        self._alone = False
        self._lanes: dict[str, list[RemoteLane]] = {}
        self._ready: list[RemoteLane] = []
        self._numbers: dict[str, int] = {}
        self._looked = self._manned = monotonic() - _LOOK_S

    def spare(self) -> int:
        """How many lanes are ready. Raises `MachineError` if there will be none."""
        if monotonic() >= self._looked + _LOOK_S:
            self._look()
        for address, asked in list(self._asked.items()):
            if asked.done():
                self._answered(address, asked)
        if self._lanes or self._asked:
            self._manned = monotonic()
        elif self._refused and self._refused.keys() >= self._workers.keys():
            told = "; ".join(f"{address}: {why}" for address, why in self._refused.items())
            raise MachineError(Mistake("no worker can play this league", self._where, told))
        elif monotonic() > self._manned + ARRIVE_S:
            what = f"there has been no worker for {ARRIVE_S:.0f} s"
            remedy = f"dask worker {self._where} starts one; {_GO_ON}"
            raise MachineError(Mistake(what, self._where, remedy))
        return len(self._ready)

    def open(self, wanted: int) -> Sequence[RemoteLane]:
        """Up to `wanted` of the lanes that are ready."""
        taken, self._ready = self._ready[:wanted], self._ready[wanted:]
        return taken

    def has(self, address: str) -> bool:
        """Whether a worker is there and plays."""
        self._look()
        return address in self._lanes

    def submit(
        self, address: str, number: int, core: int | None, jobs: Sequence[Job]
    ) -> "distributed.Future[BatchResult]":
        """Have a worker play matches."""
        remote = [
            RemoteJob(job.plan, tuple(self._copies[program.name] for program in job.programs))
            for job in jobs
        ]
        return self._client.submit(
            play, self._demand, number, core, remote, workers=[address], pure=False
        )

    def refuse(self, address: str, why: str) -> None:
        """Give a worker nothing more to play."""
        self._refused[address] = why

    def close(self) -> None:
        """Abandon running matches, which the workers then end, and disconnect."""
        for lanes in self._lanes.values():
            for lane in lanes:
                lane.abandon()
        self._scheduler.close()

    def _look(self) -> None:
        """See which workers have come and gone. Raises `MachineError` if the scheduler has gone."""
        self._looked = monotonic()
        gone = self._client.status != "running"
        if not gone:
            try:
                self._workers = self._client.scheduler_info()["workers"]
            except LOST:
                gone = True
        if gone:
            raise MachineError(Mistake("the scheduler is gone", self._where, _GO_ON))
        if not self._workers and not self._alone:
            self._tell(f"there is no worker yet; dask worker {self._where} starts one")
        self._alone = not self._workers
        for address in [*self._lanes, *self._asked, *self._refused]:
            if address not in self._workers or address in self._refused:
                self._forget(address)
        for address in self._workers:
            if address not in {*self._lanes, *self._asked, *self._refused}:
                self._asked[address] = self._client.submit(
                    eval, _VERSION, workers=[address], pure=False
                )

    def _forget(self, address: str) -> None:
        lanes = self._lanes.pop(address, [])
        if lanes:
            why = self._refused.get(address, "it is gone")
            self._tell(f"worker {address}: {why}; other workers play its matches")
        for lane in lanes:
            lane.abandon()
        self._ready = [lane for lane in self._ready if lane.address != address]
        self._asked.pop(address, None)
        if address not in self._workers:
            self._refused.pop(address, None)

    def _ask(
        self, address: str, packed: Mapping[str, bytes]
    ) -> "distributed.Future[str | Readiness]":
        carried = self._client.scatter([packed], workers=[address], hash=False)[0]
        copies = tuple(self._copies.values())
        return self._client.submit(
            make_ready, self._demand, copies, carried, workers=[address], pure=False
        )

    def _answered(self, address: str, asked: "distributed.Future[str | Readiness]") -> None:
        """Send a worker the bots it lacks, start using it, or say why not."""
        del self._asked[address]
        if asked.status == "error":
            error = asked.exception()
            why = str(getattr(error, "__cause__", None) or error).partition("\n")[0]
            answer: str | Readiness = Readiness(refusal=f"it fails to answer: {why}")
        elif asked.status == "finished":
            answer = asked.result()
        else:
            return  # it left; if it returns, it is asked again
        if answer == __version__:
            self._asked[address] = self._ask(address, {})
            return
        if isinstance(answer, str):
            answer = Readiness(refusal=f"it has arena {answer}, this is {__version__}")
        if answer.refusal is not None:
            self.refuse(address, answer.refusal)
            self._tell(f"worker {address} is not used: {answer.refusal}")
        elif answer.missing:
            lacking = set(answer.missing)
            packed = {
                copy.digest: self._pack(name)
                for name, copy in self._copies.items()
                if copy.digest in lacking
            }
            self._asked[address] = self._ask(address, packed)
        else:
            self._use(address)

    def _use(self, address: str) -> None:
        """Open as many lanes as a worker has threads; no two of one machine share a number."""
        about = self._workers.get(address)
        if about is None:
            return
        host, name, cores = str(about["host"]), about["name"], self._scheduler.cores
        lanes: list[RemoteLane] = []
        for _ in range(int(about["nthreads"])):
            number = self._numbers.get(host, 0)
            self._numbers[host] = number + 1
            core = cores[int(name)] if cores else None
            lanes.append(RemoteLane(self, address, number, core))
        self._lanes[address] = lanes
        self._ready += lanes
        self._tell(f"worker {address}: {len(lanes)} at a time, isolation {self._demand.level}")


_VERSION: Final = "__import__('arena').__version__"
"""The arena's version on a worker. Asked before sending our types, which kill one without it."""

_GO_ON: Final = "everything finished is stored; the same command goes on"
