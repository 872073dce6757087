"""The service of guests' tables: a site of seats as `arena play` has, with a door for everybody.

It has its own port, and holds nothing secret: neither the record nor the registry.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Final
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from arena.base.errors import ArenaError
from arena.base.refusals import Busy, Conflict, Missing, Refusal
from arena.base.words import count
from arena.engine.workers import cores
from arena.match.log import YES_NO
from arena.match.projection import public
from arena.people.advice import advises, deal_of
from arena.people.pages import SeatSite, json_answer, whole_page
from arena.people.server import body_of, check_kind, check_origin, cookie_of, language_of, number_in
from arena.record.matches import seen
from arena.record.pulled import read_logs
from arena.reports.page import Link, replay_page
from arena.sandbox.folders import sweep
from arena.site.config import Site
from arena.site.days import Days, GivenDeal, today
from arena.site.guest_table import (
    MOVE_S,
    GuestSeat,
    GuestTable,
    GuestTerms,
    guest_terms,
    keep_log,
    kept_log,
    people_of,
    players_of,
    watch_key,
)
from arena.site.pages.templates import PAGE_LANGUAGES, site_policy, site_templates, static_files
from arena.site.process import SitePart, SiteProcess, bound
from arena.site.web.answers import FOREVER, finished, shared
from arena.site.web.reader import (
    ADVICE,
    TABLE,
    TOGETHER,
    Buckets,
    address_of,
    choice_to_keep,
    wants_page,
)
from arena.tasks.same_deal import MadeByLevel
from arena.zole.deal import Deal

_SHOWN_S: Final = 600.0  # seconds to keep a table that is over in memory
_TERMS_S: Final = 5.0  # seconds after which the list of bots is read again
_SPARE_CORES: Final = 3  # with this many cores or more, the tables have their own

_DAY: Final = "zole-day"  # the cookie with the day whose deal a guest has played
_FIELDS: Final = ("bot1", "bot2", "bot3", "bot4")
_PAGE: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": site_policy(),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without one, browsers call the origin of our form "null"
}


def serve_tables(process: SiteProcess) -> None:
    """Serve the tables of a site until this process is asked to stop. Raises `ArenaError`."""
    os.umask(0o027)
    sweep()
    have = cores()
    if len(have) >= _SPARE_CORES:
        os.sched_setaffinity(0, have[-1:])
    asyncio.run(GuestTables(process.site, SitePart(process, "tables").beat).run())


class GuestTables(SeatSite[GuestSeat]):
    """The seats at the tables of a site, by their keys; those that are over stay for a while.

    `beat` is called with what is done.
    """

    def __init__(self, site: Site, beat: Callable[[str], object] = lambda doing: None) -> None:
        origin = site.tables_address
        routes = [
            Route("/tables/", self._choose),
            Route("/tables/", self._open, methods=["POST"]),
            Route("/tables/watch/{token}/", self._watch),
            Route("/tables/watch/{token}/about", self._about_watched),
            Route("/tables/watch/{token}/lines", self._watch_lines),
            Route("/tables/{token}/about", self._about),
            Route("/tables/{token}/log", self._log),
            Route("/static/{name}", self._static),
        ]
        super().__init__(site.origins(origin), "/tables", routes)
        self._router.default = self._elsewhere
        self.site = site
        self._secure = "; Secure" if origin.startswith("https:") else ""
        self._cookie = f"{'__Host-' if self._secure else ''}zole-table"
        self._files = {each.address: each for each in static_files().values()}
        self._templates = {
            tag: site_templates(site.title, site.address, tag) for tag in PAGE_LANGUAGES
        }
        self._addresses = Buckets(TOGETHER * site.quotas.requests_a_minute)
        self._kept = site.tables / "kept"
        self._kept.mkdir(0o700, parents=True, exist_ok=True)
        self._days = Days(site.tables / "days")
        self._threads = ThreadPoolExecutor(2 * site.guests.tables + 1)
        self._terms: tuple[float, GuestTerms] | None = None
        self._reading = asyncio.Lock()
        self._beat = beat

    async def run(self) -> None:
        with bound(self.site, self.site.tables_at) as listener, self._threads:
            await self.serve(listener)

    def looked(self) -> None:
        self._beat(f"hosts {count(len(self._playing()), 'table')}")

    def stop(self) -> None:
        for table in self._tables():
            table.end()
            table.until = 0.0
        super().stop()

    def admit(self, request: Request) -> None:
        method, path = request.method, request.scope["path"]
        gets_advice = path.endswith(("/hint", "/review", "/levels"))
        costs = TABLE if (method, path) == ("POST", "/tables/") else ADVICE if gets_advice else 1
        if path not in self._files:
            self._addresses.take(address_of(request, self.site.trusted_proxy), costs)

    def refused(self, request: Request, refusal: Refusal) -> Response:
        if not wants_page(request):
            return super().refused(request, refusal)
        page = self._draw(
            request,
            "error.html",
            status=refusal.status,
            what=refusal.what,
            remedy=refusal.remedy,
            wait_s=refusal.wait_s,
        )
        return Response(page, refusal.status, _PAGE)

    # --- the door ---

    # The page at which a table is asked for; its address may name the bots, or their level.
    async def _choose(self, request: Request) -> Response:
        terms, own = await self._known_terms(), self._own(request)
        usual = terms.of_level(request.query_params.get("level", ""))
        chosen = dict.fromkeys(_FIELDS, "") | dict(zip(_FIELDS, usual, strict=False))
        page = self._draw(
            request,
            "play.html",
            here="/play",
            terms=terms,
            seats=terms.config.rules.players - 1,
            deals=self.site.guests.deals,
            minutes=round(MOVE_S / 60),
            advises=YES_NO[advises()],
            free=self._to_end(address_of(request, self.site.trusted_proxy), own) is not None,
            full=YES_NO[len(self._playing()) >= self.site.guests.tables],
            own=own,
            chosen={name: request.query_params.get(name, bot) for name, bot in chosen.items()},
            named=request.query_params.get(_FIELDS[0], ""),
            day=today() if cookie_of(request, _DAY) != today() else "",
        )
        kept = choice_to_keep(request)
        return Response(page, 200, _PAGE | ({"Set-Cookie": kept} if kept else {}))

    # Lead to the seat of a new table, or of the guest's own; a form names the bots, or their level.
    async def _open(self, request: Request) -> Response:
        check_origin(request, self.origins, unsaid=False, beside=(self.site.address,))
        check_kind(request, "application/x-www-form-urlencoded")
        try:
            form = dict(parse_qsl((await body_of(request)).decode("ascii"), max_num_fields=20))
        except ValueError:
            raise Refusal("the body is not a form") from None
        terms = await self._known_terms()
        people = people_of(form)
        named = [form[name] for name in _FIELDS if form.get(name)]
        level = terms.of_level(form.get("level", ""))[: terms.config.rules.players - 1]
        bots = terms.seated(tuple(named or level), len(people))
        deals: int | GivenDeal = self.site.guests.deals
        own, before = self._own(request), self.seats.get(form.get("again", ""))
        if "day" in form:
            has_played = cookie_of(request, _DAY) == today()
            if wants_page(request) and (has_played or (own and own.friends)):
                return RedirectResponse("/tables/", 303)  # which says so
            if has_played:
                raise Conflict("you have played the deal of this day", "there is another tomorrow")
            deals = self._days.deal(today(), terms.config.rules, players_of(people, bots))
        elif before is not None:  # whose match waits
            number, table = number_in(form.get("deal", "")), before.table
            deals = GivenDeal(deal_of(tuple(before.lines), -1 if number is None else number))
            people = tuple(seat.name for seat in table.people)
            bots = tuple(chosen for _, chosen in table.bots)
        address = address_of(request, self.site.trusted_proxy)
        if own is None or isinstance(deals, GivenDeal):
            waits = own or (before.waits or before if before else None)
            ending = self._to_end(address, waits)
            if ending is None and wants_page(request):
                return RedirectResponse("/tables/", 303)  # which says so
            if ending is None:
                raise Busy(
                    "all tables are taken, or your address has its share of them",
                    "finish a match or leave it, or watch the league meanwhile",
                    60,
                )
            for left in ending:
                left.end()
            table = self._opened(GuestTable(terms, people, bots, deals, self._number(), address))
            table.waits = waits
        else:
            table = own
        if (old := self.seats.get(form.get("after", ""))) is not None and old is old.table:
            old.table.after = table
        answer = RedirectResponse(f"/tables/{table.key}/", 303, {"Cache-Control": "no-store"})
        if own in (None, table):
            kept = f"{self._cookie}={table.key}; Path=/; HttpOnly; SameSite=Strict{self._secure}"
            answer.headers.append("Set-Cookie", kept)
        if isinstance(table.deals, GivenDeal) and table.deals.day:
            played = f"{_DAY}={table.deals.day}; Path=/; Max-Age=86400; SameSite=Strict"
            answer.headers.append("Set-Cookie", f"{played}{self._secure}")
        return answer

    # Return what must end so that an address may have one more table; None if it may not. More
    # tables must be free than it has, but for a match that `waits`. Those that everybody has left
    # end for it where that helps.
    def _to_end(self, address: str, waits: GuestSeat | None) -> list[GuestTable] | None:
        playing, waiting = self._playing(), waits and waits.table
        here = [table for table in playing if table.address == address and table is not waiting]
        deserted = [table for table in here if table.is_deserted]
        for ending in ([], deserted):
            if self.site.guests.tables - len(playing) + len(ending) > len(here) - len(ending):
                return ending
        return None

    def _opened(self, table: GuestTable) -> GuestTable:
        self.seats |= {seat.key: seat for seat in table.people}
        self.begin(self._play(table))
        return table

    # A number for a table that no other of the moment has.
    def _number(self) -> int:
        taken = {table.number for table in self._tables() if not table.finished.is_set()}
        return next(it for it in range(len(taken) + 1) if it not in taken)

    async def _play(self, table: GuestTable) -> None:
        try:
            await table.play(self._threads)
            if table.log:
                keep_log(self._kept, table)
                if isinstance(table.deals, GivenDeal) and table.deals.day:
                    table.day = self._days.add(table.deals.day, *table.made)
            await asyncio.sleep(_SHOWN_S)
        finally:
            for seat in table.people:
                del self.seats[seat.key]

    def _own(self, request: Request) -> GuestTable | None:
        own = self.seats.get(cookie_of(request, self._cookie) or "")
        return own if isinstance(own, GuestTable) and not (own.over or own.away) else None

    # The tables that are not over; one that is may still be ending its bots.
    def _playing(self) -> list[GuestTable]:
        return [table for table in self._tables() if not table.over]

    def _tables(self) -> list[GuestTable]:
        return [seat for seat in self.seats.values() if isinstance(seat, GuestTable)]

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

    # --- a table, under way and over ---

    async def _about(self, request: Request) -> Response:
        seat = self.seats.get(request.path_params["token"])
        watch = self._watch_key(request)
        players, log = await self._table(watch)
        seen_at, log_at = "" if log == "" else f"../watch/{watch}/", "log" if log else ""
        about = {"site": self.site.title, "players": players, "watch": seen_at, "log": log_at}
        if seat is None:
            return json_answer(about)
        invited = [
            {"name": friend.name, "address": f"../{friend.key}/"}
            for friend in seat.table.friends
            if seat is seat.table and not (friend.came or friend.over)
        ]
        deals, waits = seat.table.deals, seat.waits
        own = {
            "seat": seat.seat,
            "people": len(seat.table.people),
            "deals": 1 if isinstance(deals, GivenDeal) else deals,
            "of_day": isinstance(deals, GivenDeal) and deals.day != "",
            "retried": isinstance(deals, GivenDeal) and deals.day == "",
            "waits": "" if waits is None or waits.over else f"../{waits.key}/",
            "day": seat.table.day,
            "invited": invited,
            "again": seat.again,
            "levels": [seat.table.terms.levels.get(bot, "") for _, bot in seat.table.bots],
            "advises": advises(),
        }
        return json_answer({**about, **own})

    def played_by_levels(self, seat: GuestSeat, deal: Deal) -> tuple[MadeByLevel, ...]:
        return seat.table.levels(deal, self.site.guests.tables)

    # The watchers' key of the table that a request names by a seat's.
    def _watch_key(self, request: Request) -> str:
        seat = self.seats.get(request.path_params["token"])
        return watch_key(request.path_params["token"]) if seat is None else seat.table.watch

    # The log of a table that is over, as `arena replay` reads it.
    async def _log(self, request: Request) -> Response:
        _, log = await self._table(self._watch_key(request))
        if log is None:
            raise Conflict("the table is not over", "play on, or leave")
        named = {"Content-Disposition": 'attachment; filename="table.jsonl"'}
        return Response(_there(log), 200, {**named, "Cache-Control": "no-store"}, "text/plain")

    # The page of watchers, or the replay of a table that is over.
    async def _watch(self, request: Request) -> Response:
        _, log = await self._table(request.path_params["token"])
        if log is None:
            return whole_page(request, self.page)
        page = await asyncio.to_thread(_replay, _there(log), self.site.title)
        return whole_page(request, page)

    async def _about_watched(self, request: Request) -> Response:
        players, _ = await self._table(request.path_params["token"])
        return json_answer({"site": self.site.title, "players": players, "watching": True})

    async def _watch_lines(self, request: Request) -> Response:
        table = self._watched(request.path_params["token"])
        if table is None:
            raise Missing("there is no such table", "use the address as given")
        return self.stream(request, table, watching=True)

    def _watched(self, watch: str) -> GuestTable | None:
        return next((table for table in self._tables() if table.watch == watch), None)

    # The players and the log of a table, by its watchers' key; None before it is over, and an
    # empty log if the arena spoilt it. Raises `Missing`.
    async def _table(self, watch: str) -> tuple[tuple[str, ...], str | None]:
        table = self._watched(watch)
        if table is None:
            return kept_log(self._kept, watch)
        if not table.over:
            return table.players, None
        await table.finished.wait()
        return table.players, table.log

    # --- the service itself ---

    def _draw(self, request: Request, template: str, **values: object) -> str:
        return self._templates[language_of(request, PAGE_LANGUAGES)].draw(template, **values)

    # The style, the script or the icon, whose address has a hash of its content.
    async def _static(self, request: Request) -> Response:
        found = self._files.get(request.scope["path"])
        if found is None:
            raise Missing("there is nothing here")
        return shared(finished(found.content), request, {"Content-Type": found.kind}, FOREVER)

    # Lead on to the site, which has all other pages.
    async def _elsewhere(self, scope: Scope, receive: Receive, send: Send) -> None:
        own = ("/tables/", "/static/", "/robots.txt")  # robots do not follow to another host
        if scope["method"] != "GET" or scope["path"].startswith(own):
            raise Missing("there is nothing here", "the links of the first page lead on")
        await RedirectResponse(self.site.address + scope["path"], 303)(scope, receive, send)


def _there(log: str) -> str:
    if not log:
        raise Missing("this table has no log", "the arena itself failed over it")
    return log


# The page that replays a log, without the bots' notes for their authors.
def _replay(log: str, site: str) -> bytes:
    [match] = read_logs(log.encode(), "table")
    shown = msgspec.structs.replace(public(seen(match)), league=None, match=None)
    return replay_page(shown, Link(site, "/")).encode()
