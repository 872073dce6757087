"""What a reader sees of a played league in a browser: its page and the replays behind it."""

import json
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import pytest

from arena.base.harmless import harmless
from tests.reports.test_report import Tables
from tests.support.bots import good, write_bot
from tests.support.browser import Browser, axe
from tests.support.command import run, run_here
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
        done = run_here("league", path, "--seed", "5")
    assert done.returncode == 0, done.stderr
    done = run("report", path, "--replays", "all")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return path


@pytest.fixture(scope="module")
def page(league: Path) -> Path:
    return league.with_suffix(".html")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_page_needs_no_script_and_shows_every_table(
    browser: Browser, page: Path, scripts: bool
) -> None:
    browser.scripts(scripts)
    try:
        browser.open(page)
        headings = browser.value("[...document.querySelectorAll('h2')].map((it) => it.innerText)")
        assert headings[0] == "Standings"
        assert {"Crosstable", "By role", "By seat", "Faults", "Matches"} < set(headings)
        assert browser.value(
            "[...document.querySelectorAll('table, svg[role=img]')].every((it) =>"
            " it.getBoundingClientRect().height > 40)"
        )
        assert browser.value("document.querySelectorAll('table').length") == 8
        buttons = browser.value("document.querySelectorAll('th button').length")
        assert (buttons > 0) == scripts
    finally:
        browser.scripts(True)


