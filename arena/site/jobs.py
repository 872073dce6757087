"""The base of a site's processes that do jobs: one after another, each under a lease."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import ClassVar, Final, Generic, NoReturn, TypeVar

import msgspec

from arena.base.errors import ArenaError
from arena.base.refusals import Refusal
from arena.site.config import Site
from arena.site.disk import hindered, rest
from arena.site.life import Life
from arena.site.registry.file import Registry
from arena.site.registry.jobs import (
    LeaseLost,
    Taken,
    decline,
    give_back,
    keep_lease,
    take,
    take_back,
)

SWEEP_S: Final = 60.0

_LOOK_S: Final = 0.1
"""Seconds between looks at whether anybody has written to the registry."""

_ANEW_S: Final = 5.0
"""Seconds after which jobs are looked for in any case: there may be room, or a lease is over."""

_KEEP_S: Final = 15.0

_A = TypeVar("_A", bound=msgspec.Struct)


class JobProcess(ABC, Generic[_A]):
    """A process that does jobs of some `kinds`. `waits` says what it does while there is none."""

    waits: ClassVar[str]

    def __init__(
        self, site: Site, registry: Registry, life: Life, kinds: Sequence[type[_A]]
    ) -> None:
        self.site, self.registry, self.life = site, registry, life
        self._kinds = kinds

    @abstractmethod
    def do(self, taken: Taken[_A]) -> None:
        """Do a job and end it.

        Raises `ArenaError`, which is told to whoever asked, and `LeaseLost`.
        """

    def refuse(self) -> None:
        """Raise `Refusal` if no job may be begun now."""

    def go_on(self, taken: Taken[_A]) -> None:
        """Tell that a job goes on; called now and then, by another thread."""

    def sweep(self) -> None:
        """Remove what nobody needs any more; called every `SWEEP_S` seconds."""

    def next(self) -> bool:
        """Do the next job, if one waits and may be begun; return whether there was one.

        The job is given back if this process is told to end, and if the disk is full or others hold
        a file for too long: nobody's job fails for that. Raises `Refusal` if no job can be taken.
        """
        try:
            self.refuse()
        except Refusal as why:
            self.life.beat(why.what)
            return False
        self.life.beat(self.waits)
        taken = take(self.registry, self._kinds)
        if taken is None:
            return False
        with suppress(LeaseLost):
            try:
                with self._kept(taken):
                    self.do(taken)
            except (ArenaError, OSError) as error:
                if hindrance := hindered(self.site, error):
                    self.life.say(f"{hindrance}, and job {taken.number} waits: {error}", True)
                    rest(self.site, self.life, hindrance)
                    give_back(self.registry, taken)
                elif isinstance(error, ArenaError):
                    decline(self.registry, taken, "; ".join(each.what for each in error.mistakes))
                else:
                    raise
            except KeyboardInterrupt:
                give_back(self.registry, taken)
                raise
        return True

    def run(self) -> NoReturn:
        """Do jobs until this process is told to end."""
        for number in take_back(self.registry, self._kinds):
            self.life.say(f"job {number} was left by a process that died", True)
        looked: object = None
        again = swept = 0.0
        while True:
            version = self.registry.version()
            if version == looked and time.monotonic() < again:
                time.sleep(_LOOK_S)
            else:
                looked, again = version, time.monotonic() + _ANEW_S
                if self.next():
                    looked = None
            if time.monotonic() > swept:
                swept = time.monotonic() + SWEEP_S
                self.sweep()

    @contextmanager
    def _kept(self, taken: Taken[_A]) -> Iterator[None]:
        """Keep the lease of a job while it is done."""
        over = threading.Event()

        def go_on() -> None:
            while not over.wait(_KEEP_S):
                try:
                    keep_lease(self.registry, taken)
                except LeaseLost:
                    return
                except Refusal:  # the registry is busy; the lease lasts for some tries
                    continue
                self.go_on(taken)

        keeper = threading.Thread(target=go_on, daemon=True)
        keeper.start()
        try:
            yield
        finally:
            over.set()
            keeper.join()
