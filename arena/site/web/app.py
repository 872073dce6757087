"""The application: passes each request to its handler, with its limits, headers, errors and log."""

import asyncio
import re
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from time import monotonic
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.base.refusals import Beginning, Broken, Forbidden, Missing, Refusal, WrongMethod
from arena.people.server import language_of
from arena.site.pages.templates import PAGE_LANGUAGES, site_policy
from arena.site.web.answers import document, page, problem
from arena.site.web.context import SiteRoute, authorize
from arena.site.web.reader import address_of, choice_to_keep, wants_page
from arena.site.web.web import Web

# The headers of every answer, unless it has its own.
HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin",  # with a stricter one, forms for guests' tables have none
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

# The most characters that a path with its query may have.
_LONGEST: Final = 2048

# Matches what may be a token or a code that somebody has put into the wrong place.
_CODE: Final = re.compile(r"[\w-]{40,}")

_OURS: Final = Broken("the site itself failed over this", "the organiser has it in the log")
_METHODS: Final = ("GET", "HEAD", "POST")


class App:
    """The application of a site."""

    def __init__(
        self, web: Web, routes: Sequence[SiteRoute], log: Callable[[bytes], object]
    ) -> None:
        self._web, self._log = web, log
        kept = "max-age=31536000"
        headers = {**HEADERS, **({"strict-transport-security": kept} if web.secure else {})}
        headers["content-security-policy"] = site_policy(web.tables)
        self._headers = {name.encode(): value.encode() for name, value in headers.items()}
        self._routers: dict[str, Router] = {}  # by the first parts of paths: not each in turn
        for path in dict.fromkeys(each.path for each in routes):
            own = {str(each.method): each for each in routes if each.path == path}
            router = self._routers.setdefault(_first(path), Router(redirect_slashes=False))
            router.default = _nothing
            router.routes.append(Route(path, self._endpoint(own), methods=[*own]))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self  # else the router answers a wrong method in its own words
        kept = choice_to_keep(Request(scope)) if scope["query_string"] else None
        sending = _Sending(send, self._headers | ({b"set-cookie": kept.encode()} if kept else {}))
        began = monotonic()
        try:
            await self._answer(scope, receive, sending)
        except ClientDisconnect:
            sending.status = sending.status or 499
            scope["arena.error"] = "cut off"
        finally:
            self._note(scope, sending, monotonic() - began)

    async def _answer(self, scope: Scope, receive: Receive, sending: "_Sending") -> None:
        request = Request(scope, receive)
        told: Refusal | None = None
        try:
            self._check(request)
            await self._routers.get(_first(scope["path"]), _nothing)(scope, receive, sending)
        except HTTPException as wrong:  # the router knows no other
            told = WrongMethod((wrong.headers or {})["Allow"])
        except Refusal as refusal:
            scope["arena.error"] = refusal.what[:200] if refusal.status >= 500 else ""
            told = _OURS if isinstance(refusal, Broken) else refusal  # whose words name files
        except (ClientDisconnect, asyncio.CancelledError):
            raise
        except Exception as error:  # ours: it is logged, and other requests are served
            scope["arena.error"], told = _where(error), _OURS
        if told is not None and not sending.status:
            await self._refused(request, told)(scope, receive, sending)
        elif told is not None:
            scope["arena.abort"]()

    # Raise `Refusal` for a request that no handler should see.
    def _check(self, request: Request) -> None:
        scope = request.scope
        if len(scope["path"]) + len(scope["query_string"]) > _LONGEST:
            raise Refusal("the address is too long")
        scope["arena.address"] = address_of(request, self._web.site.trusted_proxy)
        self._web.addresses.take(scope["arena.address"])
        hosts = request.headers.getlist("host")
        known = len(hosts) == 1 and hosts[0] in self._web.hosts
        if not known and scope["path"] != "/health":  # which monitors ask under any name
            raise Forbidden("unknown Host header", f"use {self._web.site.address}")

    # Return the endpoint that answers requests for a path, by their methods.
    def _endpoint(self, routes: Mapping[str, SiteRoute]) -> Callable[[Request], Awaitable[ASGIApp]]:
        async def answer(request: Request) -> ASGIApp:
            route = routes["GET" if request.method == "HEAD" else request.method]
            request.scope["arena.route"] = route
            return await route.handler(await authorize(self._web, request, route.who, route.costs))

        return answer

    # Return the answer for a refusal: a page to browsers, else JSON.
    def _refused(self, request: Request, refusal: Refusal) -> Response:
        told, status = problem(refusal), refusal.status
        headers: dict[str, str] = {}
        if refusal.wait_s is not None:
            headers["Retry-After"] = str(refusal.wait_s)
        if isinstance(refusal, WrongMethod):
            headers["Allow"] = refusal.allow
        if status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if not wants_page(request):
            return document(told, status, headers)
        draw = self._web.templates[language_of(request, PAGE_LANGUAGES)].draw
        if status == HTTPStatus.UNAUTHORIZED and request.scope["path"].startswith("/me"):
            return page(draw("sign_in.html", here="/me"), status, headers)
        if isinstance(refusal, Beginning):
            return page(draw("waiting.html"), status, {**headers, "Refresh": str(refusal.wait_s)})
        values = {"what": told.error, "remedy": told.remedy, "wait_s": told.wait_s}
        return page(draw("error.html", status=status, **values), status, headers)

    # Write the line of the request, which has no codes, tokens or queries.
    def _note(self, scope: Scope, sending: "_Sending", seconds: float) -> None:
        line = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "method": scope["method"] if scope["method"] in _METHODS else "other",
            "path": self._told_path(scope, scope.get("arena.route")),
            "status": sending.status,
            "bytes": sending.bytes,
            "ms": round(1000 * seconds, 1),
            "address": scope.get("arena.address", ""),
        }
        line |= {key: told for key in ("account", "error") if (told := scope.get(f"arena.{key}"))}
        self._log(msgspec.json.encode(line) + b"\n")

    # Return the path for the log, without what nobody else may know.
    def _told_path(self, scope: Scope, route: SiteRoute | None) -> str:
        if route is None:
            first = _first(scope["path"])
            return f"/{first}/…" if first in self._routers else "/…"
        if not route.secrets:
            return _CODE.sub("…", scope["path"][:200])
        return route.path.format_map({**scope["path_params"], **dict.fromkeys(route.secrets, "…")})


# Sends an answer with the headers that it lacks, and counts its bytes.
class _Sending:
    def __init__(self, send: Send, headers: Mapping[bytes, bytes]) -> None:
        self.status = self.bytes = 0
        self._send, self._default = send, headers

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = {**self._default, **{key.lower(): value for key, value in message["headers"]}}
            if b"set-cookie" in given and given.get(b"cache-control") != b"no-store":
                given[b"cache-control"] = b"private, no-cache"  # the cookie is for one reader alone
            message = {**message, "headers": [*given.items()]}
        self.bytes += len(message.get("body", b""))
        await self._send(message)


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    raise Missing("there is nothing here", "the links of the first page lead on")


# Return the first part of a path.
def _first(path: str) -> str:
    return path.removeprefix("/").partition("/")[0]


# Return what failed and where, without the values that it failed over.
def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    last = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames[-4:]]
    return f"{type(error).__name__} at {' '.join(last)}"


def write_log(line: bytes) -> None:
    """Write a line to the log, which is this process's stderr."""
    sys.stderr.buffer.write(line)
    sys.stderr.buffer.flush()
