"""The handlers of the web process: what they answer to whom, and in which language."""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, Final

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.people.server import PLAY_PAGE, spoken
from arena.reports.page_parts import shared_page
from arena.site.documents import Proof, Television
from arena.site.process import ProcessState
from arena.site.registry.accounts import invite, revoke
from arena.site.registry.jobs import OwnLogs, add_step
from arena.site.web.answers import finished
from arena.site.web.web import KeptAnswers
from tests.support.made_site import MADE, PUBLISHED, MadeSite
from tests.support.registry import answer, decline, took
from tests.support.web import FORM, JSON, SAME, Handled, handled

HTML: Final = {"Accept": "text/html"}
LATVIAN: Final = {"Accept-Language": "lv,en;q=0.5"}
ENGLISH: Final = {"Accept-Language": "en-GB,en;q=0.9"}
CHOSEN: Final = {**ENGLISH, "Cookie": "language=lv"}
SAID: Final = {"en": b"Getting started", "lv": "No nulles līdz galdam".encode()}
# What a page hangs on that everybody may see.
SHARED: Final = "Accept-Encoding, Accept-Language, Cookie"

PROOF: Final = {"proof": msgspec.structs.replace(MADE.proof(), orders=7)}
OVER: Final = {"league": msgspec.structs.replace(MADE.league(), state="sealed")}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Handled]:
    with handled(tmp_path_factory.mktemp("web")) as site:
        yield site


@pytest.fixture(autouse=True)
def _published(web: Handled) -> None:
    """All documents are published, and none is left that another test has changed."""
    web.unpublish()
    web.publish(**PUBLISHED)


# --- what is published ---


def test_a_page_and_its_document_wait_for_what_is_published_and_show_it(web: Handled) -> None:
    web.unpublish()
    waiting, early = web.get("/", headers=HTML), web.get("/ledger.json")
    assert (waiting.status, waiting.headers["refresh"]) == (503, "2")
    assert b"The site is being set up." in waiting.body
    assert (early.status, early.headers["retry-after"]) == (503, "2")
    made = MadeSite("<b>")
    web.publish(league=made.league(), proof=made.proof(), standings=made.standings())
    found, shown, home = web.get("/ledger.json"), web.get("/ledger"), web.get("/").body
    assert (found.status, msgspec.convert(found.json, Proof)) == (200, made.proof())
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert b"1,410 tables" in shown.body
    assert (b"&lt;b&gt;" in home, b"<b>" in home + shown.body) == (True, False)


def test_tables_come_as_comma_separated_values(web: Handled) -> None:
    found = web.get("/standings.csv")
    assert found.headers["content-type"] == "text/csv; charset=utf-8"
    assert [
        (row["bot"], row["author"], row["team"])
        for row in csv.DictReader(io.StringIO(found.body.decode()))
    ] == [(line.bot, line.author, line.team) for line in MADE.standings().lines]
    assert len(web.get("/crosstable.csv").body.splitlines()) == 1 + 2 * len(MADE.crosstable().pairs)
    assert web.get("/matches.csv").body == b"match,order,at,first,deals,faults,counts\n"


def test_what_the_organiser_says_is_on_a_page(web: Handled) -> None:
    parts = ("<h2>The class of 2026</h2>", "Uploads end on Friday", "The season is over.")
    for documents, counts in (({}, [1, 2, 0]), (OVER, [1, 2, 1])):
        web.publish(**documents)
        page = web.get("/about").body.decode()
        assert [page.count(each) for each in parts] == counts


def test_the_ledger_is_read_from_the_beginning(web: Handled) -> None:
    for number in range(1, 1202):
        web.publisher.add("ledger", number, {"number": number})
    web.publish()
    found = web.get("/ledger/lines")
    assert found.headers["content-type"].startswith("text/plain")
    assert [json.loads(line)["number"] for line in found.body.splitlines()] == [*range(1, 1001)]
    assert web.get("/ledger/lines?after=1200").body == b'{"number":1201}\n'
    assert web.get("/ledger/lines?after=1201").body == b""


