"""A route of the web process: what can be asked, by whom, how, and what is answered."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec
from starlette.types import ASGIApp

from arena.site.web.asking import Asking, Who

Handler = Callable[[Asking], Awaitable[ASGIApp]]
Body = Literal["archive", "form", "json"]
Says = Literal["json", "page", "text", "events", "bytes", "redirect"]


class SiteRoute(msgspec.Struct, frozen=True):
    """Something that can be asked.

    `answers` is the struct of a JSON answer, None where that is any JSON. `also` are statuses of
    other answers than `status`, besides refusals. Of `secrets`, parts of the path, none is logged.
    It counts as so many requests as it `costs`, and where it is not `limited` as none.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    summary: str
    who: Who = "all"
    says: Says = "json"
    answers: Any = None
    status: int = 200
    also: tuple[int, ...] = ()
    body: Body | None = None
    takes: Any = None
    query: tuple[str, ...] = ()
    refuses: tuple[int, ...] = ()
    secrets: tuple[str, ...] = ()
    costs: int = 1
    limited: bool = True
