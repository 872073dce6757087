"""The machines of a cluster: schedulers, workers and leagues, each a process with its own folders.

They are forked from a process that has imported Dask, but for those that are within a network of
their own or belong to another user.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.forkserver import ForkServer
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tests.support.command import PROJECT, Forked, _arena, command, fork_key
from tests.support.ordinary import ordinary
from tests.support.patience import until

_IMPORTED = [
    *("distributed", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"),
    *("arena.cluster.executor", "arena.cli.league", "arena.tasks.opening"),
    *("arena.reports.progress", "arena.reports.standings"),
    "tests.support.machines",
]


@contextmanager
def dask_forks() -> Iterator[None]:
    """All that `forks` starts is forked from a process that has imported Dask as well."""
    server = ForkServer()
    server.set_forkserver_preload(_IMPORTED)
    connect = "multiprocessing.forkserver.connect_to_new_process"
    try:
        with patch(connect, server.connect_to_new_process):
            yield
    finally:
        server._stop()  # type: ignore[attr-defined]


def _dask(words: list[str], environment: dict[str, str], log: Path) -> None:
    from distributed.cli import dask_scheduler, dask_worker

    for number in (1, 2):
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # which may have been asked for before
    os.chdir("/")
    kind, *options = words
    {"scheduler": dask_scheduler, "worker": dask_worker}[kind].main(options)


class Machines:
    """A scheduler, workers and a league, each with a log of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: dict[str, subprocess.Popen[str] | Forked] = {}

    def scheduler(self, *more: str, host: str = "127.0.0.1", within: Sequence[str] = ()) -> str:
        """Start a scheduler; returns its address."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        words = ["--host", host, "--port", "0", "--no-dashboard", "--no-show"]
        words = ["scheduler", *words, "--scheduler-file", str(file), *more]
        self._start_dask("scheduler", words, {**os.environ, "PYTHONPATH": PROJECT}, within)

        def address() -> str | None:
            assert self.all["scheduler"].poll() is None, self.log("scheduler")
            with suppress(OSError, ValueError):
                return str(json.loads(file.read_text())["address"])
            return None

        return until(address)

    def worker(
        self,
        name: str,
        address: str,
        *more: str,
        packages: str | Path = PROJECT,
        within: Sequence[str] = (),
        of_another_user: bool = False,
    ) -> None:
        """Start a worker, as an ordinary user where that is asked for and root may."""
        home = self.folder / name
        home.mkdir()
        words = [*worker_words(address, home), *more]
        if of_another_user and os.geteuid() == 0 and _may_unshare():
            others, environment = ordinary(home, ["-m", "dask", *words])
            self.start(name, [*within, *others], {**environment, **folders(home)})
        else:
            environment = {**os.environ, "PYTHONPATH": str(packages), **folders(home)}
            self._start_dask(name, words, environment, within)

    def league(self, *arguments: str | Path, within: Sequence[str] = ()) -> None:
        if within:
            environment = {**os.environ, "PYTHONPATH": PROJECT, "NO_COLOR": "1"}
            self.start("arena", [*within, *command("league", *arguments)], environment)
        else:
            log, words = self.folder / "arena.log", ["league", *map(str, arguments)]
            log.touch()
            self.all["arena"] = Forked(
                _arena, words, Path("/"), dict(os.environ), Path(os.devnull), log, fork_key()
            )

    def log(self, name: str = "arena") -> str:
        return (self.folder / f"{name}.log").read_text()

    def until(self, word: str, count: int = 1) -> None:
        """Wait until the league has said something so often, for as long as it runs."""

        def has_told() -> bool:
            over = self.all["arena"].poll() is not None
            told = self.log().count(word) >= count
            assert told or not over, self.log()
            return told

        until(has_told)

    def registered(self, *names: str) -> None:
        """Wait until the scheduler knows some workers: a run does not wait for ever for one."""

        def is_known(name: str) -> bool:
            assert self.all[name].poll() is None, self.log(name)
            return "Registered to:" in self.log(name)

        until(lambda: all(map(is_known, names)))

    def kill(self, name: str) -> None:
        """A machine is lost: what was started there ends at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.all[name].pid, signal.SIGKILL)
        self.all.pop(name).wait()

    def vacated(self, name: str = "") -> None:
        """Wait until no process knows a machine's folder."""
        until(lambda: not any(processes_of(self.folder / name)))

    def _start_dask(
        self, name: str, words: list[str], environment: dict[str, str], within: Sequence[str]
    ) -> None:
        """Fork a scheduler or worker, or start it with the arena that its environment names."""
        if within or environment["PYTHONPATH"] != PROJECT:
            self.start(name, [*within, sys.executable, "-m", "dask", *words], environment)
        else:
            log = self.folder / f"{name}.log"
            log.touch()
            self.all[name] = Forked(_dask, words, environment, log)

    def start(
        self, name: str, words: list[str], environment: Mapping[str, str], log_mode: str = "w"
    ) -> None:
        with (self.folder / f"{name}.log").open(log_mode) as log:
            self.all[name] = subprocess.Popen(
                words,
                cwd="/",
                stdout=log,
                stderr=log,
                text=True,
                start_new_session=True,
                env=environment,
            )


