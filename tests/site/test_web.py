"""The handlers of the web process: what they answer to whom, and what never."""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.reports.page_parts import shared_page
from arena.site.documents import Proof, Television
from arena.site.process import ProcessState
from arena.site.registry.accounts import invite, revoke
from arena.site.registry.jobs import OwnLogs, add_step
from arena.site.web.answers import finished
from arena.site.web.public import all_routes
from arena.site.web.web import KeptAnswers
from tests.support.made_site import MADE, PUBLISHED, MadeSite
from tests.support.patience import until
from tests.support.registry import answer, decline, took
from tests.support.web import SAME, Handled, handled, served

FORM = {**SAME, "Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Handled]:
    with handled(tmp_path_factory.mktemp("web")) as site:
        yield site


@pytest.fixture(autouse=True)
def _unpublished(web: Handled) -> None:
    """None finds what another test has published."""
    web.unpublish()


def test_a_page_and_its_json_show_what_is_published_and_wait_for_it(web: Handled) -> None:
    waiting = web.get("/", headers={"Accept": "text/html"})
    assert (waiting.status, waiting.headers["refresh"]) == (503, "2")
    assert b"The site is being set up." in waiting.body
    early = web.get("/ledger.json")
    assert (early.status, early.headers["retry-after"]) == (503, "2")
    made = MadeSite("<b>")
    web.publish(league=made.league(), proof=made.proof(), standings=made.standings())
    found = web.get("/ledger.json")
    assert (found.status, msgspec.convert(found.json, Proof)) == (200, made.proof())
    shown = web.get("/ledger")
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert b"1,410 tables" in shown.body
    home = web.get("/").body
    assert b"&lt;b&gt;" in home
    assert b"<b>" not in home + shown.body


def test_each_page_of_all_is_there_when_all_is_published(tmp_path: Path) -> None:
    """A page whose file the confined process may not read would fail here, and here alone."""
    with served(tmp_path) as web:
        web.publish(**PUBLISHED)
        routes = [each for each in all_routes() if (each.method, each.who) == ("GET", "all")]
        answers = {each.path: web.get(each.path) for each in routes if "{" not in each.path}
    assert {"/", "/start/guide", "/start/deals", "/rules", "/tv", "/openapi.json"} <= {*answers}
    others = {path: it.status for path, it in answers.items() if it.status != 200}
    assert others == {"/play": 303}
    assert b' data-every="8"' in answers["/ledger"].body, "it may change, and is asked for again"
    assert b" data-every" not in answers["/rules"].body


def test_tables_come_as_comma_separated_values(web: Handled) -> None:
    web.publish(**PUBLISHED)
    found = web.get("/standings.csv")
    assert found.headers["content-type"] == "text/csv; charset=utf-8"
    rows = [*csv.DictReader(io.StringIO(found.body.decode()))]
    assert [(row["bot"], row["author"], row["team"]) for row in rows] == [
        (line.bot, line.author, line.team) for line in MADE.standings().lines
    ]
    assert len(web.get("/crosstable.csv").body.splitlines()) == 1 + 2 * len(MADE.crosstable().pairs)
    assert web.get("/matches.csv").body == b"match,order,at,first,deals,faults,counts\n"


def test_what_the_organiser_says_is_on_a_page(web: Handled) -> None:
    assert web.get("/about").status == 503
    web.publish(league=MADE.league(), standings=MADE.standings(), about=MADE.about())
    page = web.get("/about").body.decode()
    parts = ("<h2>The class of 2026</h2>", "Uploads end on Friday", "The season is over.")
    assert [page.count(each) for each in parts] == [1, 2, 0]
    web.publish(league=msgspec.structs.replace(MADE.league(), state="sealed"))
    assert b"The season is over." in web.get("/about").body


def test_the_pages_of_other_leagues_are_plain_files(tmp_path: Path) -> None:
    with served(tmp_path) as web:  # a client would shorten paths before it asks
        files = {"published.db": "x", "cup/standings.csv": "rank,bot\n", "cup/shown.json": "{}"}
        for tag in ("en", "lv"):
            files[f"cup/{tag}/index.html"] = f"<p>{tag}</p><script>1</script>"
            files |= dict.fromkeys(
                (f"cup/{tag}/index.pages/{it}" for it in ("bot-1.html", "x.txt")), "x"
            )
        for path, text in files.items():
            (web.site.league_pages / path).parent.mkdir(parents=True, exist_ok=True)
            (web.site.league_pages / path).write_text(text)
        leads = web.get("/leagues/cup", headers={"Accept-Language": "lv"})
        assert (leads.status, leads.headers["location"]) == (303, "/leagues/cup/lv/index.html")
        assert web.get("/leagues/cup/").headers["location"] == "/leagues/cup/en/index.html"
        shown = web.get("/leagues/cup/lv/index.html")
        assert (shown.status, b"<p>lv</p>" in shown.body) == (200, True)
        assert "script-src 'sha256-" in shown.headers["content-security-policy"]
        assert web.get("/leagues/cup/en/index.pages/bot-1.html").status == 200
        assert web.get("/leagues/cup/standings.csv").headers["content-type"].startswith("text/csv")
        for path in (
            *("nobody/", "cup/shown.json", "cup/en/index.pages/x.txt", "cup/standings.json"),
            *("cup/en/../standings.csv", "cup/../published.db", "cup/en/index.pages/../index.html"),
            *(
                "cup/%2e%2e/published.db",
                "nobody",
                "nobody/en/index.html",
                "../published.db",
                "CUP",
            ),
        ):
            assert web.get(f"/leagues/{path}").status == 404, path


@pytest.mark.parametrize(
    "marks", ["*", "{}", 'W/"{}"', '"x", W/"y", "{}"', '"{}-gzip"', 'W/"{}-gzip"']
)
def test_what_was_seen_is_not_sent_again_however_that_is_said(web: Handled, marks: str) -> None:
    web.publish(**PUBLISHED)
    for path in ("/ledger", "/robots.txt", "/openapi.json", "/ledger/lines"):
        answer = web.get(path)
        mark = answer.headers["etag"].strip('"')
        again = web.get(path, headers={"If-None-Match": marks.replace("{}", mark)})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["vary"] == answer.headers["vary"]
        assert web.get(path, headers={"If-None-Match": f'"{mark}0"'}).status == 200


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("*", True), ("gzip;q=0", False), ("br", False)],
)
def test_pages_are_packed_for_who_takes_that(web: Handled, accepted: str, packed: bool) -> None:
    web.publish(**PUBLISHED)
    plain = web.get("/ledger")
    answer = web.get("/ledger", headers={"Accept-Encoding": accepted})
    assert ("content-encoding" in answer.headers) is packed
    body = gzip.decompress(answer.body) if packed else answer.body
    assert body == plain.body
    assert not packed or len(answer.body) < len(body) / 2
    assert (answer.headers["etag"] != plain.headers["etag"]) is packed, "a tag is of these bytes"


