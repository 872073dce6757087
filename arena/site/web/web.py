"""The parts of the web process that all handlers share: registry, published file, readers."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Final, TypeVar

from arena.base.refusals import Busy, OverQuota, Refusal
from arena.site.config import Site
from arena.site.documents import LEAGUE
from arena.site.pages.templates import (
    ALL_LANGUAGES,
    StaticFile,
    Templates,
    site_templates,
    static_files,
)
from arena.site.published import Published
from arena.site.registry import Registry
from arena.site.web.answers import FinishedAnswer
from arena.site.web.reader import TOGETHER, Buckets

_T = TypeVar("_T")

# Seconds between checks of whether the site's files can be read.
LOOK_S: Final = 2.0


_FOR_REGISTRY: Final = 200
# The most questions that may wait for each: few for the registry, which other processes write, and
# one of every reader for what is published.
_FOR_PUBLISHED: Final = 5000


# The most bytes of answers that are kept once they are made.
_KEPT_BYTES: Final = 64 << 20

# The requests that an answer counts as which is not kept, but must be drawn.
DRAWN: Final = 20

# The pages a minute that are rendered for one address; beyond that it gets older ones.
REDRAWN: Final = 120

# Seconds after which it is asked again whether something was published.
NEWS_S: Final = 2.0


class OneThread:
    """A thread that does one thing after another: SQLite never holds up the event loop."""

    def __init__(self, most: int) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._waiting, self._most = 0, most

    async def ask(self, do: Callable[[], _T]) -> _T:
        """Return the result of a function. Raises what it raises, and `Busy` if too many wait."""
        if self._waiting >= self._most:
            raise Busy("the site is busy", "try again", wait_s=2)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, do)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(cancel_futures=True)


class KeptAnswers:
    """The answers that were asked for last, each of a version, bounded by their bytes."""

    def __init__(self, most: int = _KEPT_BYTES) -> None:
        self._kept: OrderedDict[Hashable, tuple[object, FinishedAnswer]] = OrderedDict()
        self._left = most

    def get(self, name: Hashable) -> tuple[object, FinishedAnswer | None]:
        """The version and the answer of a name, if it is kept."""
        if name not in self._kept:
            return None, None
        self._kept.move_to_end(name)
        return self._kept[name]

    def put(self, name: Hashable, version: object, answer: FinishedAnswer) -> None:
        """Cache an answer under its name; evict the oldest when the cache is full."""
        if name in self._kept:
            self._left += _size(self._kept.pop(name)[1])
        self._kept[name] = version, answer
        self._left -= _size(answer)
        while self._left < 0:
            _, (_, oldest) = self._kept.popitem(last=False)
            self._left += _size(oldest)


class Web:
    """The site as its web process has it.

    `origins` are those under which it is asked for, `tables` is the one of guests' tables if it is
    another, and `files` is what pages fetch, by their paths.
    `sending` are by account the archives that are coming; others' files were last
    looked at `looked_at`, by the monotonic clock.
    """

    def __init__(self, site: Site, registry: Registry) -> None:
        self.site = site
        self.tables: str = "" if site.tables_address == site.address else site.tables_address
        tables = self.tables if site.guests.tables else None
        self.templates: dict[str, Templates] = {
            tag: site_templates(site.title, site.address, tag, tables) for tag in ALL_LANGUAGES
        }
        self.files: dict[str, StaticFile] = {each.address: each for each in static_files().values()}
        self.addresses: Buckets = Buckets(TOGETHER * site.quotas.requests_a_minute)
        self.origins: frozenset[str] = site.origins(site.address)
        self.hosts: frozenset[str] = frozenset(name.partition("://")[2] for name in self.origins)
        self.secure: bool = site.address.startswith("https:")
        self.cookie = "__Host-zole" if self.secure else "zole"
        self.accounts: Buckets = Buckets(site.quotas.requests_a_minute)
        self._redrawn = Buckets(REDRAWN)
        self.sending: Counter[int] = Counter()
        self.begun: float = time()
        self.looked_at: float = monotonic()
        self._kept = KeptAnswers()
        self._making: dict[Hashable, asyncio.Future[FinishedAnswer]] = {}
        self._version: object = None
        self._news_at = 0.0
        self._registry = registry
        self._path = site.published
        self._published = Published(self._path)
        self._of_registry, self._of_published = OneThread(_FOR_REGISTRY), OneThread(_FOR_PUBLISHED)

    async def registry(self, do: Callable[[Registry], _T]) -> _T:
        """Return the result of a function of the registry. Raises `Refusal`."""
        return await self._of_registry.ask(lambda: do(self._registry))

    async def finished(
        self, name: Hashable, make: Callable[[Published], FinishedAnswer], address: str
    ) -> FinishedAnswer:
        """Return an answer, made again if something was published since. Raises `Refusal`.

        That is looked for every `NEWS_S` seconds. An answer that was not known costs the address
        more than a request.
        """
        if monotonic() >= self._news_at:
            self._version, self._news_at = _version(self._path), monotonic() + NEWS_S
        version, known = self._kept.get(name)
        if known is not None and version == self._version:
            return known
        if known is None:
            self.addresses.take(address, DRAWN)
        elif name not in self._making:
            try:
                self._redrawn.take(address)
            except OverQuota:
                return known  # some seconds old
        making = self._making.get(name)
        if making is None:
            making = self._making[name] = asyncio.ensure_future(self._make(name, make))
            making.add_done_callback(lambda _: self._making.pop(name, None))
        return await asyncio.shield(making)

    # Make an answer, for all who ask for it meanwhile.
    async def _make(
        self, name: Hashable, make: Callable[[Published], FinishedAnswer]
    ) -> FinishedAnswer:
        version = self._version
        found = await self.published(make)
        self._kept.put(name, version, found)
        return found

    async def published(self, do: Callable[[Published], _T]) -> _T:
        """Return the result of a function of the published file. Raises `Refusal`."""
        return await self._of_published.ask(lambda: do(self._published))

    async def watch(self) -> None:
        """Check regularly whether the site's files can be read, until cancelled."""
        while True:
            with suppress(Refusal):
                await self.published(lambda published: published.document(LEAGUE))
                await self.registry(Registry.version)
                self.looked_at = monotonic()
            await asyncio.sleep(LOOK_S)

    def close(self) -> None:
        """Close the files."""
        self._of_registry.close()
        self._of_published.close()
        self._published.close()
        self._registry.close()


# Return what changes with nearly each version of a file, at next to no cost.
def _version(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _size(answer: FinishedAnswer) -> int:
    return len(answer.data) + len(answer.packed or b"")
