"""The service of guests' tables: a site of seats as `arena play` has, with a door for everybody.

It has its own port, and holds nothing secret: neither the record nor the registry.
"""

import asyncio
import gzip
import hashlib
import os
import secrets
import socket
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from math import inf
from pathlib import Path
from time import monotonic, time
from typing import Final
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from arena.base.errors import ArenaError
from arena.base.files import write_whole
from arena.base.refusals import Busy, Conflict, Missing, OverQuota, Refusal
from arena.base.words import count
from arena.bots.levels import LEVELS, USUAL
from arena.bots.names import free_name
from arena.engine.builds import Copy, copy_path, install
from arena.engine.job import Job, PersonLink
from arena.engine.workers import Worker, cores, play_job
from arena.league.config import LeagueConfig
from arena.league.schedule import league_deals, new_seed, seat_seeds
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.logged import play_again
from arena.match.projection import public
from arena.match.wire import Limits
from arena.people.advice import deal_of
from arena.people.pages import SeatSite, json_answer, whole_page
from arena.people.seat import PersonSeat
from arena.people.server import body_of, check_kind, check_origin, number_in
from arena.record.export import LogHeader, whole_log
from arena.record.matches import ReplayedMatch, seen
from arena.record.pulled import read_logs
from arena.reports.page import Link, replay_page
from arena.sandbox.box import Program
from arena.sandbox.folders import sweep
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.days import DayResult, Days, GivenDeal, today
from arena.site.documents import STANDINGS, Standings
from arena.site.pages.templates import PAGE_LANGUAGES, POLICY, site_templates, static_files
from arena.site.process import SitePart, SiteProcess, bound
from arena.site.published import Published
from arena.site.web.reader import (
    ADVICE,
    TABLE,
    TOGETHER,
    Buckets,
    address_of,
    choice_to_keep,
    cookie_of,
    language_of,
    wants_page,
)
from arena.tasks.league_request import league_isolation, request_league
from arena.tasks.open_field import EnteredPlayer, house_players, outsiders
from arena.tasks.same_deal import MadeByLevel, by_levels
from arena.zole.deal import Deal

GUEST: Final = "guest"  # the name of a guest at the table
MOVE_S: Final = 300.0  # the seconds that a guest has for an answer
GUEST_ABSENT_S: Final = 300.0  # seconds after which a guest who is away has left
END_S: Final = 60.0  # seconds that the match may continue once its guest has left

_ARRIVE_S: Final = 60.0  # seconds after which a table that nobody has come to is given up
_LONGEST_S: Final = 2 * 3600.0  # seconds that a table may last

# The seconds and the number for which logs of tables are kept.
_KEPT_S: Final = 30 * 24 * 3600.0
_MOST_KEPT: Final = 1000


