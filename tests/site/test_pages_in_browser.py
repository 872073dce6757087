"""The pages of a site in a browser: on a phone, by keys, without a script, while things change.

What a page does with its site is looked at with a web process, and how it looks with made pages.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.base.harmless import harmless_lines
from arena.reports.page import replay_document
from arena.site.documents import ShownDeal, Television
from arena.site.pages.public import PageAsk, tv_page
from arena.site.registry.accounts import invite, new_token
from arena.site.registry.jobs import add_step
from tests.reports.test_viewer import HOSTILE as NAMES
from tests.reports.test_viewer import hostile as hostile_match
from tests.support.browser import Browser, axe
from tests.support.made_site import MADE, NOW, PUBLISHED, MadeSite, MadeSource
from tests.support.page_server import PageServer, page_server
from tests.support.registry import account, decline, enter, took
from tests.support.room import WIDE
from tests.support.web import Served

HOSTILE: Final = (
    "</title></textarea><script>window.hit=1</script><img src=x onerror=window.hit=1>"
    "\"'`><svg onload=window.hit=1>javascript:window.hit=1//\u202e\u2028" + "W" * 90
)
WINDOWS: Final = ((1440, "light"), (390, "light"), (1440, "dark"))
PATHS: Final = (
    *(
        "/",
        "/standings",
        "/crosstable",
        "/bots/x",
        "/matches",
        "/matches/1",
        "/deals/1/1",
        "/ledger",
        "/rules",
    ),
    *("/start", "/tv", "/play", "/join/x", "/welcome", "/login/x", "/signin", "/me"),
    *("/me/uploads/taken", "/me/uploads/failed", "/waiting", "/error"),
)
CHEAP: Final = ("/", "/me")
# All pages; those that are not looked at each time are slow.
SOME: Final = [it if it in CHEAP else pytest.param(it, marks=pytest.mark.slow) for it in PATHS]

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


@pytest.fixture
def real(web: Served) -> Served:
    web.unpublish()
    web.publisher.put_packed("replays/44", replay_document(hostile_match()))
    web.publish(**PUBLISHED, **{"matches/44": MADE.match()})
    return web


# --- how a page looks ---


@pytest.mark.parametrize("path", SOME)
def test_nothing_that_a_stranger_wrote_runs(page: Browser, hostile: PageServer, path: str) -> None:
    page.window(390, 844)
    page.visit(hostile.address + path)
    found = page.value("""({
        hit: typeof window.hit,
        odd: document.querySelectorAll('img, [onload], [onerror]').length,
        scripts: document.querySelectorAll('script').length,
    })""")
    assert found == {"hit": "undefined", "odd": 0, "scripts": 1 + (path in ("/", "/tv", "/bots/x"))}
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
        assert page.value("""[
            [...document.querySelectorAll('main button:not([hidden])')].every((it) => it.form),
            document.querySelector('#drop, #screen')?.hidden ?? true,
        ]""") == [True, True]
    finally:
        page.scripts(True)


def test_the_first_key_skips_to_the_page(page: Browser, site: PageServer) -> None:
    page.window(1440, 900)
    page.visit(f"{site.address}/")
    page.press("Tab")
    assert page.value("""[
        document.activeElement.className,
        document.activeElement.getBoundingClientRect().top >= 0,
    ]""") == ["skip", True]
    page.press("Enter")
    page.until("document.activeElement.id === 'main'")
    page.press("Tab")
    assert page.value("""[
        document.querySelector('main').contains(document.activeElement),
        getComputedStyle(document.activeElement).outlineStyle,
    ]""") == [True, "solid"]


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


def test_a_proof_is_checked_by_the_browser(page: Browser, site: PageServer) -> None:
    page.visit(f"{site.address}/ledger")
    page.value(
        "document.querySelector('#check').open = true;"
        " document.querySelectorAll('[data-check]').forEach((it) => it.click()); 0"
    )
    told = "[...document.querySelectorAll('.check output')].map((it) => it.textContent)"
    page.until(f"{told}.every((it) => it)")
    assert [each[0] for each in page.value(told)] == ["✓"]


def test_the_lesson_is_offered_until_it_is_done_or_skipped(page: Browser) -> None:
    offered = "document.querySelector('[data-offer]').checkVisibility()"
    with page_server(MADE) as site:
        page.visit(f"{site.address}/play")
        assert page.value(offered)
        page.value("localStorage.setItem('zole:learnt', 'yes')")
        page.reload()
        page.until(f"!{offered}")


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


REPLAY: Final = """<!doctype html><title>x</title><script>
    parent.postMessage("playing", "*");
    </script>"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_the_first_page_has_a_felt_and_three_ways_in_sight_and_nothing_moves(
    page: Browser, site: PageServer, width: int, height: int
) -> None:
    site.replay = REPLAY
    page.window(width, height)
    page.visit(f"{site.address}/")
    page.until("document.querySelector('#remote button').textContent === 'Pause'")
    seen = page.value("""(async () => {
        const bar = document.querySelector('.places').getBoundingClientRect();
        const end = bar.top > 100 ? bar.top : innerHeight;
        const within = (it) => it.getBoundingClientRect().bottom < end + 1;
        const moved = await new Promise((done) => {
            const much = (list) => list.getEntries().reduce((all, { value }) => all + value, 0);
            const seen = new PerformanceObserver((list) => done(much(list)));
            seen.observe({ type: 'layout-shift', buffered: true });
            setTimeout(done, 500, 0);
        });
        const fetched = performance.getEntriesByType('resource');
        const [page] = performance.getEntriesByType('navigation');
        const frame = fetched.find((it) => it.name.includes('tv='));
        const waited = frame.startTime > page.loadEventStart;
        const ways = [...document.querySelectorAll('.front .press')].filter(within);
        const felt = within(document.querySelector('#screen'));
        scrollTo(0, document.body.scrollHeight);
        const foot = within(document.querySelector('.foot'));
        return [felt, ways.length, moved < 0.01, waited, foot];
    })()""")
    assert seen == [True, 4, True, True, True]
    assert page.problems == []
    page.leave()


