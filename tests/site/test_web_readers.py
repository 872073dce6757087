"""What readers and authors see of the web process: each in a language, and in a real browser."""

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.base.harmless import harmless_lines
from arena.reports.page import replay_document
from arena.site.registry.accounts import invite, new_token
from arena.site.registry.jobs import add_step
from tests.reports.test_viewer import HOSTILE, hostile
from tests.support.browser import Browser
from tests.support.made_site import MADE, PUBLISHED
from tests.support.registry import account, decline, took
from tests.support.web import SAME, Served

LATVIAN = {"Accept-Language": "lv,en;q=0.5"}
ENGLISH = {"Accept-Language": "en-GB,en;q=0.9"}
SAID = {"en": b"Getting started", "lv": "No nulles līdz galdam".encode()}
# What a page hangs on that everybody may see.
SHARED = "Accept-Encoding, Accept-Language, Cookie"

# What a bot may have written to stderr.
ODD = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>\'"&\u202eabc'

CHOOSE = """(() => {
    const file = new File([new Uint8Array(50000)], 'bot.zip');
    const given = new DataTransfer();
    given.items.add(file);
    const field = document.querySelector('#drop input');
    field.files = given.files;
    field.dispatchEvent(new Event('change'));
})()"""


@pytest.fixture(scope="module", autouse=True)
def _published(web: Served) -> None:
    web.publish(**PUBLISHED, **{"matches/44": MADE.match()})


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
        unseen = web.get(path, headers={**wants, "If-None-Match": marks[other]})
        assert (unseen.status, unseen.body) == (200, both[own].body)
        assert {seen.headers["vary"], unseen.headers["vary"]} == {SHARED}


def test_documents_are_the_same_in_all_languages(web: Served) -> None:
    for path in ("/standings.json", "/ledger.json", "/matches/44.json", "/openapi.json"):
        one, other = (web.get(path, headers=wants) for wants in (LATVIAN, ENGLISH))
        assert (one.body, one.headers["etag"]) == (other.body, other.headers["etag"])
        assert one.headers["vary"] == "Accept-Encoding"
    one, other = (web.get("/nothing", headers=wants) for wants in (LATVIAN, ENGLISH))
    assert one.json == other.json


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
    form = {"Content-Type": "application/x-www-form-urlencoded", **SAME}
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


@pytest.mark.slow
def test_an_author_comes_in_sends_a_bot_sees_it_checked_and_leaves(
    web: Served, page: Browser
) -> None:
    site = f"http://{web.host}"
    page.visit(f"{site}/join/{invite(web.registry, 'Anna')}")
    page.value("document.querySelector('main form button').click()")
    page.until("document.querySelector('#token')")
    token = page.value("document.querySelector('#token').textContent")
    assert web.get("/api/v1/me", token=token).json["name"] == "Anna"
    page.value("document.querySelector('main a[href=\"/me\"]').click()")
    page.until("location.pathname === '/me' && document.querySelector('#drop:not([hidden])')")
    page.value("document.querySelector('[action=\"/me/token\"] button').click()")
    page.until("document.querySelector('#new-token')")
    assert web.get("/api/v1/me", token=token).status == 401
    page.visit(f"{site}/me")
    page.until("document.querySelector('#drop:not([hidden])')")
    page.value(CHOOSE)
    page.until("location.pathname.startsWith('/me/uploads/')")
    taken = took(web.registry)
    add_step(web.registry, taken, CheckStep("unpack", True, ODD))
    decline(web.registry, taken, ODD)
    page.until("document.querySelector('#upload')?.textContent.includes('Not taken')")
    assert "<script>" in page.value("document.querySelector('#upload').innerText")
    assert page.value("window.ran") is None
    page.visit(f"{site}/me")
    page.value("document.querySelector('[action=\"/logout\"] button').click()")
    page.until("location.pathname === '/'")
    page.visit(f"{site}/me")
    assert "not known" in page.value("document.body.innerText")
    other = new_token(web.registry, account(web.registry, "Anna"))
    page.visit(web.ask("POST", "/api/v1/code", b"", token=other).json["link"])
    page.value("document.querySelector('main form button').click()")
    page.until("document.querySelector('h1')?.innerText === 'Anna'")
    assert page.value("location.pathname") == "/me"
    page.leave()


@pytest.mark.slow
def test_a_page_takes_in_the_parts_that_changed_and_leaves_the_others(
    web: Served, page: Browser
) -> None:
    page.visit(f"http://{web.host}/?lang=lv")
    page.value("window.kept = document.querySelector('#standings'); 0")
    web.publish(now=msgspec.structs.replace(MADE.tables(), now=()))
    page.until("document.querySelector('#playing').textContent.includes('nesēž neviens')")
    assert page.value("window.kept.isConnected"), "what has not changed stays as it is"
    page.leave()
