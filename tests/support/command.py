"""The command line run as people run it: a process of its own."""

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = str(Path(__file__).parents[2])

WAIT_S = 120.0
"""What ends at all has ended by then."""

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(
    ["arena.cli.league", "arena.engine.runner", "arena.reports.standings", "scipy.special"]
)


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "arena", *map(str, arguments)]


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the arena to its end, in a process forked from one that has imported most of it.

    A short command spends most of its time on imports; what `command` gives does them all.
    """
    words = [str(each) for each in arguments]
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        its = (words, cwd or Path.cwd(), dict(os.environ), out, err)
        process = _forks.Process(target=_arena, args=its)
        process.start()
        process.join(WAIT_S)
        code = process.exitcode
        if code is None:
            process.kill()
            raise subprocess.TimeoutExpired(command(*words), WAIT_S)
        return subprocess.CompletedProcess(words, code, out.read_text(), err.read_text())


def start(*arguments: str | Path, stdin: int | None = None) -> subprocess.Popen[str]:
    """Start the arena in a session of its own, so that signals reach it alone."""
    return subprocess.Popen(
        command(*arguments),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
        env={**os.environ, "PYTHONPATH": PROJECT},
    )


def heed_interrupts() -> None:
    """In a child: let Ctrl-C end it. A shell starts what it runs in the background without that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _arena(words: list[str], cwd: Path, environment: dict[str, str], out: Path, err: Path) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, file in ((1, out), (2, err)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(environment, NO_COLOR="1", PYTHONPATH=PROJECT)
    os.chdir(cwd)
    sys.argv = ["arena", *words]
    runpy.run_module("arena", run_name="__main__", alter_sys=True)