def test_a_list_is_read_page_by_page(web: Handled) -> None:
    for number in range(1, 121):
        web.publisher.add("matches", number, MADE.match_line(number))
    web.publish()
    pages = [web.get("/matches.json").json]
    while (older := pages[-1]["older"]) is not None:
        pages.append(web.get(f"/matches.json?before={older}").json)
    assert [row["match"] for page in pages for row in page["rows"]] == [*range(120, 0, -1)]
    assert web.get("/matches.json?before=soon").status == 422
    shown = re.findall(rb'href="/matches/(\d+)"', web.get("/matches?before=3").body)
    assert {*map(int, shown)} == {*range(1, 51)}
    asked = ("?before=2", "?before=51", "?before=52", "?before=101", "?before=1000000", "")
    tags = [web.get(f"/matches{each}").headers["etag"] for each in asked]
    assert [*map(tags.index, tags)] == [0, 0, 2, 2, 4, 4], "only so many pages as there are rows"


def test_a_replay_is_one_page_for_all_matches_and_a_document_for_each(web: Handled) -> None:
    assert web.get("/matches/44/replay").status == 404
    web.publish(**{"matches/44": msgspec.structs.replace(MADE.match(), later="season")})
    early = [web.get(f"/matches/44/{path}") for path in ("replay", "replay.json")]
    assert [(it.status, it.json["remedy"]) for it in early] == [(404, "until the season ends")] * 2
    web.publisher.put_packed("replays/44", b'{"match":1}')
    web.publish(**{"matches/44": MADE.match()})
    page = web.get("/matches/44/replay", headers=LATVIAN)
    assert page.body == shared_page().encode()
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    latvian = web.get("/learn", headers={"Accept-Language": "lv, de"})
    assert re.findall(rb'<script [^>]*lang="(..)">', latvian.body) == [b"en", b"lv"]
    told = {"x-frame-options": "SAMEORIGIN", "vary": "Accept-Encoding"}
    assert page.headers | told == page.headers
    found = web.get("/matches/44/replay.json")
    assert found.body == b'{"match":1}'
    known = {"If-None-Match": found.headers["etag"]}
    assert web.get("/matches/44/replay.json", headers=known).status == 304


# --- what is kept, and by whom ---


def test_the_lesson_is_the_page_of_a_table_under_its_policy(web: Handled) -> None:
    page = web.get("/learn")
    tables = web.site.tables_address
    told = f'<meta name="tables" content="{tables}" />'.encode()
    assert page.body.replace(told, b"") == spoken(PLAY_PAGE.read_bytes(), "en") != page.body
    allowed = page.headers["content-security-policy"]
    assert "script-src 'sha256-" in allowed
    assert f"form-action {tables};" in allowed


@pytest.mark.parametrize(
    "marks", ["*", "{}", 'W/"{}"', '"x", W/"y", "{}"', '"{}-gzip"', 'W/"{}-gzip"']
)
def test_what_was_seen_is_not_sent_again_however_that_is_said(web: Handled, marks: str) -> None:
    for path in ("/ledger", "/robots.txt", "/openapi.json", "/ledger/lines"):
        answer = web.get(path)
        mark = answer.headers["etag"].strip('"')
        again = web.get(path, headers={"If-None-Match": marks.replace("{}", mark)})
        told = (again.status, again.body, again.headers["vary"])
        assert told == (304, b"", answer.headers["vary"]), path
        assert web.get(path, headers={"If-None-Match": f'"{mark}0"'}).status == 200


@pytest.mark.parametrize(
    ("path", "changed", "status"),
    [
        ("/ledger", PROOF, 200),
        ("/ledger.json", PROOF, 200),
        ("/ledger", {"standings": [1]}, 304),
        ("/", {"now": msgspec.structs.replace(MADE.tables(), now=())}, 200),
        ("/tv", {"tv": Television(deals=())}, 200),
        ("/tv", {"numbers": msgspec.structs.replace(MADE.numbers(), lines=99)}, 304),
        ("/standings.csv", {"standings": msgspec.structs.replace(MADE.standings(), lines=())}, 200),
        ("/about", {"about": msgspec.structs.replace(MADE.about(), text="Other")}, 200),
        ("/about", OVER, 200),
    ],
)
def test_an_answer_changes_with_what_it_shows_alone(
    web: Handled, path: str, changed: dict[str, Any], status: int
) -> None:
    known = {"If-None-Match": web.get(path).headers["etag"]}
    assert web.get(path, headers=known).status == 304
    web.publish(**changed)
    assert web.get(path, headers=known).status == status


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("*", True), ("gzip;q=0", False), ("br", False)],
)
def test_pages_are_packed_for_who_takes_that(web: Handled, accepted: str, packed: bool) -> None:
    plain = web.get("/ledger")
    answer = web.get("/ledger", headers={"Accept-Encoding": accepted})
    assert ("content-encoding" in answer.headers) is packed
    body = gzip.decompress(answer.body) if packed else answer.body
    assert body == plain.body
    assert not packed or len(answer.body) < len(body) / 2
    assert (answer.headers["etag"] != plain.headers["etag"]) is packed, "a tag is of these bytes"


