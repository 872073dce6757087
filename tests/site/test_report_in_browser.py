"""What a reader sees of a played league in a browser: its pages, opened from the disk."""

import json
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import pytest

from arena.base.harmless import harmless
from arena.reports.tables import MINUS
from tests.support.bots import good, write_bot
from tests.support.browser import Browser, axe
from tests.support.command import document, output, refusal, run
from tests.support.hostile import long_ago

LEAGUE: Final = "</title><script>hit=1</script>\u202e\u2028<img src=x onerror=hit=1>" + "W" * 200
BOTS: Final = (
    "<img src=x onerror=hit=1>",
    '"><style>*{display:none}<svg onload=hit>',
    "\u202eZ" + "\u0335\u0321\u0301" * 12 + "\u2028z",
)
SHOWN: Final = tuple(map(harmless, BOTS))
PRIVATE: Final = "</pre><script>hit=1</script>"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of three whose names, notes and stderr are hostile; the first faults in deal 2."""
    folder = tmp_path_factory.mktemp("played #1 100%: äķ?")
    errs = f"m.get('deal') == 2 and m['type'] == 'play': answer['card'] = {PRIVATE[:16]!r}"
    says = f"answer['note'] = {PRIVATE!r}; print({PRIVATE!r}, file=sys.stderr)"
    write_bot(folder / "a", good(before=f"{says}\n    if {errs}"))
    write_bot(folder / "b", good(before=says))
    write_bot(folder / "c", good(bid="m['deal'] % 2"))
    path = folder / "a league.toml"
    entries = (
        f"{{ path = {json.dumps(each)}, name = {json.dumps(name)} }}"
        for each, name in zip("abc", BOTS, strict=True)
    )
    path.write_text(f"name = {json.dumps(LEAGUE)}\ndeals = 12\nbots = [{', '.join(entries)}]\n")
    with long_ago():
        output("league", path, "--seed", "5")
    assert output("report", path, "--replays", "all") == ""
    return path


@pytest.fixture(scope="module")
def page(league: Path) -> Path:
    return league.with_suffix(".html")


@pytest.fixture(scope="module")
def folder(page: Path) -> Path:
    return page.with_suffix(".pages")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_pages_need_no_script_and_show_every_table(
    browser: Browser, page: Path, folder: Path, scripts: bool
) -> None:
    browser.scripts(scripts)
    try:
        for file, tables in ((page, 1), (folder / "crosstable.html", 4)):
            browser.open(file)
            assert browser.value("document.querySelectorAll('table').length") == tables
            assert browser.value(
                "[...document.querySelectorAll('table, svg[role=img]')].every((it) =>"
                " it.getBoundingClientRect().height > 40)"
            )
        headings = browser.value("[...document.querySelectorAll('h2')].map((it) => it.innerText)")
        assert {"By role", "By seat"} < set(headings)
        buttons = browser.value("document.querySelectorAll('th button').length")
        assert (buttons > 0) == scripts
    finally:
        browser.scripts(True)


def test_hostile_names_are_texts_on_the_page(browser: Browser, page: Path) -> None:
    browser.open(page)
    titles = browser.value("[document.title, document.querySelector('h1').textContent]")
    assert titles == [harmless(LEAGUE)] * 2
    names = "[...document.querySelectorAll('.standings .bot')].map((it) => it.textContent)"
    assert set(browser.value(names)) == set(SHOWN)
    extra = "img, script ~ script, style ~ style, [onload], [onerror]"
    assert browser.value(f"document.querySelectorAll('{extra}').length") == 0
    assert browser.value("typeof hit") == "undefined"


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", ["crosstable", "matches", "rules", "bot-1"])
def test_a_page_is_no_wider_than_its_window_and_no_figure_is_cut_off(
    browser: Browser, folder: Path, width: int, name: str
) -> None:
    browser.window(width, 800)
    browser.open(folder / f"{name}.html")
    assert browser.value("document.documentElement.scrollWidth") <= width
    held = "[...document.querySelectorAll('.scroll')].every((it) => it.clientWidth <= innerWidth)"
    assert browser.value(held)
    cut = "[...document.querySelectorAll('td')].filter((it) => it.scrollWidth > it.clientWidth)"
    assert browser.value(f"{cut}.map((it) => it.textContent)") == []


@pytest.mark.parametrize(
    ("language", "forehand", "everybody"),
    [("en", "forehand", "everybody"), ("lv", "pirmā roka", "visi")],
)
def test_a_table_sorts_by_the_heading_that_is_pressed(
    browser: Browser, league: Path, tmp_path: Path, language: str, forehand: str, everybody: str
) -> None:
    out = tmp_path / "page.html"
    output("report", league, "--out", out, "--replays", "none", "--language", language)
    browser.open(out.with_suffix(".pages") / "crosstable.html")
    table = "document.querySelector('table[aria-labelledby=seats]')"
    press = f"{table}.querySelectorAll('th button')[1].click()"
    column = f"[...{table}.tBodies[0].rows].map((row) => row.cells[1].textContent)"
    assert browser.value("document.querySelectorAll('[aria-sort]').length") == 0
    browser.value(press)
    falling = browser.value(column)
    figures = [each.replace(MINUS, "-").replace(",", ".").partition("±")[0] for each in falling]
    stakes = [*map(float, figures)]
    assert stakes == sorted(stakes, reverse=True)
    browser.value(press)
    assert browser.value(column) == falling[::-1] != falling
    sort = f"{table}.querySelector('[aria-sort]')"
    assert browser.value(f"[{sort}.textContent, {sort}.ariaSort]") == [forehand, "ascending"]
    assert browser.value(f"{table}.tFoot.rows[0].textContent").startswith(everybody)


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1600, "light"),
        (390, "dark"),
        pytest.param(1600, "dark", marks=pytest.mark.slow),
        pytest.param(390, "light", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", ["standings", "crosstable", "bot-1"])
def test_axe_finds_nothing_wrong(
    browser: Browser, page: Path, folder: Path, name: str, width: int, scheme: str
) -> None:
    browser.window(width, 844, scheme)
    browser.open(page if name == "standings" else folder / f"{name}.html")
    assert axe(browser) == []


def follow(browser: Browser, link: str) -> str:
    """Open the file of a link at its place; which deal of a replay it leads to."""
    parts = urlsplit(link)
    browser.open(Path(unquote(parts.path)), f"#{parts.fragment}")
    return str(browser.value("document.querySelector('.deal').textContent"))


@pytest.fixture(scope="module")
def faulty(folder: Path) -> Path:
    """The page of the one bot that has faults."""
    pages = [each for each in folder.glob("bot-*.html") if "illegal in " in each.read_text("utf-8")]
    assert len(pages) == 1
    return pages[0]


def test_every_fault_leads_to_its_deal_in_a_replay(browser: Browser, faulty: Path) -> None:
    browser.open(faulty)
    faults = "[...document.querySelectorAll('.faults li')]"
    told = browser.value(f"{faults}.map((it) => it.textContent)")
    links = browser.value(f"{faults}.map((it) => it.querySelector('a[href*=\"#\"]').href)")
    places = [re.fullmatch(r"illegal in deal (\d+) of match (\d+)", each) for each in told]
    assert len(links) == len(places) == 6
    for link, place in list(zip(links, places, strict=True))[::2]:
        assert place is not None
        assert follow(browser, link).startswith(f"deal {place[1]} ")
        title = browser.value("document.querySelector('h1').textContent")
        assert title.endswith(f"match {place[2]}")


def test_a_few_replays_are_written_and_the_page_leads_to_them(league: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = run("report", league, "--out", out)
    assert done.stderr == f"written: {out} and {out.with_suffix('.pages')}\n"
    written = {int(each.stem) for each in tmp_path.glob("page.pages/[0-9]*.html")}
    listed = document("replay", league)
    for worth in (lambda it: it["faults"], lambda it: max(map(abs, it["stakes"]))):
        assert {it["match"] for it in sorted(listed, key=worth, reverse=True)[:3]} <= written
    assert 6 in written
    page = out.read_text(encoding="utf-8")
    for number in written:
        assert f'<li><a href="page.pages/{number}.html">Match {number}</a>: ' in page


def test_a_report_replaces_an_earlier_one_and_nothing_else(league: Path, tmp_path: Path) -> None:
    out, folder = tmp_path / "page.html", tmp_path / "page.pages"
    for replays in ("all", "none"):
        output("report", league, "--out", out, "--replays", replays)
    pages = {
        *("crosstable.html", "matches.html", "rules.html", "zole.html"),
        *(f"bot-{n}.html" for n in (1, 2, 3)),
    }
    assert {each.name for each in folder.iterdir()} == pages
    assert {each.name for each in tmp_path.iterdir()} == {out.name, folder.name}
    (folder / "notes.txt").write_text("my own")
    said = f"{folder / 'notes.txt'}: no report wrote this; move it away"
    assert said in refusal("report", league, "--out", out)
    assert {each.name for each in folder.iterdir()} == {*pages, "notes.txt"}


def test_a_match_leads_to_its_replay_from_the_beginning(browser: Browser, folder: Path) -> None:
    browser.open(folder / "matches.html")
    whole = "[...document.querySelectorAll('td a')].filter((it) => it.textContent === 'replay')"
    links = browser.value(f"{whole}.map((it) => it.href)")
    assert len(links) == 6
    assert follow(browser, links[-1]).startswith("deal 1 ")


def test_replays_of_a_report_keep_private_what_is_private(league: Path) -> None:
    folder = league.with_suffix(".pages")
    pages = sorted(folder.glob("*.html"))
    named = [each.name for each in pages if each.stem.isdecimal()]
    assert named == [f"{number}.html" for number in range(1, 7)]
    secret = json.dumps(PRIVATE)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e")
    assert not any(secret in each.read_text(encoding="utf-8") for each in pages)
    out = league.parent / "private.html"
    output("report", league, "--out", out, "--replays", "all", "--private")
    private = sorted(out.with_suffix(".pages").glob("[0-9]*.html"))
    assert all(secret in each.read_text(encoding="utf-8") for each in private)


def test_a_match_is_written_as_a_page(browser: Browser, league: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    for options, notes in (((), 0), (("--private",), 1)):
        done = run("replay", league, "1", "--html", file, *options)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert done.stderr == f"written: {file}\n"
        browser.open(file, "#deal=3&ply=0")
        browser.press("f")
        assert browser.value("document.querySelectorAll('.said.bad').length") == notes
        assert (PRIVATE in browser.value("document.querySelector('.details').textContent")) == notes
        names = "[...document.querySelectorAll('.bots bdi')].map((it) => it.textContent)"
        assert set(browser.value(names)) == set(SHOWN)
        assert browser.value("typeof hit") == "undefined"
        assert browser.value("document.documentElement.scrollWidth") <= 1280
