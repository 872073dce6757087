"""The host of guests' tables: opens them, seats guests and watchers, and keeps the logs.

Only the web process talks to it.
"""

import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final, TypeVar, assert_never

import msgspec
import trio

from arena.base.errors import ArenaError
from arena.base.refusals import Busy, Conflict, Missing, OverQuota, Refusal
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.guests.bots import GuestTerms, benched_bots, guest_terms
from arena.site.guests.kept import KeptTable, KeptTables
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

_KEY_BYTES: Final = 16
_TERMS_S: Final = 5.0
"""Seconds after which the list of bots is read anew."""

_ASKED_S: Final = 5.0
"""Seconds to wait for a question."""

_T = TypeVar("_T")


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
        self._archive = KeptTables(site.tables / "kept")
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
            case Lounge(session):
                return self._choice(session, await self._known_terms())
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

    def _choice(self, session: str, terms: GuestTerms) -> TableChoice:
        others = sorted(terms.copies.keys() - terms.house.keys())
        bots = (
            *(GuestBot(name, "house", level) for name, level in terms.house.items()),
            *(GuestBot(name, terms.copies[name].bot.author) for name in others),
        )
        playing, own = self._playing(), self._of(session)
        return TableChoice(
            bots,
            terms.rules.players - 1,
            self._site.guests.deals,
            self._move_s,
            max(0, self._site.guests.tables - len(playing)),
            "" if own is None else f"/tables/{own.keys.seat}/",
        )

    def _open(self, asked: OpenTable, terms: GuestTerms) -> TableOpened:
        """Return a new table, or the one that the session has already. Raises `Refusal`."""
        playing, own = self._playing(), self._of(asked.session)
        if own is not None:
            return TableOpened(own.keys.seat, own.keys.watch, own.players, old=True)
        if len(playing) >= self._site.guests.tables:
            raise Busy("all tables are taken", "watch the league meanwhile", 60)
        if sum(table.keys.address == asked.address for table in playing) >= AT_ADDRESS:
            raise OverQuota("your address has as many tables as it may", "finish one", 60)
        seats, bots = terms.rules.players - 1, list(asked.bots)
        if len(bots) > seats or not {*bots} <= terms.copies.keys():
            raise Refusal(f"choose up to {seats} bots that agree to play guests")
        house = [name for name in terms.house if name not in bots]
        others = [name for name in terms.copies if name not in (*bots, *house)]
        bots += (house + others)[: seats - len(bots)]
        if not bots:
            raise Busy("no bot plays guests now", "try again later", 60)
        while len(bots) < seats:  # a table of five, and too few agree
            bots.append(bots[0])
        seat = secrets.token_urlsafe(_KEY_BYTES)
        taken = {table.number for table in self._tables.values() if table.played is None}
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
        self._archive.keep(table.keys.watch, await _outcome(table))

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

    async def _kept(self, table: GuestTable | None, watch: str) -> KeptTable:
        """Return what is kept of a table, by its watchers' key. Raises `Refusal`."""
        if table is not None:
            if not table.over:
                raise Conflict("the table is not over", "play on, or leave")
            return await _outcome(table)
        found = self._archive.find(watch)
        if found is None:
            raise _no_table()
        return found

    def _watched(self, key: str) -> GuestTable | None:
        """Return the table of a watchers' key, None once it is forgotten."""
        known = (each for each in self._tables.values() if each.keys.watch == key)
        return next(known, None)

    def _of(self, session: str) -> GuestTable | None:
        """Return the table that a session has and that is not over."""
        return next((it for it in self._playing() if it.keys.session == session), None)

    def _playing(self) -> list[GuestTable]:
        """Return the tables that are not over; one that is may still be ending its bots."""
        return [table for table in self._tables.values() if not table.over]

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
        """Forget tables that are long over, in memory and on the disk, again and again."""
        while True:
            self._archive.sweep()
            now = monotonic()
            for key, table in list(self._tables.items()):
                if table.played is not None and now - table.ended_at > SHOWN_S:
                    del self._tables[key]
            await trio.sleep(60)


async def _outcome(table: GuestTable) -> KeptTable:
    """Wait until a table is over, and return what is to be kept of it."""
    played = await table.result()
    return KeptTable(table.players, played.seed, played.log, played.page)


def _no_table() -> Missing:
    return Missing("there is no such table", "use the address as given")


def _terms(site: Site) -> GuestTerms:
    return guest_terms(site.league, benched_bots(site))
