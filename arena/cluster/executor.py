"""The workers of a Dask scheduler as an executor of matches."""

import asyncio
import signal
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from arena import __version__
from arena.base.errors import ArenaError, Mistake
from arena.base.harmless import one_line
from arena.bots.archive import pack
from arena.bots.manifest import content_hash
from arena.cluster.scheduler import Scheduler, connect
from arena.cluster.worker import RemoteAnswer, RemoteMatch, play_remote
from arena.engine.builds import BUILD_S, Copy, copy_path
from arena.engine.job import Job
from arena.engine.process import KEPT
from arena.engine.runner import WorkersFault
from arena.engine.workers import Players, cores, limit_s
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.log import LogMismatch
from arena.match.logged import verify
from arena.match.record import MatchRecord
from arena.tasks.league_run import Roster

if TYPE_CHECKING:
    import distributed

ALONE_S: Final = 10.0  # seconds without a worker after which this machine plays by itself

RETRY_S: Final = 60.0  # seconds after which a scheduler that was lost is tried again

_LOOK_S: Final = 1.0  # seconds between two questions to the scheduler about its workers

_SILENT_S: Final = 20.0  # seconds that the scheduler may take to answer

STOPPED_S: Final = 30.0  # seconds without a sign of life after which a worker is taken for stopped

FETCH_S: Final = 60.0  # seconds that fetching an answer from a worker may take

CARRY_S: Final = 300.0  # seconds that a bot may be on its way to a worker

# Seconds for closing the connection; with a scheduler of our own it is `_OWN_CLOSE_S`.
_CLOSE_S: Final = 1.0

_OWN_CLOSE_S: Final = 6.0

MOST_VOID: Final = 3  # the number of void matches in a row at which a worker is excluded

# Workers of a machine lost in a row, before they have played, after which it gets no more.
MOST_LOST: Final = 3

# The most bytes that a log keeps of a deal: answers, with notes and lines that were sent back.
_DEAL_BYTES: Final = 1 << 20

# The most bytes of a match's answer without its deals and the bots' answers to `hello`.
_HEAD_BYTES: Final = 1 << 20

_ESCAPED: Final = 6  # the most bytes that JSON needs for one byte

# The most characters of a seat's stderr: both ends, and the line between them.
_STDERR_SIGNS: Final = 2 * KEPT + 100

_MOST_S: Final = 1e9  # more seconds than any match is played for

# The arena's version on a worker. Asked before our functions, which end one without them.
_VERSION: Final = "__import__('arena').__version__"

_T = TypeVar("_T")


class Wrong(Exception):
    """A worker's answer cannot be used; the text gives the reason."""


class _Lost(Exception):
    """A worker is gone, and its task with it."""


class _SeenWorker(msgspec.Struct, frozen=True):
    """A worker as it described itself to the scheduler."""

    host: str
    nthreads: int
    last_seen: float


class _DaskWorker:
    """A worker: the numbers for matches that it can take, and what it has been given.

    It takes two matches for each thread, so that the next one is there when one ends. `why` is
    why it gets nothing more. One that has not played yet gets a match at a time. `bots` are the
    archives that it has, by content.
    """

    def __init__(self, address: str, host: str, numbers: list[int]) -> None:
        self.address = address
        self.host = host
        self.numbers = numbers
        self.most = len(numbers)
        self.why: str | None = None
        self.proven = False
        self.voids = 0
        self.tasks = set[asyncio.Task[MatchRecord]]()
        self.bots: dict[str, asyncio.Task[object]] = {}
        self.last_seen = 0.0
        self.heard = monotonic()

    @property
    def room(self) -> int:
        """The number of matches that it takes now."""
        if self.why is not None:
            return 0
        return len(self.numbers) if self.proven else int(len(self.numbers) == self.most)