def test_a_cache_for_many_may_answer_with_what_is_the_same_for_all(web: Handled) -> None:
    web.publish(**PUBLISHED)
    for path in ("/ledger", "/ledger.json", "/standings.csv", "/robots.txt", "/ledger/lines"):
        assert web.get(path).headers["cache-control"] == "max-age=0, s-maxage=5"
    assert web.get("/ledger").headers["vary"] == "Accept-Encoding, Accept-Language, Cookie"
    assert web.get("/ledger.json").headers["vary"] == "Accept-Encoding"
    given = web.get("/ledger?lang=lv").headers
    assert given["set-cookie"].startswith("language=lv")
    assert given["cache-control"] == "private, no-cache"
    session = web.comes_in("Dora").session
    assert web.get("/me", cookie=session).headers["cache-control"] == "no-store"


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


def test_the_ledger_is_read_from_the_beginning(web: Handled) -> None:
    for number in range(1, 1202):
        web.publisher.add("ledger", number, {"number": number})
    web.publish()
    found = web.get("/ledger/lines")
    assert found.headers["content-type"].startswith("text/plain")
    lines = found.body.splitlines()
    assert (len(lines), lines[0], lines[-1]) == (1000, b'{"number":1}', b'{"number":1000}')
    assert web.get("/ledger/lines?after=1200").body == b'{"number":1201}\n'
    assert web.get("/ledger/lines?after=1201").body == b""


