"""Who may ask what of the web process, and that no answer tells others what is somebody's own.

Each route of the document at /openapi.json is tried as nobody, as the owner and as somebody else.
Then canaries are planted wherever the web process could meet them; every route is asked by nobody
and by another account, and each answer is searched.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.site.registry.accounts import Accepted, invite, new_code, revoke
from arena.site.registry.jobs import OwnLogs, add_step, ask_for
from arena.site.registry.organiser import pause
from arena.site.web.context import SiteRoute, openapi
from arena.site.web.public import all_routes
from tests.support.made_site import MADE, PUBLISHED
from tests.support.registry import answer, decline, owns, send, took
from tests.support.web import FORM, JSON, SAME, Answer, Handled, Served, handled

ROUTES = all_routes()
OWN = [pytest.param(it, id=f"{it.method} {it.path}") for it in ROUTES if it.who != "all"]
FOREIGN = [it for it in OWN if "{id}" in str(it.id)]
POSTS = [pytest.param(it, id=it.path) for it in ROUTES if it.method == "POST"]
BODIES = {
    "/me/jobs": b"type=challenge&bots=owned&bots=others",
    "/api/v1/jobs": b'{"type":"challenge","bots":["owned","others"]}',
}


class Cast(NamedTuple):
    """The site, an owner with an upload and logs, and somebody else."""

    web: Handled
    owner: Accepted
    other: Accepted
    upload: str
    log: str

    def path(self, route: SiteRoute) -> str:
        return route.path.replace("{id}", self.log if route.path[-4:] == "/log" else self.upload)

    def ask(
        self, route: SiteRoute, path: str, headers: Mapping[str, str] | None = None, **more: Any
    ) -> Answer:
        own = FORM if route.path.startswith(("/me", "/logout")) else SAME | JSON
        body = BODIES.get(route.path, b"") if route.method == "POST" else None
        return self.web.ask(route.method, path, body, own | dict(headers or {}), **more)

    def ask_both(self, asked: dict[str, Any], who: Accepted) -> list[Answer]:
        body, form = msgspec.json.encode(asked), urlencode(asked, doseq=True).encode()
        return [
            self.web.ask("POST", "/api/v1/jobs", body, JSON, token=who.token),
            self.web.ask("POST", "/me/jobs", form, FORM, cookie=who.session),
        ]


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    with handled(tmp_path_factory.mktemp("web"), quotas={"uploads": 50}) as web:
        owner = web.comes_in("Owner")
        owns(web.registry, owner.account, "owned")
        upload, _ = send(web.registry, owner.account, 1)
        asked, _ = ask_for(web.registry, owner.account, OwnLogs(7, 1))
        answer(web.registry, took(web.registry, OwnLogs), b"a log")
        lines = (
            msgspec.structs.replace(
                MADE.standing(0), bot=name, state="left" if name == "gone" else "playing"
            )
            for name in ("owned", "others", "third", "gone")
        )
        standings = msgspec.structs.replace(MADE.standings(), lines=tuple(lines))
        web.publish(standings=standings, rules=MADE.rules())
        yield Cast(web, owner, web.comes_in("Other"), upload.id, asked.id)


def test_the_document_names_all_that_is_served_and_nothing_else(cast: Cast) -> None:
    document = cast.web.get("/openapi.json")
    made = msgspec.json.decode(msgspec.json.encode(openapi(ROUTES, cast.web.site)))
    assert document.json == made | {"servers": document.json["servers"]}
    used = re.findall(r"#/components/schemas/(\w+)", document.body.decode())
    kinds = {"Problem", "Me", "SiteJob", "Archive", "OwnLogs", "ChangeBot", "Challenge", "Allowed"}
    assert {*used} | kinds <= {*document.json["components"]["schemas"]}
    described = {
        (method.upper(), path): about
        for path, methods in document.json["paths"].items()
        for method, about in methods.items()
    }
    served = {(it.method, it.path): it for it in ROUTES if it.path.startswith("/api/")}
    assert {*described} == {*served}
    for (method, path), about in described.items():
        assert {*about["responses"]} == {str(int(served[method, path].status)), "default"}
        assert [each["name"] for each in about["parameters"] if each["in"] == "path"] == re.findall(
            r"{(\w+)}", path
        )
        kind = {*about.get("requestBody", {"content": {}})["content"]}
        if {"application/json", "application/octet-stream"} & kind:
            assert about["requestBody"]["required"], path


def test_what_a_path_does_not_take_is_told_with_what_it_does(cast: Cast) -> None:
    for path in {each.path for each in ROUTES}:
        found = cast.web.ask("DELETE", re.sub(r"{\w+(:\w+)?}", "x", path))
        error, remedy = found.json["error"], found.json["remedy"]
        assert (found.status, error) == (405, "this address does not take that method")
        assert remedy == f"it takes {found.headers['allow']}"
        allowed = {*found.headers["allow"].split(", ")} - {"HEAD"}
        assert allowed == {each.method for each in ROUTES if each.path == path}, path


@pytest.mark.parametrize("ask", OWN)
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"token": "zole_" + "A" * 43},
        {"cookie": "A" * 43},
        {"headers": {"Authorization": "Basic eDp5"}},
    ],
    ids=str,
)
def test_nobody_gets_what_is_an_accounts_own(
    cast: Cast, ask: SiteRoute, given: dict[str, Any]
) -> None:
    assert cast.ask(ask, cast.path(ask), **given).status == 401


@pytest.mark.parametrize("ask", FOREIGN)
def test_what_is_somebody_elses_is_as_if_it_were_not(cast: Cast, ask: SiteRoute) -> None:
    who = cast.other
    given: Any = {"cookie": who.session} if ask.who == "session" else {"token": who.token}
    paths = cast.path(ask), ask.path.replace("{id}", "nobodys")
    foreign, missing = (cast.ask(ask, path, **given) for path in paths)
    assert foreign.status == missing.status == 404
    assert foreign.body == missing.body


@pytest.mark.parametrize("to", ["withdraw", "resume"])
def test_nobody_asks_for_what_is_done_with_somebody_elses(cast: Cast, to: str) -> None:
    about, before = {"type": "bot", "bot": "owned", "to": to}, cast.web.registry.version()
    foreign, missing = (
        cast.ask_both(about | {"bot": name}, cast.other) for name in ("owned", "nobodys")
    )
    assert [each.status for each in (*foreign, *missing)] == [404] * 4
    assert foreign[0].body == missing[0].body
    assert cast.web.registry.version() == before, "nothing waits"
    assert cast.ask_both(about, cast.owner)[0].status == 200


@pytest.mark.parametrize("ask", OWN)
def test_the_owner_gets_what_is_hers(cast: Cast, ask: SiteRoute) -> None:
    path, allowed = cast.path(ask), {429, 200, 303} if ask.answers is None else {429, ask.status}
    if path.endswith("/bots"):  # an empty archive is none
        allowed = {429, 422}
    found = cast.ask(ask, path, token=cast.owner.token)
    assert found.status in ({401} if ask.who == "session" else allowed)
    if path not in ("/logout", "/me/token"):  # which end what the others ask by
        assert cast.ask(ask, path, cookie=cast.owner.session).status in allowed
    if found.status in (200, 202) and isinstance(ask.answers, type):
        msgspec.json.decode(found.body, type=ask.answers, strict=True)


@pytest.mark.parametrize("ask", POSTS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": ""},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://HOST.evil.example"},
        {"Origin": "https://HOST"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://HOST"},
    ],
    ids=str,
)
def test_no_other_site_makes_a_browser_change_anything(
    cast: Cast, ask: SiteRoute, headers: dict[str, str]
) -> None:
    web, path = cast.web, cast.path(ask)
    if "{code}" in path:
        code, invited = new_code(web.registry, cast.owner.account), invite(web.registry, "New")
        path = path.replace("{code}", code if path.startswith("/login") else invited)
    given = {name: value.replace("HOST", web.host) for name, value in headers.items()}
    before = web.registry.version()
    found = cast.ask(ask, path, given, cookie=cast.owner.session)
    assert (found.status, found.json["error"]) == (403, "cross-site request rejected")
    assert web.registry.version() == before, "nothing was written"
    assert "set-cookie" not in found.headers


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (("owned", "nobody"), "no bot called nobody plays now"),
        (("owned", "gone"), "no bot called gone plays now"),
        (("third", "others"), "one of the bots must be yours"),
        (("owned", "owned"), "a challenge is for 3 different bots"),
        (("owned", "others", "third", "owned"), "a challenge is for 3 different bots"),
    ],
)
def test_a_challenge_that_nobody_would_play_is_refused_at_once(
    cast: Cast, bots: tuple[str, ...], said: str
) -> None:
    before = cast.web.registry.version()
    refused = cast.ask_both({"type": "challenge", "bots": bots}, cast.owner)
    assert [(it.status, it.json["error"]) for it in refused] == [(422, said)] * 2
    assert cast.web.registry.version() == before, "nothing waits"


def test_a_token_needs_no_browser_but_no_other_site_may_use_it(cast: Cast) -> None:
    own = f"http://{cast.web.host}"
    for origin, status in ((None, 200), ("https://evil.example", 403), (own, 200)):
        headers = {"Origin": origin} if origin else {}
        found = cast.web.ask("POST", "/api/v1/code", b"", headers, token=cast.owner.token)
        assert found.status == status, origin


# --- what answers tell ---


CANARY = "canary-7f3a"
ODD = ["../own/owned", "own/owned", "..", "%2e%2e", "unlisted", f"{CANARY}-0.txt", "%00"]


def test_answers_to_odd_requests_tell_others_nothing(web: Served) -> None:
    owner, other = web.comes_in("Owner"), web.comes_in("Other")
    sent = web.ask("POST", "/api/v1/bots", f"{CANARY} archive".encode(), token=owner.token).json
    taken = took(web.registry)
    add_step(web.registry, taken, CheckStep("build", False, CANARY, (CANARY,), CANARY))
    decline(web.registry, taken, CANARY)
    owns(web.registry, owner.account, "owned")
    with web.registry.writing() as sql:
        sql.execute("UPDATE bots SET state = 'benched', called = :it, why = :it", {"it": CANARY})
    logs = [ask_for(web.registry, owner.account, OwnLogs(match, 1))[0].id for match in (7, 8, 9)]
    for _ in logs:
        answer(web.registry, took(web.registry, OwnLogs), CANARY.encode())
    pause(web.registry, "bot", "owned", CANARY)
    web.comes_in("Gone")
    revoke(web.registry, "Gone", CANARY)
    for name in ("ladder.toml", "ladder.db"):
        (web.site.path.parent / name).write_text(CANARY)
    web.publisher.add("own/owned", 7, CANARY)
    published = {name: PUBLISHED[name] for name in ("league", "standings", "proof")}
    web.publish(**published, **{"own/owned": CANARY, "unlisted": CANARY})
    secrets = (
        *(CANARY, owner.token, owner.session, sent["id"], sent["about"]["digest"], *logs),
        *(invite(web.registry, "Invited"), new_code(web.registry, owner.account)),
    )
    sought = re.compile("|".join(map(re.escape, secrets)).encode())
    for path in (f"jobs/{sent['id']}", "me", f"jobs/{logs[0]}/log"):
        told = web.get(f"/api/v1/{path}", token=owner.token)
        assert sought.search(told.body), "the owner is told"
    parts = {
        "id": [sent["id"], *logs],
        "bot": ["owned", *ODD],
        **{name: ["7", *ODD] for name in ("match", "order", "deal")},
        "file": ["index.html", "..%2f..%2fladder.db", *ODD],
        "name": ["site.css", "..%2f..%2fweb.py", *ODD],
        "code": ["a" * 43],
    }
    askers: list[dict[str, str]] = [{}, {"token": other.token}, {"cookie": other.session}]
    asked = 0
    for route in sorted(ROUTES, key=lambda each: each.path == "/logout"):  # which ends a session
        path = re.sub(r"{(\w+)(:\w+)?}", r"{\1}", route.path)
        names = re.findall(r"{(\w+)}", path)
        queries = ("", "?before=99", "?after=0&most=1000")[: 3 if route.query else 1]
        form = b"bots=owned&bots=owned" if route.method == "POST" else None
        for values, asker, query in product(
            product(*(parts[name] for name in names)), askers, queries
        ):
            filled = path.format(**dict(zip(names, values, strict=True)))
            found = web.ask(route.method, filled + query, form, SAME, **asker)
            said = found.body + repr(found.headers).encode()
            rest = said.replace(filled.encode(), b"")  # an answer may repeat what was asked
            assert not sought.search(rest), (route.path, values, asker)
            asked += 1
    assert asked >= 500
