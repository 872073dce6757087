"""Handlers of what everybody may ask for: documents, replays, news, the site's health."""

import gzip
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from starlette.responses import Response

from arena.base.refusals import Missing
from arena.people.policy import policy
from arena.reports.page import shared_page
from arena.site.disk import shortage
from arena.site.documents.league import LEAGUE_NAME, LEDGER, match_document_key, replay_key
from arena.site.documents.play import MatchDocument
from arena.site.life import heard_seconds_ago, silent
from arena.site.pages.drawing import PAGE_LANGUAGES
from arena.site.processes import WEB, names_of
from arena.site.published import Document, Published
from arena.site.web.answers import (
    SHARED,
    FinishedAnswer,
    complete_page,
    document,
    finished,
    json_bytes,
    page,
    sent,
    to,
    versioned,
)
from arena.site.web.asking import Asking
from arena.site.web.pages import Page, find
from arena.site.web.reader import VARY, language_of

_LINES: Final = 1000
"""The most lines of the ledger that one answer has."""

_NOT_FOR_ROBOTS: Final = ("/api/", "/join/", "/login/", "/me", "/tables/")
_STALE_S: Final = 10.0


def shown(about: Page) -> Callable[[Asking], Awaitable[Response]]:
    """Return a handler that answers with a page."""

    async def show(asking: Asking) -> Response:
        before = asking.number("before", None, 1, 1 << 50) if about.list else None
        language = language_of(asking.request, about.languages)
        parts = asking.request.path_params
        draw = asking.web.pages.show
        made = await asking.web.finished(
            (about.path, *parts.values(), before, language),
            lambda published, known: draw(about, published, parts, before, language, known),
            asking.address,
        )
        return sent(page(made.data, headers={"Vary": VARY}), made, asking.request.headers)

    return show


def told(about: Page) -> Callable[[Asking], Awaitable[Response]]:
    """Return a handler that answers with a page's document."""

    async def tell(asking: Asking) -> Response:
        before = asking.number("before", None, 1, 1 << 50) if about.list else None
        parts = asking.request.path_params
        made = await asking.web.finished(
            (about.json_path, *parts.values(), before),
            lambda published, known: _document(published, known, about, parts, before, bytes),
            asking.address,
        )
        return sent(json_bytes(made.data), made, asking.request.headers)

    return tell


def tabled(about: Page) -> Callable[[Asking], Awaitable[Response]]:
    """Return a handler that answers with the table of a page's document."""

    async def tell(asking: Asking) -> Response:
        before = asking.number("before", None, 1, 1 << 50) if about.list else None
        parts = asking.request.path_params
        assert about.sheet is not None
        sheet = about.sheet

        def lines(data: bytes) -> bytes:
            return sheet(msgspec.json.decode(data, type=about.document)).encode()

        made = await asking.web.finished(
            (about.csv_path, *parts.values(), before),
            lambda published, known: _document(published, known, about, parts, before, lines),
            asking.address,
        )
        answer = Response(made.data, headers={"Content-Type": "text/csv; charset=utf-8"})
        return sent(answer, made, asking.request.headers)

    return tell


def _document(
    published: Published,
    known: FinishedAnswer | None,
    about: Page,
    parts: Mapping[str, str],
    before: int | None,
    write: Callable[[bytes], bytes],
) -> FinishedAnswer:
    """Return the document of a page as `write` writes it, as it is `known` if it is the same."""
    version = published.version()
    found = find(about, published, parts, before)
    if known is not None and known.mark == str(found.version):
        return msgspec.structs.replace(known, version=version)
    return finished(version, str(found.version), write(found.data))


async def league(asking: Asking) -> Response:
    """Lead to the pages of a league beside the site's own, in the reader's language."""
    name = asking.part("name")
    language = language_of(asking.request, PAGE_LANGUAGES)
    _file_of_league(asking, name, f"{language}/index.html")
    return to(f"/leagues/{name}/{language}/index.html")


async def league_file(asking: Asking) -> Response:
    """Return a page or a table of a league that is shown beside the site's own, as it was made.

    Without the name of a file, lead to its pages.
    """
    if not asking.part("file"):
        return await league(asking)
    path = _file_of_league(asking, asking.part("name"), asking.part("file"))
    try:
        data = await asking.web.published(lambda _: path.read_bytes())
    except OSError:
        raise _NO_LEAGUE from None
    if path.suffix == ".html":
        return complete_page(data, asking.request.headers, SHARED)
    kind = {".csv": "text/csv", ".json": "application/json"}[path.suffix]
    answer = Response(data, headers={"Content-Type": f"{kind}; charset=utf-8"})
    return versioned(answer, asking.request.headers, SHARED)