def test_the_best_deal_of_a_bot_is_fetched_once_it_is_pressed(
    page: Browser, site: PageServer
) -> None:
    site.replay = REPLAY
    page.visit(f"{site.address}/bots/x")
    assert page.value("document.querySelector('.set').hidden")
    assert not [each for each in page.requests if "replay" in each]
    page.value("document.querySelector('#deals a').focus()")
    page.press("Enter")
    page.until("document.querySelector('#remote button').textContent === 'Pause'")
    assert page.value("""[
        document.querySelector('#screen').checkVisibility(),
        document.querySelector('#deals').checkVisibility(),
        document.activeElement.textContent,
    ]""") == [True, False, "Pause"]
    page.leave()


# --- what a page does with its site ---


def test_a_switch_is_kept_and_leaves_the_address(real: Served, page: Browser) -> None:
    site = f"http://{real.host}"
    page.visit(f"{site}/ledger?before=9#ledger")
    page.value("document.querySelector('.languages [lang=lv]').click()")
    page.until("document.documentElement?.lang === 'lv' && location.search === ''")
    page.visit(f"{site}/start?a=1&lang=xx")
    assert page.value("[document.documentElement.lang, location.search]") == ["lv", "?a=1"]
    page.forget()
    page.visit(f"{site}/start?lang=xx")
    assert page.value("location.search") == "?lang=xx"


def test_what_is_new_comes_in_and_is_marked_and_the_rest_stays(real: Served, page: Browser) -> None:
    page.window(1440, 900)
    page.visit(f"http://{real.host}/standings?lang=lv")
    page.value(
        "document.querySelector('#left').open = true;"
        " window.kept = document.querySelector('#foot');"
        " [...document.querySelectorAll('#standings .bot')][1].focus(); 0"
    )
    standings = MADE.standings()
    first, *rest = standings.lines
    lines = (msgspec.structs.replace(first, strength=1.25, games=12_060), *rest)
    real.publish(standings=msgspec.structs.replace(standings, lines=lines, at=NOW))
    page.until("document.querySelector('#standings').textContent.includes('+1,25')")
    time = "document.querySelector('#version time').dateTime"
    page.until(f"Date.parse({time}) === {NOW:.0f} * 1000")
    seen = page.value("""({
        marked: [...document.querySelectorAll('#standings .changed')].map((it) => it.dataset.key),
        open: document.querySelector('#left').open,
        focused: document.activeElement.textContent,
        found: document.querySelector('.state').hidden,
        kept: window.kept.isConnected,
    })""")
    assert seen == {
        "marked": [first.bot],
        "open": True,
        "focused": rest[0].bot,
        "found": True,
        "kept": True,
    }


