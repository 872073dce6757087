"""The service of guests' tables: opens them, seats guests and watchers, keeps the logs.

It has its own port, and holds nothing secret: neither the record nor the registry.
"""

import asyncio
import hashlib
import secrets
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from arena.base.errors import ArenaError
from arena.base.refusals import Busy, Conflict, Missing, OverQuota, Refusal
from arena.people.policy import PLAY_PAGE
from arena.people.seat import PersonSeat
from arena.people.site import OwnAdvice, SeatPages
from arena.people.suggestion import Suggestion
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.tables.bots import GuestTerms, guest_terms
from arena.site.tables.choice import GuestBot, TableChoice
from arena.site.tables.kept import KeptTable, KeptTables
from arena.site.tables.play import TableAsked
from arena.site.tables.table import GuestSeat, GuestTable, Keys
from arena.site.web.front import Front

GUEST_ABSENT_S: Final = 300.0
"""Seconds after which a guest who is away has left."""

MOVE_S: Final = 300.0
"""The seconds that a guest has for an answer."""

AT_ADDRESS: Final = 2
"""The most tables that one address may have at a time, and one while most are taken."""

SHOWN_S: Final = 600.0
"""Seconds to show a table that is over."""

_KEY_BYTES: Final = 16
_TERMS_S: Final = 5.0
"""Seconds after which the list of bots is read anew."""

_FORGET_S: Final = 60.0


class GuestTables(Front):
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
        super().__init__(site, site.tables_address)
        self.seats = SeatPages(self._seat, PLAY_PAGE.read_bytes(), _OneAdvice())
        self.seats.origins = self.origins
        self._isolation = isolation
        self._move_s, self._absent_s = move_s, absent_s
        self._tables: dict[str, GuestTable] = {}
        """The tables by their guests' keys; those that are over stay for a while."""
        self._kept = KeptTables(site.tables / "kept")
        self._terms: tuple[float, GuestTerms] | None = None
        self._reading = asyncio.Lock()
        self._playing = set[asyncio.Task[None]]()

    @property
    def playing(self) -> list[GuestTable]:
        """The tables that are not over; one that is may still be ending its bots."""
        return [table for table in self._tables.values() if not table.seat.over]

    async def choice(self, session: str) -> TableChoice:
        """What a guest may choose from. Raises `Busy`."""
        terms = await self._known_terms()
        others = sorted(terms.copies.keys() - terms.house.keys())
        bots = (
            *(GuestBot(name, "house", level) for name, level in terms.house.items()),
            *(GuestBot(name, terms.copies[name].bot.author) for name in others),
        )
        own, limits = self._of(session), self.site.guests
        return TableChoice(
            bots,
            terms.rules.players - 1,
            limits.deals,
            self._move_s,
            max(0, limits.tables - len(self.playing)),
            "" if own is None else f"/tables/{own.keys.seat}/",
        )

    async def open(
        self, session: str, address: str, wanted: tuple[str, ...]
    ) -> tuple[GuestTable, bool]:
        """A new table, or the one that the session has already; whether it is new.

        Raises `Refusal`.
        """
        terms = await self._known_terms()
        if (own := self._of(session)) is not None:
            return own, False
        most, playing = self.site.guests.tables, self.playing
        if len(playing) >= most:
            raise Busy("all tables are taken", "watch the league meanwhile", 60)
        here = sum(table.keys.address == address for table in playing)
        if here >= (AT_ADDRESS if 2 * len(playing) < most else 1):
            raise OverQuota("your address has as many tables as it may", "finish one", 60)
        seat = secrets.token_urlsafe(_KEY_BYTES)
        taken = {table.number for table in self._tables.values() if table.played is None}
        asked = TableAsked(
            site=self.site.title,
            terms=terms,
            bots=_seated(terms, wanted),
            deals=self.site.guests.deals,
            isolation=self._isolation,
            number=next(it for it in range(len(taken) + 1) if it not in taken),
            move_s=self._move_s,
            absent_s=self._absent_s,
        )
        table = GuestTable(Keys(seat, watch_key(seat), session, address), asked)
        self._tables[seat] = table
        task = asyncio.create_task(self._play(table))
        self._playing.add(task)
        task.add_done_callback(self._playing.discard)
        return table, True

    def table(self, key: str) -> GuestTable | None:
        """The table of a guest's key, None once it is forgotten."""
        return self._tables.get(key)

    def watched(self, watch: str) -> GuestTable | None:
        """The table of a watchers' key, None once it is forgotten."""
        known = (each for each in self._tables.values() if each.keys.watch == watch)
        return next(known, None)

    async def outcome(self, watch: str) -> KeptTable:
        """What is kept of a table that is over, by its watchers' key. Raises `Refusal`."""
        table = self.watched(watch)
        if table is not None and not table.seat.over:
            raise Conflict("the table is not over", "play on, or leave")
        found = self._kept.find(watch) if table is None else await _kept(table)
        if found is None:
            raise Missing("there is no such table", "use the address as given")
        return found

    async def forget(self) -> None:
        """Forget tables that are long over, in memory and on the disk, until cancelled."""
        while True:
            self._kept.sweep()
            now = monotonic()
            for key, table in list(self._tables.items()):
                if table.played is not None and now - table.ended_at > SHOWN_S:
                    del self._tables[key]
            await asyncio.sleep(_FORGET_S)

    def stop(self) -> None:
        """End every stream, and every table."""
        self.seats.stopping = True
        for table in self._tables.values():
            table.seat.leave()
        for task in self._playing:
            task.cancel()

    async def _seat(self, key: str) -> PersonSeat | None:
        table = self.table(key)
        return None if table is None else table.seat

    async def _play(self, table: GuestTable) -> None:
        await table.play()
        kept = await _kept(table)
        if table.played is not None and table.played.why:
            why = table.played.why
            print(f"a guest's table was spoilt: {why}", file=sys.stderr, flush=True)
        self._kept.keep(table.keys.watch, kept)

    def _of(self, session: str) -> GuestTable | None:
        return next((each for each in self.playing if each.keys.session == session), None)

    async def _known_terms(self) -> GuestTerms:
        async with self._reading:
            if self._terms is None or monotonic() - self._terms[0] > _TERMS_S:
                try:
                    found = await asyncio.to_thread(guest_terms, self.site)
                except ArenaError as error:
                    print(f"no tables for guests: {error}", file=sys.stderr, flush=True)
                    raise Busy("there are no tables now", "try again later", 60) from None
                self._terms = monotonic(), found
            return self._terms[1]