def test_a_cache_for_many_may_answer_with_what_is_the_same_for_all(web: Handled) -> None:
    paths = ("/ledger", "/ledger.json", "/standings.csv", "/robots.txt", "/ledger/lines")
    assert {path: web.get(path).headers["cache-control"] for path in paths} == dict.fromkeys(
        paths, "max-age=0, s-maxage=5"
    )
    assert web.get("/ledger?lang=lv").headers["cache-control"] == "private, no-cache"


def test_kept_answers_are_bounded_by_their_bytes_and_the_oldest_go_first() -> None:
    answer, kept = finished(b"x" * 100), KeptAnswers(most=1000)
    for number in range(10):
        kept.put(number, "", answer)
    assert kept.get(0) == ("", answer)
    for _ in range(2):
        kept.put("new", "sign", answer)
    found = {key: kept.get(key) for key in ("new", 0, 1)}
    assert found == {"new": ("sign", answer), 0: ("", answer), 1: (None, None)}
    kept.put("large", "", finished(b"x" * 1001))
    assert kept.get("large") == kept.get("new") == (None, None)


def test_what_must_be_drawn_costs_its_address_more_than_what_is_kept(tmp_path: Path) -> None:
    with handled(tmp_path, quotas={"requests_a_minute": 10}) as web:
        web.publish(**PUBLISHED)
        asked = ("/ledger", "/start", "/ledger.json", "/start")
        assert [web.get(path).status for path in asked] == [200, 200, 429, 200]


def test_style_and_script_have_names_that_change_with_them(web: Handled) -> None:
    address = web.get("/start").body.decode().partition('href="')[2].partition('"')[0]
    found = web.get(address)
    assert (found.status, found.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in found.headers["cache-control"]
    assert sha256(found.body).hexdigest()[:12] in address


# --- languages ---


@pytest.mark.parametrize(
    ("query", "headers", "language", "kept"),
    [
        ("", {}, "en", ""),
        ("", LATVIAN, "lv", ""),
        ("", ENGLISH, "en", ""),
        ("", {"Accept-Language": "de"}, "en", ""),
        ("", {"Accept-Language": "de, lv-LV;q=0.8, en;q=0.5"}, "lv", ""),
        ("", {"Accept-Language": "lv; q=0.9, en; q=0.8"}, "lv", ""),
        ("", CHOSEN, "lv", ""),
        ("", {**LATVIAN, "Cookie": "language=en"}, "en", ""),
        ("", {**LATVIAN, "Cookie": "language=ru"}, "lv", ""),
        ("?lang=lv", ENGLISH, "lv", "language=lv"),
        ("?lang=lv", CHOSEN, "lv", ""),
        ("?lang=en", CHOSEN, "en", "language=en"),
        *((f"?lang={it}", LATVIAN, "lv", "") for it in ("xx", "LV", "", "lv;Path=/x", "et")),
    ],
)
def test_a_page_speaks_what_its_address_asks_for_or_its_reader_prefers(
    web: Handled, query: str, headers: dict[str, str], language: str, kept: str
) -> None:
    page = web.get(f"/start{query}", headers=headers)
    assert f'<html lang="{language}">'.encode() in page.body
    assert SAID[language] in page.body
    cookie, *about = page.headers.get("set-cookie", "").split("; ")
    assert cookie == kept
    assert not kept or {"Path=/", "SameSite=Lax"} <= {*about}


@pytest.mark.parametrize("path", ["/", "/ledger", "/start", "/matches/44"])
def test_each_language_of_a_shared_page_is_seen_by_itself(web: Handled, path: str) -> None:
    web.publish(**{"matches/44": MADE.match()})
    pages = [(wants, web.get(path, headers=wants)) for wants in (LATVIAN, ENGLISH)]
    for (wants, own), (_, other) in (pages, pages[::-1]):
        assert own.body != other.body
        seen, unseen = (
            web.get(path, headers={**wants, "If-None-Match": it.headers["etag"]})
            for it in (own, other)
        )
        assert (seen.status, seen.headers["etag"], seen.body) == (304, own.headers["etag"], b"")
        assert (unseen.status, unseen.body) == (200, own.body)
        assert {it.headers["vary"] for it in (own, seen, unseen)} == {SHARED}


def test_documents_are_the_same_in_all_languages(web: Handled) -> None:
    for path in ("/standings.json", "/ledger.json", "/openapi.json", "/nothing"):
        one, other = (web.get(path, headers=wants) for wants in (LATVIAN, ENGLISH))
        assert one == other, path
        assert path == "/nothing" or one.headers["vary"] == "Accept-Encoding"


def test_what_is_an_accounts_own_is_in_its_language_and_kept_by_nobody(web: Handled) -> None:
    session = web.comes_in("Anna").session
    for tag, said in (("lv", "Iesūtīt botu"), ("en", "Send a bot")):
        for headers, status, shown in (
            ({"Cookie": f"zole={session}; language={tag}"}, 200, said),
            (HTML | {"Accept-Language": tag}, 401, f'<html lang="{tag}">'),
        ):
            page = web.get("/me", headers=headers)
            assert (page.status, page.headers["cache-control"]) == (status, "no-store")
            assert shown.encode() in page.body


def test_what_there_is_not_is_told_to_each_in_its_way(web: Handled) -> None:
    for path in ("/nothing", "/api/v1/nothing", "/bots/nobody", "/bots/nobody.json", "/static/x"):
        found = web.get(path)
        assert (found.status, found.json["error"]) == (404, "there is nothing here")
    assert web.get("/" + "x" * 3000).status == 422
    for path, wants, told in (
        ("/bots/nobody", ENGLISH, ["<h1>There is nothing here</h1>"]),
        ("/nothing", LATVIAN, ["<h1>Te nekā nav</h1>", 'lang="en">There is nothing here.']),
    ):
        page = web.get(path, headers=wants | {"Accept": "text/html,*/*"})
        assert (page.status, page.headers["cache-control"]) == (404, "no-store")
        assert [said for said in told if said in page.body.decode()] == told
        assert page.body.count(b"here is nothing here") == 1, "it is said once"


def test_every_answer_has_the_headers_that_keep_others_out(web: Handled) -> None:
    kept = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "strict-origin",
        "cross-origin-resource-policy": "same-origin",
    }
    for path in ("/start", "/ledger.json", "/nothing", "/api/v1/me", "/health"):
        headers = web.get(path).headers
        assert headers | kept == headers, path
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "'unsafe" not in policy
        assert not {"server", "access-control-allow-origin"} & {*headers}
    assert web.get("/start", headers={"Host": "evil.example"}).status == 403
    assert web.get("/health", headers={"Host": "10.0.0.7"}).json["why"] == []


