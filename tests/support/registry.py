"""A registry whose clock stands still until it is moved, and processes that use one at once."""

import gzip
import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from arena.base.refusals import Refusal
from arena.site.config import Quotas
from arena.site.registry import Registry
from arena.site.registry.accounts import Account, accept, accounts, invite
from arena.site.registry.jobs import Archive, Challenged, SiteJob, ask_for, entered, finish, take
from tests.support.patience import PATIENCE_S

T = TypeVar("T")

_FORK = multiprocessing.get_context("fork")


class Clock:
    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def patient(registry: Registry) -> Registry:
    """The registry, for a test that waits its turn however long others are at it."""
    with registry.reading() as sql:
        sql.execute(f"PRAGMA busy_timeout={PATIENCE_S * 1000:.0f}")
    return registry


def refused(kind: type[Refusal], code: int) -> Refusal:
    """What a registry raises where SQLite has told it by a code that it cannot go on."""
    said = sqlite3.OperationalError()
    said.sqlite_errorcode = code
    found = kind("not now")
    found.__context__ = said
    return found


@contextmanager
def opened(
    folder: Path, quotas: Quotas | None = None, clock: Clock | None = None
) -> Iterator[Registry]:
    database = Registry.open(folder / "registry.db", quotas, clock or Clock())
    with closing(patient(database)) as registry:
        with registry.reading() as sql:  # a power cut is not tried, and a test's disk may be slow
            pass
        sql.execute("PRAGMA synchronous=OFF")
        yield registry


def account(registry: Registry, name: str) -> Account:
    return next(each for each in accounts(registry) if each.name == name)


def comes_in(registry: Registry, name: str) -> Account:
    return accept(registry, invite(registry, name)).account


def digest(number: int) -> str:
    return f"{number:064x}"


def send(
    registry: Registry, account: Account, number: int, again: bool = False
) -> tuple[SiteJob, bool]:
    """An upload of the archive of a number, and whether it is a new one."""
    return ask_for(registry, account, Archive(digest(number)), again)


def take_upload(registry: Registry) -> SiteJob | None:
    return take(registry, (Archive,))


def took(registry: Registry, *kinds: type[Any]) -> SiteJob:
    """The next job of some kinds, or the next upload, which somebody has taken."""
    found = take(registry, kinds or (Archive,))
    assert found is not None
    return found


def taken(registry: Registry, account: Account, number: int = 1) -> SiteJob:
    send(registry, account, number)
    return took(registry)


def answer(
    registry: Registry, held: SiteJob, log: bytes | None = None, result: Challenged | None = None
) -> None:
    packed = None if log is None else gzip.compress(log)
    assert finish(registry, held, "done", "", packed, result)


def decline(registry: Registry, held: SiteJob, why: str) -> None:
    assert finish(registry, held, "failed", why)


def enter(registry: Registry, held: SiteJob, name: str, called: str) -> None:
    assert entered(registry, held, name, called)


def owns(registry: Registry, account: Account, *names: str, state: str = "playing") -> None:
    with registry.writing() as sql:
        for name in names:
            row = (name, account.number, name, state, "", 0.0)
            sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)


def at_once(count: int, do: Callable[[int], T]) -> list[T]:
    """What a function gives in so many processes, which begin together; a few lines of each."""
    begin, given = _FORK.Barrier(count), _FORK.SimpleQueue()

    def act(number: int) -> None:
        begin.wait()
        given.put(do(number))

    children = [_FORK.Process(target=act, args=(number,)) for number in range(count)]
    for each in children:
        each.start()
    for each in children:
        each.join()
        assert each.exitcode == 0
    return [given.get() for _ in children]


@contextmanager
def killed(
    do: Callable[[Callable[[str], None]], None],
) -> Iterator[tuple[Callable[[], str], Callable[[], list[str]]]]:
    """A process that does something and says what it has done, until it is killed.

    Gives what waits for its first line, and what kills it and returns all others it had said.
    """
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with os.fdopen(tell, "w", 1) as telling:
                do(lambda line: print(line, file=telling))
        finally:
            os._exit(1)
    os.close(tell)
    with os.fdopen(told) as file:

        def kill() -> list[str]:
            os.kill(pid, signal.SIGKILL)
            return file.read().splitlines()

        try:
            yield lambda: file.readline().rstrip(), kill
        finally:
            kill()
            os.waitpid(pid, 0)
