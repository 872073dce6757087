"""The parts of the web process that all handlers share: registry, published file, readers."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Final, TypeVar

import msgspec

from arena.base.refusals import Busy, Missing, Refusal
from arena.site.config import Site
from arena.site.processes import UPLOADS
from arena.site.published import Published
from arena.site.registry.accounts import Account
from arena.site.registry.accounts import account as find_account
from arena.site.registry.file import Registry
from arena.site.registry.stops import paused
from arena.site.registry.uploads import queue, upload
from arena.site.web.answers import FinishedAnswer
from arena.site.web.board import FoundTopic, NewsBoard
from arena.site.web.door import Door
from arena.site.web.guests import Guests
from arena.site.web.limits import TOGETHER, Buckets
from arena.site.web.pages import SitePages, page_at

_T = TypeVar("_T")

LOOK_S: Final = 0.5
"""Seconds between looks at whether another process has written."""

_FOR_REGISTRY: Final = 200
_FOR_PUBLISHED: Final = 5000
"""The most questions that may wait for each: few for the registry, which other processes write, and
one of every reader for what is published.
"""


_PACE_S: Final = 5.0
"""The fewest seconds between two news of a page."""

_FETCHES: Final = 200
"""The most readers that news of pages lead to fetch a part in a second, on the average."""

MOST_ANSWERS: Final = 512
"""The most answers that are kept once they are made."""


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


class NewestAnswers(OrderedDict[Hashable, tuple[_T, FinishedAnswer]]):
    """The answers that were set or moved to the end last, each with a sign of its age."""

    def __setitem__(self, name: Hashable, answer: tuple[_T, FinishedAnswer]) -> None:
        super().__setitem__(name, answer)
        self.move_to_end(name)
        if len(self) > MOST_ANSWERS:
            self.popitem(last=False)


class Web:
    """The site as its web process has it."""

    def __init__(self, site: Site, registry: Registry, door: Door) -> None:
        self.site = site
        self.board = NewsBoard(site.readers)
        self.pages = SitePages(site)
        per_minute = site.quotas.requests_a_minute
        self.addresses, self.accounts = Buckets(TOGETHER * per_minute), Buckets(per_minute)
        self.sending: dict[int, int] = {}
        """The number of archives that each account is sending."""
        self.begun = time()
        self.looked_at = monotonic()
        """The moment at which others' files were last looked at, by the monotonic clock."""
        self.version = -1
        """The version that readers were last told of."""
        self._told_pages = -1, 0.0
        """The version that followers of pages were last told of, and when."""
        self._finished: NewestAnswers[object] = NewestAnswers()
        self._first: NewestAnswers[str] = NewestAnswers()
        """The answers that were the first after news, with the mark of these."""
        self._making: dict[Hashable, asyncio.Future[FinishedAnswer]] = {}
        self._registry, self._door = registry, door
        self._path = site.published
        self._published = Published(self._path)
        self._of_registry, self._of_published = OneThread(_FOR_REGISTRY), OneThread(_FOR_PUBLISHED)
        names = {site.address, f"http://{_in_address(site.host)}:{site.port}"}
        if site.host in ("127.0.0.1", "localhost"):
            names |= {f"http://{name}:{site.port}" for name in ("127.0.0.1", "localhost")}
        self.origins = frozenset(names)
        """The site's own origins, such as `https://zole.example`."""
        self.hosts = frozenset(name.partition("://")[2] for name in names)
        self.guests = Guests(door, self.origins)
        self.secure = site.address.startswith("https:")
        self.cookie = "__Host-zole" if self.secure else "zole"

    async def registry(self, do: Callable[[Registry], _T]) -> _T:
        """Return the result of a function of the registry. Raises `Refusal`."""
        return await self._of_registry.ask(lambda: do(self._registry))

    async def finished(
        self, name: Hashable, make: Callable[[Published, FinishedAnswer | None], FinishedAnswer]
    ) -> FinishedAnswer:
        """Return an answer that is made anew only once there is another version. Raises `Refusal`.

        `make` is given the one that was known before, too.
        """
        sign = _sign(self._path)
        seen, known = self._finished.get(name, (None, None))
        if known is None or seen != sign or known.version < self.version:
            known = await self._made_once(name, sign, lambda published: make(published, known))
        self._finished.move_to_end(name)
        return known

    async def first(
        self,
        at: str | None,
        name: Hashable,
        make: Callable[[Published, FinishedAnswer | None], FinishedAnswer],
    ) -> FinishedAnswer:
        """Return an answer as it was first made after news with a mark: all who heard get that.

        Without a mark, it is the first since pages were last told of news.
        """
        told, found = self._first.get(name, ("", None))
        if found is None or at not in (None, told):
            found = await self.finished(name, make)
            self._first[name] = at or "", found
        return found

    @property
    def crowded(self) -> bool:
        """True if so many read that pages are drawn no more often than they are told of news."""
        return self.board.readers > _FETCHES

    async def _made_once(
        self, name: Hashable, sign: object, make: Callable[[Published], FinishedAnswer]
    ) -> FinishedAnswer:
        """Make an answer for all who ask for it meanwhile. Raises `Refusal`."""
        making = self._making.get((name, sign))
        if making is None:
            making = self._making[name, sign] = asyncio.ensure_future(self.published(make))
            making.add_done_callback(lambda _: self._making.pop((name, sign), None))
        found = await asyncio.shield(making)
        self._finished[name] = sign, found
        return found

    async def published(self, do: Callable[[Published], _T]) -> _T:
        """Return the result of a function of the published file. Raises `Refusal`."""
        return await self._of_published.ask(lambda: do(self._published))

    @property
    def without_way(self) -> bool:
        """True if the child that leads to guests' tables has not answered of late."""
        return self._door.late

    async def watch(self) -> None:
        """Tell readers of news, until cancelled."""
        seen = None
        while True:
            with suppress(Refusal):
                if (found := await self.published(Published.version)) != self.version:
                    for name, document in (await self.published(Published.topics)).items():
                        self.board.put(name, document.version, document.data)
                    self.version = found
                await self._tell_of_pages()
                if (state := await self.registry(Registry.version)) != seen:
                    await self._tell_of_registry()
                    seen = state
                self.looked_at = monotonic()
            self.board.fresh = False
            await asyncio.sleep(LOOK_S)
            if self.board.fresh:
                seen = None

    async def _tell_of_pages(self) -> None:
        """Put the marks of pages that are followed on the board, but no faster than at a pace.

        Whoever has come to a page that nobody else follows is told of it at once.
        """
        pace_s = max(_PACE_S, self.board.readers / _FETCHES)
        version, at = self._told_pages
        due = version != self.version and monotonic() - at >= pace_s
        if due:
            self._told_pages = self.version, monotonic()
            self._first.clear()
        topics = [
            each
            for each in self.board.followed()
            if isinstance(each, PageTopic) and (due or self.board.mark(each) is None)
        ]
        if not topics:
            return
        within_s = round(pace_s) - 4
        found = await self.published(
            lambda published: [(each, each.find(self.pages, published)) for each in topics]
        )
        for topic, mark in found:
            news = msgspec.json.encode(PageNews(mark, within_s))
            self.board.put(topic, None, news, mark.encode())

    async def _tell_of_registry(self) -> None:
        """Put the news of the registry on the board, as far as readers follow it."""
        waiting, why = await self.registry(
            lambda registry: (queue(registry), paused(registry, UPLOADS))
        )
        data = {"waiting": waiting, "paused": why is not None}
        self.board.put("queue", None, msgspec.json.encode(data))
        for topic in self.board.followed():
            if isinstance(topic, UploadTopic):
                with suppress(Refusal):
                    found = await self.registry(topic.find)
                    self.board.put(topic, None, found)

    async def without_door(self) -> None:
        """Raise `SystemExit` once the child that leads to guests' tables has ended or hangs."""
        await self._door.ended()
        raise SystemExit("the child that connects to the host of guests' tables is lost")

    def stop(self) -> None:
        """End every stream."""
        self.board.stop()
        self.guests.stop()

    def close(self) -> None:
        """Close the files."""
        self._of_registry.close()
        self._of_published.close()
        self._published.close()
        self._registry.close()
        self._door.close()


class PageNews(msgspec.Struct, frozen=True):
    """The news of a page: its mark, and the seconds over which readers fetch what has changed."""

    mark: str
    within_s: int


class PageTopic(FoundTopic, frozen=True):
    """The topic of a page, by its path."""

    kind = "page"
    path: str

    def find(self, pages: SitePages, published: Published) -> str:
        """Return the mark of the page, "" if there is none at the path (any more)."""
        about = page_at(self.path)
        with suppress(Missing):
            return "" if about is None else pages.mark(about[0], published, about[1])
        return ""


class UploadTopic(FoundTopic, frozen=True):
    """The topic of an upload that its owner follows."""

    kind = "upload"
    account: Account
    id: str

    def find(self, registry: Registry) -> bytes:
        """Return the upload with its steps, as JSON.

        Raises `Missing`, also if the owner was shut out meanwhile.
        """
        if find_account(registry, self.account.name).revoked is not None:
            raise Missing("there is no such upload")
        return msgspec.json.encode(upload(registry, self.account, self.id))


def _sign(path: Path) -> tuple[int, ...] | None:
    """Return what changes with nearly each version of a file, at next to no cost."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
