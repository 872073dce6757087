"""The command line run as people run it; only commands with workers need a process of their own."""

import io
import json
import multiprocessing
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from tests.support.patience import PATIENCE_S

if TYPE_CHECKING:
    from arena.engine.workers import Do

PROJECT = str(Path(__file__).parents[2])

_cores = sorted(os.sched_getaffinity(0))
CORE = _cores[int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % len(_cores)]
"""The core of this process of the tests."""

WITHIN = frozenset(
    (
        *("--help", "rules", "new", "protocol", "standings", "verify"),
        *("replay", "deal", "deals", "faults", "export", "report", "submissions", "withdraw"),
        *("check", "submit", "doctor", "serve"),
        *("login", "uploads", "pull", "challenge", "resume"),
    )
)
"""The commands that mind no signals and start no workers; bots play from any process."""

forks = multiprocessing.get_context("forkserver")
"""Starts processes that have imported most of the arena."""
forks.set_forkserver_preload(
    [
        *("arena.cli.league", "arena.tasks.opening", "arena.tasks.closed_league"),
        *("arena.cli.bots", "arena.tasks.match", "arena.tasks.compare", "arena.tasks.review"),
        *("arena.engine.seats", "arena.engine.workers", "arena.engine.runner"),
        *("arena.reports.standings", "arena.reports.progress", "arena.reports.bots"),
        "tests.support.bots",  # which has asked the machine's runtimes where they are
        "tests.support.command",
    ]
)


def lives(pid: int) -> bool:
    """Whether a process runs: what has ended and is only not yet reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


@contextmanager
def held_port() -> Iterator[int]:
    """A port of this machine that is given to nobody else, where a server that names it listens."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "arena", *map(str, arguments)]


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the arena to its end: in a process of its own, or in this one if it has no workers."""
    words = [str(each) for each in arguments]
    return (within if not words or words[0] in WITHIN else _forked)(words, cwd or Path.cwd())


def run_here(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the arena in this process, which does itself what workers would do."""
    players = ("cli.league.Players", "cli.bots.Players", "tasks.match.Players")
    with ExitStack() as stack:
        for name in (*players, "engine.workers.LocalExecutor"):
            stack.enter_context(patch(f"arena.{name}", _Here))
        return within([str(each) for each in arguments], cwd or Path.cwd())


def output(*arguments: str | Path, cwd: Path | None = None) -> str:
    """Standard output of a command that succeeds in this process."""
    done = run_here(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def document(*arguments: str | Path) -> Any:
    """The JSON document of a command that succeeds in this process."""
    return json.loads(output(*arguments, "--json"))


def refusal(*arguments: str | Path, cwd: Path | None = None) -> str:
    """Standard error of a command that is refused in this process."""
    done = run_here(*arguments, cwd=cwd)
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stderr


def start(*arguments: str | Path, stdin: int | None = None) -> subprocess.Popen[str]:
    """Start the arena on one core, in a session of its own, so that signals reach it alone."""
    return subprocess.Popen(
        command(*arguments),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_begin,
        env={**os.environ, "PYTHONPATH": PROJECT},
    )


def said(arena: subprocess.Popen[str], word: str, count: int = 1) -> str:
    """The line of its standard error in which a word comes for so many times.

    Sign by sign, so that what follows is left to `communicate`, which knows no buffer.
    """
    assert arena.stderr is not None
    line = b""
    while sign := os.read(arena.stderr.fileno(), 1):
        line += sign
        if sign == b"\n":
            count -= word in line.decode()
            if count == 0:
                return line.decode()
            line = b""
    raise AssertionError(f"it ended without {word}")


def besides_level(told: str) -> list[str]:
    """Lines of standard error without the one that says which lesser sandbox this machine has."""
    return [line for line in told.splitlines() if not line.startswith("isolation ")]


def heed_interrupts() -> None:
    """In a child: let Ctrl-C end it. A shell starts what it runs in the background without that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def keep_to_one_core() -> None:
    """In a child: a league's second worker costs more to start than it plays."""
    os.sched_setaffinity(0, {CORE})


def _begin() -> None:
    heed_interrupts()
    keep_to_one_core()


class _Here:
    """An executor without workers: it does a job when it is submitted."""

    def __init__(self, count: object, do: "Do[Any, Any] | None" = None) -> None:
        self._do = do

    def room(self) -> int:
        return 1

    def submit(self, job: Any) -> "Future[Any]":
        from arena.engine.worker import play_match
        from arena.match.commands import MatchVoid

        done: Future[Any] = Future()
        try:
            done.set_result(play_match(job) if self._do is None else self._do(job, 0))
        except MatchVoid as void:
            done.set_exception(void)
        return done

    def close(self) -> None:
        """Nothing was started."""


def within(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    from arena.__main__ import main  # here, so that forks find it unimported

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    argv, environment = patch("sys.argv", ["arena", *words]), patch.dict(os.environ, NO_COLOR="1")
    code: object = None
    with chdir(cwd), argv, environment, redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    told = (file.buffer.getvalue().decode() for file in (out, err))
    return subprocess.CompletedProcess(words, code, *told)


def _forked(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """In a process forked from one that has imported most of the arena.

    A short command spends most of its time on imports; what `command` gives does them all.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        arguments = (words, cwd, dict(os.environ), out, err, fork_key())
        process = forks.Process(target=_arena, args=arguments)
        process.start()
        process.join(PATIENCE_S)
        code = process.exitcode
        if code is None:
            process.kill()
            raise subprocess.TimeoutExpired(command(*words), PATIENCE_S)
        return subprocess.CompletedProcess(words, code, out.read_text(), err.read_text())


def fork_key() -> bytes | None:
    """What a fork needs to have the server that forks it fork others, from Python 3.14 on."""
    server: Any = forkserver.connect_to_new_process
    server.__self__.ensure_running()
    return getattr(server.__self__, "_forkserver_authkey", None)


class Forked:
    """A process of its own session, with what the tests ask of a `subprocess.Popen`."""

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        self._process = forks.Process(target=_apart, args=(target, *arguments))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired("a fork", timeout or 0.0)
        return code

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)


def _apart(target: Callable[..., None], *arguments: object) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    target(*arguments)


def fork_worker(end: Connection, core: int | None, scratch: str) -> Forked:
    """A worker's process, as `arena.engine.workers` begins it."""
    return Forked(_worker, dict(os.environ), end, core, scratch)


def _worker(environment: dict[str, str], end: Connection, core: int | None, scratch: str) -> None:
    """A worker as the arena itself starts one, in a fork."""
    from arena.engine.workers import do_jobs

    os.environ.clear()
    os.environ.update(environment)
    do_jobs(end.fileno(), core, scratch)


def _arena(
    words: list[str],
    cwd: Path,
    environment: dict[str, str],
    out: Path,
    err: Path,
    key: bytes | None,
) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, file in ((1, out), (2, err)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    keep_to_one_core()
    os.environ.clear()
    os.environ.update(environment, NO_COLOR="1", PYTHONPATH=PROJECT)
    os.chdir(cwd)
    sys.argv = ["arena", *words]
    # Its workers, too, are forked where most of the arena is imported, by the very server that has
    # forked this process: it would start another one. `start` has them spawned.
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    if key is not None:
        setattr(forkserver._forkserver, "_forkserver_authkey", key)  # noqa: B010 - unknown before
    with patch("arena.engine.workers.begin_process", fork_worker):
        runpy.run_module("arena", run_name="__main__", alter_sys=True)