_NO_LEAGUE: Final = Missing("there is no such league here", "the page about the site lists them")
_LEAGUE_FILE: Final = re.compile(
    r"standings\.(csv|json)|[a-z]{2}/(index\.html|index\.pages/[a-z0-9-]+\.html)"
)


def _file_of_league(asking: Asking, name: str, file: str) -> Path:
    """Return the path of a file; the name is part of an address. Raises `Missing`."""
    if not LEAGUE_NAME.fullmatch(name) or not _LEAGUE_FILE.fullmatch(file):
        raise _NO_LEAGUE
    path = asking.web.site.league_pages / name / file
    if not path.is_file():
        raise _NO_LEAGUE
    return path


async def replay(asking: Asking) -> Response:
    """Show the replay of a match: the same page for all, which fetches what it shows."""
    await _replay_of(asking)
    made = _viewer()
    headers = {"Content-Security-Policy": _viewer_policy(), "X-Frame-Options": "SAMEORIGIN"}
    return sent(page(made.data, headers=headers), made, asking.request.headers)


async def replay_document(asking: Asking) -> Response:
    """Return what the replay of a match shows."""
    found = await _replay_of(asking)
    made = FinishedAnswer(found.version, "", "", gzip.decompress(found.data), found.data)
    return sent(json_bytes(made.data), made, asking.request.headers)


async def _replay_of(asking: Asking) -> Document:
    number = asking.number_part("match")

    def read(published: Published) -> Document:
        found = published.document(replay_key(number))
        if found is not None:
            return found
        match = published.document(match_document_key(number))
        if match is None:
            raise Missing("there is no such match")
        later = msgspec.json.decode(match.data, type=MatchDocument).later
        raise Missing("this match is hidden", f"until the {later} ends")

    return await asking.web.published(read)


@cache
def _viewer() -> FinishedAnswer:
    return finished(0, "", shared_page().encode())


@cache
def _viewer_policy() -> str:
    return policy(_viewer().data, "'self'")


async def to_tables(asking: Asking) -> Response:
    """Lead to guests' tables, with the bots that the address names."""
    query = asking.request.url.query
    return to(f"{asking.web.site.tables_address}/tables/{f'?{query}' if query else ''}")


async def static(asking: Asking) -> Response:
    """Return the style, a script or the icon."""
    found = asking.front.pages.files.get(asking.request.scope["path"])
    if found is None:
        raise Missing("there is nothing here")
    name = found.address.rpartition("/")[2]  # it has a hash of the content
    answer = Response(found.content, headers={"Content-Type": found.kind})
    return versioned(answer, asking.request.headers, "max-age=31536000, immutable", name)


async def ledger(asking: Asking) -> Response:
    """Return lines of the ledger as they are hashed, the oldest first."""
    after = asking.number("after", 0, 0, 1 << 50) or 0
    rows = await asking.web.published(
        lambda published: published.before(LEDGER, after + _LINES + 1, _LINES)
    )
    lines = b"".join(data + b"\n" for number, data in reversed(rows) if number > after)
    answer = Response(lines, headers={"Content-Type": "text/plain; charset=utf-8"})
    return versioned(answer, asking.request.headers, SHARED)


async def robots(asking: Asking) -> Response:
    """Return what crawlers should leave alone."""
    lines = ("User-agent: *", *(f"Disallow: {each}" for each in _NOT_FOR_ROBOTS), "")
    text = "\n".join(lines)
    answer = Response(text, headers={"Content-Type": "text/plain; charset=utf-8"})
    return versioned(answer, asking.request.headers, SHARED)


class Health(msgspec.Struct, frozen=True):
    """The health of a site: whether all is well, and the seconds since each process was heard of.

    `silent` are the processes that have said nothing for two minutes, and since when; `why` is what
    else keeps the site from serving: files that cannot be read, a disk without room.
    """

    ok: bool
    heard_seconds_ago: dict[str, float]
    silent: dict[str, datetime] = {}
    why: str = ""


async def health(asking: Asking) -> Response:
    """Tell whether the site can serve, and all of its processes do their work."""
    web = asking.web
    if monotonic() - web.looked_at > _STALE_S:
        why = "the site's files cannot be read"
    else:
        why = shortage(web.site)
    names = [name for name in names_of(web.site, None) if name != WEB]
    late = {
        name: datetime.fromtimestamp(int(at), UTC)
        for name, at in silent(web.site, names, web.begun).items()
    }
    found = Health(not (why or late), heard_seconds_ago(web.site), late, why)
    return document(found, 200 if found.ok else 503)
