"""Handlers of what everybody may ask for: documents, replays, news, the site's health."""

import gzip
import re
import zlib
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from time import monotonic, time
from typing import Final, Literal

import msgspec
from starlette.responses import Response

from arena.base.refusals import Missing
from arena.people.server import PLAY_PAGE, TABLE_LANGUAGES, VARY, language_of, policy, spoken
from arena.reports.page_parts import shared_page
from arena.site.config import WEB, Site, names_of
from arena.site.disk import shortage
from arena.site.documents import LEAGUE_NAME, LEDGER, MatchDocument
from arena.site.pages.public import PAGES, PageAsk, PublicPage, list_before
from arena.site.pages.templates import PAGE_LANGUAGES
from arena.site.process import silent
from arena.site.published import Published
from arena.site.web.answers import FOREVER, FinishedAnswer, document, finished, shared, to
from arena.site.web.authors import AUTHOR_ROUTES
from arena.site.web.context import Handler, RequestContext, Routes, SiteRoute, openapi

# The most lines of the ledger that one answer has.
_LINES: Final = 1000

_NOT_FOR_ROBOTS: Final = ("/api/", "/join/", "/login/", "/me", "/tables/")
_STALE_S: Final = 10.0
_TEXT: Final = {"Content-Type": "text/plain; charset=utf-8"}


PUBLIC_ROUTES: Final = Routes()
Form = Literal["html", "json", "csv"]

_KINDS: Final[dict[Form, str]] = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}


def answering(about: PublicPage, form: Form) -> Handler:
    """Return a handler that answers with a page, with its subject, or with its table."""

    async def answer(context: RequestContext) -> Response:
        before = context.number("before", None, 1, 1 << 50) if about.is_list else None
        if before is not None:
            newest = await context.web.published(lambda it: it.before(about.key, None, 1))
            before = list_before(newest[0][0] if newest else 0, before)
        parts = context.request.path_params
        language = language_of(context.request, about.languages) if form == "html" else ""

        def make(published: Published) -> FinishedAnswer:
            ask = PageAsk(published, parts, before)
            if form == "html":
                data = about.draw(ask, context.web.templates[language]).encode()
            else:
                data = about.data(ask) if form == "json" else about.table(ask)
            return finished(data)

        name = (about.path, form, *parts.values(), before, language)
        made = await context.web.finished(name, make, context.address)
        headers = {"Content-Type": _KINDS[form], **({"Vary": VARY} if language else {})}
        return shared(made, context.request, headers)

    return answer


def _add(about: PublicPage, form: Form) -> None:
    path = about.path if form == "html" else f"{about.path}.{form}"
    summary = (
        f"{about.summary[:-1]}, as comma-separated values." if form == "csv" else about.summary
    )
    query = ("before",) if about.is_list else ()
    PUBLIC_ROUTES.get(path, summary, query=query)(answering(about, form))


for _page in PAGES:  # before the pages: the name of a bot may not end so
    if _page.key:
        _add(_page, "json")
    if _page.sheet:
        _add(_page, "csv")


@PUBLIC_ROUTES.get("/leagues/{name}", "A league that is shown beside the site's own.")
async def league(context: RequestContext) -> Response:
    """Redirect to the pages of a league other than the site's own, in the reader's language."""
    name = context.part("name")
    language = language_of(context.request, PAGE_LANGUAGES)
    _file_of_league(context, name, f"{language}/index.html")
    return to(f"/leagues/{name}/{language}/index.html")


@PUBLIC_ROUTES.get("/leagues/{name}/{file:path}", "A page of such a league, or its table.")
async def league_file(context: RequestContext) -> Response:
    """Return a page or a table of a league that is shown in addition to the site's own, as it was
    made.

    Without the name of a file, lead to its pages.
    """
    if not context.part("file"):
        return await league(context)
    path = _file_of_league(context, context.part("name"), context.part("file"))
    try:
        made, allowed = await context.web.published(
            lambda _: _league_page(path, path.stat().st_mtime_ns)
        )
    except OSError:
        raise _NO_LEAGUE from None
    forms: dict[str, Form] = {".html": "html", ".csv": "csv", ".json": "json"}
    form = forms[path.suffix]
    headers = {"Content-Type": _KINDS[form]}
    if form == "html":
        headers["Content-Security-Policy"] = allowed
    return shared(made, context.request, headers)


# A page as it was made at a moment, which is hashed and packed once: one may have megabytes.
@lru_cache(16)
def _league_page(path: Path, made: int) -> tuple[FinishedAnswer, str]:
    data = path.read_bytes()
    return finished(data), policy(data)


_NO_LEAGUE: Final = Missing("there is no such league here", "the page about the site lists them")
_LEAGUE_FILE: Final = re.compile(
    r"standings\.(csv|json)|[a-z]{2}/(index\.html|index\.pages/[a-z0-9-]+\.html)"
)


# Return the path of a file; the name is part of an address. Raises `Missing`.
def _file_of_league(context: RequestContext, name: str, file: str) -> Path:
    if not LEAGUE_NAME.fullmatch(name) or not _LEAGUE_FILE.fullmatch(file):
        raise _NO_LEAGUE
    path = context.web.site.league_pages / name / file
    if not path.is_file():
        raise _NO_LEAGUE
    return path


@PUBLIC_ROUTES.get("/matches/{match}/replay", "The replay of a match.")
async def replay_shown(context: RequestContext) -> Response:
    """Show the replay of a match: the same page for all, which fetches what it shows."""
    await _replay_of(context)
    headers = {"Content-Type": _KINDS["html"], "X-Frame-Options": "SAMEORIGIN"}
    headers["Content-Security-Policy"] = _viewer_policy()
    return shared(_viewer(), context.request, headers)


