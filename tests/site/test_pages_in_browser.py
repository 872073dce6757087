"""The pages of a site in a browser: on a phone, by keys, without a script, while things change."""

from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from arena.site.documents import ShownDeal, Television
from arena.site.pages.public import PageAsk, home_page, tv_page
from tests.support.browser import Browser, axe
from tests.support.made_site import NOW, MadeSite, MadeSource
from tests.support.page_server import PageServer, page_server
from tests.support.patience import until
from tests.support.room import TORN, WIDE

HOSTILE: Final = (
    "</title></textarea><script>window.hit=1</script><img src=x onerror=window.hit=1>"
    "\"'`><svg onload=window.hit=1>javascript:window.hit=1//\u202e\u2028" + "W" * 90
)
WINDOWS: Final = ((1440, "light"), (390, "light"), (1440, "dark"))
PATHS: Final = (
    *(
        "/",
        "/crosstable",
        "/bots/x",
        "/matches",
        "/matches/1",
        "/deals/1/1",
        "/ledger",
        "/rules",
        "/start",
        "/tv",
    ),
    "/play",
    *("/join/x", "/welcome", "/login/x", "/signin", "/me", "/me/uploads/u5cXy"),
    *("/me/uploads/failed", "/waiting", "/error"),
)
CHEAP: Final = ("/", "/me")


DROP: Final = """((content, name) => {
    const data = new DataTransfer();
    data.items.add(new File([content], name));
    const drop = new DragEvent("drop", { dataTransfer: data, cancelable: true });
    document.querySelector("#drop").dispatchEvent(drop);
})"""


@pytest.fixture(scope="module")
def site() -> Iterator[PageServer]:
    with page_server(MadeSite()) as found:
        yield found


@pytest.fixture(scope="module")
def hostile() -> Iterator[PageServer]:
    with page_server(MadeSite(HOSTILE), HOSTILE) as found:
        yield found


def each_path(cheap: tuple[str, ...] = CHEAP) -> list[object]:
    """All pages; those that are not looked at each time are slow."""
    return [path if path in cheap else pytest.param(path, marks=pytest.mark.slow) for path in PATHS]


@pytest.mark.parametrize("path", each_path())
def test_nothing_that_a_stranger_wrote_runs(page: Browser, hostile: PageServer, path: str) -> None:
    page.window(390, 844)
    page.visit(hostile.address + path)
    assert page.value("typeof window.hit") == "undefined"
    assert page.value("document.querySelectorAll('img, [onload], [onerror]').length") == 0
    assert page.value("document.querySelectorAll('script').length") == 1 + (path == "/tv")
    assert (hostile.reports, page.problems, page.value(WIDE)) == ([], [], 0)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_axe_finds_nothing_and_the_page_is_no_wider_than_its_window(
    page: Browser, site: PageServer, path: str, width: int, scheme: str
) -> None:
    page.window(width, 900, scheme)
    page.visit(site.address + path)
    assert (axe(page), page.problems, page.value(WIDE)) == ([], [], 0)


def test_numbers_of_a_wide_table_stay_whole_on_a_phone(page: Browser, site: PageServer) -> None:
    page.window(390, 844)
    page.visit(f"{site.address}/crosstable")
    assert page.value(TORN) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_without_a_script_every_page_tells_the_same(
    page: Browser, site: PageServer, path: str
) -> None:
    ours = "time, .state, #drop, #screen, #remote, button[data-copy], button[data-check], noscript"
    told = (
        f"document.querySelectorAll('{ours}').forEach((it) => it.remove()),"
        " document.querySelector('main').innerText"
    )
    page.visit(site.address + path)
    with_script = page.value(told)
    page.scripts(False)
    try:
        page.visit(site.address + path)
        assert page.value(told) == with_script
        buttons = "[...document.querySelectorAll('main button:not([hidden])')]"
        assert page.value(f"{buttons}.every((it) => it.form !== null)")
        assert page.value("document.querySelector('#drop, #screen')?.hidden ?? true")
    finally:
        page.scripts(True)


def test_the_first_key_skips_to_the_page(page: Browser, site: PageServer) -> None:
    page.window(1440, 900)
    page.visit(f"{site.address}/")
    page.press("Tab")
    assert page.value("document.activeElement.className") == "skip"
    assert page.value("document.activeElement.getBoundingClientRect().top") >= 0
    page.press("Enter")
    page.until("document.activeElement.id === 'main'")
    page.press("Tab")
    assert page.value("document.querySelector('main').contains(document.activeElement)")
    assert page.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/matches", "/me", "/ledger", "/tv"])
def test_all_that_can_be_pressed_is_reached_by_keys(
    page: Browser, site: PageServer, path: str
) -> None:
    page.visit(site.address + path)
    wanted = (
        "[...document.querySelectorAll('a[href], button, input, select, summary,"
        ' [tabindex="0"]\')].filter((it) => it.checkVisibility()'
        " && !it.closest('details:not([open]) > :not(summary)'))"
    )
    count = page.value(f"{wanted}.length")
    page.value(
        "window.reached = new Set(); document.addEventListener('focusin',"
        " ({ target }) => reached.add(target)); 0"
    )
    for _ in range(count + 2):
        page.press("Tab")
    left = f"{wanted}.filter((it) => !reached.has(it)).map((it) => it.outerHTML.slice(0, 80))"
    assert page.value(left) == []