class DaskExecutor:
    """The workers of a scheduler, and this machine while there are none.

    Each match goes to a worker by its address. A worker that answers wrongly, late or not at all is
    excluded: it gets nothing more. Dask's client has its own thread here.
    """

    def __init__(
        self,
        where: int | str,
        roster: Roster,
        tell: Callable[[str], None],
        patient: bool = False,
    ) -> None:
        """Connect to a scheduler, or start one here with `where` workers.

        `tell` is called with a line when workers join or leave. Raises `ArenaError` or
        `MachineError`, unless `patient`: then the scheduler is tried again and again.
        """
        for copy in roster.copies.values():
            if copy.network or copy.environment:
                what = f"the bot {copy.bot.name} may use a network, or variables, of this machine"
                raise ArenaError(Mistake(what, "", "play the league without --cluster"))
        self.name: str = f"local:{where}" if isinstance(where, int) else where
        self._where, self._roster, self._tell = where, roster, tell
        self._workers: dict[str, _DaskWorker] = {}
        self._lost = Counter[str]()
        self._numbers = Counter[str]()
        self._here: Players | None = None
        self._manned = monotonic()
        self._scheduler: Scheduler | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._loop.set_exception_handler(lambda loop, context: None)  # Dask leaves such behind
        # local workers inherit that Ctrl-C is blocked: it is for the arena alone
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self._thread.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        try:
            if not patient:
                self._soon(self._connect()).result()
        except BaseException:
            self.close()
            raise
        self._keeping = self._soon(self._keep())

    def room(self) -> int:
        """The number of matches that the workers take now, or this machine without them.

        Raises an unforeseen error of what follows the workers: none would ever come.
        """
        if self._keeping.done():
            self._keeping.result()
        usable = [worker for worker in list(self._workers.values()) if worker.why is None]
        if usable:
            self._manned = monotonic()
            return sum(worker.room for worker in usable)
        if monotonic() < self._manned + ALONE_S:
            return 0
        if self._here is None:
            self._tell(f"{self.name} has no worker: this machine plays until one comes")
            self._here = Players(len(cores()))
        return self._here.room()

    def submit(self, job: Job) -> Future[MatchRecord]:
        """Play a match. The future raises `MatchVoid`, and `WorkersFault` of a worker's own."""
        for worker in list(self._workers.values()):
            if worker.room:
                return self._soon(self._play(worker, worker.numbers.pop(), job))
        if self._here is not None and self._here.room():
            return self._here.submit(job)
        gone: Future[MatchRecord] = Future()
        gone.set_exception(WorkersFault(_LEFT))
        return gone

    def known(self) -> dict[str, str]:
        """What each worker does, by address, or why it is not used."""
        return {each.address: each.why or "works" for each in list(self._workers.values())}

    def close(self) -> None:
        """Abandon running matches, which the workers then end, and disconnect."""
        close_s = _OWN_CLOSE_S if isinstance(self._where, int) else _CLOSE_S
        with suppress(TimeoutError, CancelledError):
            self._soon(self._end()).result(close_s)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(close_s)
        if not self._thread.is_alive():
            self._loop.close()
        if self._here is not None:
            self._here.close()

    def _soon(self, work: Coroutine[Any, Any, _T]) -> "Future[_T]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _connect(self) -> None:
        self._scheduler = await connect(self._where)

    # Follow the scheduler for as long as the arena plays, and come back to it.
    async def _keep(self) -> None:
        why = ""
        while True:
            try:
                if self._scheduler is None:
                    await self._connect()
                why = await self._watch()
            except ArenaError as error:
                why = why or str(error)
            for address in list(self._workers):
                self._lose(address, "the scheduler is lost")
            self._tell(f"{self.name}: {why}; it is tried again every {RETRY_S:g} s")
            if self._scheduler is not None:
                await self._scheduler.close()
                self._scheduler = None
            await asyncio.sleep(RETRY_S)

    # Follow the workers until the scheduler is gone or silent; return which.
    async def _watch(self) -> str:
        assert self._scheduler is not None
        client = self._scheduler.client
        while client.status == "running" and client.scheduler is not None:
            try:
                about = await asyncio.wait_for(client.scheduler.identity(n_workers=-1), _SILENT_S)
                self._see(msgspec.convert(about["workers"], dict[str, _SeenWorker]))
            except TimeoutError:
                return f"the scheduler has not answered for {_SILENT_S:g} s"
            except Exception:  # any error that Dask makes of what arrives: the connection is lost
                break
            await asyncio.sleep(_LOOK_S)
        return "the scheduler is gone"

    def _see(self, seen: Mapping[str, _SeenWorker]) -> None:
        for address in [each for each in self._workers if each not in seen]:
            self._lose(address, _GONE)
        for address, its in seen.items():
            worker = self._workers.get(address)
            if worker is None:
                self._greet(address, its)
            elif worker.last_seen != its.last_seen:
                worker.last_seen, worker.heard = its.last_seen, monotonic()
            elif monotonic() > worker.heard + STOPPED_S:
                self._exclude(worker, f"it has stopped: no sign of life for {STOPPED_S:.0f} s")

    def _greet(self, address: str, seen: _SeenWorker) -> None:
        first = self._numbers[seen.host]
        self._numbers[seen.host] += 2 * seen.nthreads
        numbers = list(range(first, self._numbers[seen.host]))
        worker = self._workers[address] = _DaskWorker(address, seen.host, numbers)
        level = self._roster.isolation.level
        self._tell(f"worker {one_line(address)}: {seen.nthreads} at a time, isolation {level}")
        if self._lost[seen.host] >= MOST_LOST:
            self._exclude(worker, f"{MOST_LOST} workers there were lost before they played")

    def _lose(self, address: str, why: str) -> None:
        worker = self._workers.pop(address)
        self._lost[worker.host] += not worker.proven and bool(worker.tasks)
        if worker.why is None:
            self._leave(worker, why)

    def _exclude(self, worker: _DaskWorker, why: str) -> None:
        if worker.why is None:
            worker.why = why
            again = "" if why == _GONE else "; restart it to use it again"
            self._leave(worker, f"{why}{again}")

    def _leave(self, worker: _DaskWorker, why: str) -> None:
        self._tell(f"worker {one_line(worker.address)}: {why}; others play its matches")
        for task in worker.tasks:
            task.cancel()

    async def _play(self, worker: _DaskWorker, number: int, job: Job) -> MatchRecord:
        task = asyncio.create_task(self._played(worker, number, job))
        worker.tasks.add(task)
        try:
            record = await task
        except Wrong as error:
            self._exclude(worker, str(error))
            raise WorkersFault("its worker did not play it as it should") from None
        except (_Lost, asyncio.CancelledError) as error:
            may_be_cause = worker.proven and worker.why is None
            if isinstance(error, _Lost):
                self._exclude(worker, _GONE)  # until the scheduler has noticed, too
            raise (MatchVoid if may_be_cause else WorkersFault)(_LEFT) from None
        except MatchVoid as void:
            worker.voids += 1
            if worker.voids >= MOST_VOID:
                self._exclude(worker, f"{MOST_VOID} matches in a row were void: {void}")
            raise (void if worker.proven else WorkersFault(str(void))) from None
        finally:
            worker.tasks.discard(task)
            worker.numbers.append(number)
        worker.proven, worker.voids = True, 0
        self._lost.pop(worker.host, None)
        return record

    async def _played(self, worker: _DaskWorker, number: int, job: Job) -> MatchRecord:
        if not worker.proven:
            version = await self._call(worker, eval, _VERSION)
            if version != __version__:
                raise Wrong(f"it has arena {one_line(version)}, this is {__version__}")
        copies = tuple(self._roster.copies[program.name] for program in job.programs)
        level, read_only = self._roster.isolation.level, self._roster.isolation.read_only
        asked = msgspec.msgpack.encode(RemoteMatch(job.plan, copies, level, read_only, number))
        bots = [await self._sent(worker, copy) for copy in copies]
        builds = sum(copy.bot.build is not None for copy in copies)
        match_s = limit_s(job.plan.limits, len(job.plan.deals))
        longest_s = 2 * match_s + builds * BUILD_S  # with another match under way there
        try:
            async with asyncio.timeout(None if longest_s == inf else longest_s):
                said = await self._call(worker, play_remote, asked, *bots)
        except TimeoutError:
            raise Wrong("it has not played in the time that the bots have") from None
        answer = _read(said, _most(job.plan))
        if answer.unfit:
            raise Wrong(one_line(answer.unfit))
        if answer.record is None:
            raise MatchVoid(one_line(answer.void))
        await asyncio.to_thread(_check, answer.record, job)
        return answer.record

    # The archive of a bot at a worker; several of its matches may need it at once.
    async def _sent(self, worker: _DaskWorker, copy: Copy) -> object:
        if copy.digest not in worker.bots:
            worker.bots[copy.digest] = asyncio.create_task(self._send(worker, copy))
        return await asyncio.shield(worker.bots[copy.digest])

    async def _send(self, worker: _DaskWorker, copy: Copy) -> object:
        packed = await asyncio.to_thread(self._packed, copy)
        carrying = self._client.scatter([packed], workers=[worker.address], hash=False)
        try:
            (there,) = await asyncio.wait_for(carrying, CARRY_S)
        except TimeoutError:
            raise Wrong(f"the bot {copy.bot.name} does not arrive there") from None
        except OSError:
            raise _Lost from None
        return there

    @property
    def _client(self) -> "distributed.Client":
        if self._scheduler is None:
            raise _Lost
        return self._scheduler.client

    # The result of a function on a worker. Raises `Wrong` or `_Lost`.
    async def _call(
        self, worker: _DaskWorker, function: Callable[..., object], *given: object
    ) -> object:
        client = self._client
        future = client.submit(function, *given, workers=[worker.address], pure=False)
        try:
            error = await future.exception()
            if error is None:
                return await asyncio.wait_for(self._fetch(future.key), FETCH_S)
        except TimeoutError:
            raise Wrong("its answer does not arrive") from None
        except (CancelledError, OSError):  # Dask's own, of a lost worker or scheduler
            raise _Lost from None
        finally:
            with suppress(Exception):  # Dask may have ended the connection
                await client.cancel([future], force=True)
        if type(error).__name__ == "KilledWorker":
            raise _Lost
        raise Wrong(f"it fails to answer: {one_line(error.__cause__ or error)}")

    # The result of a task. Dask's own way would have all wait for one that does not come.
    async def _fetch(self, key: object) -> object:
        if (scheduler := self._client.scheduler) is None:
            raise _Lost
        found = await scheduler.gather(keys=[key])
        if found["status"] != "OK":
            raise _Lost
        return found["data"][key]

    # A bot as an archive of its files before the build, which fits only this machine. Raises
    # `ArenaError` if they are gone.
    def _packed(self, copy: Copy) -> bytes:
        kept = copy_path(self._roster.home, copy.digest, ".tar")
        if kept.exists():
            return kept.read_bytes()
        folder = copy_path(self._roster.home, copy.digest)
        if folder.is_dir() and content_hash(folder) == copy.digest:
            return pack(folder)
        what = f"the files of {copy.bot.name} before its build are gone"
        raise ArenaError(Mistake(what, str(kept), "withdraw the bot, and submit it again"))

    async def _end(self) -> None:
        playing = [task for worker in self._workers.values() for task in worker.tasks]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if self._scheduler is not None:
            await self._scheduler.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


