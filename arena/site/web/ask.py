"""A route of the web process: a path, who may ask, how, and what is answered."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec
from starlette.types import ASGIApp

from arena.site.web.asking import Asking, Who

Handler = Callable[[Asking], Awaitable[ASGIApp]]
Body = Literal["archive", "form", "json"]
Says = Literal["json", "page", "text", "events", "bytes", "redirect", "sheet"]


class SiteRoute(msgspec.Struct, frozen=True):
    """A request that can be made.

    `answers` is the struct of a JSON answer, None for any JSON. `also` are statuses of other
    answers than `status`, besides refusals. `secrets` are the parts of the path that are not
    logged. It counts as `costs` requests, and as none if it is not `limited`.
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
