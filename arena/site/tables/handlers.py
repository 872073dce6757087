"""Guests' tables over HTTP: the choice of bots, a table of one's own, its seat, its watchers."""

import re
import secrets
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from arena.base.refusals import Missing
from arena.people.site import HintOn, SeatPages, stream
from arena.site.tables.choice import TableChoice
from arena.site.tables.kept import KeptTable
from arena.site.tables.service import GuestTables, watch_key
from arena.site.tables.table import GuestTable
from arena.site.web.answers import OWN, complete_page, document, to
from arena.site.web.ask import Handler, SiteRoute
from arena.site.web.asking import Asking
from arena.site.web.limits import ADVICE, TABLE
from arena.site.web.public import static

MOST_WATCHING: Final = 50
"""The most pages that may watch one table at a time."""

FIELDS: Final = ("bot1", "bot2", "bot3", "bot4")
"""The fields of the form that chooses bots; for an empty one the arena chooses."""

_SESSION: Final = re.compile(r"[\w-]{22}", re.ASCII)
"""The form of the cookie of a guest's browser."""


class TableOf(msgspec.Struct, frozen=True):
    """The bots that one would play; if they are too few, the arena's own sit down too."""

    bots: tuple[str, ...] = ()


class TableAddresses(msgspec.Struct, frozen=True):
    """A guest's table: the address of its seat, that for watchers, and the players by seat.

    Whoever has the first can play the seat.
    """

    seat: str
    watch: str
    players: tuple[str, ...]


class AboutTable(msgspec.Struct, frozen=True):
    """The facts that a guest may know of a table besides its lines; `site` is the site's title.

    At the address `watch` others follow the table, and see it replayed once it is over. `seed` and
    `log` are there from then on. `log` is the address of the log; it and `watch` are empty if the
    arena spoilt the match.
    """

    site: str
    watch: str
    players: tuple[str, ...]
    seed: str = ""
    log: str = ""
    watching: bool = False


async def choose(asking: Asking) -> Response:
    """Show the page at which a table is asked for; its address may say which bots."""
    wanted = asking.request.query_params
    chosen = {name: wanted.get(name, "") for name in FIELDS}
    choice = await _tables(asking).choice(_known_as(_session(asking)))
    return asking.page("play.html", {"here": "/play", "choice": choice, "chosen": chosen})


async def tell_choice(asking: Asking) -> Response:
    """Return the bots that may be played."""
    return document(await _tables(asking).choice(_known_as(_session(asking))))


async def open_table(asking: Asking) -> Response:
    """Open a table, or find the guest's own.

    A page is led to its seat, a program is told the addresses.
    """
    kind = asking.request.headers.get("content-type", "").partition(";")[0].strip().lower()
    by_form = kind == "application/x-www-form-urlencoded"
    if by_form:
        form = await asking.form()
        bots = tuple(form[name] for name in FIELDS if form.get(name))
    else:
        bots = (await asking.json(TableOf)).bots
    tables, session = _tables(asking), _session(asking)
    if not _SESSION.fullmatch(session):  # it goes back into a header
        session = secrets.token_urlsafe(16)
    table, new = await tables.open(_known_as(session), asking.address, bots)
    seat, watch = f"/tables/{table.keys.seat}/", f"/tables/watch/{table.keys.watch}/"
    secure = "; Secure" if tables.secure else ""
    name = f"{tables.cookie}-guest"
    cookie = {"Set-Cookie": f"{name}={session}; Path=/; HttpOnly; SameSite=Strict{secure}"}
    if by_form:
        return to(seat, cookie)
    origin = tables.site.tables_address
    made = TableAddresses(origin + seat, origin + watch, table.players)
    return document(made, 201 if new else 200, {**cookie, "Location": made.seat})


async def about(asking: Asking) -> Response:
    """Return what a guest may know of the table besides its lines."""
    key, title = asking.part("token"), asking.front.site.title
    table = _tables(asking).table(key)
    watch = f"../watch/{watch_key(key)}/"
    if table is not None and not table.seat.over:
        return document(AboutTable(title, watch, table.players))
    ended = await _ended(asking)
    if not ended.log:
        return document(AboutTable(title, "", ended.players, ended.seed))
    return document(AboutTable(title, watch, ended.players, ended.seed, "log"))


async def log(asking: Asking) -> Response:
    """Return the log of a table that is over, as `arena replay` reads it."""
    ended = await _ended(asking)
    if not ended.log:
        raise Missing("this table has no log", "the arena itself failed over it")
    headers = {
        **OWN,
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": 'attachment; filename="table.jsonl"',
    }
    return Response(ended.log.encode(), headers=headers)


async def watch(asking: Asking) -> Response:
    """Show the page of watchers, or the replay of a table that is over."""
    tables, key = _tables(asking), asking.part("token")
    table = tables.watched(key)
    if table is not None and not table.seat.over:
        return tables.seats.page(asking.request)
    kept = await tables.outcome(key)
    if not kept.page:
        raise Missing("this table has no replay", "the arena itself failed over it")
    return complete_page(kept.page.encode(), asking.request.headers)


