"""A request of the web process: its route, who asks and whether they may, and its values.

Routes describe themselves to programs by OpenAPI.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final, Literal, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

import arena
from arena.base.refusals import Missing, Refusal, Unknown
from arena.people.server import body_of, check_kind, check_origin, cookie_of, language_of, number_in
from arena.site import api
from arena.site.config import Site
from arena.site.pages.templates import PAGE_LANGUAGES
from arena.site.registry.accounts import Account, account_of, account_of_session
from arena.site.web.answers import page
from arena.site.web.reader import address_of
from arena.site.web.web import Web

_T = TypeVar("_T")
_D = TypeVar("_D", int, None)

# The askers of a route: everybody; accounts, by a token or a session; only those with a session.
Who = Literal["all", "account", "session"]

_SAFE: Final = ("GET", "HEAD")

# The account of requests that everybody may make.
_NOBODY: Final = Account(0, "", 0.0, None, "", "")


class RequestContext:
    """A request that is allowed, and who asks.

    `who` is the account, `cookie` that of a browser's session, or "", and `address` where it came
    from.
    """

    def __init__(self, web: Web, request: Request, who: Account) -> None:
        self.web: Web = web
        self.request = request
        self.who = who
        self.cookie: str = cookie_of(request, web.cookie) or ""
        self.address: str = address_of(request, web.site.trusted_proxy)

    def page(
        self,
        template: str,
        values: Mapping[str, object],
        status: int = 200,
        headers: Mapping[str, str] = {},
    ) -> Response:
        """Return a page in the reader's language, for the one who asked alone."""
        made = self.web.templates[language_of(self.request, PAGE_LANGUAGES)].draw(
            template, **values
        )
        return page(made, status, headers)

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def number_part(self, name: str) -> int:
        """Return a number in the path. Raises `Missing` for anything else."""
        found = number_in(self.part(name))
        if found is None:
            raise Missing("there is nothing here")
        return found

    def number(self, name: str, default: _D, least: int, most: int) -> int | _D:
        """Return a number of the query, or the default. Raises `Refusal`."""
        text = self.request.query_params.get(name)
        if text is None:
            return default
        found = number_in(text)
        if found is None or not least <= found <= most:
            raise Refusal(f"{name} must be a number", f"from {least} to {most}")
        return found

    async def json(self, kind: Any) -> Any:
        """Return the body, which must be JSON of a type. Raises `Refusal`."""
        check_kind(self.request, "application/json")
        try:
            return msgspec.json.decode(await body_of(self.request), type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal(str(error)) from None

    async def fields(self) -> list[tuple[str, str]]:
        """Return the fields of a form, in their order. Raises `Refusal`."""
        body = await body_of(self.request)
        if body:
            check_kind(self.request, "application/x-www-form-urlencoded")
        try:
            return parse_qsl(body.decode("ascii"), max_num_fields=20)
        except ValueError:
            raise Refusal("the body is not a form") from None


async def authorize(web: Web, request: Request, who: Who, costs: int = 1) -> RequestContext:
    """Return a request that is allowed. Raises `Refusal` for every other one.

    One of its `costs` was counted for the address when it came.
    """
    if costs > 1:
        web.addresses.take(address_of(request, web.site.trusted_proxy), costs - 1)
    token = _token(request)
    if request.method not in _SAFE:
        check_origin(request, web.origins, unsaid=token is not None and who != "session")
    account = _NOBODY
    if who != "all":
        account = await _account(web, request, token if who == "account" else None)
        web.accounts.take(account.number, costs)
        request.scope["arena.account"] = account.name
    return RequestContext(web, request, account)


# Return the token that a program shows, or None. Raises `Unknown` for what is not a token.
def _token(request: Request) -> str | None:
    said = request.headers.get("authorization")
    if said is None:
        return None
    kind, _, token = said.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Unknown("this is not a token", "Authorization: Bearer TOKEN")
    return token.strip()


# Return the account of a token, or of the browser's session. Raises `Unknown`.
async def _account(web: Web, request: Request, token: str | None) -> Account:
    if token is not None:
        account = await web.registry(lambda registry: account_of(registry, token))
        refused = Unknown("the site does not know this token", "arena login asks for another")
    else:
        cookie = cookie_of(request, web.cookie) or ""
        is_foreign = request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
        account = None
        if cookie and not is_foreign:
            account = await web.registry(lambda registry: account_of_session(registry, cookie))
        how = "arena login URL --browser prints a link to log in"
        refused = Unknown("you are not logged in", how)
    if account is None:
        raise refused
    return account


Handler = Callable[[RequestContext], Awaitable[ASGIApp]]
_H = TypeVar("_H", bound=Handler)
Body = Literal["archive", "json"]

_API: Final = "/api/v1"


class SiteRoute(msgspec.Struct, frozen=True):
    """A request that can be made.

    It counts as `costs` requests; `secrets` are the parts of the path that are not logged. The
    others describe those of programs: `answers` is the struct of a JSON answer, or text/plain.
    """

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    summary: str
    who: Who = "all"
    costs: int = 1
    secrets: tuple[str, ...] = ()
    body: Body | None = None
    takes: Any = None
    query: tuple[str, ...] = ()
    answers: Any = None
    status: int = 200


class Routes(list[SiteRoute]):
    """The requests that the handlers of a module answer.

    Programs, which ask under `/api/v1`, need an account; forms of pages need a session, unless it
    is stated otherwise.
    """

    def get(self, path: str, summary: str, **more: Any) -> Callable[[_H], _H]:
        """Let a handler answer GET requests for a path."""
        who = "account" if path.startswith(_API) else "all"
        return self._add(path, summary, {"method": "GET", "who": who, **more})

    def post(self, path: str, summary: str, **more: Any) -> Callable[[_H], _H]:
        """Let a handler answer POST requests for a path."""
        who = "account" if path.startswith(_API) else "session"
        return self._add(path, summary, {"method": "POST", "who": who, **more})

    def _add(self, path: str, summary: str, more: dict[str, Any]) -> Callable[[_H], _H]:
        def add(handler: _H) -> _H:
            self.append(SiteRoute(path=path, handler=handler, summary=summary, **more))
            return handler

        return add


_TEXT: Final = "text/plain"
_BODIES: Final = {
    "archive": "application/octet-stream",
    "json": "application/json",
}

_SECURITY: Final[dict[Who, list[dict[str, list[str]]]]] = {
    "all": [],
    "account": [{"token": []}, {"session": []}],
    "session": [{"session": []}],
}


def openapi(routes: Iterable[SiteRoute], site: Site) -> dict[str, Any]:
    """Return the document of those of programs, ready to be encoded as JSON."""
    routes = [each for each in routes if each.path.startswith(_API)]
    kinds = [each for ask in routes for each in (ask.answers, ask.takes)]
    known = [each for each in dict.fromkeys(kinds) if each not in (None, _TEXT)]
    schemas, parts = msgspec.json.schema_components(
        [api.Problem, *known], ref_template="#/components/schemas/{name}"
    )
    named = dict(zip([api.Problem, *known], schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for ask in routes:
        path = re.sub(r":\w+}", "}", ask.path)
        paths.setdefault(path, {})[ask.method.lower()] = _operation(ask, named)
    cookie = "__Host-zole" if site.address.startswith("https:") else "zole"
    return {
        "openapi": "3.1.0",
        "info": {"title": site.title, "version": arena.__version__},
        "servers": [{"url": site.address}],
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "zole_…"},
                "session": {"type": "apiKey", "in": "cookie", "name": cookie},
            },
        },
    }


# Return one route: its parameters, its body, its answer, and what all others are.
def _operation(ask: SiteRoute, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    kind = _TEXT if ask.answers == _TEXT else "application/json"
    told = {kind: {"schema": named.get(ask.answers, {})}}
    problem = {"application/json": {"schema": named[api.Problem]}}
    inside = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)", ask.path)
    ]
    asked = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ask.query]
    operation: dict[str, Any] = {
        "summary": ask.summary,
        "security": _SECURITY[ask.who],
        "parameters": inside + asked,
        "responses": {
            str(ask.status): {"description": HTTPStatus(ask.status).phrase, "content": told},
            "default": {"description": "a refusal, with its status", "content": problem},
        },
    }
    if ask.body is not None:
        content = {_BODIES[ask.body]: {"schema": named.get(ask.takes, {})}}
        operation["requestBody"] = {"content": content, "required": True}
    return operation
