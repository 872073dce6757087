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
from arena.base.refusals import Forbidden, Missing, Refusal, Unknown
from arena.people.server import body_of, check_kind, check_origin, number_in
from arena.site import api
from arena.site.config import Site
from arena.site.registry.accounts import Account, Scope, account_of, account_of_session
from arena.site.registry.file import Registry
from arena.site.web.answers import page
from arena.site.web.reader import address_of, language_of
from arena.site.web.web import Web

_T = TypeVar("_T")

# The askers of a route: everybody; those with a token of a scope or a session; only with a session.
Who = Literal["all", "read", "submit", "session"]

_SAFE: Final = ("GET", "HEAD")


class Asking:
    """A request that is allowed, and the account it comes from."""

    def __init__(self, web: Web, request: Request, account: Account | None) -> None:
        self.web, self.request, self.account = web, request, account

    @property
    def who(self) -> Account:
        """The account, for requests that only accounts may make."""
        assert self.account is not None
        return self.account

    @property
    def cookie(self) -> str | None:
        """The cookie of the browser's session."""
        return self.request.cookies.get(self.web.cookie)

    def page(
        self,
        template: str,
        values: Mapping[str, object],
        status: int = 200,
        headers: Mapping[str, str] = {},
    ) -> Response:
        """Return a page in the reader's language, for the one who asked alone."""
        made = self.web.templates[language_of(self.request)].draw(template, **values)
        return page(made, status, headers)

    @property
    def address(self) -> str:
        """The address from which the request came."""
        return address_of(self.request, self.web.site.trusted_proxy)

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def number_part(self, name: str) -> int:
        """Return a number in the path. Raises `Missing` for anything else."""
        found = number_in(self.part(name))
        if found is None:
            raise Missing("there is nothing here")
        return found

    def number(self, name: str, default: int | None, least: int, most: int) -> int | None:
        """Return a number of the query, or the default. Raises `Refusal`."""
        text = self.request.query_params.get(name)
        if text is None:
            return default
        found = number_in(text)
        if found is None:
            raise Refusal(f"{name} must be a number", f"from {least} to {most}")
        if not least <= found <= most:
            raise Refusal(f"{name} is out of range", f"from {least} to {most}")
        return found

    async def json(self, kind: type[_T]) -> _T:
        """Return the body, which must be JSON. Raises `Refusal`."""
        check_kind(self.request, "application/json")
        try:
            return msgspec.json.decode(await body_of(self.request), type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal(str(error)) from None

    async def form(self) -> dict[str, str]:
        """Return the fields of a form by name. Raises `Refusal`."""
        return dict(await self.fields())

    async def fields(self) -> list[tuple[str, str]]:
        """Return the fields of a form, in their order. Raises `Refusal`."""
        body = await body_of(self.request)
        if body:
            check_kind(self.request, "application/x-www-form-urlencoded")
        try:
            return parse_qsl(body.decode("ascii"), max_num_fields=20)
        except ValueError:
            raise Refusal("the body is not a form") from None


async def asking(web: Web, request: Request, who: Who, costs: int = 1) -> Asking:
    """Return a request that is allowed. Raises `Refusal` for every other one.

    One of its `costs` was counted for the address when it came.
    """
    if costs > 1:
        web.addresses.take(address_of(request, web.site.trusted_proxy), costs - 1)
    token = _token(request)
    if request.method not in _SAFE:
        check_origin(request, web.origins, unsaid=token is not None and who != "session")
    account = None
    if who != "all":
        scope: Scope = "submit" if who == "submit" else "read"
        if token is not None and who != "session":
            account = await web.registry(lambda registry: _by_token(registry, token, scope))
        else:
            account = await _by_session(web, request)
        web.accounts.take(account.number, costs)
        request.scope["arena.account"] = account.name
    return Asking(web, request, account)


# Return the token that a program shows, or None. Raises `Unknown` for what is not a token.
def _token(request: Request) -> str | None:
    said = request.headers.get("authorization")
    if said is None:
        return None
    kind, _, token = said.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Unknown("this is not a token", "Authorization: Bearer TOKEN")
    return token.strip()


def _by_token(registry: Registry, token: str, scope: Scope) -> Account:
    account = account_of(registry, token, scope)
    if account is None and scope == "submit" and account_of(registry, token, "read") is not None:
        raise Forbidden("this token is for reading only", "make one that may send bots")
    if account is None:
        raise Unknown("the site does not know this token", "arena login asks for another")
    return account


async def _by_session(web: Web, request: Request) -> Account:
    cookie = request.cookies.get(web.cookie)
    if cookie and request.headers.get("sec-fetch-site") not in ("cross-site", "same-site"):
        account = await web.registry(lambda registry: account_of_session(registry, cookie))
        if account is not None:
            return account
    raise Unknown("nobody is logged in", "arena login URL --browser prints a link to log in")


Handler = Callable[[Asking], Awaitable[ASGIApp]]
_H = TypeVar("_H", bound=Handler)
Body = Literal["archive", "form", "json"]

_API: Final = "/api/v1"


class SiteRoute(msgspec.Struct, frozen=True):
    """A request that can be made.

    It counts as `costs` requests; `secrets` are the parts of
    the path that are not logged. The others describe it for programs: `answers` is the struct of a
    JSON answer, or the type of another one; `also` are statuses of other answers than `status`,
    besides refusals.
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


_BODIES: Final = {
    "archive": "application/octet-stream",
    "form": "application/x-www-form-urlencoded",
    "json": "application/json",
}

_SECURITY: Final[dict[str, list[dict[str, list[str]]]]] = {
    "all": [],
    "read": [{"token": ["read"]}, {"session": []}],
    "submit": [{"token": ["submit"]}, {"session": []}],
    "session": [{"session": []}],
}


def openapi(routes: Iterable[SiteRoute], site: Site) -> dict[str, Any]:
    """Return the document of those that answer programs, ready to be encoded as JSON."""
    routes = [each for each in routes if each.answers is not None]
    known = {each for ask in routes for each in (ask.answers, ask.takes)}
    structs = [each for each in known if isinstance(each, type) and each is not dict]
    ordered = [api.Problem, *sorted(structs, key=lambda each: str(each.__name__))]
    schemas, parts = msgspec.json.schema_components(
        ordered, ref_template="#/components/schemas/{name}"
    )
    named = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for ask in routes:
        path = re.sub(r":\w+}", "}", ask.path)
        paths.setdefault(path, {})[ask.method.lower()] = _operation(ask, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": site.title, "version": arena.__version__},
        "servers": [{"url": site.address}],
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "zole_…"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "__Host-zole" if site.address.startswith("https:") else "zole",
                },
            },
        },
    }


# Return one route: its parameters, its body, and all its answers.
def _operation(ask: SiteRoute, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for status in (ask.status, *ask.also):
        answers[str(status)] = {"description": HTTPStatus(status).phrase}
        if status < HTTPStatus.MULTIPLE_CHOICES:
            is_text = isinstance(ask.answers, str) and status == HTTPStatus.OK
            kind = ask.answers if is_text else "application/json"
            content = {} if is_text else {"schema": named.get(ask.answers, {})}
            answers[str(status)]["content"] = {kind: content}
    always = [429]
    if ask.query:
        always.append(422)
    if ask.who != "all":
        always += [401, 503]
    if ask.who == "submit" or ask.method == "POST":
        always.append(403)
    for status in sorted({*always, *ask.refuses}):
        answers[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": named[api.Problem]}},
        }
    inside = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)", ask.path)
    ]
    asked = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ask.query]
    operation: dict[str, Any] = {
        "summary": ask.summary,
        "security": _SECURITY[ask.who],
        "parameters": inside + asked,
        "responses": answers,
    }
    if ask.body is not None:
        schema = named.get(ask.takes, {})
        content = {_BODIES[ask.body]: {"schema": schema}}
        operation["requestBody"] = {"content": content, "required": ask.body != "form"}
    return operation