class GuestTerms(msgspec.Struct, frozen=True):
    """What guests' tables take from the league: its settings, and its bots that agree, by name.

    `home` is the folder of the league's copies of bots. Those of the arena's own come first, under
    people's names, and `levels` has the level of each.
    """

    config: LeagueConfig
    home: Path
    copies: dict[str, Copy]
    levels: dict[str, str]

    def seated(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """The bots at a table: those chosen, then those of the usual level. Raises `Refusal`."""
        seats, bots = self.config.rules.players - 1, list(wanted)
        if len(bots) > seats or not {*bots} <= self.copies.keys():
            raise Refusal(f"choose up to {seats} bots that agree to play guests")
        usual = sorted(self.copies, key=lambda name: self.levels.get(name) != USUAL)
        bots += [name for name in usual if name not in wanted][: seats - len(bots)]
        if not bots:
            raise Busy("no bot plays guests now", "try again later", 60)
        return tuple(bots + bots[:1] * (seats - len(bots)))  # a table of five, and too few agree


def guest_terms(site: Site) -> GuestTerms:
    """The terms of guests, by the league's file, its submissions and what is published.

    Raises `ArenaError`.
    """
    asked = request_league(site.league)
    wanted = outsiders(asked, asked.entries)
    level_of = {level.bot: name for name, level in LEVELS.items()}
    with closing(Published(site.published)) as published:
        found = published.read(STANDINGS, Standings)
    benched = {line.bot for line in found.lines if line.state == "benched"} if found else set()
    agreed: list[tuple[str, EnteredPlayer, str]] = []
    for own, player in house_players({}, wanted, level_of).items():
        level = level_of[Path(player.bot.folder).name]
        names = LEVELS[level].names if own not in benched else ()
        agreed += [(free_name(person, wanted), player, level) for person in names]
    for name, player in sorted(wanted.items()):
        if player.bot.guests and name not in benched:
            agreed.append((name, player, ""))
    copies: dict[str, Copy] = {}
    for name, player, _ in agreed:
        content = player.joined.content
        folder = player.bot.folder or str(copy_path(asked.home, content))
        bot = msgspec.structs.replace(player.bot, name=name, folder=folder)
        copies[name] = Copy(bot, content, asked.config.resources)
    levels = {name: level for name, _, level in agreed if level}
    return GuestTerms(asked.config, asked.home, copies, levels)


class GuestTable(PersonSeat):
    """A guest's seat; once it has `finished`, `log` is the match's, empty if the arena spoilt it.

    `made` are then the guest's stakes, and `day` is what they are worth in the deal of the day.

    `players` are the guest and the bots by seat. `key` opens the seat and `watch`, which does not
    give it away, the watchers' page. `address` is the guest's; `number` distinguishes the table
    from others of the moment.
    """

    def __init__(
        self,
        terms: GuestTerms,
        bots: tuple[str, ...],
        deals: int | GivenDeal,
        number: int,
        address: str,
    ) -> None:
        ours, theirs = socket.socketpair()
        super().__init__(ours, GUEST_ABSENT_S)
        self.players = players_of(bots)
        self.number, self.address = number, address
        self.key = secrets.token_urlsafe(16)
        self.watch = watch_key(self.key)
        self.log = ""
        self.made = 0
        self.day: DayResult | None = None
        self.finished = asyncio.Event()
        self.until = inf  # when the match is broken off
        self.terms, self.deals = terms, deals
        self.bots = tuple(zip(self.players[1:], bots, strict=True))
        self._link = PersonLink(GUEST, theirs)
        self._began = self.present_at

    def leave(self) -> None:
        super().leave()
        self.until = min(self.until, monotonic() + END_S)

    def look(self, now: float) -> None:
        super().look(now)
        late = not self.came and now - self._began > _ARRIVE_S
        if not self.over and (late or now - self._began > _LONGEST_S):
            self.leave()

    async def play(self, threads: Executor) -> None:
        """Play the match to its end, however that comes."""
        listening = asyncio.create_task(self.listen())
        try:
            loop = asyncio.get_running_loop()
            self.log = await loop.run_in_executor(threads, self._played)
        except (ArenaError, MatchVoid, OSError) as error:
            print(f"a guest's table was spoilt: {error}", file=sys.stderr, flush=True)
        finally:
            listening.cancel()
            self.leave()
            self.finished.set()

    def programs(self, isolation: Isolation) -> list[Program]:
        """The bots at the table. Raises `ArenaError`."""
        found = []
        for name, chosen in self.bots:
            copy = self.terms.copies[chosen]
            copy = msgspec.structs.replace(copy, bot=msgspec.structs.replace(copy.bot, name=name))
            found.append(install(copy, self.terms.home, isolation))
        return found

    def levels(self, deal: Deal, number: int) -> tuple[MadeByLevel, ...]:
        """What a bot of each level makes of a deal in the guest's seat. Raises `ArenaError`."""
        config, isolation = self.terms.config, league_isolation(self.terms.config)
        bots = {
            level: install(self.terms.copies[name], self.terms.home, isolation)
            for name, level in reversed(self.terms.levels.items())
        }
        ordered = {level: bots[level] for level in LEVELS if level in bots}
        at = config.rules, config.match_limits, deal, 0
        return tuple(by_levels(*at, self.programs(isolation), ordered, isolation, number))

    # Play the match in its own process; return its log.
    def _played(self) -> str:
        config, lineup = self.terms.config, tuple(sorted(self.players))
        isolation = league_isolation(config)
        worker = Worker(None, self.number, play_job)
        with self._link.end, closing(worker):
            programs = self.programs(isolation)
            rules, limits, seed = config.rules, config.match_limits, new_seed()
            if isinstance(self.deals, GivenDeal):
                session, deals = None, [self.deals.deal]
            else:
                session = self.deals if rules.pools.enabled else None
                deals = league_deals(rules, seed, lineup, 0, self.deals, session)
            plan = MatchPlan(
                rules,
                limits,
                config.max_faults,
                tuple(deals),
                seat_seeds(rules, seed, deals),
                session,
                {0: Limits(MOVE_S, GUEST_ABSENT_S, limits.line_bytes)},
            )
            job = Job(plan, (self._link, *programs), isolation)
            record = worker.call(job, wanted=lambda: monotonic() < self.until)
        self.made = sum(paid[0] for paid in record.results.payments)
        again = msgspec.structs.astuple(play_again(plan, record.log, record.results))
        match = ReplayedMatch(
            *again, league=None, number=1, bots=self.players, first=0, record=record
        )
        return whole_log(match, private=False)


def players_of(bots: tuple[str, ...]) -> tuple[str, ...]:
    """The names at a table: the guest's, and those of the bots, each once."""
    names = [GUEST]
    for bot in bots:
        names.append(free_name(bot, names))
    return tuple(names)


def keep_log(folder: Path, table: GuestTable) -> None:
    """Keep the log of a table, and remove old ones; without room, this is reported."""
    try:
        write_whole(_file(folder, table.watch), gzip.compress(table.log.encode()))
        files = [(file.stat().st_mtime, file) for file in folder.glob("*.gz")]
    except OSError as error:
        what = f"the log of a guest's table cannot be kept: {error.strerror}"
        print(what, file=sys.stderr, flush=True)
        return
    for number, (at, file) in enumerate(sorted(files, reverse=True)):
        if number >= _MOST_KEPT or time() - at > _KEPT_S:
            file.unlink(missing_ok=True)


def kept_log(folder: Path, watch: str) -> tuple[tuple[str, ...], str]:
    """The players and the log of a table with a watchers' key. Raises `Missing`."""
    try:
        log = gzip.decompress(_file(folder, watch).read_bytes()).decode()
        return msgspec.json.decode(log.partition("\n")[0], type=LogHeader).match.bots, log
    except (OSError, EOFError, zlib.error, ValueError):
        raise Missing("there is no such table", "use the address as given") from None


def _file(folder: Path, watch: str) -> Path:  # whose name does not give the key away
    return folder / f"{hashlib.sha256(watch.encode()).hexdigest()}.jsonl.gz"


def watch_key(key: str) -> str:
    """The watchers' key of the table with this seat's key."""
    return urlsafe_b64encode(hashlib.sha256(f"watch {key}".encode()).digest()[:16]).decode()[:22]


AT_ADDRESS: Final = 2  # the most tables of one address, and one while most are taken

_SHOWN_S: Final = 600.0  # seconds to keep a table that is over in memory
_TERMS_S: Final = 5.0  # seconds after which the list of bots is read again
_SPARE_CORES: Final = 3  # with this many cores or more, the tables have their own

_DAY: Final = "zole-day"  # the cookie with the day whose deal a guest has played
_FIELDS: Final = ("bot1", "bot2", "bot3", "bot4")
_PAGE: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
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


class GuestTables(SeatSite[GuestTable]):
    """The tables of a site, by their guests' keys; those that are over stay for a while.

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
        for table in self.seats.values():
            table.leave()
            table.until = 0.0
        super().stop()

    def admit(self, request: Request) -> None:
        method, path = request.method, request.scope["path"]
        costs = TABLE if (method, path) == ("POST", "/tables/") else 1
        costs = ADVICE if path.endswith(("/hint", "/review", "/levels")) else costs
        if path not in self._files:
            self._addresses.take(address_of(request, self.site.trusted_proxy), costs)

    def refused(self, request: Request, refusal: Refusal) -> Response:
        if not wants_page(request):
            return super().refused(request, refusal)
        told = {"what": refusal.what, "remedy": refusal.remedy, "wait_s": refusal.wait_s}
        page = self._draw(request, "error.html", status=refusal.status, **told)
        return Response(page, refusal.status, _PAGE)

    # --- the door ---

    # The page at which a table is asked for; its address may name the bots.
    async def _choose(self, request: Request) -> Response:
        terms, own = await self._known_terms(), self._own(request)
        page = self._draw(
            request,
            "play.html",
            here="/play",
            terms=terms,
            seats=terms.config.rules.players - 1,
            deals=self.site.guests.deals,
            minutes=round(MOVE_S / 60),
            free=len(self._playing()) < self.site.guests.tables,
            own="" if own is None else f"/tables/{own.key}/",
            chosen={name: request.query_params.get(name, "") for name in _FIELDS},
            day=today() if cookie_of(request, _DAY) != today() else "",
        )
        kept = choice_to_keep(request)
        return Response(page, 200, _PAGE | ({"Set-Cookie": kept} if kept else {}))

    # Lead to the seat of a new table, or of the guest's own; a form names the bots.
    async def _open(self, request: Request) -> Response:
        check_origin(request, self.origins, unsaid=False)
        check_kind(request, "application/x-www-form-urlencoded")
        try:
            form = dict(parse_qsl((await body_of(request)).decode("ascii"), max_num_fields=20))
        except ValueError:
            raise Refusal("the body is not a form") from None
        terms = await self._known_terms()
        bots = terms.seated(tuple(form[name] for name in _FIELDS if form.get(name)))
        deals: int | GivenDeal = self.site.guests.deals
        if "day" in form:
            if cookie_of(request, _DAY) == today():
                raise Conflict("you have played the deal of this day", "there is another tomorrow")
            deals = self._days.deal(today(), terms.config.rules, players_of(bots))
        elif before := self.seats.get(form.get("again", "")):
            number = number_in(form.get("deal", ""))
            deals = GivenDeal(deal_of(tuple(before.lines), -1 if number is None else number))
            bots = tuple(chosen for _, chosen in before.bots)
            before.leave()
        address = address_of(request, self.site.trusted_proxy)
        table = self._own(request) or self._opened(terms, bots, deals, address)
        own = f"{self._cookie}={table.key}; Path=/; HttpOnly; SameSite=Strict{self._secure}"
        answer = RedirectResponse(f"/tables/{table.key}/", 303, {"Cache-Control": "no-store"})
        answer.headers.append("Set-Cookie", own)
        if isinstance(table.deals, GivenDeal) and table.deals.day:
            played = f"{_DAY}={table.deals.day}; Path=/; Max-Age=86400; SameSite=Strict"
            answer.headers.append("Set-Cookie", f"{played}{self._secure}")
        return answer

    def _opened(
        self, terms: GuestTerms, bots: tuple[str, ...], deals: int | GivenDeal, address: str
    ) -> GuestTable:
        most, playing = self.site.guests.tables, self._playing()
        if len(playing) >= most:
            raise Busy("all tables are taken", "watch the league meanwhile", 60)
        here = sum(table.address == address for table in playing)
        if here >= (AT_ADDRESS if 2 * len(playing) < most else 1):
            raise OverQuota("your address has as many tables as it may", "finish one", 60)
        taken = {table.number for table in self.seats.values() if not table.finished.is_set()}
        number = next(it for it in range(len(taken) + 1) if it not in taken)
        table = GuestTable(terms, bots, deals, number, address)
        self.seats[table.key] = table
        self.begin(self._play(table))
        return table

    async def _play(self, table: GuestTable) -> None:
        try:
            await table.play(self._threads)
            if table.log:
                keep_log(self._kept, table)
                if isinstance(table.deals, GivenDeal) and table.deals.day:
                    table.day = self._days.add(table.deals.day, table.made)
            await asyncio.sleep(_SHOWN_S)
        finally:
            del self.seats[table.key]

    def _own(self, request: Request) -> GuestTable | None:
        own = self.seats.get(cookie_of(request, self._cookie) or "")
        return None if own is None or own.over else own

    # The tables that are not over; one that is may still be ending its bots.
    def _playing(self) -> list[GuestTable]:
        return [table for table in self.seats.values() if not table.over]

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
        watch = watch_key(request.path_params["token"])
        players, log = await self._table(watch)
        seen_at, log_at = "" if log == "" else f"../watch/{watch}/", "log" if log else ""
        about = {"site": self.site.title, "players": players, "watch": seen_at, "log": log_at}
        table = self.seats.get(request.path_params["token"])
        return json_answer({**about, "day": None if table is None else table.day})

    def played_by_levels(self, seat: GuestTable, deal: Deal) -> tuple[MadeByLevel, ...]:
        return seat.levels(deal, self.site.guests.tables)

    # The log of a table that is over, as `arena replay` reads it.
    async def _log(self, request: Request) -> Response:
        _, log = await self._table(watch_key(request.path_params["token"]))
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
        return next((table for table in self.seats.values() if table.watch == watch), None)

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
        return self._templates[language_of(request)].draw(template, **values)

    # The style, the script or the icon, whose address has a hash of its content.
    async def _static(self, request: Request) -> Response:
        found = self._files.get(request.scope["path"])
        if found is None:
            raise Missing("there is nothing here")
        headers = {"Content-Type": found.kind, "Cache-Control": "max-age=31536000, immutable"}
        return Response(found.content, headers=headers)

    # Lead on to the site, which has all other pages.
    async def _elsewhere(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET" or scope["path"].startswith(("/tables/", "/static/")):
            raise Missing("there is nothing here", "the links of the first page lead on")
        await RedirectResponse(self.site.address + scope["path"], 303)(scope, receive, send)


def _there(log: str) -> str:
    if not log:
        raise Missing("this table has no log", "the arena itself failed over it")
    return log


# The page that replays a log, without the bots' notes for their authors.
def _replay(log: str, site: str) -> bytes:
    [match] = read_logs(log.encode(), "table")
    shown = msgspec.structs.replace(public(seen(match)), league=site, match=None)
    return replay_page(shown, Link(site, "/")).encode()
