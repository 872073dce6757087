"""The parts of the web process that all handlers share: registry, published file, readers."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Final, TypeVar

from arena.base.refusals import Busy, Refusal
from arena.site.config import Site
from arena.site.pages.templates import ALL_LANGUAGES, site_templates, static_files
from arena.site.published import Published
from arena.site.registry.file import Registry
from arena.site.web.answers import FinishedAnswer
from arena.site.web.reader import TOGETHER, Buckets

_T = TypeVar("_T")

# Seconds between looks at whether the site's files can be read.
LOOK_S: Final = 2.0


_FOR_REGISTRY: Final = 200
# The most questions that may wait for each: few for the registry, which other processes write, and
# one of every reader for what is published.
_FOR_PUBLISHED: Final = 5000


# The most bytes of answers that are kept once they are made.
_KEPT_BYTES: Final = 64 << 20

# The requests that an answer counts as which is not kept, but must be drawn.
DRAWN: Final = 20


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
    """The answers that were asked for last, each with a sign of its age, bounded by their bytes."""

    def __init__(self, most: int = _KEPT_BYTES) -> None:
        self._kept: OrderedDict[Hashable, tuple[object, FinishedAnswer]] = OrderedDict()
        self._left = most

    def get(self, name: Hashable) -> tuple[object, FinishedAnswer | None]:
        """The sign and the answer of a name, if it is kept."""
        if name not in self._kept:
            return None, None
        self._kept.move_to_end(name)
        return self._kept[name]

    def put(self, name: Hashable, sign: object, answer: FinishedAnswer) -> None:
        """Keep an answer in place of that of its name, and forget the oldest for want of room."""
        if name in self._kept:
            self._left += _size(self._kept.pop(name)[1])
        self._kept[name] = sign, answer
        self._left -= _size(answer)
        while self._left < 0:
            _, (_, oldest) = self._kept.popitem(last=False)
            self._left += _size(oldest)


class Web:
    """The site as its web process has it.

    `origins` are those under which it is asked for, `files` what pages fetch, by their paths.
    `sending` is the number of archives that each account is sending; others' files were last
    looked at `looked_at`, by the monotonic clock.
    """

    def __init__(self, site: Site, registry: Registry) -> None:
        self.site = site
        self.templates = {
            tag: site_templates(site.title, site.address, tag) for tag in ALL_LANGUAGES
        }
        self.files = {each.address: each for each in static_files().values()}
        self.addresses = Buckets(TOGETHER * site.quotas.requests_a_minute)
        self.origins = site.origins(site.address)
        self.hosts = frozenset(name.partition("://")[2] for name in self.origins)
        self.secure = site.address.startswith("https:")
        self.cookie = "__Host-zole" if self.secure else "zole"
        self.accounts = Buckets(site.quotas.requests_a_minute)
        self.sending: dict[int, int] = {}
        self.begun = time()
        self.looked_at = monotonic()
        self._kept = KeptAnswers()
        self._making: dict[Hashable, asyncio.Future[FinishedAnswer]] = {}
        self._registry = registry
        self._path = site.published
        self._published = Published(self._path)
        self._of_registry, self._of_published = OneThread(_FOR_REGISTRY), OneThread(_FOR_PUBLISHED)

    async def registry(self, do: Callable[[Registry], _T]) -> _T:
        """Return the result of a function of the registry. Raises `Refusal`."""
        return await self._of_registry.ask(lambda: do(self._registry))

    async def finished(
        self,
        name: Hashable,
        make: Callable[[Published, FinishedAnswer | None], FinishedAnswer],
        address: str,
    ) -> FinishedAnswer:
        """Return an answer that is made anew only once there is another version. Raises `Refusal`.

        `make` is given the one that was known before, too. One that was not known costs the address
        more than a request.
        """
        sign = _sign(self._path)
        seen, known = self._kept.get(name)
        if known is None:
            self.addresses.take(address, DRAWN)
        if known is None or seen != sign:
            known = await self._made_once(name, sign, lambda published: make(published, known))
        return known

    # Make an answer for all who ask for it meanwhile. Raises `Refusal`.
    async def _made_once(
        self, name: Hashable, sign: object, make: Callable[[Published], FinishedAnswer]
    ) -> FinishedAnswer:
        making = self._making.get((name, sign))
        if making is None:
            making = self._making[name, sign] = asyncio.ensure_future(self.published(make))
            making.add_done_callback(lambda _: self._making.pop((name, sign), None))
        found = await asyncio.shield(making)
        self._kept.put(name, sign, found)
        return found

    async def published(self, do: Callable[[Published], _T]) -> _T:
        """Return the result of a function of the published file. Raises `Refusal`."""
        return await self._of_published.ask(lambda: do(self._published))

    async def watch(self) -> None:
        """Look every now and then at whether the site's files can be read, until cancelled."""
        while True:
            with suppress(Refusal):
                await self.published(Published.version)
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
def _sign(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _size(answer: FinishedAnswer) -> int:
    return len(answer.data) + len(answer.packed or b"")
