"""Makes the OpenAPI document of the web process, from its routes and their structs."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

import msgspec

import arena
from arena.site import api
from arena.site.config import Site
from arena.site.web.asking import SiteRoute

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


def _operation(ask: SiteRoute, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """Return one route: its parameters, its body, and all its answers."""
    answers: dict[str, Any] = {}
    for status in (ask.status, *ask.also):
        answers[str(status)] = {"description": HTTPStatus(status).phrase}
        if status < HTTPStatus.MULTIPLE_CHOICES:
            is_text = isinstance(ask.answers, str) and status == HTTPStatus.OK
            kind = ask.answers if is_text else "application/json"
            content = {} if is_text else {"schema": named.get(ask.answers, {})}
            answers[str(status)]["content"] = {kind: content}
    always = [429] if ask.limited else []
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