def test_a_list_is_read_page_by_page(web: Handled) -> None:
    for number in range(1, 121):
        web.publisher.add("matches", number, MADE.match_line(number))
    web.publish(league=MADE.league())
    pages = [web.get("/matches.json").json]
    while (older := pages[-1]["older"]) is not None:
        pages.append(web.get(f"/matches.json?before={older}").json)
    assert [row["match"] for page in pages for row in page["rows"]] == [*range(120, 0, -1)]
    assert web.get("/matches.json?before=soon").status == 422
    shown = web.get("/matches?before=3").body
    assert b'href="/matches/50"' in shown
    assert b'href="/matches/51"' not in shown
    asked = (2, 51, 52, 101, 1_000_000)
    tags = [web.get(f"/matches?before={at}").headers["etag"] for at in asked]
    assert tags[0] == tags[1] != tags[2] == tags[3], "only so many pages as there are rows"
    assert tags[4] == web.get("/matches").headers["etag"]


def test_what_there_is_not_is_told_to_each_in_its_way(web: Handled) -> None:
    web.publish(league=MADE.league())
    for path in ("/nothing", "/api/v1/nothing", "/bots/nobody", "/bots/nobody.json", "/static/x"):
        found = web.get(path)
        assert (found.status, found.json["error"]) == (404, "there is nothing here")
    found = web.get("/bots/nobody", headers={"Accept": "text/html,*/*"})
    assert (found.status, b"<h1>There is nothing here</h1>" in found.body) == (404, True)
    wrong = web.ask("POST", "/ledger", headers=SAME)
    assert (wrong.status, wrong.json["error"]) == (405, "this address does not take that method")
    assert wrong.json["remedy"] == f"it takes {wrong.headers['allow']}"
    assert web.get("/" + "x" * 3000).status == 422


def test_every_answer_has_the_headers_that_keep_others_out(web: Handled) -> None:
    kept = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
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


def test_style_and_script_have_names_that_change_with_them(web: Handled) -> None:
    page = web.get("/start").body.decode()
    address = page.partition('href="')[2].partition('"')[0]
    found = web.get(address)
    assert (found.status, found.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in found.headers["cache-control"]
    assert sha256(found.body).hexdigest()[:12] in address


def test_an_invitation_is_taken_by_a_button_once(web: Handled) -> None:
    path = f"/join/{invite(web.registry, 'Berta')}"
    for _ in range(2):
        assert b"Berta" in web.get(path).body, "who looks at it takes nothing"
    assert web.ask("POST", path).status == 403
    found = web.ask("POST", path, headers=SAME)
    assert (found.status, found.headers["cache-control"]) == (200, "no-store")
    token = found.body.decode().partition("zole_")[2][:43]
    assert web.get("/api/v1/me", token=f"zole_{token}").json["name"] == "Berta"
    cookie, *about = found.headers["set-cookie"].partition("=")[2].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*about}
    assert b"Berta" in web.get("/me", cookie=cookie).body
    assert web.ask("POST", path, headers=SAME).status == 404


def test_whoever_comes_by_the_link_of_a_class_chooses_a_name(web: Handled) -> None:
    path = f"/join/{invite(web.registry, None, places=2)}"
    assert b'name="name"' in web.get(path).body
    in_latvian = {**FORM, "Accept": "text/html", "Accept-Language": "lv"}

    def come(name: str) -> int:
        return web.ask("POST", path, f"name={name}".encode(), FORM).status

    assert [come(name) for name in ("Zaiga", "zaiga", "house", "")] == [200, 409, 422, 422]
    for name in (b"zaiga", b"house"):
        told = web.ask("POST", path, b"name=%b&team=Blue" % name, in_latvian).body
        assert b'name="name" value="%s"' % name in told, "the form stays, as it was filled in"
        assert b'name="team" value="Blue"' in told
        assert "Šo vārdu nevar izvēlēties.".encode() in told
    assert b"One place is left." in web.get(path).body
    assert [come(name) for name in ("Uldis", "Dace")] == [200, 404]