_LEFT: Final = "its worker was lost"
_GONE: Final = "it is gone"
_decoder: Final = msgspec.msgpack.Decoder(RemoteAnswer)


def _read(answer: object, most: int) -> RemoteAnswer:
    if type(answer) is not bytes:
        raise Wrong(f"an answer of the type {one_line(type(answer).__name__)}, not bytes")
    if len(answer) > most:
        raise Wrong(f"an answer of {len(answer)} bytes, more than {most}")
    try:
        return _decoder.decode(answer)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Wrong(f"an answer that cannot be read: {one_line(error)}") from None


# Replay a match by the rules. Raises `Wrong` if it is not one that can have been played. A match
# that keeps to the rules may still have answers in its log that no bot chose.
def _check(record: MatchRecord, job: Job) -> None:
    players = len(job.programs)
    if record.isolation != job.isolation.level:
        raise Wrong(f"a match that was not played at the level {job.isolation.level}")
    if len(record.stderr) != players or max(map(len, record.stderr)) > _STDERR_SIGNS:
        raise Wrong("other stderr than is kept of its bots")
    held = record.held_s
    if len(held) not in (0, players) or not all(0 <= each < _MOST_S for each in held):
        raise Wrong("no seconds of the bots' answers")
    most, unpacking = _most(job.plan), zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        if len(unpacking.decompress(record.log, most + 1)) > most or unpacking.unused_data:
            raise LogMismatch(f"its log is longer than {most} bytes, or has something after it")
        verify(job.plan, record)
    except (LogMismatch, zlib.error) as error:
        raise Wrong(f"a match that is not what was played: {one_line(error)}") from None


# The most bytes that the answer about a match, or its log unpacked, may have.
def _most(plan: MatchPlan) -> int:
    hellos = _ESCAPED * plan.limits.line_bytes * plan.rules.players
    return _HEAD_BYTES + hellos + _DEAL_BYTES * len(plan.deals)