async def about_watched(asking: Asking) -> Response:
    """Return what a watcher may know of the table besides its lines."""
    players = _watched(asking).players
    return document(AboutTable(asking.front.site.title, "", players, watching=True))


async def watch_lines(asking: Asking) -> ASGIApp:
    """Stream what watchers may see of a table."""
    seats, table = _tables(asking).seats, _watched(asking)
    return stream(asking.request, table.seat.watched, MOST_WATCHING, lambda: seats.stopping)


def seated(
    endpoint: Callable[[SeatPages], Callable[[Request], Awaitable[ASGIApp]]],
) -> Callable[[Asking], Awaitable[ASGIApp]]:
    """Return a handler of requests below the address of a seat, as at any person's table."""

    async def answer(asking: Asking) -> ASGIApp:
        return await endpoint(_tables(asking).seats)(asking.request)

    return answer


def _tables(asking: Asking) -> GuestTables:
    assert isinstance(asking.front, GuestTables)
    return asking.front


def _session(asking: Asking) -> str:
    """Return what a guest's browser has sent as its cookie, "" for nothing."""
    return asking.request.cookies.get(f"{asking.front.cookie}-guest", "")


def _known_as(session: str) -> str:
    return sha256(session.encode()).hexdigest()


def _watched(asking: Asking) -> GuestTable:
    found = _tables(asking).watched(asking.part("token"))
    if found is None:
        raise Missing("there is no such table", "use the address as given")
    return found


async def _ended(asking: Asking) -> KeptTable:
    return await _tables(asking).outcome(watch_key(asking.part("token")))


def _table(
    method: Literal["GET", "POST"], path: str, handler: Handler, summary: str, **more: Any
) -> SiteRoute:
    given: dict[str, Any] = {"refuses": (404, 503), "secrets": ("token",), **more}
    return SiteRoute(method, f"/tables/{path}", handler, summary, **given)


_WATCH: Final = "watch/{token}"
_SEAT: Final = "{token}"

TABLE_ROUTES: Final = (
    SiteRoute(
        "GET",
        "/tables/",
        choose,
        "The page on which bots are chosen for a table.",
        query=FIELDS,
        refuses=(503,),
    ),
    SiteRoute(
        "GET",
        "/tables/choice.json",
        tell_choice,
        "The bots that may be played.",
        answers=TableChoice,
        refuses=(503,),
    ),
    SiteRoute(
        "POST",
        "/tables/",
        open_table,
        "A table against bots.",
        answers=TableAddresses,
        status=201,
        also=(200, 303),
        body="json",
        takes=TableOf,
        costs=TABLE,
        refuses=(403, 408, 413, 415, 422, 503),
    ),
    SiteRoute(
        "GET",
        "/static/{name}",
        static,
        "Style, script, fonts.",
        refuses=(404,),
        limited=False,
    ),
    _table("GET", f"{_WATCH}/", watch, "A table for watchers.", refuses=(404, 503)),
    _table(
        "GET",
        f"{_WATCH}/about",
        about_watched,
        "Players of a table, for watchers.",
        answers=AboutTable,
    ),
    _table(
        "GET",
        f"{_WATCH}/lines",
        watch_lines,
        "The lines that watchers of a table see.",
        streams=True,
    ),
    _table(
        "GET",
        f"{_SEAT}/about",
        about,
        "Players of a guest's table; its seed and log once it is over.",
        answers=AboutTable,
    ),
    _table(
        "GET",
        f"{_SEAT}/log",
        log,
        "The log of a table that is over.",
        refuses=(404, 409, 503),
    ),
    _table("GET", f"{_SEAT}/", seated(lambda it: it.show), "A guest's seat."),
    _table(
        "GET",
        f"{_SEAT}/lines",
        seated(lambda it: it.lines),
        "The lines to a guest's seat.",
        streams=True,
    ),
    _table(
        "GET",
        f"{_SEAT}/review",
        seated(lambda it: it.review),
        "The verdicts on the guest's decisions in a deal.",
        query=("deal",),
        costs=ADVICE,
        refuses=(403, 404, 422, 501, 503),
    ),
    *(
        _table(
            "POST",
            f"{_SEAT}/{end}",
            seated(endpoint),
            summary,
            status=status,
            body="json",
            takes=takes,
            costs=costs,
            refuses=(403, 404, 408, 409, 413, 415, 422, 501, 503),
        )
        for end, endpoint, summary, status, takes, costs in (
            ("answer", lambda it: it.answer, "An answer, as a bot gives it.", 204, None, 1),
            ("hint", lambda it: it.hint, "The answer of a review.", 200, HintOn, ADVICE),
            ("leave", lambda it: it.leave, "Leave the table.", 204, None, 1),
        )
    ),
)
"""All requests that the service answers; other paths are the site's."""