def test_a_program_opens_a_session_in_a_browser_and_the_browser_ends_it(web: Handled) -> None:
    anna = web.comes_in("Anna")
    link = web.ask("POST", "/api/v1/code", b"", token=anna.token).json["link"]
    path = link.removeprefix(f"http://{web.host}")
    assert web.get(path).status == 200
    found = web.ask("POST", path, headers=SAME)
    assert (found.status, found.headers["location"]) == (303, "/me")
    assert web.ask("POST", path, headers=SAME).status == 404
    cookie = found.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert web.get("/me", cookie=cookie, headers={"Sec-Fetch-Site": "cross-site"}).status == 401
    assert web.get("/me", cookie=cookie).status == 200
    assert web.ask("POST", "/logout", headers=SAME, cookie=cookie).status == 303
    assert web.get("/me", cookie=cookie).status == 401


def test_a_token_is_made_by_a_form_and_the_one_before_ends(web: Handled) -> None:
    who = web.comes_in("Clara")
    shown = web.ask("POST", "/me/token", b"", FORM, cookie=who.session)
    token = "zole_" + shown.body.decode().partition("zole_")[2][:43]
    assert web.get("/api/v1/me", token=token).status == 200
    assert web.get("/api/v1/me", token=who.token).status == 401
    assert token not in web.get("/me", cookie=who.session).body.decode()


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
    token, kind = web.comes_in("Dora").token, {"Content-Type": "application/json"}

    def asked(**keys: Any) -> Any:
        body = json.dumps({"type": "logs", **keys}).encode()
        return web.ask("POST", "/api/v1/jobs", body, kind, token=token)

    found = asked(after=7, most=2)
    assert (found.status, found.json["state"]) == (200, "waiting")
    path = f"/api/v1/jobs/{found.json['id']}"
    assert web.get(f"{path}/log", token=token).status == 404
    text = b"<script>alert(1)</script>\n" * 9000
    answer(web.registry, took(web.registry, OwnLogs), text)
    found = web.get(f"{path}/log", token=token)
    assert (found.status, found.body) == (200, text)
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert found.headers["content-disposition"] == 'attachment; filename="matches.txt"'
    for wrong in ({}, {"after": "x", "most": 1}, {"after": -1, "most": 1}, {"after": 0, "most": 0}):
        assert asked(**wrong).status == 422


def test_a_replay_is_one_page_for_all_matches_and_a_document_for_each(web: Handled) -> None:
    assert web.get("/matches/44/replay").status == 404
    match = MADE.match()
    web.publish(**{"matches/44": msgspec.structs.replace(match, later="season")})
    for path in ("/matches/44/replay", "/matches/44/replay.json"):
        early = web.get(path)
        assert (early.status, early.json["remedy"]) == (404, "until the season ends")
    web.publish(**{"matches/44": match})
    web.publisher.put_packed("replays/44", b'{"match":1}')
    web.publish()
    page = web.get("/matches/44/replay", headers={"Accept-Language": "lv"})
    assert page.body == shared_page().encode()
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "SAMEORIGIN"
    assert page.headers["vary"] == "Accept-Encoding"
    found = web.get("/matches/44/replay.json")
    assert (found.body, found.json) == (b'{"match":1}', {"match": 1})
    known = {"If-None-Match": found.headers["etag"]}
    assert web.get("/matches/44/replay.json", headers=known).status == 304


def test_what_is_published_is_on_the_pages_soon(tmp_path: Path) -> None:
    with served(tmp_path, at_once=False) as web:
        web.publish(**PUBLISHED)
        known = web.get("/ledger")
        web.publish(proof=msgspec.structs.replace(MADE.proof(), orders=7))
        until(lambda: web.get("/ledger").body != known.body)


def test_what_must_be_drawn_costs_its_address_more_than_what_is_kept(tmp_path: Path) -> None:
    with served(tmp_path, quotas={"requests_a_minute": 10}) as web:
        web.publish(**PUBLISHED)
        asked = ("/ledger", "/start", "/ledger.json", "/start")
        assert [web.get(path).status for path in asked] == [200, 200, 429, 200]