def test_health_says_who_has_been_silent_and_for_how_long(tmp_path: Path) -> None:
    with handled(tmp_path) as web:
        assert web.get("/health").json["ok"]
        state = ProcessState("play", 1, time() - 1000, {"requests": "answers requests"})
        (web.site.state / "play.json").write_bytes(msgspec.json.encode(state))
        found = web.get("/health")
        assert (found.status, found.json["ok"]) == (503, False)
        assert re.fullmatch(r"play has said nothing for 100\d s", *found.json["why"])


# --- accounts ---


def test_an_invitation_is_taken_by_a_button_once(web: Handled) -> None:
    path = f"/join/{invite(web.registry, 'Berta')}"
    for _ in range(2):
        assert b"Berta" in web.get(path).body, "who looks at it takes nothing"
    assert web.ask("POST", path).status == 403
    found = web.ask("POST", path, headers=SAME)
    assert (found.status, found.headers["cache-control"]) == (200, "no-store")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*found.headers["set-cookie"].split("; ")}
    assert web.get("/api/v1/me", token=found.token).json["name"] == "Berta"
    assert b"Berta" in web.get("/me", cookie=found.session).body
    assert web.ask("POST", path, headers=SAME).status == 404


def test_whoever_comes_by_the_link_of_a_class_chooses_a_name(web: Handled) -> None:
    path = f"/join/{invite(web.registry, None, places=2)}"
    assert b'name="name"' in web.get(path).body

    def come(*names: str) -> list[int]:
        return [web.ask("POST", path, f"name={it}".encode(), FORM).status for it in names]

    assert come("Zaiga", "zaiga", "house", "") == [200, 409, 422, 422]
    for name in ("zaiga", "house"):
        form = f"name={name}&team=Blue".encode()
        told = web.ask("POST", path, form, FORM | HTML | LATVIAN).body.decode()
        for kept in (f'name="name" value="{name}"', 'name="team" value="Blue"'):
            assert kept in told, "the form stays, as it was filled in"
        assert "Šo vārdu nevar izvēlēties." in told
    assert b"One place is left." in web.get(path).body
    assert come("Uldis", "Dace") == [200, 404]


