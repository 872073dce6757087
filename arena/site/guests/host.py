"""The host of guests' tables: opens them, seats guests and watchers, and keeps the logs.

Only the web process talks to it.
"""

import gzip
import hashlib
import secrets
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Final, TypeVar, assert_never

import msgspec
import trio

from arena.base.errors import ArenaError
from arena.base.files import write_whole
from arena.base.refusals import Busy, Conflict, Missing, OverQuota, Refusal
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.guests.bots import GuestTerms, benched_bots, guest_terms
from arena.site.guests.play import TableAsked
from arena.site.guests.table import GuestTable, Keys
from arena.site.guests.wire import (
    GUEST_ABSENT_S,
    LONGEST_ASKED,
    MOVE_S,
    DealReviewed,
    End,
    GuestBot,
    GuestTold,
    HintAsked,
    Hinted,
    Lounge,
    OpenTable,
    ReplayAsked,
    ReviewAsked,
    Sit,
    TableChoice,
    TableEnded,
    TableOpened,
    TableRefused,
    TableReplayed,
    Watch,
    ask_in,
    line_of,
    socket_of,
    watch_key,
)

AT_ADDRESS: Final = 2
"""The most tables that one address may have at a time."""

SHOWN_S: Final = 600.0
"""Seconds to show a table that is over."""

_KEPT_S: Final = 30 * 24 * 3600.0
"""Seconds to keep the log and the replay of a table."""

_MOST_KEPT: Final = 1000
"""The most tables whose log and replay are kept; beyond them the oldest go early."""

_KEY_BYTES: Final = 16
_TERMS_S: Final = 5.0
"""Seconds after which the list of bots is read anew."""

_ASKED_S: Final = 5.0
"""Seconds to wait for a question."""

_T = TypeVar("_T")


class _KeptTable(msgspec.Struct, frozen=True):
    """What is kept of a table that is over: as `TableEnded`, and the page that replays it."""

    players: tuple[str, ...]
    seed: str
    log: str
    page: str


