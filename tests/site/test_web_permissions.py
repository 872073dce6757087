"""Who may ask what of the web process, and that no answer tells others what is somebody's own.

Each route of the document at /openapi.json is tried as nobody, as the owner and as somebody else.
Then canaries are planted wherever the web process could meet them; every route is asked by nobody
and by another account, and each answer is searched.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
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
from tests.support.web import SAME, Answer, Handled, Served, handled

JSON = {"Content-Type": "application/json"}
FORM = {**SAME, "Content-Type": "application/x-www-form-urlencoded"}


CHALLENGE = b'{"type":"challenge","bots":["owned","others"]}'
FIELDS = b"type=challenge&bots=owned&bots=others"


class Things:
    """Somebody's own things, by the names that paths have for them."""

    def __init__(self, web: Handled, who: Accepted, bot: str) -> None:
        self.who = who
        match = 6 + who.account.number
        web.publisher.add(f"own/{bot}", match, {})
        web.publish()
        owns(web.registry, who.account, bot)
        upload, _ = send(web.registry, who.account, who.account.number)
        asked, _ = ask_for(web.registry, who.account, OwnLogs(match, 1))
        answer(web.registry, took(web.registry, OwnLogs), b"a log")
        self.of = {
            "/api/v1/jobs/{id}": {"id": upload.id},
            "/api/v1/jobs/{id}/log": {"id": asked.id},
            "/me/uploads/{id}": {"id": upload.id},
            "": {"bot": bot, "match": str(match)},
        }
        self.asks: list[dict[str, Any]] = [
            {"type": "bot", "bot": bot, "to": "withdraw"},
            {"type": "bot", "bot": bot, "to": "resume"},
        ]

    def path(self, pattern: str) -> str:
        things = {**self.of[""], **self.of.get(pattern, {})}
        return re.sub(r"{(\w+)}", lambda found: things[found[1]], pattern)


class Cast:
    """The site, an owner, and somebody else."""

    def __init__(self, web: Handled) -> None:
        self.web = web
        self.described: dict[str, Any] = web.get("/openapi.json").json["paths"]
        self.owner = Things(web, web.comes_in("Owner"), "owned")
        self.other = Things(web, web.comes_in("Other"), "others")
        states = {"owned": "playing", "others": "playing", "third": "playing", "gone": "left"}
        shown = tuple(
            msgspec.structs.replace(MADE.standing(0), bot=name, state=state)
            for name, state in states.items()
        )
        standings = msgspec.structs.replace(MADE.standings(), lines=shown)
        web.publish(standings=standings, rules=MADE.rules())

    def ask(self, method: str, path: str, **more: Any) -> Answer:
        """Ask. What the document describes answers nothing else than it says."""
        found = self._ask(method, path, **more)
        for pattern, methods in self.described.items():
            if re.fullmatch(re.sub(r"{\w+}", "[^/]+", pattern), path) and method in methods:
                told = methods[method]["responses"]
                assert found.status >= 400 or str(found.status) in told, (method, path)
        return found

    def _ask(self, method: str, path: str, **more: Any) -> Answer:
        is_form = method == "post" and path.startswith(("/me", "/logout"))
        headers = (FORM if is_form else SAME | JSON) | more.pop("headers", {})
        fields = {"/me/jobs": FIELDS, "/api/v1/jobs": CHALLENGE}.get(path, b"")
        return self.web.ask(
            method.upper(), path, fields if method == "post" else None, headers, **more
        )


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    with handled(tmp_path_factory.mktemp("web"), quotas={"uploads": 50}) as web:
        yield Cast(web)


ROUTES = all_routes()
OWN = [each for each in ROUTES if each.who != "all"]
IDS = [f"{each.method} {each.path}" for each in OWN]


def test_the_document_names_all_that_is_served_and_nothing_else(cast: Cast) -> None:
    document = cast.web.get("/openapi.json")
    made = msgspec.json.decode(msgspec.json.encode(openapi(ROUTES, cast.web.site)))
    assert document.json == made | {"servers": document.json["servers"]}
    used = re.findall(r"#/components/schemas/(\w+)", document.body.decode())
    kinds = {"Problem", "Me", "SiteJob", "Archive", "OwnLogs", "ChangeBot", "Challenge", "Allowed"}
    assert {*used} | kinds <= {*document.json["components"]["schemas"]}
    described = {
        (method.upper(), path): about
        for path, methods in cast.described.items()
        for method, about in methods.items()
    }
    assert {*described} == {(it.method, it.path) for it in ROUTES if it.path.startswith("/api/")}
    for (_, path), about in described.items():
        assert {*about["responses"]} in ({"200", "default"}, {"202", "default"})
        named = re.findall(r"{(\w+)}", path)
        assert [each["name"] for each in about["parameters"] if each["in"] == "path"] == named
        body = about.get("requestBody", {"content": {}})
        if {"application/json", "application/octet-stream"} & {*body["content"]}:
            assert body["required"], path


