"""The routes of guests' tables, for their guests and for watchers."""

from typing import Any, Final, Literal

from arena.people.site import HintOn
from arena.site.guests.wire import TableChoice
from arena.site.web import tables
from arena.site.web.ask import Handler, SiteRoute
from arena.site.web.limits import ADVICE, TABLE


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
        "/play",
        tables.choose,
        "The page on which bots are chosen for a table.",
        says="page",
        query=tables.FIELDS,
        refuses=(503,),
    ),
    SiteRoute(
        "GET",
        "/play.json",
        tables.choice,
        "The bots that may be played.",
        answers=TableChoice,
        refuses=(503,),
    ),
    SiteRoute(
        "POST",
        "/tables",
        tables.open_table,
        "Open a table against bots, or return the guest's own.",
        answers=tables.TableAddresses,
        status=201,
        also=(200, 303),
        body="json",
        takes=tables.TableOf,
        costs=TABLE,
        refuses=(408, 413, 415, 422, 503),
    ),
    _table(
        "GET",
        f"{_WATCH}/about",
        tables.about_watched,
        "Players of a guest's table, for those who watch it.",
        answers=tables.AboutTable,
    ),
    _table("GET", f"{_WATCH}/", tables.watch, "A table for those who watch it.", says="page"),
    _table(
        "GET",
        f"{_WATCH}/lines",
        tables.watch_lines,
        "The lines that watchers of a table see.",
        says="events",
    ),
    _table(
        "GET",
        f"{_SEAT}/about",
        tables.about,
        "Players of a guest's table; its seed and log once it is over.",
        answers=tables.AboutTable,
    ),
    _table(
        "GET",
        f"{_SEAT}/log",
        tables.log,
        "The log of a table that is over.",
        says="text",
        refuses=(404, 409, 503),
    ),
    _table("GET", f"{_SEAT}/", tables.seated(lambda it: it.show), "A guest's seat.", says="page"),
    _table(
        "GET",
        f"{_SEAT}/lines",
        tables.seated(lambda it: it.lines),
        "The lines to a guest's seat.",
        says="events",
    ),
    _table(
        "GET",
        f"{_SEAT}/review",
        tables.seated(lambda it: it.review),
        "The verdicts on the guest's decisions in a deal.",
        query=("deal",),
        costs=ADVICE,
        refuses=(403, 404, 422, 501, 503),
    ),
    *(
        _table(
            "POST",
            f"{_SEAT}/{end}",
            tables.seated(endpoint),
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
