"""The clerk: cuts logs out of the record on request, and does what authors decide."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final, assert_never

from arena.base.errors import ArenaError, Mistake
from arena.base.files import write_whole
from arena.record.export import own_log
from arena.record.matches import ReplayedMatch, stored_matches
from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.config import Site
from arena.site.disk import refuse_if_low
from arena.site.jobs import SWEEP_S, JobProcess
from arena.site.life import Life
from arena.site.registry.accounts import Account
from arena.site.registry.bots import bots
from arena.site.registry.file import Registry
from arena.site.registry.jobs import Taken, answer
from arena.site.registry.requests import (
    CLERK,
    OwnLog,
    Resume,
    Withdraw,
    cut_files,
    forget_requests,
)

KEPT_S: Final = 3600.0
"""Seconds to keep cut files."""

_MOST_BYTES: Final = 512 << 20
"""The bytes that cut files may take; beyond them the oldest go early."""

NOT_TO_BE_SHOWN: Final = "there is no such match to be shown"
"""The answer for matches that do not exist and for those not shown: nobody learns which."""


class Clerk(JobProcess[OwnLog | Withdraw | Resume]):
    """The process that answers requests of authors."""

    waits = "answers requests"

    def __init__(self, site: Site, registry: Registry, life: Life) -> None:
        super().__init__(site, registry, life, CLERK)
        self._record = record_path(site.league)
        self._store: Store | None = None

    def close(self) -> None:
        """Close the record, if it was read."""
        if self._store is not None:
            self._store.close()

    def sweep(self) -> None:
        """Forget old requests, and remove files that no request names."""
        forget_requests(self.registry, KEPT_S)
        files = sorted(self.site.cut.iterdir(), key=lambda path: path.stat().st_mtime)
        room = sum(path.stat().st_size for path in files) - _MOST_BYTES
        if room > 0:
            forget_requests(self.registry, KEPT_S / 12)
        named, old = cut_files(self.registry), time.time() - SWEEP_S
        for path in files:
            if path.name not in named and path.stat().st_mtime < old:
                path.unlink(missing_ok=True)

    def do(self, taken: Taken[OwnLog | Withdraw | Resume]) -> None:
        """Answer a request with a file or in words. Raises `ArenaError`, and `LeaseLost`."""
        file, text = None, ""
        match taken.about:
            case OwnLog(number):
                owner = taken.account
                name = f"log-{number}-{owner.number}.jsonl"
                file = self._cut(name, lambda: self._own(number, owner))
            case Withdraw(bot):
                with closing(Store.write(self._record, own=True)) as record:
                    record.withdraw(bot)
                text = f"{bot} is withdrawn"
            case Resume(bot):
                with closing(Store.write(self._record, own=True)) as record:
                    record.resume(bot)
                text = f"{bot} plays again as soon as the league looks"
            case _:
                assert_never(taken.about)
        answer(self.registry, taken, file, text)

    def _cut(self, name: str, text: Callable[[], str]) -> str:
        """Write a file among those that were cut, and return its name."""
        refuse_if_low(self.site)
        write_whole(self.site.cut / name, text().encode(), 0o640)
        return name

    def _find(self, number: int) -> ReplayedMatch:
        """Return a match of the record, which stays open so that its orders are read only once."""
        if self._store is None:
            self._store = Store.open(self._record, own=True)
        found = next(stored_matches(self._store, number), None)
        if found is None:
            raise ArenaError(Mistake(NOT_TO_BE_SHOWN))
        return found

    def _own(self, number: int, owner: Account) -> str:
        found = self._find(number)
        own = {each.name for each in bots(self.registry, owner)}
        if not own & set(found.bots):
            raise ArenaError(Mistake(NOT_TO_BE_SHOWN))
        return own_log(found, own)


def answer_requests(site: Site, life: Life) -> None:
    """Answer requests until this process is told to end."""
    with (
        closing(Registry.open(site.registry, site.quotas)) as registry,
        closing(Clerk(site, registry, life)) as clerk,
    ):
        clerk.run()