def test_what_a_path_does_not_take_is_told_with_what_it_does(cast: Cast) -> None:
    for path in {each.path for each in ROUTES}:
        found = cast.web.ask("DELETE", re.sub(r"{\w+(:\w+)?}", "x", path))
        allowed = {*found.headers["allow"].split(", ")} - {"HEAD"}
        methods = {each.method for each in ROUTES if each.path == path}
        assert (found.status, allowed) == (405, methods), path


@pytest.mark.parametrize("ask", OWN, ids=IDS)
def test_nobody_gets_what_is_an_accounts_own(cast: Cast, ask: SiteRoute) -> None:
    path = cast.owner.path(ask.path)
    nobody: list[dict[str, Any]] = [
        {},
        {"token": "zole_" + "A" * 43},
        {"cookie": "A" * 43},
        {"headers": {"Authorization": "Basic eDp5"}},
    ]
    for given in nobody:
        assert cast.ask(ask.method.lower(), path, **given).status == 401, given


@pytest.mark.parametrize("ask", [each for each in OWN if "{" in each.path], ids=lambda a: a.path)
def test_what_is_somebody_elses_is_as_if_it_were_not(cast: Cast, ask: SiteRoute) -> None:
    """Alike to the byte, but for what says when it was answered."""
    session = {"cookie": cast.other.who.session}
    given = session if ask.who == "session" else {"token": cast.other.who.token}
    foreign = cast.ask(ask.method.lower(), cast.owner.path(ask.path), **given)
    missing = cast.ask(ask.method.lower(), re.sub(r"{\w+}", "nobodys", ask.path), **given)
    assert foreign.status == missing.status == 404
    assert foreign.body == missing.body


@pytest.mark.parametrize("number", range(2))
def test_nobody_asks_for_what_is_done_with_somebody_elses(cast: Cast, number: int) -> None:
    web, about, stranger = cast.web, cast.owner.asks[number], cast.other.who

    def asked(about: dict[str, Any], token: str) -> Answer:
        return web.ask("POST", "/api/v1/jobs", msgspec.json.encode(about), JSON, token=token)

    before = web.registry.version()
    foreign, missing = (asked(it, stranger.token) for it in (about, {**about, "bot": "nobodys"}))
    assert foreign.status == missing.status == 404
    assert foreign.body == missing.body
    assert (
        web.ask("POST", "/me/jobs", urlencode(about).encode(), FORM, cookie=stranger.session).status
        == 404
    )
    assert web.registry.version() == before, "nothing waits"
    assert asked(about, cast.owner.who.token).status == 200


@pytest.mark.parametrize("ask", OWN, ids=IDS)
def test_the_owner_gets_what_is_hers(cast: Cast, ask: SiteRoute) -> None:
    path, method, who = cast.owner.path(ask.path), ask.method.lower(), cast.owner.who
    found = cast.ask(method, path, token=who.token)
    ends = path in ("/logout", "/me/token")
    if ask.who == "session" or ends:
        assert found.status == 401
    if ends:  # what the others ask by
        return
    expected = {ask.status} if ask.answers is not None else {200, 303}
    allowed = {429} | ({422} if path.endswith("/bots") else expected)  # an empty archive is none
    assert cast.ask(method, path, cookie=who.session).status in allowed
    if ask.who != "session":
        assert found.status in allowed
    if found.status in (200, 202) and isinstance(ask.answers, type):
        msgspec.json.decode(found.body, type=ask.answers, strict=True)


@pytest.mark.parametrize(
    "ask", [each for each in ROUTES if each.method == "POST"], ids=lambda a: a.path
)
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
    web, owner = cast.web, cast.owner
    path = ask.path
    if "{code}" in path:
        code, invited = new_code(web.registry, owner.who.account), invite(web.registry, "Newcomer")
        path = path.replace("{code}", code if path.startswith("/login") else invited)
    given = {name: value.replace("HOST", web.host) for name, value in headers.items()}
    before = web.registry.version()
    found = cast.ask("post", owner.path(path), cookie=owner.who.session, headers=given)
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
    web, who = cast.web, cast.owner.who
    before = web.registry.version()
    body = msgspec.json.encode({"type": "challenge", "bots": bots})
    found = web.ask("POST", "/api/v1/jobs", body, JSON, token=who.token)
    assert (found.status, found.json["error"]) == (422, said)
    form = "&".join(["type=challenge", *(f"bots={each}" for each in bots)]).encode()
    shown = web.ask("POST", "/me/jobs", form, FORM, cookie=who.session)
    assert (shown.status, shown.json["error"]) == (422, said)
    assert web.registry.version() == before, "nothing waits"


