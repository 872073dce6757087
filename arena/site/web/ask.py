"""A route of the web process: a path, who may ask, how, and what is answered."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, TypeVar

import msgspec
from starlette.types import ASGIApp

from arena.site.web.asking import Asking, Who

Handler = Callable[[Asking], Awaitable[ASGIApp]]
_H = TypeVar("_H", bound=Handler)
Body = Literal["archive", "form", "json"]

_API: Final = "/api/v1"


class SiteRoute(msgspec.Struct, frozen=True):
    """A request that can be made.

    It counts as `costs` requests, and as none if it is not `limited`; `secrets` are the parts of
    the path that are not logged. The others describe it
    for programs: `answers` is the struct of a JSON answer, or the type of another one; `also` are
    statuses of other answers than `status`, besides refusals.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    summary: str
    who: Who = "all"
    costs: int = 1
    limited: bool = True
    secrets: tuple[str, ...] = ()
    body: Body | None = None
    takes: Any = None
    query: tuple[str, ...] = ()
    answers: Any = None
    status: int = 200
    also: tuple[int, ...] = ()
    refuses: tuple[int, ...] = ()


class Routes(list[SiteRoute]):
    """The requests that the handlers of a module answer."""

    def get(self, path: str, summary: str, **more: Any) -> Callable[[_H], _H]:
        """Let a handler answer GET requests for a path."""
        return self._add("GET", path, summary, more)

    def form(self, path: str, summary: str, **more: Any) -> Callable[[_H], _H]:
        """Let a handler answer the form of a page, by default only within a session."""
        return self._add("POST", path, summary, {"who": "session", "body": "form", **more})

    def api_get(self, path: str, summary: str, **more: Any) -> Callable[[_H], _H]:
        """Let a handler answer GET requests of programs that may read."""
        return self._add("GET", _API + path, summary, {"who": "read", **more})

    def api_post(self, path: str, summary: str, **more: Any) -> Callable[[_H], _H]:
        """Let a handler answer POST requests of programs that may submit."""
        return self._add("POST", _API + path, summary, {"who": "submit", **more})

    def _add(
        self, method: Literal["GET", "POST"], path: str, summary: str, more: dict[str, Any]
    ) -> Callable[[_H], _H]:
        def add(handler: _H) -> _H:
            self.append(SiteRoute(method, path, handler, summary, **more))
            return handler

        return add