class Host:
    """The tables of a site.

    Guests have `move_s` seconds for an answer, and `absent_s` to come back.
    """

    def __init__(
        self,
        site: Site,
        isolation: Isolation,
        move_s: float = MOVE_S,
        absent_s: float = GUEST_ABSENT_S,
    ) -> None:
        self._site = site
        self._isolation = isolation
        self._move_s = move_s
        self._absent_s = absent_s
        self._tables: dict[str, GuestTable] = {}
        """The tables by their guests' keys; those that are over stay for a while."""
        self._unkept: dict[Path, bytes] = {}
        """Logs of tables that are over and could not be written yet."""
        self._terms: tuple[float, GuestTerms] | None = None
        self._reading = trio.Lock()
        self._advising = trio.CapacityLimiter(1)

    @property
    def tables(self) -> int:
        """The number of tables that are being played."""
        return len(self._playing())

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Answer the web process until cancelled."""
        path = socket_of(self._site)
        path.unlink(missing_ok=True)
        with trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM) as listener:
            await listener.bind(str(path))
            path.chmod(0o660)
            listener.listen(64)
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                nursery.start_soon(self._forget)
                nursery.start_soon(
                    trio.serve_listeners, self._meet, [trio.SocketListener(listener)]
                )
                task_status.started()

    async def _meet(self, stream: trio.SocketStream) -> None:
        """Answer one connection. Whatever goes wrong with it disturbs no other."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            line, rest = b"", b""
            with trio.move_on_after(_ASKED_S):
                while b"\n" not in rest and len(rest) <= LONGEST_ASKED:
                    chunk = await stream.receive_some(LONGEST_ASKED)
                    if not chunk:
                        return
                    rest += chunk
            line, found, rest = rest.partition(b"\n")
            try:
                asked = ask_in.decode(line) if found else None
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                asked = None
            if asked is None:
                await stream.send_all(line_of(TableRefused(400, "this question is unknown")))
            elif isinstance(asked, Sit | Watch):
                await self._follow(asked, stream, rest)
            else:
                try:
                    told = await self._answer(asked)
                except Refusal as why:
                    told = TableRefused(why.status, why.what, why.remedy, why.wait_s)
                await stream.send_all(line_of(told))

    async def _follow(self, asked: Sit | Watch, stream: trio.SocketStream, rest: bytes) -> None:
        if isinstance(asked, Sit):
            table = self._tables.get(asked.key)
            if table is not None:
                await table.sit(stream, rest)
        else:
            table = self._watched(asked.key)
            if table is not None:
                await table.watch(stream)

    async def _answer(
        self, asked: Lounge | OpenTable | HintAsked | ReviewAsked | End | ReplayAsked
    ) -> GuestTold:
        """Return the answer to a question. Raises `Refusal`."""
        match asked:
            case Lounge():
                return self._choice(await self._known_terms())
            case OpenTable():
                return self._open(asked, await self._known_terms())
            case HintAsked(key):
                return await self._advise(key, lambda table: Hinted(table.hint()))
            case ReviewAsked(key, deal):
                return await self._advise(key, lambda table: DealReviewed(table.verdicts(deal)))
            case End(key):
                kept = await self._kept(self._tables.get(key), watch_key(key))
                return TableEnded(kept.players, kept.seed, kept.log)
            case ReplayAsked(key):
                kept = await self._kept(self._watched(key), key)
                if not kept.page:
                    raise Missing("this table has no replay", "the arena itself failed over it")
                return TableReplayed(kept.page)
            case _:
                assert_never(asked)

    def _choice(self, terms: GuestTerms) -> TableChoice:
        bots = tuple(
            GuestBot(name, "house" if name in terms.house else copy.bot.author, name in terms.house)
            for name, copy in sorted(terms.copies.items())
        )
        free = max(0, self._site.guests.tables - len(self._playing()))
        return TableChoice(
            bots, terms.rules.players - 1, self._site.guests.deals, self._move_s, free
        )

    def _open(self, asked: OpenTable, terms: GuestTerms) -> TableOpened:
        """Return a new table, or the one that the session has already. Raises `Refusal`."""
        playing = self._playing()
        for table in playing:
            if table.keys.session == asked.session:
                return TableOpened(table.keys.seat, table.keys.watch, table.players, old=True)
        if len(playing) >= self._site.guests.tables:
            raise Busy("all tables are taken", "watch the league meanwhile", 60)
        if sum(table.keys.address == asked.address for table in playing) >= AT_ADDRESS:
            raise OverQuota("your address has as many tables as it may", "finish one", 60)
        seats, bots = terms.rules.players - 1, list(asked.bots)
        if len(bots) > seats or len(set(bots)) < len(bots) or not {*bots} <= terms.copies.keys():
            raise Refusal(f"choose up to {seats} different bots that agree to play guests")
        house = [name for name in terms.house if name not in bots]
        others = [name for name in terms.copies if name not in (*bots, *house)]
        bots += (house + others)[: seats - len(bots)]
        if not bots:
            raise Busy("no bot plays guests now", "try again later", 60)
        while len(bots) < seats:  # a table of five, and too few agree
            bots.append(bots[0])
        seat = secrets.token_urlsafe(_KEY_BYTES)
        taken = {table.number for table in playing}
        table = GuestTable(
            Keys(seat, watch_key(seat), asked.session, asked.address),
            TableAsked(
                site=self._site.title,
                terms=terms,
                bots=tuple(bots),
                deals=self._site.guests.deals,
                isolation=self._isolation,
                number=next(it for it in range(len(taken) + 1) if it not in taken),
                move_s=self._move_s,
                absent_s=self._absent_s,
            ),
        )
        self._tables[table.keys.seat] = table
        self._nursery.start_soon(self._play, table)
        return TableOpened(table.keys.seat, table.keys.watch, table.players)

    async def _play(self, table: GuestTable) -> None:
        """Play a table and keep its log."""
        await table.play()
        played = await table.result()
        if played.why:
            print(f"a guest's table was spoilt: {played.why}", file=sys.stderr, flush=True)
        kept = msgspec.json.encode(await _outcome(table))
        self._unkept[self._file(table.keys.watch)] = gzip.compress(kept)
        self._keep()

    def _keep(self) -> None:
        """Write what is not kept yet; on a full disk they wait for the next time."""
        for path, data in list(self._unkept.items()):
            try:
                write_whole(path, data)
            except OSError as error:
                what = f"the log of a guest's table cannot be kept yet: {error.strerror}"
                print(what, file=sys.stderr, flush=True)
            else:
                del self._unkept[path]

    async def _advise(self, key: str, advice: Callable[[GuestTable], _T]) -> _T:
        """Return advice on a table; one piece is worked out after another. Raises `Refusal`."""
        table = self._tables.get(key)
        if table is None:
            raise _no_table()
        if table.advised:
            raise OverQuota("other advice is still being worked out", "wait for it", 1)
        table.advised = True
        try:
            return await trio.to_thread.run_sync(advice, table, limiter=self._advising)
        finally:
            table.advised = False

    async def _kept(self, table: GuestTable | None, watch: str) -> _KeptTable:
        """Return what is kept of a table, by its watchers' key. Raises `Refusal`."""
        if table is not None:
            if not table.over:
                raise Conflict("the table is not over", "play on, or leave")
            return await _outcome(table)
        path = self._file(watch)
        try:
            data = self._unkept.get(path) or path.read_bytes()
            return msgspec.json.decode(gzip.decompress(data), type=_KeptTable)
        except (OSError, EOFError, zlib.error, msgspec.DecodeError):
            raise _no_table() from None

    def _watched(self, key: str) -> GuestTable | None:
        """Return the table of a watchers' key, None once it is forgotten."""
        known = (each for each in self._tables.values() if each.keys.watch == key)
        return next(known, None)

    def _playing(self) -> list[GuestTable]:
        return [table for table in self._tables.values() if table.played is None]

    def _file(self, watch: str) -> Path:
        """Return the path of what is kept of a table; its name does not give the key away."""
        return _folder(self._site) / f"{hashlib.sha256(watch.encode()).hexdigest()}.json.gz"

    async def _known_terms(self) -> GuestTerms:
        """Return the terms of guests, read anew after some seconds. Raises `Busy`."""
        async with self._reading:
            if self._terms is None or monotonic() - self._terms[0] > _TERMS_S:
                try:
                    found = await trio.to_thread.run_sync(_terms, self._site)
                except ArenaError as error:
                    print(f"no tables for guests: {error}", file=sys.stderr, flush=True)
                    raise Busy("there are no tables now", "try again later", 60) from None
                self._terms = monotonic(), found
            return self._terms[1]

    async def _forget(self) -> None:
        """Forget tables that are long over, and remove old logs, again and again."""
        while True:
            self._keep()
            now = monotonic()
            for key, table in list(self._tables.items()):
                if table.played is not None and now - table.ended_at > SHOWN_S:
                    del self._tables[key]
            kept = sorted((_age(file), file) for file in _folder(self._site).iterdir())
            for number, (age_s, file) in enumerate(kept):
                if age_s > _KEPT_S or number >= _MOST_KEPT:
                    file.unlink(missing_ok=True)
            await trio.sleep(60)


async def _outcome(table: GuestTable) -> _KeptTable:
    """Wait until a table is over, and return what is to be kept of it."""
    played = await table.result()
    return _KeptTable(table.players, played.seed, played.log, played.page)


def _no_table() -> Missing:
    return Missing("there is no such table", "use the address as given")


def _terms(site: Site) -> GuestTerms:
    return guest_terms(site.league, benched_bots(site))


def _age(file: Path) -> float:
    """Return the seconds since a file was written."""
    try:
        return time() - file.stat().st_mtime
    except OSError:
        return 0.0


def _folder(site: Site) -> Path:
    """Return the folder of what is kept of tables that are over, which only the host reads."""
    folder = site.tables / "kept"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
