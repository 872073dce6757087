"""Wraps every request: its limits, its headers, its errors, its line in the log."""

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
from arena.site.pages.files import POLICY
from arena.site.web.answers import OWN, document, page, problem
from arena.site.web.ask import SiteRoute
from arena.site.web.asking import asking
from arena.site.web.limits import address_of
from arena.site.web.reader import choice_to_keep, language_of, wants_page
from arena.site.web.web import Web

HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""The headers of every answer, unless it has its own.

If the site itself got no referrer, browsers would call the origin of its own forms "null".
"""

_ONLY_HTTPS: Final = {"Strict-Transport-Security": "max-age=31536000"}

_LONGEST: Final = 2048
"""The most characters that a path with its query may have."""

Endpoint = Callable[[Request], Awaitable[ASGIApp]]


class LogLine(msgspec.Struct, omit_defaults=True):
    """A line of the log, which has no codes, tokens or queries."""

    at: str
    method: str
    path: str
    status: int
    bytes: int
    ms: float
    address: str
    account: str = ""
    error: str = ""


class Frame:
    """The application: passes every request to its handler."""

    def __init__(
        self, web: Web, log: Callable[[bytes], object], routes: Sequence[SiteRoute]
    ) -> None:
        self._web, self._log = web, log
        headers = {**HEADERS, **(_ONLY_HTTPS if web.secure else {})}
        self._headers = {name.lower().encode(): value.encode() for name, value in headers.items()}
        self._unlimited = frozenset(_first(each.path) for each in routes if not each.limited)
        self._routers: dict[str, Router] = {}
        """The routes by the first part of their paths: there are too many to try each in turn."""
        for path in dict.fromkeys(each.path for each in routes):
            asks: dict[str, SiteRoute] = {each.method: each for each in routes if each.path == path}
            router = self._routers.setdefault(_first(path), Router(redirect_slashes=False))
            router.default = _nothing
            router.routes.append(Route(path, self._endpoint(asks), methods=[*asks]))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        scope["app"] = self  # else the router answers a wrong method in its own words
        kept = choice_to_keep(Request(scope)) if scope["query_string"] else None
        cookie = {b"set-cookie": kept.encode()} if kept else {}
        sending = _Sending(send, self._headers | cookie)
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
        try:
            self._check(request)
            try:
                await self._routers.get(_first(scope["path"]), _nothing)(scope, receive, sending)
            except HTTPException as wrong:  # the router knows no other
                raise WrongMethod((wrong.headers or {})["Allow"]) from None
        except Refusal as refusal:
            scope["arena.error"] = f"{refusal.what}"[:200] if refusal.status >= 500 else ""
            if not sending.status:
                told = _OURS if isinstance(refusal, Broken) else refusal  # whose words name files
                await self._refused(request, told)(scope, receive, sending)
        except (ClientDisconnect, asyncio.CancelledError):
            raise
        except Exception as error:  # ours: it is told in the log, and the others are served
            scope["arena.error"] = _where(error)
            if sending.status:
                scope["arena.abort"]()
                return
            await self._refused(request, _OURS)(scope, receive, sending)

    def _check(self, request: Request) -> None:
        """Raise `Refusal` for a request that no handler should see."""
        scope = request.scope
        if len(scope["path"]) + len(scope["query_string"]) > _LONGEST:
            raise Refusal("the address is too long")
        scope["arena.address"] = address_of(request, self._web.site.trusted_proxy)
        if _first(scope["path"]) not in self._unlimited:
            self._web.addresses.take(scope["arena.address"])
            hosts = request.headers.getlist("host")
            if len(hosts) != 1 or hosts[0] not in self._web.hosts:
                raise Forbidden("this is not the name of this site", self._web.site.address)

    def _endpoint(self, asks: Mapping[str, SiteRoute]) -> Endpoint:
        """Return the endpoint that answers requests for a path, by their methods."""

        async def answer(request: Request) -> ASGIApp:
            ask = asks["GET" if request.method == "HEAD" else request.method]
            request.scope["arena.route"] = ask
            return await ask.handler(await asking(self._web, request, ask.who, ask.costs))

        return answer

    def _refused(self, request: Request, refusal: Refusal) -> Response:
        """Return the answer that tells a refusal: a page to browsers, else JSON."""
        headers = dict(OWN)
        if refusal.wait_s is not None:
            headers["Retry-After"] = str(refusal.wait_s)
        if isinstance(refusal, WrongMethod):
            headers["Allow"] = refusal.allow
        if refusal.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        told = problem(refusal)
        if wants_page(request):
            draw = self._web.templates[language_of(request)].draw
            if refusal.status == HTTPStatus.UNAUTHORIZED and request.scope["path"].startswith(
                "/me"
            ):
                return page(draw("sign_in.html", here="/me"), refusal.status, headers)
            if isinstance(refusal, Beginning):
                headers["Refresh"] = str(refusal.wait_s)
                return page(draw("waiting.html"), refusal.status, headers)
            made = draw(
                "error.html",
                status=refusal.status,
                what=told.error,
                remedy=told.remedy,
                wait_s=told.wait_s,
            )
            return page(made, refusal.status, headers)
        return document(told, refusal.status, headers)

    def _note(self, scope: Scope, sending: "_Sending", seconds: float) -> None:
        """Write the line of the request."""
        line = LogLine(
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            method=scope["method"] if scope["method"] in _METHODS else "other",
            path=self._told_path(scope, scope.get("arena.route")),
            status=sending.status,
            bytes=sending.bytes,
            ms=round(1000 * seconds, 1),
            address=scope.get("arena.address", ""),
            account=scope.get("arena.account", ""),
            error=scope.get("arena.error", ""),
        )
        self._log(msgspec.json.encode(line) + b"\n")

    def _told_path(self, scope: Scope, ask: SiteRoute | None) -> str:
        """Return the path for the log, without what nobody else may know."""
        if ask is None:
            first = _first(scope["path"])
            return f"/{first}/…" if first in self._routers else "/…"
        if not ask.secrets:
            return _CODE.sub("…", scope["path"][:200])
        return ask.path.format_map({**scope["path_params"], **dict.fromkeys(ask.secrets, "…")})


def _first(path: str) -> str:
    """Return the first part of a path."""
    return path.removeprefix("/").partition("/")[0]


_CODE: Final = re.compile(r"[\w-]{40,}")
"""Matches what may be a token or a code that somebody has put into the wrong place."""

_OURS: Final = Broken("the site itself failed over this", "the organiser has it in the log")
_METHODS: Final = ("GET", "HEAD", "POST")


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    raise Missing("there is nothing here", "the links of the first page lead on")


class _Sending:
    """Sends an answer, and counts it."""

    def __init__(self, send: Send, headers: Mapping[bytes, bytes]) -> None:
        self.status = 0
        self.bytes = 0
        self._send, self._default = send, headers

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = {key.lower(): value for key, value in message.get("headers", ())}
            given = {**self._default, **given}
            if b"set-cookie" in given and given.get(b"cache-control") != b"no-store":
                given[b"cache-control"] = b"private, no-cache"  # the cookie is for one reader alone
            message = {**message, "headers": [*given.items()]}
        self.bytes += len(message.get("body", b""))
        await self._send(message)


def _where(error: BaseException) -> str:
    """Return what failed and where, without the values that it failed over."""
    frames = traceback.extract_tb(error.__traceback__)
    last = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames[-4:]]
    return f"{type(error).__name__} at {' '.join(last)}"


def write_log(line: bytes) -> None:
    """Write a line to the log, which is this process's stderr."""
    sys.stderr.buffer.write(line)
    sys.stderr.buffer.flush()