def _may_unshare() -> bool:
    return subprocess.run(("unshare", "-m", "true"), check=False).returncode == 0


@contextmanager
def kept_port() -> Iterator[str]:
    """A port of 127.0.0.1 for a scheduler that comes later: until then nobody else is given it."""
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as schedulers do
        bound.bind(("127.0.0.1", 0))
        yield str(bound.getsockname()[1])


def worker_words(address: str, home: Path) -> list[str]:
    return ["worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(home)]


def folders(home: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(home), "TMPDIR": str(home), "HOME": str(home)}


def processes_of(folder: Path) -> Iterator[Path]:
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            said = [(each / name).read_bytes() for name in ("cmdline", "environ")]
            if os.fsencode(folder) in b"\0".join((*said, os.fsencode(os.readlink(each / "cwd")))):
                yield each


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter; pytest closes its own, also while tests run."""
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def machines(folder: Path) -> Iterator[Machines]:
    folder.mkdir()
    found = Machines(folder)
    try:
        yield found
    finally:
        for name in list(found.all):
            found.kill(name)
        found.vacated()


class Place(NamedTuple):
    """A network of its own: its address there, and the words that run a command within."""

    host: str
    within: Sequence[str]


@contextmanager
def networks(*names: str) -> Iterator[list[Place]]:
    """Network namespaces joined by a bridge in the first; this machine's own where none are to be.

    The first has the address 10.77.0.1, the others follow.
    """
    full = [f"zole{os.getpid()}{name}" for name in names]
    hub, *others = places = [
        Place(f"10.77.0.{number}", ("ip", "netns", "exec", its))
        for number, its in enumerate(full, 1)
    ]
    orders = [
        *(("ip", "netns", "add", its) for its in full),
        *((*place.within, "ip", "link", "set", "lo", "up") for place in places),
        (*hub.within, "ip", "link", "add", "hub0", "type", "bridge"),
        (*hub.within, "ip", "address", "add", f"{hub.host}/24", "dev", "hub0"),
        (*hub.within, "ip", "link", "set", "hub0", "up"),
    ]
    for number, (its, place) in enumerate(zip(full[1:], others, strict=True)):
        ends = ("netns", full[0], "type", "veth", "peer", "name", "eth0", "netns", its)
        orders += [
            ("ip", "link", "add", f"to{number}", *ends),
            (*hub.within, "ip", "link", "set", f"to{number}", "master", "hub0", "up"),
            (*place.within, "ip", "address", "add", f"{place.host}/24", "dev", "eth0"),
            (*place.within, "ip", "link", "set", "eth0", "up"),
        ]
    try:
        try:
            for words in orders:
                subprocess.run(words, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            places = [Place("127.0.0.1", ())] * len(names)
        yield places
    finally:
        for its in full:
            with suppress(OSError):
                subprocess.run(("ip", "netns", "delete", its), check=False, capture_output=True)
