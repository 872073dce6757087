"""Arenas on a cluster, and Dask's processes, forked where Dask is imported already."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ForkServer
from pathlib import Path
from unittest.mock import patch

from tests.support.command import _arena, fork_key, forks

_IMPORTED = [
    *("distributed", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"),
    *("arena.cluster.client", "arena.cluster.crew", "arena.cli.league", "arena.tasks.opening"),
    *("arena.reports.progress", "arena.reports.standings"),
    "tests.support.dask_forks",
]


@contextmanager
def dask_forks() -> Iterator[None]:
    """All that `forks` starts is forked from a process that has imported Dask as well."""
    server = ForkServer()
    server.set_forkserver_preload(_IMPORTED)
    try:
        with patch(
            "multiprocessing.forkserver.connect_to_new_process", server.connect_to_new_process
        ):
            yield
    finally:
        server._stop()  # type: ignore[attr-defined]


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

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def fork_client(number: int) -> Forked:
    """The process with the Dask client, as `arena.cluster.link` starts it."""
    return Forked(_client, Connection(os.dup(number)))


def fork_arena(words: list[str], told: Path) -> Forked:
    """The arena, whose client is forked as well."""
    return Forked(_arena_of_a_cluster, words, told, fork_key())


def fork_dask(words: list[str], environment: Mapping[str, str], log: Path) -> Forked:
    """A scheduler or a worker; it finds no other arena than this one."""
    return Forked(_dask, words, dict(environment), log)


def _apart(target: Callable[..., None], *arguments: object) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    target(*arguments)


def _client(connection: Connection) -> None:
    from arena.cluster.client import run_client

    _write_to(Path(os.devnull))
    sys.argv = ["client", str(connection.fileno())]
    run_client()


def _arena_of_a_cluster(words: list[str], told: Path, key: bytes | None) -> None:
    with patch("arena.cluster.link._start", fork_client):
        _arena(words, Path("/"), dict(os.environ), Path(os.devnull), told, key)


def _dask(words: list[str], environment: dict[str, str], log: Path) -> None:
    from distributed.cli import dask_scheduler, dask_worker

    _write_to(log)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # which may have been asked for before
    os.chdir("/")
    kind, *options = words
    {"scheduler": dask_scheduler, "worker": dask_worker}[kind].main(options)


def _write_to(file: Path) -> None:
    for number in (1, 2):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
