"""Arenas on a cluster, and Dask's processes, forked where Dask is imported already."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.forkserver import ForkServer
from pathlib import Path
from unittest.mock import patch

from tests.support.command import Forked, _arena, fork_key

_IMPORTED = [
    *("distributed", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"),
    *("arena.cluster.executor", "arena.cli.league", "arena.tasks.opening"),
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


def fork_arena(words: list[str], told: Path) -> Forked:
    """The arena, in a process of its own session."""
    return Forked(_arena, words, Path("/"), dict(os.environ), Path(os.devnull), told, fork_key())


def fork_dask(words: list[str], environment: Mapping[str, str], log: Path) -> Forked:
    """A scheduler or a worker; it finds no other arena than this one."""
    return Forked(_dask, words, dict(environment), log)


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
