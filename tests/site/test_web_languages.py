"""The language of a page over real sockets: who is answered in which, and how it is kept."""

from collections.abc import Iterator

import pytest

from arena.base.harmless import harmless_lines
from arena.reports.page import replay_document
from tests.reports.test_viewer import HOSTILE, hostile
from tests.support.browser import Browser
from tests.support.made_site import MadeSite
from tests.support.web import Served, served

LATVIAN = {"Accept-Language": "lv,en;q=0.5"}
ENGLISH = {"Accept-Language": "en-GB,en;q=0.9"}
SAID = {"en": b"Getting started", "lv": "No nulles līdz galdam".encode()}
SHARED = {"accept-encoding", "accept-language", "cookie"}
"""What a page hangs on that everybody may see."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web")) as found:
        made = MadeSite()
        documents = {
            "standings": made.standings(),
            "now": made.tables(),
            "matches/44": made.match(),
        }
        found.publish(league=made.league(), proof=made.proof(), **documents)
        yield found


def varies(vary: str) -> set[str]:
    """The headers that an answer says it hangs on."""
    return {each.strip().lower() for each in vary.split(",")}


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        (LATVIAN, "lv"),
        (ENGLISH, "en"),
        ({"Accept-Language": "de"}, "en"),
        ({"Accept-Language": "de, lv-LV;q=0.8, en;q=0.5"}, "lv"),
        ({"Accept-Language": "lv; q=0.9, en; q=0.8"}, "lv"),
        ({**ENGLISH, "Cookie": "language=lv"}, "lv"),
        ({**LATVIAN, "Cookie": "language=en"}, "en"),
        ({**LATVIAN, "Cookie": "language=ru"}, "lv"),
    ],
)
def test_a_page_speaks_what_its_reader_prefers(
    web: Served, headers: dict[str, str], language: str
) -> None:
    page = web.get("/start", headers=headers)
    assert f'<html lang="{language}">'.encode() in page.body
    assert SAID[language] in page.body
    assert "set-cookie" not in page.headers


def test_a_language_that_the_address_asks_for_is_kept(web: Served) -> None:
    asked = web.get("/start?lang=lv", headers=ENGLISH)
    assert SAID["lv"] in asked.body
    cookie, *about = asked.headers["set-cookie"].split("; ")
    assert cookie == "language=lv"
    assert {"Path=/", "SameSite=Lax"} <= set(about)
    again = {**ENGLISH, "Cookie": cookie}
    assert SAID["lv"] in web.get("/start", headers=again).body
    assert "set-cookie" not in web.get("/start?lang=lv", headers=again).headers
    assert SAID["en"] in web.get("/start?lang=en", headers=again).body


@pytest.mark.parametrize("tag", ["xx", "LV", "", "lv;Path=/x", "et"])
def test_an_unknown_language_is_as_if_it_were_not_asked_for(web: Served, tag: str) -> None:
    asked = web.get(f"/start?lang={tag}", headers=LATVIAN)
    assert SAID["lv"] in asked.body
    assert "set-cookie" not in asked.headers


@pytest.mark.parametrize("path", ["/", "/ledger", "/start", "/matches/44"])
def test_each_language_of_a_shared_page_is_seen_by_itself(web: Served, path: str) -> None:
    both = {tag: web.get(path, headers=wants) for tag, wants in (("lv", LATVIAN), ("en", ENGLISH))}
    marks = {tag: page.headers["etag"] for tag, page in both.items()}
    assert marks["lv"] != marks["en"]
    assert both["lv"].body != both["en"].body
    for wants, own, other in ((LATVIAN, "lv", "en"), (ENGLISH, "en", "lv")):
        seen = web.get(path, headers={**wants, "If-None-Match": marks[own]})
        assert (seen.status, seen.headers["etag"], seen.body) == (304, marks[own], b"")
        assert varies(seen.headers["vary"]) == SHARED
        unseen = web.get(path, headers={**wants, "If-None-Match": marks[other]})
        assert (unseen.status, unseen.body) == (200, both[own].body)
        assert varies(unseen.headers["vary"]) == SHARED


def test_documents_are_the_same_in_all_languages(web: Served) -> None:
    for path in ("/standings.json", "/ledger.json", "/matches/44.json", "/openapi.json"):
        both = [web.get(path, headers=wants) for wants in (LATVIAN, ENGLISH)]
        assert both[0].body == both[1].body
        assert both[0].headers["etag"] == both[1].headers["etag"]
        assert both[0].headers["vary"] == "Accept-Encoding"
    told = [web.get("/nothing", headers=wants).json for wants in (LATVIAN, ENGLISH)]
    assert told[0] == told[1]


def test_what_is_an_accounts_own_is_in_its_language_and_kept_by_nobody(web: Served) -> None:
    who = web.comes_in("Anna")
    for tag, said in (("lv", "Iesūtīt botu"), ("en", "Send a bot")):
        page = web.get("/me", headers={"Cookie": f"zole={who.session}; language={tag}"})
        assert (page.status, page.headers["cache-control"]) == (200, "no-store")
        assert said.encode() in page.body
        unknown = web.get("/me", headers={"Accept": "text/html", "Accept-Language": tag})
        assert (unknown.status, unknown.headers["cache-control"]) == (401, "no-store")
        assert f'<html lang="{tag}">'.encode() in unknown.body


def test_a_token_is_not_asked_for_again_by_the_switch_of_languages(web: Served) -> None:
    who = web.comes_in("Berta")
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    made = web.ask("POST", "/me/token", b"", form, cookie=who.session)
    assert b'href="/me?lang=lv"' in made.body


def test_a_refusal_is_told_in_the_readers_language_and_in_the_sites_own_words(web: Served) -> None:
    html = {"Accept": "text/html"}
    english = web.get("/nothing", headers={**html, **ENGLISH}).body.decode()
    assert english.count("here is nothing here") == 1
    assert "<h1>There is nothing here</h1>" in english
    latvian = web.get("/nothing", headers={**html, **LATVIAN})
    assert latvian.status == 404
    assert latvian.headers["cache-control"] == "no-store"
    assert "<h1>Te nekā nav</h1>" in latvian.body.decode()
    assert 'lang="en">There is nothing here.' in latvian.body.decode()


def test_a_switch_is_kept_and_leaves_the_address(web: Served, page: Browser) -> None:
    site = f"http://{web.host}"
    page.visit(f"{site}/ledger?before=9#ledger")
    page.value("document.querySelector('.languages [lang=lv]').click()")
    page.until("document.documentElement?.lang === 'lv' && location.search === ''")
    page.visit(f"{site}/start")
    assert page.value("document.documentElement.lang") == "lv"
    page.visit(f"{site}/start?a=1&lang=xx")
    assert page.value("location.search") == "?a=1"
    page.value("document.cookie = 'language=; path=/; max-age=0'")
    page.visit(f"{site}/start?lang=xx")
    assert page.value("location.search") == "?lang=xx"
    page.leave()


@pytest.mark.slow
def test_the_page_of_all_replays_shows_the_match_of_its_address(web: Served, page: Browser) -> None:
    web.publisher.put_packed("replays/44", replay_document(hostile()))
    web.publish()
    page.visit(f"http://{web.host}/matches/44/replay#deal=1")
    page.until("document.querySelector('.bots bdi')")
    names = page.value("[...document.querySelectorAll('.bots bdi')].map((it) => it.textContent)")
    assert tuple(names) == tuple(map(harmless_lines, HOSTILE))
    assert page.value("typeof hit") == "undefined"
    assert page.problems == []
