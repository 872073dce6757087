"""The workers of a Dask scheduler, on any machine, as the lanes of a run."""

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from arena import __version__
from arena.base.errors import MachineError, Mistake
from arena.cluster.connect import CONNECT_S, Tls, check_scheduler, security
from arena.cluster.lane import RemoteLane
from arena.cluster.transfer import pack_copy
from arena.cluster.worker import Demand, Readiness, RemoteJob, make_ready, play
from arena.engine.builds import Copy
from arena.engine.runner import Played
from arena.engine.worker import Job
from arena.engine.workers import pinned
from arena.tasks.season import Season

if TYPE_CHECKING:
    import distributed

ARRIVE_S: Final = 60.0
"""How long a run waits while it has no worker."""

_LOOK_S: Final = 1.0


def cluster_of(
    season: Season, where: int | str, tls: Tls | None, tell: Callable[[str], None]
) -> "Cluster":
    """The cluster that plays a season. Raises as `Cluster` does."""
    apart = season.isolation
    demand = Demand(__version__, apart.level, apart.read_only)

    def pack(name: str) -> bytes:
        return pack_copy(season.copies[name], Path(season.programs[name].folder).parent)

    return Cluster(where, tls, demand, season.copies, pack, tell)


class Cluster:
    """The workers of a scheduler, each asked whether it can play as the run demands.

    Tasks go to a worker by its address, and each holds the matches of about a second. All calls
    come from the thread that plays, except what `RemoteLane` does with a result that comes in.
    """

    def __init__(
        self,
        where: int | str,
        tls: Tls | None,
        demand: Demand,
        copies: Mapping[str, Copy],
        pack: Callable[[str], bytes],
        tell: Callable[[str], None],
    ) -> None:
        """Connect to a scheduler, or start one with workers. Raises `ArenaError`, `MachineError`.

        `copies` are the bots by name, `pack` makes an archive of one of them, `tell` says who comes
        and goes.
        """
        self._demand = demand
        self._copies = copies
        self._pack = pack
        self._tell = tell
        self._cores: list[int | None] = []
        self._local: distributed.LocalCluster | None = None
        self._client = self._connected(where, tls)
        self._where = f"local:{where}" if isinstance(where, int) else where
        self._asked: dict[str, distributed.Future[str | Readiness]] = {}
        self._refused: dict[str, str] = {}
        self._alone = False
        self._lanes: dict[str, list[RemoteLane]] = {}
        self._ready: list[RemoteLane] = []
        self._numbers: dict[str, int] = {}
        self._looked = self._manned = monotonic() - _LOOK_S

    def spare(self) -> int:
        """How many lanes are ready. Raises `MachineError` where there will be none."""
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
        """So many lanes of those that are ready."""
        taken, self._ready = self._ready[:wanted], self._ready[wanted:]
        return taken

    def has(self, address: str) -> bool:
        """Whether a worker is there and plays."""
        self._look()
        return address in self._lanes

    def submit(
        self, address: str, number: int, core: int | None, jobs: Sequence[Job]
    ) -> "distributed.Future[Played]":
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
        """Abandon what is under way, which the workers then end, and disconnect."""
        for lanes in self._lanes.values():
            for lane in lanes:
                lane.abandon()
        with suppress(*_LOST):
            self._client.close(timeout=5)
        if self._local is not None:
            with suppress(*_LOST):
                self._local.close(timeout=10)

    def _connected(self, where: int | str, tls: Tls | None) -> "distributed.Client":
        try:
            import dask.config
            from distributed import Client, LocalCluster
            from distributed.security import Security
        except ImportError:
            remedy = 'pip install "zole-arena[cluster]"; docs/cluster.md says how in a clone'
            raise MachineError(Mistake("a cluster needs Dask's distributed", "", remedy)) from None
        logging.disable()  # it logs at length what we tell in a line
        if isinstance(where, int):
            self._cores = pinned(where)
            own = Security.temporary()  # else any user of this machine could use the port
            with dask.config.set(_SHORT_LOGS):
                self._local = LocalCluster(
                    n_workers=where,
                    threads_per_worker=1,
                    memory_limit=0,
                    host="127.0.0.1",
                    protocol="tls://",
                    security=own,
                    dashboard_address=None,
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its other pages
                    silence_logs=logging.CRITICAL,
                )
            where = self._local.scheduler_address
        else:
            own = security(where, tls)
        try:
            if self._local is None:
                check_scheduler(where, own)
            with warnings.catch_warnings():  # of other versions; `make_ready` compares ours
                warnings.simplefilter("ignore")
                return Client(where, security=own, timeout=CONNECT_S, set_as_default=False)
        except _LOST as error:
            what = f"no scheduler answers: {error}"
            raise MachineError(Mistake(what, where, "dask scheduler starts one")) from None

    def _look(self) -> None:
        """See which workers have come and gone. Raises `MachineError` if the scheduler has gone."""
        self._looked = monotonic()
        gone = self._client.status != "running"
        if not gone:
            try:
                self._workers = self._client.scheduler_info()["workers"]
            except _LOST:
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
            self._tell(f"worker {address}: {why}; others play what it was at")
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
        """Send a worker the bots it lacks, begin to use it, or say why not."""
        del self._asked[address]
        if asked.status == "error":
            error = asked.exception()
            why = str(getattr(error, "__cause__", None) or error).partition("\n")[0]
            answer: str | Readiness = Readiness(refusal=f"it fails to answer: {why}")
        elif asked.status == "finished":
            answer = asked.result()
        else:
            return  # it went; if it comes again, it is asked again
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
        host, name = str(about["host"]), about["name"]
        lanes: list[RemoteLane] = []
        for _ in range(int(about["nthreads"])):
            number = self._numbers.get(host, 0)
            self._numbers[host] = number + 1
            core = self._cores[int(name)] if self._cores else None
            lanes.append(RemoteLane(self, address, number, core))
        self._lanes[address] = lanes
        self._ready += lanes
        self._tell(f"worker {address}: {len(lanes)} at a time, isolation {self._demand.level}")


_VERSION: Final = "__import__('arena').__version__"
"""Asked of a worker before it gets our own types, which would kill one without the arena."""

_GO_ON: Final = "everything finished is stored; the same command goes on"

_SHORT_LOGS: Final = {
    "distributed.admin.low-level-log-length": 50,
    "distributed.admin.log-length": 50,
}
"""A scheduler's logs keep the tasks they mention, deals and all."""

_LOST: Final = (OSError, TimeoutError, RuntimeError, CancelledError)
"""What Dask raises when the other side is gone."""