def watch_key(seat: str) -> str:
    """The watchers' key of the table with this seat's key, which it does not give away."""
    return urlsafe_b64encode(hashlib.sha256(f"watch {seat}".encode()).digest()[:16]).decode()[:22]


class _OneAdvice(OwnAdvice):
    """Advice for one seat after another, each of which waits for one piece at a time."""

    async def hint(self, seat: PersonSeat) -> Suggestion:
        """Return the answer that a review would give to the open request."""
        with _advised(seat):
            return await super().hint(seat)

    async def verdicts(self, seat: PersonSeat, deal: int) -> object:
        """Return the verdicts on the seat's decisions in a finished deal."""
        with _advised(seat):
            return await super().verdicts(seat, deal)


@contextmanager
def _advised(seat: PersonSeat) -> Iterator[None]:
    assert isinstance(seat, GuestSeat)
    if seat.advised:
        raise OverQuota("other advice is still being worked out", "wait for it", 1)
    seat.advised = True
    try:
        yield
    finally:
        seat.advised = False


def _seated(terms: GuestTerms, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The bots at a table: those that were chosen, then the arena's own. Raises `Refusal`."""
    seats, bots = terms.rules.players - 1, list(wanted)
    if len(bots) > seats or not {*bots} <= terms.copies.keys():
        raise Refusal(f"choose up to {seats} bots that agree to play guests")
    house = [name for name in terms.house if name not in bots]
    others = [name for name in terms.copies if name not in (*bots, *house)]
    bots += (house + others)[: seats - len(bots)]
    if not bots:
        raise Busy("no bot plays guests now", "try again later", 60)
    while len(bots) < seats:  # a table of five, and too few agree
        bots.append(bots[0])
    return tuple(bots)


async def _kept(table: GuestTable) -> KeptTable:
    """Wait until a table is over, and return what is to be kept of it."""
    played = await table.result()
    return KeptTable(table.players, played.seed, played.log, played.page)