def test_hostile_names_are_texts_on_the_page(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.value("document.title") == harmless(LEAGUE)
    assert browser.value("document.querySelector('h1').textContent") == harmless(LEAGUE)
    names = (
        "[...document.querySelectorAll('table')[0].rows].slice(1).map((it) => it.cells[2].title)"
    )
    assert set(browser.value(names)) == set(SHOWN)
    assert (
        browser.value("document.querySelectorAll('img, script ~ script, style ~ style').length")
        == 0
    )
    assert browser.value("document.querySelectorAll('[onload], [onerror]').length") == 0
    assert browser.value("typeof hit") == "undefined"


@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_is_no_wider_than_its_window(browser: Browser, page: Path, width: int) -> None:
    browser.window(width, 800)
    browser.open(page)
    assert browser.value("document.documentElement.scrollWidth") <= width
    held = "[...document.querySelectorAll('.scroll')].map((it) => it.clientWidth <= innerWidth)"
    assert browser.value(held) == [True] * 8


def test_names_and_axes_of_figures_are_readable_on_a_phone(browser: Browser, page: Path) -> None:
    browser.window(390, 844)
    browser.open(page)
    letters = (
        "[...document.querySelectorAll('.forest text')].map((it) => it.getBoundingClientRect())"
        ".map(({ left, right, height }) => [left, right, height])"
    )
    found = browser.value(letters)
    assert len(found) >= 3 + 3
    assert all(left >= 0 and right <= 390 and height >= 12 for left, right, height in found)


def test_a_table_sorts_by_the_heading_that_is_pressed(browser: Browser, page: Path) -> None:
    browser.open(page)
    press = "document.querySelectorAll('main table')[0].querySelectorAll('th button')[{}].click()"
    column = (
        "[...document.querySelectorAll('main table')[0].tBodies[0].rows]"
        ".map((row) => row.cells[{}].textContent)"
    )
    ranked = browser.value(column.format(2))
    assert browser.value("document.querySelectorAll('[aria-sort]').length") == 0
    browser.value(press.format(3))
    assert browser.value(column.format(2)) == ranked  # by stakes, the most first
    browser.value(press.format(3))
    assert browser.value(column.format(2)) == ranked[::-1]
    sort = "document.querySelectorAll('main table')[0].querySelector('[aria-sort]')"
    assert browser.value(f"[{sort}.textContent, {sort}.ariaSort]") == ["stakes/deal", "ascending"]


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1600, "light"),
        (390, "dark"),
        pytest.param(1600, "dark", marks=pytest.mark.slow),
        pytest.param(390, "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_wrong(browser: Browser, page: Path, width: int, scheme: str) -> None:
    browser.window(width, 844, scheme)
    browser.open(page)
    assert axe(browser) == []


def test_no_figure_of_a_table_is_cut_off(browser: Browser, page: Path) -> None:
    browser.open(page)
    cut = (
        "[...document.querySelectorAll('td')].filter((it) => it.scrollWidth > it.clientWidth)"
        ".map((it) => it.textContent)"
    )
    assert set(browser.value(cut)) <= set(SHOWN)


def follow(browser: Browser, link: str) -> None:
    """Open the file of a link at its place."""
    parts = urlsplit(link)
    browser.open(Path(unquote(parts.path)), f"#{parts.fragment}")


def test_every_fault_leads_to_its_moment_in_a_replay(browser: Browser, page: Path) -> None:
    browser.open(page)
    [faults] = Tables(page.read_text(encoding="utf-8")).columns("Faults")["the first of them"]
    links = browser.value(
        "[...document.querySelectorAll('td a[href*=\"#\"]')].map((it) => it.href)"
    )
    places = re.findall(r"match (\d+), deal (\d+) \(details\)", faults)
    assert len(links) == len(places) == 5
    for link, (match, deal) in list(zip(links, places, strict=True))[::2]:
        follow(browser, link)
        assert browser.value("document.querySelector('h1').textContent").endswith(f"match {match}")
        words = browser.value("document.querySelector('.deal').textContent")
        assert words.startswith(f"deal {deal} ")
        assert "fault" in browser.value("document.querySelector('[aria-current]').textContent")


def test_every_fault_leads_to_what_was_kept_of_it(browser: Browser, page: Path) -> None:
    browser.open(page)
    links = browser.value(
        "[...document.querySelectorAll('a[href$=\".txt\"]')].map((it) => it.href)"
    )
    assert len(links) == 5
    text = Path(unquote(urlsplit(links[0]).path)).read_text(encoding="utf-8")
    assert f"arena rerun '{page.stem}.toml' 1 --seat" in text
    assert f"Commands are for the folder in which {page.stem}.toml lies." in text


def test_a_few_replays_are_written_and_the_page_says_why(league: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = run("report", league, "--out", out)
    written = sorted(int(each.stem) for each in tmp_path.glob("page.replays/[0-9]*.html"))
    kept = sum(each.stat().st_size for each in (tmp_path / "page.replays").iterdir())
    told = f"{len(written)} replays and 3 deals in {out.with_suffix('.replays')}"
    assert done.stderr == f"written: {out}\nwritten: {told}, {kept / 1e6:.1f} MB\n"
    listed = json.loads(run("replay", league, "--json").stdout)
    swings = sorted(listed, key=lambda each: -max(map(abs, each["stakes"])))[:3]
    faulty = next(each["match"] for each in listed if each["faults"])
    assert set(written) == {faulty, 6, *(each["match"] for each in swings)}
    page = out.read_text(encoding="utf-8")
    for number in written:
        assert f'<li><a href="page.replays/{number}.html">Match {number}</a>: ' in page
    assert page.count("one of the largest swings") == 3
    assert page.count("the last match") == 1
    assert page.count("&#39;s first of 6 faults: ") == 1


def test_a_report_removes_what_an_earlier_one_wrote_and_nothing_else(
    league: Path, tmp_path: Path
) -> None:
    out, folder = tmp_path / "page.html", tmp_path / "page.replays"
    assert run("report", league, "--out", out, "--replays", "all").returncode == 0
    before = {each.name for each in folder.iterdir()}
    (folder / "99.html").write_text("my own")
    changed = next(each for each in sorted(folder.glob("[0-9]*.html")))
    changed.write_text("changed by hand")
    done = run("report", league, "--out", out, "--replays", "none")
    assert done.returncode == 0
    assert {each.name for each in folder.iterdir()} == {"99.html", changed.name, "written.json"}
    gone = sum(name.endswith(".html") for name in before) - 1
    assert f"removed: {gone} pages of an earlier report" in done.stderr
    assert run("report", league, "--out", out, "--replays", "all").returncode == 0
    assert {each.name for each in folder.iterdir()} == {*before, "99.html"}


def test_deals_and_replays_lead_back_to_the_league(browser: Browser, page: Path) -> None:
    for file in (*page.with_suffix(".replays").glob("deal-*.html"),):
        browser.open(file)
        follow(browser, browser.value("document.querySelector('header a').href"))
        assert browser.value("document.querySelector('#standings') !== null")


def test_ranks_sort_the_best_first_and_all_together_stay_below(
    browser: Browser, page: Path
) -> None:
    browser.open(page)
    press = "document.querySelectorAll('[aria-labelledby={}] th button')[{}].click()"
    for _ in range(2):
        browser.value(press.format("roles", 1))
        rows = "[...document.querySelectorAll('[aria-labelledby=roles] tr')].at(-1).textContent"
        assert browser.value(rows).startswith("all")
    ranks = (
        "[...document.querySelectorAll('[aria-labelledby=standings] tbody tr')]"
        ".map((row) => row.cells[1].textContent)"
    )
    browser.value(press.format("standings", 1))
    shown = browser.value(ranks)
    bounds = [[int(each) for each in text.split("-")] for text in shown if text != "-"]
    assert bounds == sorted(bounds, key=lambda each: (each[0], each[-1]))
    names = "[...document.querySelectorAll('[aria-labelledby=matches] tbody td:nth-child(2)')]"
    browser.value(press.format("matches", 1))
    told = browser.value(f"{names}.map((it) => it.dataset.text)")
    sort = "(names) => [...names].sort((a, b) => a.localeCompare(b))"
    assert told == browser.value(f"({sort})({json.dumps(told)})")


def test_the_page_leads_to_the_deals_that_were_played_most_differently(
    browser: Browser, league: Path, page: Path
) -> None:
    found = json.loads(run("deals", league, "--json", "--most", "3").stdout)["lines"]
    browser.open(page)
    links = browser.value("[...document.querySelectorAll('a[href*=deal-]')].map((it) => it.href)")
    assert len(links) == len(found) == 3
    follow(browser, links[0])
    assert browser.value("document.querySelector('h1').textContent") == (f"Deal {found[0]['deal']}")
    replays = browser.value("[...document.querySelectorAll('tbody a')].map((it) => it.href)")
    assert len(replays) == 6
    follow(browser, replays[-1])
    shown = browser.value("document.querySelector('.deal').textContent")
    assert shown.startswith(f"deal {found[0]['deal']} ")


def test_a_match_leads_to_its_replay_from_the_beginning(browser: Browser, page: Path) -> None:
    browser.open(page)
    whole = "[...document.querySelectorAll('td a[href$=\".html\"]')].map((it) => it.href)"
    links = browser.value(whole)
    assert len(links) == 6
    follow(browser, links[-1])
    assert browser.value("document.querySelector('.deal').textContent").startswith("deal 0 ")


def test_why_a_bot_faulted_is_only_on_a_private_page(league: Path, page: Path) -> None:
    why = "there is no such card"
    assert why not in page.read_text(encoding="utf-8")
    out = league.parent / "details.html"
    done = run("report", league, "--out", out, "--private")
    assert done.returncode == 0, done.stderr
    assert why in out.read_text(encoding="utf-8")


def test_replays_of_a_report_keep_private_what_is_private(league: Path) -> None:
    folder = league.with_suffix(".replays")
    assert not any(PRIVATE in each.read_text("utf-8") for each in folder.glob("*.txt"))
    pages = sorted(folder.glob("*.html"))
    named = [each.name for each in pages if "deal" not in each.name]
    assert named == [f"{number}.html" for number in range(1, 7)]
    secret = json.dumps(PRIVATE)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e")
    assert not any(secret in each.read_text(encoding="utf-8") for each in pages)
    out = league.parent / "private.html"
    done = run("report", league, "--out", out, "--replays", "all", "--private")
    assert done.returncode == 0, done.stderr
    private = sorted(out.with_suffix(".replays").glob("[0-9]*.html"))
    kept = sorted(out.with_suffix(".replays").glob("*.txt"))
    assert any(PRIVATE in each.read_text("utf-8") for each in kept)
    assert all(secret in each.read_text(encoding="utf-8") for each in private)


def test_a_match_is_written_as_a_page(browser: Browser, league: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    for options, notes in (((), 0), (("--private",), 1)):
        done = run("replay", league, "1", "--html", file, *options)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert done.stderr == f"written: {file}\n"
        browser.open(file, "#deal=2&ply=0")
        browser.press("f")
        assert browser.value("document.querySelectorAll('.said.bad').length") == notes
        assert (PRIVATE in browser.value("document.querySelector('.details').textContent")) == notes
        names = "[...document.querySelectorAll('.bots bdi')].map((it) => it.textContent)"
        assert set(browser.value(names)) == set(SHOWN)
        assert browser.value("typeof hit") == "undefined"
        assert browser.value("document.documentElement.scrollWidth") <= 1280
