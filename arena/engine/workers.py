"""Workers of this machine: processes that each play a match at a time, or do other work.

What they do themselves, from `initialize` on, is here too.
"""

import contextlib
import ctypes
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from multiprocessing.connection import Connection
from time import monotonic
from typing import Final, Generic, TypeVar

import msgspec

from arena.base.marks import mark
from arena.engine.job import Job
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.sandbox.box import NO_MEANS, children
from arena.sandbox.folders import remove_folder, sweep
from arena.sandbox.isolation import for_worker

_log: Final = logging.getLogger(__name__)

# More decisions than are ever asked for in a deal; repeated requests get no more time.
_DECISIONS: Final = 64

_SLACK_S: Final = 120.0  # seconds that a match may take in addition to the time of its bots

# Seconds that a worker may take to end with its bots, before it is killed.
WORKER_END_S: Final = 5.0

_TICK_S: Final = 0.2

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

_Work = TypeVar("_Work")
_Result = TypeVar("_Result")
# A function that a worker can import; it does some work in the worker with a number.
Do = Callable[[_Work, int], _Result]


def limit_s(limits: Limits, deals: int) -> float:
    """The seconds that a match of bots cannot exceed; infinite without clocks.

    With one deal it is the longest that a seat gets nothing and is not asked while others play.
    """
    if limits.move_s is None or limits.start_s is None:
        return inf
    return _SLACK_S + limits.start_s + deals * _DECISIONS * limits.move_s


class Worker(Generic[_Work, _Result]):
    """A process, on one core if one is given, that does one job after another.

    It is started with its first job, and again with the next one after it died. It ends when the
    thread that started it ends, and takes its bots along. `number` distinguishes it from the
    others that run at the same time.
    """

    def __init__(self, core: int | None, number: int, do: Do[_Work, _Result]) -> None:
        self._core = core
        self._number = number
        self._do = do
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection
        self._scratch: str
        self._ended = False

    @property
    def pid(self) -> int | None:
        """Its process number, while it runs."""
        return None if self._process is None else self._process.pid

    def call(
        self, job: _Work, longest_s: float = inf, wanted: Callable[[], bool] = lambda: True
    ) -> _Result:
        """Have a job done, in the thread that waits for it.

        Raises what the job raises, and `MatchVoid` if the worker dies or cannot be started, if it
        is not done after `longest_s` seconds or if the job is not `wanted` any more.
        """
        try:
            if self._process is None or self._process.poll() is not None:
                self._start()
            self._connection.send((self._do, job, self._number))
            late = monotonic() + longest_s
            while not self._connection.poll(_TICK_S):
                if monotonic() > late or not wanted():  # it was stopped, or hangs
                    raise EOFError
            error, result = self._connection.recv()
        except (EOFError, OSError) as error:
            self.close()
            sweep()
            raise MatchVoid(
                f"its worker died: {error}" if error.args else "its worker died"
            ) from None
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return] # what the job returned

    def end(self) -> None:
        """Have it end, from any thread, with the job it does; it is never started again."""
        self._ended = True
        if (process := self._process) is not None:  # its own thread may be closing it
            _ask_to_end(process)

    def close(self) -> None:
        """End it, and remove what it left behind. Not while another thread waits for a job."""
        process, self._process = self._process, None
        if process is None:
            return
        _ask_to_end(process)
        try:
            process.wait(WORKER_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._connection.close()
        remove_folder(self._scratch)

    def _start(self) -> None:
        self.close()
        self._scratch = tempfile.mkdtemp(prefix=mark())
        os.chmod(self._scratch, 0o711)  # bots may run as other users
        self._connection, theirs = multiprocessing.Pipe()
        with theirs:
            self._process = begin_process(theirs, self._core, self._scratch)
        _log.debug("worker %d is process %d, in %s", self._number, self.pid, self._scratch)
        if self._ended:
            self.end()
        self._connection.send_bytes(bytes(multiprocessing.current_process().authkey))


def _ask_to_end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()  # its handler ends its bots
    process.send_signal(signal.SIGCONT)  # also where it was stopped


def begin_process(end: Connection, core: int | None, scratch: str) -> "subprocess.Popen[bytes]":
    """Start a process that does the jobs which come over a connection."""
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from arena.engine.workers import do_jobs;"
        f"do_jobs({end.fileno()}, {core}, {scratch!r})"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        pass_fds=(end.fileno(),),
        start_new_session=True,  # so that Ctrl-C reaches the arena alone, which ends this
    )


