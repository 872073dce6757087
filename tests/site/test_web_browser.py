"""An author's way into a site in a real browser: what it is told of requests is what it says."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.site.registry.accounts import invite, new_token
from arena.site.registry.jobs import add_step
from tests.support.browser import Browser
from tests.support.made_site import MadeSite
from tests.support.registry import account, decline, take_upload
from tests.support.web import Served, served

ODD = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>\'"&\u202eabc'
"""What a bot may have written to stderr."""

CHOOSE = """(() => {
    const file = new File([new Uint8Array(50000)], 'bot.zip');
    const given = new DataTransfer();
    given.items.add(file);
    const field = document.querySelector('#drop input');
    field.files = given.files;
    field.dispatchEvent(new Event('change'));
})()"""


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as found:
        yield found


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
    taken = take_upload(web.registry)
    assert taken is not None
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
    made = MadeSite()
    tables = made.tables()
    web.publish(league=made.league(), standings=made.standings(), now=tables)
    page.visit(f"http://{web.host}/?lang=lv")
    page.value("window.kept = document.querySelector('#standings'); 0")
    web.publish(now=msgspec.structs.replace(tables, now=()))
    page.until("document.querySelector('#playing').textContent.includes('nesēž neviens')")
    assert page.value("window.kept.isConnected"), "what has not changed stays as it is"
    page.leave()