@PUBLIC_ROUTES.get(
    "/matches/{match}/replay.json",
    "What the replay of a match shows.",
)
async def replay_json(context: RequestContext) -> Response:
    """Return what the replay of a match shows."""
    packed = await _replay_of(context)
    made = FinishedAnswer(f"{zlib.crc32(packed):x}", gzip.decompress(packed), packed)
    return shared(made, context.request, {"Content-Type": _KINDS["json"]})


# Return the replay of a match, packed.
async def _replay_of(context: RequestContext) -> bytes:
    number = context.number_part("match")

    def read(published: Published) -> bytes:
        found = published.document(f"replays/{number}")
        if found is not None:
            return found
        match = published.read(f"matches/{number}", MatchDocument)
        if match is None:
            raise Missing("there is no such match")
        raise Missing("this match is hidden", f"until the {match.later} ends")

    return await context.web.published(read)


# An answer that is hashed and packed once, since it never changes.
@lru_cache(32)
def _constant(data: bytes) -> FinishedAnswer:
    return finished(data)


@cache
def _viewer() -> FinishedAnswer:
    return finished(shared_page().encode())


@cache
def _viewer_policy() -> str:
    return policy(_viewer().data, "'self'")


@PUBLIC_ROUTES.get("/play", "The way to guests' tables.")
async def to_tables(context: RequestContext) -> Response:
    """Lead to guests' tables, with the bots that the address names."""
    query = context.request.url.query
    return to(f"{context.web.site.tables_address}/tables/{f'?{query}' if query else ''}")


@PUBLIC_ROUTES.get("/learn", "The guided first deals.")
async def learn(context: RequestContext) -> Response:
    """Show the page of a table, which knows by its path that it is to teach."""
    language = language_of(context.request, TABLE_LANGUAGES)
    site = context.web.site
    made, allowed = _lesson(language, site.tables_address if site.guests.tables else "")
    headers = {"Content-Type": _KINDS["html"], "Content-Security-Policy": allowed, "Vary": VARY}
    return shared(made, context.request, headers)


@cache
def _lesson(language: str, tables: str) -> tuple[FinishedAnswer, str]:
    data = spoken(PLAY_PAGE.read_bytes(), language)
    if not tables:
        return finished(data), policy(data)
    told = f'<meta name="tables" content="{escape(tables)}" />'.encode()
    data = data.replace(b"<title>", told + b"<title>", 1)
    return finished(data), policy(data, forms=tables)


@PUBLIC_ROUTES.get("/static/{name}", "Style, script, fonts.")
async def static(context: RequestContext) -> Response:
    """Return the style, a script or the icon."""
    found = context.web.files.get(context.request.scope["path"])
    if found is None:
        raise Missing("there is nothing here")
    return shared(_constant(found.content), context.request, {"Content-Type": found.kind}, FOREVER)


@PUBLIC_ROUTES.get(
    "/ledger/lines",
    "Lines of the ledger after one, as JSON lines.",
    query=("after",),
)
async def ledger(context: RequestContext) -> Response:
    """Return lines of the ledger as they are hashed, the oldest first."""
    after = context.number("after", 0, 0, 1 << 50)
    rows = await context.web.published(
        lambda published: published.before(LEDGER, after + _LINES + 1, _LINES)
    )
    lines = b"".join(data + b"\n" for number, data in reversed(rows) if number > after)
    return shared(finished(lines), context.request, _TEXT)


@PUBLIC_ROUTES.get("/robots.txt", "What robots should leave alone.")
async def robots(context: RequestContext) -> Response:
    """Return what crawlers should leave alone."""
    lines = ("User-agent: *", *(f"Disallow: {each}" for each in _NOT_FOR_ROBOTS), "")
    return shared(finished("\n".join(lines).encode()), context.request, _TEXT)


class Health(msgspec.Struct, frozen=True):
    """The health of a site: whether all is well, and if not, why in sentences.

    That is processes that have sent nothing for two minutes, files that cannot be read, or a disk
    without room.
    """

    ok: bool
    why: list[str]


@PUBLIC_ROUTES.get(
    "/health",
    "Whether the site can serve, and all of its processes do their work.",
)
async def health(context: RequestContext) -> Response:
    """Answer whether the site can serve, and all of its processes do their work."""
    web, now = context.web, time()
    names = [name for name in names_of(web.site) if name != WEB]
    why = [
        f"{name} has said nothing for {now - at:.0f} s"
        for name, at in silent(web.site, names, web.begun).items()
    ]
    if monotonic() - web.looked_at > _STALE_S:
        why.append("the site's files cannot be read")
    why += filter(None, [shortage(web.site)])
    return document(Health(not why, why), 503 if why else 200)


@PUBLIC_ROUTES.get("/openapi.json", "This description.")
async def description(context: RequestContext) -> Response:
    """Describe what programs may ask for."""
    made = _constant(_description(context.web.site))
    return shared(made, context.request, {"Content-Type": _KINDS["json"]})


def all_routes() -> list[SiteRoute]:
    """Return all requests that the web process answers."""
    return [*AUTHOR_ROUTES, *PUBLIC_ROUTES]


@cache
def _description(site: Site) -> bytes:
    return msgspec.json.encode(openapi(all_routes(), site))


for _page in PAGES:
    _add(_page, "html")