def test_what_is_new_comes_in_and_is_marked(page: Browser) -> None:
    made = MadeSite()
    with page_server(made) as site:
        page.window(1440, 900)
        page.visit(f"{site.address}/")
        page.value(
            "document.querySelector('#left').open = true;"
            " [...document.querySelectorAll('#standings .bot')][1].focus(); 0"
        )
        first, *rest = made.standings().lines
        lines = (msgspec.structs.replace(first, strength=1.25, games=12_060), *rest)
        standings = msgspec.structs.replace(made.standings(), lines=lines, at=NOW)
        ask = PageAsk(MadeSource(made, standings=standings))
        site.shown["/"] = lambda: home_page.draw(ask, site.templates)
        page.until("document.querySelector('#standings').textContent.includes('+1.25')")
        time = "document.querySelector('#version time').dateTime"
        page.until(f"Date.parse({time}) === {NOW:.0f} * 1000")
        marked = "[...document.querySelectorAll('#standings .changed')].map((it) => it.dataset.key)"
        assert page.value(marked) == [first.bot]
        assert page.value("document.querySelector('#left').open")
        assert page.value("document.activeElement.textContent") == rest[0].bot
        assert page.value("document.querySelector('.state').hidden")
        assert page.problems == []
        page.leave()


@pytest.mark.slow
def test_a_page_that_lost_its_site_says_so_and_comes_back(page: Browser) -> None:
    with page_server(MadeSite()) as site:
        page.visit(f"{site.address}/")
        site.silent = True
        page.until("!document.querySelector('.state').hidden")
        site.silent = False
        page.until("document.querySelector('.state').hidden")
        page.leave()


@pytest.mark.slow
def test_an_archive_is_dropped_sent_and_followed(page: Browser) -> None:
    with page_server(MadeSite()) as site:
        page.window(390, 844)
        page.visit(f"{site.address}/me")
        assert page.value("document.querySelector('#drop').hidden") is False
        page.value(f"{DROP}('bytes', 'a.zip')")
        until(lambda: site.asked.count("/me/uploads/u5cXy") > 1)
        assert site.posted == [("/api/v1/bots", b"bytes")]
        page.until("document.querySelector('h1').textContent === 'Being checked'")
        site.upload = MadeSite().upload("done")
        page.until("document.querySelector('h1').textContent.endsWith(' plays')")
        page.leave()


@pytest.mark.slow
def test_what_is_too_large_is_not_sent(page: Browser, site: PageServer) -> None:
    page.visit(f"{site.address}/me")
    page.value(f"{DROP}(new Uint8Array(17 << 20), 'big.zip')")
    said = page.value("document.querySelector('#drop output').textContent")
    assert said == "big.zip is larger than 16.0 MiB."
    assert site.posted == []


def test_a_proof_is_checked_by_the_browser(page: Browser, site: PageServer) -> None:
    page.visit(f"{site.address}/ledger")
    page.value(
        "document.querySelector('#check').open = true;"
        " document.querySelectorAll('[data-check]').forEach((it) => it.click()); 0"
    )
    page.until("[...document.querySelectorAll('.check output')].every((it) => it.textContent)")
    told = page.value(
        "[...document.querySelectorAll('.check output')].map((it) => it.textContent[0])"
    )
    assert told == ["✓"]


@pytest.mark.slow
def test_the_next_deal_follows_when_one_is_over_and_space_stops_the_one_under_way(
    page: Browser,
) -> None:
    made = MadeSite()
    with page_server(made) as site:
        site.replay = """<!doctype html><title>x</title><script>
            parent.postMessage("playing", "*");
            addEventListener("message", ({ data }) => parent.postMessage(
                data === "pause" ? "paused" : "over", "*"));
            </script>"""
        page.visit(f"{site.address}/tv")
        page.until("document.querySelector('#remote button').textContent === 'Pause'")
        frame = "document.querySelector('#screen').src"
        first = page.value(frame)
        new = ShownDeal(match=16_800, number=7, bots=made.seats(), stakes=50)
        ask = PageAsk(MadeSource(made, tv=Television(deals=(new, *made.tv().deals))))
        site.shown["/tv"] = lambda: tv_page.draw(ask, site.templates)
        page.until("document.querySelectorAll('#deals a').length === 6")
        assert page.value("[...document.querySelectorAll('#deals a')][1].ariaCurrent") == "true"
        assert page.value(frame) == first
        page.press(" ")
        page.until("document.querySelector('#remote button').textContent === 'Play'")
        page.press(" ")
        page.until(f"{frame}.endsWith('#deal=8&tv')")  # the one that was shown later comes next
        page.until("document.querySelectorAll('#deals a')[0].hasAttribute('aria-current')")
        assert page.problems == []
        page.leave()
