"""What a reader wants: a page or data, and the language that was chosen or is preferred."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request

from arena.reports.language import preferred
from arena.site.pages.templates import ALL_LANGUAGES, PAGE_LANGUAGES

VARY: Final = "Accept-Language, Cookie"
"""The headers of a request that the language of a page depends on."""

_COOKIE: Final = "language"
"""The cookie that keeps the choice; pages of tables read it by their script."""

_KEPT_S: Final = 365 * 86400


def language_of(request: Request, among: Sequence[str] = PAGE_LANGUAGES) -> str:
    """Return the language for a reader, of some; the first of them where none is preferred."""
    for tag in (request.query_params.get("lang"), request.cookies.get(_COOKIE)):
        if tag is not None and tag in among:
            return tag
    return preferred(request.headers.get("accept-language", ""), among) or among[0]


def wants_page(request: Request) -> bool:
    """Return whether a refusal is told on a page: a browser asks, and not for data."""
    path = request.scope["path"]
    wants = request.headers.get("accept", "").startswith("text/html")
    return wants and not path.startswith("/api/") and not path.endswith(".json")


def choice_to_keep(request: Request) -> str | None:
    """Return the header `Set-Cookie` that keeps the language an address asks for, if it does."""
    tag = request.query_params.get("lang")
    if tag not in ALL_LANGUAGES or tag == request.cookies.get(_COOKIE):
        return None
    return f"{_COOKIE}={tag}; Path=/; Max-Age={_KEPT_S}; SameSite=Lax"