@pytest.mark.slow
def test_a_page_that_lost_its_site_says_so_and_comes_back(real: Served, page: Browser) -> None:
    page.visit(f"http://{real.host}/")
    real.unpublish()
    page.until("!document.querySelector('.state').hidden")
    real.publish(**PUBLISHED)
    page.until("document.querySelector('.state').hidden")


@pytest.mark.slow
def test_the_page_of_all_replays_shows_the_match_of_its_address(
    real: Served, page: Browser
) -> None:
    page.visit(f"http://{real.host}/matches/44/replay#deal=1")
    page.until("document.querySelector('.bots bdi')")
    names = page.value("[...document.querySelectorAll('.bots bdi')].map((it) => it.textContent)")
    assert tuple(names) == tuple(map(harmless_lines, NAMES))
    assert page.value("typeof hit") == "undefined"


@pytest.mark.slow
def test_an_author_comes_in_sends_bots_sees_them_checked_and_leaves(
    real: Served, page: Browser
) -> None:
    site, registry = f"http://{real.host}", real.registry
    page.visit(f"{site}/join/{invite(registry, 'Anna')}")
    page.value("document.querySelector('main form button').click()")
    page.until("document.querySelector('#token')")
    token = page.value("document.querySelector('#token').textContent")
    assert real.get("/api/v1/me", token=token).json["name"] == "Anna"
    page.value("document.querySelector('main a[href=\"/me\"]').click()")
    page.until("location.pathname === '/me' && document.querySelector('#drop:not([hidden])')")
    page.value("document.querySelector('[action=\"/me/token\"] button').click()")
    page.until("document.querySelector('#new-token')")
    assert real.get("/api/v1/me", token=token).status == 401

    page.visit(f"{site}/me")
    page.until("document.querySelector('#drop:not([hidden])')")
    page.value(CHOOSE)
    page.until("location.pathname.startsWith('/me/uploads/')")
    taken = took(registry)
    add_step(registry, taken, CheckStep("unpack", True, ODD))
    decline(registry, taken, ODD)
    page.until("document.querySelector('#upload')?.textContent.includes('Not taken')")
    assert "<script>" in page.value("document.querySelector('#upload').innerText")
    assert page.value("window.ran") is None

    page.window(390, 844)
    page.visit(f"{site}/me")
    page.value(f"{DROP}(new Uint8Array(17 << 20), 'big.zip')")
    said = page.value("document.querySelector('#drop output').textContent")
    assert said == "big.zip is larger than 16.0 MiB."
    page.value(f"{DROP}('bytes', 'a.zip')")
    page.until("location.pathname.startsWith('/me/uploads/')")
    enter(registry, took(registry), "anna", "anna")
    page.until("document.querySelector('h1').textContent.endsWith(' plays')")
    assert {each.read_bytes() for each in real.site.spool.iterdir()} == {bytes(50_000), b"bytes"}

    page.visit(f"{site}/me")
    page.value("document.querySelector('[action=\"/logout\"] button').click()")
    page.until("location.pathname === '/'")
    page.visit(f"{site}/me")
    assert "No bot yet?" in page.value("document.body.innerText")
    other = new_token(registry, account(registry, "Anna"))
    page.visit(real.ask("POST", "/api/v1/code", b"", token=other).json["link"])
    page.value("document.querySelector('main form button').click()")
    page.until("document.querySelector('h1')?.innerText === 'Anna'")
    assert page.value("location.pathname") == "/me"
