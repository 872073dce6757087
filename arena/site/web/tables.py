"""Handlers of guests' tables: the choice of bots, a table of one's own, its seat, its watchers."""

import re
import secrets
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from arena.base.refusals import Conflict, Missing, Refusal
from arena.people.site import SeatPages, stream
from arena.site.guests.wire import (
    End,
    Lounge,
    OpenTable,
    ReplayAsked,
    TableChoice,
    TableEnded,
    TableOpened,
    TableReplayed,
    watch_key,
)
from arena.site.web.answers import OWN, complete_page, document, page, to
from arena.site.web.asking import Asking

MOST_WATCHING: Final = 50
"""The most pages that may watch one table at a time."""

FIELDS: Final = ("bot1", "bot2", "bot3", "bot4")
"""The fields of the form that chooses bots; an empty one leaves the choice to the house."""

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
    made = asking.draw.play(await _choice(asking), chosen)
    return page(made, headers=OWN)


async def choice(asking: Asking) -> Response:
    """Return the bots that may be played."""
    return document(await _choice(asking))


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
    name, session = _cookie(asking), _session(asking)
    if not _SESSION.fullmatch(session):  # it goes back into a header
        session = secrets.token_urlsafe(16)
    asked = OpenTable(_known_as(session), asking.address, bots)
    told = await asking.web.guests.ask(asked, TableOpened)
    seat, watch = f"/tables/{told.seat}/", f"/tables/watch/{told.watch}/"
    secure = "; Secure" if asking.web.secure else ""
    cookie = {"Set-Cookie": f"{name}={session}; Path=/; HttpOnly; SameSite=Strict{secure}"}
    if by_form:
        return to(seat, cookie)
    made = TableAddresses(
        asking.web.site.address + seat, asking.web.site.address + watch, told.players
    )
    return document(made, 200 if told.old else 201, {**cookie, "Location": made.seat})


async def about(asking: Asking) -> Response:
    """Return what a guest may know of the table besides its lines."""
    key, title = asking.part("token"), asking.web.site.title
    seat = await asking.web.guests.seat(key)
    watch = f"../watch/{watch_key(key)}/"
    if seat is not None and seat.standing is not None and not seat.over:
        return document(AboutTable(title, watch, seat.standing.players))
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
    key, guests = asking.part("token"), asking.web.guests
    try:
        replayed = await guests.ask(ReplayAsked(key), TableReplayed)
    except Refusal as why:
        if why.status != Conflict.status:
            raise
        await guests.watched(key)
        return guests.pages.page(asking.request)
    return complete_page(replayed.page.encode(), asking.request.headers)


async def about_watched(asking: Asking) -> Response:
    """Return what a watcher may know of the table besides its lines."""
    found = await asking.web.guests.watched(asking.part("token"))
    assert found.standing is not None
    return document(AboutTable(asking.web.site.title, "", found.standing.players, watching=True))


async def watch_lines(asking: Asking) -> ASGIApp:
    """Stream what watchers may see of a table."""
    guests = asking.web.guests
    found = await guests.watched(asking.part("token"))
    return stream(asking.request, found, MOST_WATCHING, lambda: guests.pages.stopping)


def seated(
    endpoint: Callable[[SeatPages], Callable[[Request], Awaitable[ASGIApp]]],
) -> Callable[[Asking], Awaitable[ASGIApp]]:
    """Return a handler of requests below the address of a seat, as at any person's table."""

    async def answer(asking: Asking) -> ASGIApp:
        return await endpoint(asking.web.guests.pages)(asking.request)

    return answer


async def _choice(asking: Asking) -> TableChoice:
    return await asking.web.guests.ask(Lounge(_known_as(_session(asking))), TableChoice)


def _cookie(asking: Asking) -> str:
    """Return the name of the cookie that stands for a guest's browser."""
    return f"{asking.web.cookie}-guest"


def _session(asking: Asking) -> str:
    """Return what a guest's browser has sent as its cookie, "" for nothing."""
    return asking.request.cookies.get(_cookie(asking), "")


def _known_as(session: str) -> str:
    return sha256(session.encode()).hexdigest()


async def _ended(asking: Asking) -> TableEnded:
    return await asking.web.guests.ask(End(asking.part("token")), TableEnded)