def test_a_program_opens_a_session_in_a_browser_and_the_browser_ends_it(web: Handled) -> None:
    link = web.ask("POST", "/api/v1/code", b"", token=web.comes_in("Anna").token).json["link"]
    path = link.removeprefix(f"http://{web.host}")
    assert web.get(path).status == 200
    found = web.ask("POST", path, headers=SAME)
    assert (found.status, found.headers["location"]) == (303, "/me")
    assert web.ask("POST", path, headers=SAME).status == 404
    cookie = found.session
    assert web.get("/me", cookie=cookie, headers={"Sec-Fetch-Site": "cross-site"}).status == 401
    assert web.get("/me", cookie=cookie).status == 200
    assert web.ask("POST", "/logout", headers=SAME, cookie=cookie).status == 303
    assert web.get("/me", cookie=cookie).status == 401


def test_a_token_is_made_by_a_form_and_the_one_before_ends(web: Handled) -> None:
    who = web.comes_in("Clara")
    made = web.ask("POST", "/me/token", b"", FORM, cookie=who.session)
    assert b'href="/me?lang=lv"' in made.body, "to switch the language makes no other token"
    tried = [web.get("/api/v1/me", token=token).status for token in (made.token, who.token)]
    assert tried == [200, 401]
    assert made.token not in web.get("/me", cookie=who.session).body.decode()


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"type=none", {}, 422),
        (b"type=upload&digest=" + b"a" * 64, {}, 422),
        (b"type=challenge&bots=a", {}, 422),
        (b"x" * 20_000, {}, 413),
        (b"type=bot&bot=a&to=withdraw", {"Content-Type": "text/plain"}, 415),
        (b"type=bot&bot=a&to=withdraw", {}, 404),
    ],
)
def test_a_form_that_is_none_is_refused(
    web: Handled, body: bytes, kind: dict[str, str], status: int
) -> None:
    session = web.comes_in("Carl").session
    assert web.ask("POST", "/me/jobs", body, FORM | kind, cookie=session).status == status


def test_own_logs_are_asked_for_and_then_there(web: Handled) -> None:
    token = web.comes_in("Dora").token

    def asked(**keys: Any) -> Any:
        body = msgspec.json.encode({"type": "logs", **keys})
        return web.ask("POST", "/api/v1/jobs", body, JSON, token=token)

    found = asked(after=7, most=2)
    assert (found.status, found.json["state"]) == (200, "waiting")
    path = f"/api/v1/jobs/{found.json['id']}/log"
    assert web.get(path, token=token).status == 404
    text = b"<script>alert(1)</script>\n" * 9000
    answer(web.registry, took(web.registry, OwnLogs), text)
    found = web.get(path, token=token)
    assert (found.status, found.body) == (200, text)
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert found.headers["content-disposition"] == 'attachment; filename="matches.txt"'
    for wrong in ({}, {"after": "x", "most": 1}, {"after": -1, "most": 1}, {"after": 0, "most": 0}):
        assert asked(**wrong).status == 422


def test_an_upload_is_taken_followed_and_the_same_again(web: Handled) -> None:
    who, body = web.comes_in("Ella"), b"an archive" * 50_000
    found, again, other = (
        web.ask("POST", "/api/v1/bots", each, token=who.token) for each in (body, body, b"other")
    )
    assert (found.status, found.json["state"]) == (202, "waiting")
    assert (again.status, again.json["id"]) == (202, found.json["id"])
    assert (other.status, other.headers["retry-after"]) == (429, "30")
    taken = took(web.registry)
    add_step(web.registry, taken, CheckStep("unpack", True, "fine"))
    path = f"/api/v1/jobs/{found.json['id']}"
    seen = web.get(path, token=who.token).json
    assert (seen["state"], [each["name"] for each in seen["steps"]]) == ("taken", ["unpack"])
    decline(web.registry, taken, "it does not build")
    revoke(web.registry, "Ella", "")
    assert web.get(path, token=who.token).status == 401
    token = web.comes_in("Ella").token
    seen = web.get(path, token=token).json
    assert (seen["state"], seen["answer"]) == ("failed", "it does not build")
    assert [it["id"] for it in web.get("/api/v1/me", token=token).json["jobs"]] == [seen["id"]]
    assert {each.name: each.read_bytes() for each in web.site.spool.iterdir()} == {
        f"{who.account.number}-{sha256(body).hexdigest()}": body
    }