class LocalExecutor(Generic[_Work, _Result]):
    """A worker of this machine for each of the given cores; a core of None means any."""

    def __init__(
        self,
        cores: Sequence[int | None],
        do: Do[_Work, _Result],
        longest_s: Callable[[_Work], float] = lambda job: inf,
    ) -> None:
        """`longest_s` returns the seconds that a job can take."""
        self._longest_s = longest_s
        self._workers = [Worker(core, number, do) for number, core in enumerate(cores)]
        self._given: dict[Worker[_Work, _Result], Future[_Result]] = {}
        self._threads = ThreadPoolExecutor(len(cores))
        sweep()

    def room(self) -> int:
        """The number of jobs that it takes now."""
        return len(self._free())

    def submit(self, job: _Work) -> Future[_Result]:
        """Have a job done. The future raises what `Worker.call` does. There must be room."""
        worker = self._free()[0]
        future = self._given[worker] = self._threads.submit(worker.call, job, self._longest_s(job))
        return future

    def close(self) -> None:
        """End all workers and their jobs."""
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def _free(self) -> list[Worker[_Work, _Result]]:
        return [
            each for each in self._workers if each not in self._given or self._given[each].done()
        ]


class Players(LocalExecutor[Job, MatchRecord]):
    """Workers of this machine that play matches."""

    def __init__(self, count: int) -> None:
        super().__init__(
            pinned(count),
            play_job,
            lambda job: inf if job.plan.people else limit_s(job.plan.limits, len(job.plan.deals)),
        )


def play_job(job: Job, number: int) -> MatchRecord:
    """Play a match in a worker. Raises `MatchVoid`."""
    from arena.engine.worker import play_match  # only workers load what plays

    try:
        return play_match(msgspec.structs.replace(job, isolation=for_worker(job.isolation, number)))
    except (OSError, ExceptionGroup) as error:
        if not _lacks_means(error):
            raise
        raise MatchVoid(f"this machine lacks the means to play: {error}") from None
    finally:
        end_children()


def initialize(core: int | None, scratch: str) -> None:
    """Make this process a worker: pinned with its bots to one core, and ending with its parent.

    It and its bots write only below the scratch folder, which is removed with it.
    """
    tempfile.tempdir = scratch
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    if core is not None:
        os.sched_setaffinity(0, {core})
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.getppid() == 1:  # the parent died before the kernel was asked to notify us
        _leave()


def do_jobs(descriptor: int, core: int | None, scratch: str) -> None:
    """Be a worker (see `initialize`) that does the jobs which come over a connection."""
    initialize(core, scratch)
    connection = Connection(descriptor)
    try:
        multiprocessing.current_process().authkey = connection.recv_bytes()  # sockets come with it
        while True:
            do, job, number = connection.recv()
            try:
                answer = do(job, number)
            except Exception as error:  # for the arena to raise
                error.add_note("".join(traceback.format_tb(error.__traceback__)))
                connection.send((error, None))
            else:
                connection.send((None, answer))
    except (EOFError, ConnectionError):  # the arena needs it no more
        _leave()


def end_children() -> None:
    """Kill every process below this one, including those that left their group."""
    while left := children(os.getpid()):
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _leave(*_: object) -> None:
    end_children()
    remove_folder(tempfile.gettempdir())
    os._exit(1)


def cores() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


def pinned(count: int) -> list[int | None]:
    """A core for each worker, or None for each if there are more workers than cores."""
    have = cores()
    return list(have[:count]) if count <= len(have) else [None] * count


def _lacks_means(error: Exception) -> bool:
    if isinstance(error, ExceptionGroup):
        return all(map(_lacks_means, error.exceptions))
    return isinstance(error, OSError) and error.errno in NO_MEANS