def test_an_upload_is_taken_followed_and_the_same_again(web: Handled) -> None:
    who = web.comes_in("Ella")
    body = b"an archive" * 50_000
    found, again = (web.ask("POST", "/api/v1/bots", body, token=who.token) for _ in range(2))
    assert (found.status, found.json["state"]) == (202, "waiting")
    assert (again.status, again.json["id"]) == (202, found.json["id"])
    kept = web.site.spool / f"{who.account.number}-{sha256(body).hexdigest()}"
    assert kept.read_bytes() == body
    other = web.ask("POST", "/api/v1/bots", b"other", token=who.token)
    assert (other.status, other.headers["retry-after"]) == (429, "30")
    path = f"/api/v1/jobs/{found.json['id']}"
    taken = took(web.registry)
    add_step(web.registry, taken, CheckStep("unpack", True, "fine"))
    seen = web.get(path, token=who.token).json
    assert (seen["state"], [each["name"] for each in seen["steps"]]) == ("taken", ["unpack"])
    decline(web.registry, taken, "it does not build")
    revoke(web.registry, "Ella", "")
    assert web.get(path, token=who.token).status == 401
    again_in = web.comes_in("Ella")
    seen = web.get(path, token=again_in.token).json
    assert (seen["state"], seen["answer"]) == ("failed", "it does not build")
    [listed] = web.get("/api/v1/me", token=again_in.token).json["jobs"]
    assert listed["id"] == found.json["id"]
    assert [each.name for each in web.site.spool.iterdir()] == [kept.name]


def test_an_upload_that_is_not_what_it_says_is_not_taken(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        who = web.comes_in("Fritz")
        for headers, body, status in (
            ({}, b"", 422),
            ({}, bytes((16 << 20) + 1), 413),
            ({"Content-Length": str(1 << 40)}, b"", 413),
        ):
            found = web.ask("POST", "/api/v1/bots", body, headers, token=who.token)
            assert found.status == status, found.body
        head = "POST /api/v1/bots HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n"
        with web.connect(f"{head}Authorization: Bearer {who.token}\r\n\r\n") as chunked:
            with suppress(OSError):
                for _ in range(18):
                    chunked.sendall(b"100000\r\n" + bytes(1 << 20) + b"\r\n")
            assert chunked.recv(100).startswith(b"HTTP/1.1 413")
        with web.connect(f"{head}Authorization: Bearer {who.token}\r\n\r\n") as broken:
            broken.sendall(b"5\r\nhello\r\n")
            until(lambda: list(web.site.spool.glob("*.part")))
        until(lambda: not list(web.site.spool.glob("*.part")))
        assert web.get("/api/v1/me", token=who.token).json["jobs"] == []


def test_health_says_who_has_been_silent_and_for_how_long(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        assert web.get("/health").json["ok"]
        state = ProcessState("play", 1, time() - 1000, {"requests": "answers requests"})
        (web.site.state / "play.json").write_bytes(msgspec.json.encode(state))
        found = web.get("/health")
        assert (found.status, found.json["ok"]) == (503, False)
        assert re.fullmatch(r"play has said nothing for 100\d s", *found.json["why"])


@pytest.mark.parametrize(
    ("path", "changed", "status"),
    [
        ("/ledger", {"proof": msgspec.structs.replace(MADE.proof(), orders=7)}, 200),
        ("/ledger.json", {"proof": msgspec.structs.replace(MADE.proof(), orders=7)}, 200),
        ("/ledger", {"standings": [1]}, 304),
        ("/", {"now": msgspec.structs.replace(MADE.tables(), now=())}, 200),
        ("/tv", {"tv": Television(deals=())}, 200),
        ("/tv", {"numbers": msgspec.structs.replace(MADE.numbers(), lines=99)}, 304),
        ("/standings.csv", {"standings": msgspec.structs.replace(MADE.standings(), lines=())}, 200),
        ("/about", {"about": msgspec.structs.replace(MADE.about(), text="Other")}, 200),
        ("/about", {"league": msgspec.structs.replace(MADE.league(), state="sealed")}, 200),
    ],
)
def test_an_answer_changes_with_what_it_shows_alone(
    web: Handled, path: str, changed: dict[str, Any], status: int
) -> None:
    web.publish(**PUBLISHED)
    known = {"If-None-Match": web.get(path).headers["etag"]}
    assert web.get(path, headers=known).status == 304
    web.publish(**changed)
    assert web.get(path, headers=known).status == status
