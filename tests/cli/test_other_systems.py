"""On systems other than Linux one reads and writes what needs no bots."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.bots import write_league
from tests.support.command import PROJECT, output

PRETEND = """
import concurrent.futures.process, json, os, resource, select, shutil, signal, subprocess, sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace
import click, jinja2, multiprocessing.popen_spawn_posix, numpy, rich.live, trio
from tests.support import command  # all that asks for the system when it is imported

sysconfig.get_config_vars()  # kept, since there is no such file of another system
system, modules, names, uses = json.loads(sys.argv[1])
sys.platform = system
shutil._winapi = SimpleNamespace(NeedCurrentDirectoryForExePath=lambda name: True)
for module in modules:
    sys.modules[module] = None
for module in (os, resource, select, signal):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for words in uses:
    done = command.within(words, Path())
    print(json.dumps([done.returncode, done.stderr]))
"""

LACKING: dict[str, tuple[list[str], list[str]]] = {
    "win32": (
        "fcntl resource termios tty pwd grp pty".split(),
        "geteuid getuid getppid killpg sched_getaffinity sched_setaffinity sched_yield statvfs fork"
        " setsid O_PATH ST_RDONLY SIGKILL SIGHUP SIGALRM setitimer pidfd_open".split(),
    ),
    "darwin": (
        [],
        "sched_getaffinity sched_setaffinity pidfd_open pidfd_send_signal O_PATH eventfd prlimit"
        " RLIMIT_MSGQUEUE waitid epoll".split(),
    ),
}
"""Modules and names of `os`, `resource`, `select` and `signal` that a system lacks."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    output("league", write_league(folder, deals=1))
    return folder


def outcomes(place: Path, system: str, uses: list[str]) -> list[tuple[int, str]]:
    """Exit code and standard error of each use, on something like another system."""
    asked = json.dumps([system, *LACKING[system], [use.split() for use in uses]])
    done = subprocess.run(
        [sys.executable, "-c", PRETEND, asked], capture_output=True, text=True, cwd=place,
        env={**os.environ, "PYTHONPATH": PROJECT}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [(code, told) for code, told in map(json.loads, done.stdout.splitlines())]


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_leagues_are_read_and_bots_begun_everywhere_and_played_where_it_says(
    place: Path, system: str
) -> None:
    (place / system).mkdir()
    reads = [
        *(
            "--help",
            f"new {system}/mine",
            f"init {system}/starter",
            "protocol",
            "rules",
            "rules lzsf",
        ),
        *("standings league.toml --all", "replay league.toml", "replay league.toml 1"),
        *("replay league.toml 1 --html page.html", "report league.toml --replays all"),
        *("export league.toml games", "export league.toml logs", "verify league.toml"),
        *("faults league.toml", "submissions league.toml"),
        *("deal league.toml 1", "deals league.toml --worst a"),
    ]
    plays = ["league league.toml", "match a b c", "check a", "doctor", "submit a --league x"]
    outcome = dict(zip(reads + plays, outcomes(place, system, reads + plays), strict=True))
    for use in reads:
        assert outcome[use][0] == 0, (use, outcome[use])
    for use in plays:
        code, told = outcome[use]
        assert (code, len(told.splitlines())) == (3, 1), (use, told)
        assert "use WSL" in told