def test_a_token_needs_no_browser_but_no_other_site_may_use_it(cast: Cast) -> None:
    origins = {None: 200, "https://evil.example": 403, f"http://{cast.web.host}": 200}
    for origin, status in origins.items():
        headers = {"Origin": origin} if origin else {}
        found = cast.web.ask("POST", "/api/v1/code", b"", headers, token=cast.owner.who.token)
        assert found.status == status, origin


# --- what answers tell ---


CANARY = "canary-7f3a"


def planted(web: Served, folder: Path) -> tuple[str, list[str], dict[str, list[str]]]:
    """The owner's token, what nobody else may be told, and parts of the paths that ask for it."""
    owner = web.comes_in("Owner")
    body = f"{CANARY} archive".encode()
    sent = web.ask("POST", "/api/v1/bots", body, token=owner.token).json
    taken = took(web.registry)
    add_step(web.registry, taken, CheckStep("build", False, CANARY, (CANARY,), CANARY))
    decline(web.registry, taken, CANARY)
    owns(web.registry, owner.account, "owned")
    with web.registry.writing() as sql:
        sql.execute("UPDATE bots SET state = 'benched', called = :it, why = :it", {"it": CANARY})
    asked = [ask_for(web.registry, owner.account, OwnLogs(number, 1))[0] for number in range(7, 10)]
    for _ in asked:
        answer(web.registry, took(web.registry, OwnLogs), CANARY.encode())
    pause(web.registry, "bot", "owned", CANARY)
    web.comes_in("Gone")
    revoke(web.registry, "Gone", CANARY)
    (folder / "ladder.toml").write_text(CANARY)
    (folder / "ladder.db").write_text(CANARY)
    web.publisher.add("own/owned", 7, CANARY)
    published = {name: PUBLISHED[name] for name in ("league", "standings", "proof")}
    web.publish(**published, **{"own/owned": CANARY, "unlisted": CANARY})
    codes = [invite(web.registry, "Invited"), new_code(web.registry, owner.account)]
    secrets = [CANARY, owner.token, owner.session, *codes]
    secrets += [sent["id"], sent["about"]["digest"], *(each.id for each in asked)]
    odd = ["../own/owned", "own/owned", "..", "%2e%2e", "unlisted", f"{CANARY}-0.txt", "%00"]
    return (
        owner.token,
        secrets,
        {
            "id": [sent["id"], *(each.id for each in asked)],
            "bot": ["owned", *odd],
            "match": ["7", *odd],
            "order": ["7", *odd],
            "file": ["index.html", "..%2f..%2fladder.db", *odd],
            "deal": ["7", *odd],
            "name": ["site.css", "..%2f..%2fweb.py", *odd],
            "code": ["a" * 43],
        },
    )


def test_answers_to_odd_requests_tell_others_nothing(web: Served) -> None:
    owner, secrets, parts = planted(web, web.site.path.parent)
    other = web.comes_in("Other")
    askers = [{}, {"token": other.token}, {"cookie": other.session}]
    sought = re.compile("|".join(re.escape(each) for each in secrets).encode())
    for path in (f"jobs/{parts['id'][0]}", "me", f"jobs/{parts['id'][1]}/log"):
        assert sought.search(web.get(f"/api/v1/{path}", token=owner).body), "the owner is told"
    asked = 0
    for route in all_routes():
        path = re.sub(r":\w+}", "}", route.path)
        names = re.findall(r"{(\w+)}", path)
        for values, asker in product(product(*(parts[name] for name in names)), askers):
            given = dict(zip(names, values, strict=True))
            filled = re.sub(r"{(\w+)}", lambda found: given[found[1]], path)  # noqa: B023
            for query in ("", "?before=99", "?after=0&most=1000")[: 3 if route.query else 1]:
                body = b"bots=owned&bots=owned" if route.method == "POST" else None
                found = web.ask(route.method, filled + query, body, SAME, **asker)
                said = found.body + repr(found.headers).encode()
                told = filled.encode()  # an answer may repeat what was asked
                assert not sought.search(said.replace(told, b"")), (route.path, given, asker)
                asked += 1
                if route.path == "/logout":
                    askers = [{}, {"token": other.token}]
    assert asked >= 500
