"""What a reader sees of a played league in a browser: its pages, opened from the disk."""

import json
from collections.abc import Iterator
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
def folder(league: Path) -> Path:
    return league.with_suffix(".pages")


def all_of(where: str, what: str) -> str:
    """An expression for something of all elements that are somewhere on the page."""
    return f"[...document.querySelectorAll({json.dumps(where)})].map((it) => it.{what})"


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def scripts(request: pytest.FixtureRequest, browser: Browser) -> Iterator[bool]:
    browser.scripts(request.param)
    yield request.param
    browser.scripts(True)


def test_the_pages_need_no_script_and_show_every_table(
    browser: Browser, league: Path, folder: Path, scripts: bool
) -> None:
    for file, tables in ((league.with_suffix(".html"), 1), (folder / "crosstable.html", 4)):
        browser.open(file)
        assert len(browser.value(all_of("table", "id"))) == tables
        heights = all_of("table, svg[role=img]", "getBoundingClientRect().height")
        assert min(browser.value(heights)) > 40
    assert {"By role", "By seat"} < {*browser.value(all_of("h2", "innerText"))}
    assert bool(browser.value(all_of("th button", "id"))) is scripts


def test_hostile_names_are_texts_on_the_page(browser: Browser, league: Path) -> None:
    browser.open(league.with_suffix(".html"))
    assert {*browser.value(all_of(".standings .bot", "textContent"))} == {*SHOWN}
    extra = "img, script ~ script, style ~ style, [onload], [onerror]"
    assert browser.value(f"""({{
        titles: [document.title, document.querySelector('h1').textContent],
        extra: {all_of(extra, "outerHTML")},
        hit: typeof hit,
    }})""") == {"titles": [harmless(LEAGUE)] * 2, "extra": [], "hit": "undefined"}


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", ["crosstable", "matches", "rules", "bot-1"])
def test_a_page_is_no_wider_than_its_window_and_no_figure_is_cut_off(
    browser: Browser, folder: Path, width: int, name: str
) -> None:
    browser.window(width, 800)
    browser.open(folder / f"{name}.html")
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert all(each <= width for each in browser.value(all_of(".scroll", "clientWidth")))
    cut = "[...document.querySelectorAll('td')].filter((it) => it.scrollWidth > it.clientWidth)"
    assert browser.value(f"{cut}.map((it) => it.textContent)") == []


@pytest.mark.parametrize(
    ("language", "seat", "all_bots"),
    [("en", "forehand", "everybody"), ("lv", "pirmā roka", "visi")],
)
def test_a_table_sorts_by_the_heading_that_is_pressed(
    browser: Browser, league: Path, tmp_path: Path, language: str, seat: str, all_bots: str
) -> None:
    out = tmp_path / "page.html"
    output("report", league, "--out", out, "--replays", "none", "--language", language)
    browser.open(out.with_suffix(".pages") / "crosstable.html")
    assert browser.value("document.documentElement.lang") == language
    table = "document.querySelector('table[aria-labelledby=seats]')"
    press = f"{table}.querySelectorAll('th button')[1].click()"
    column = f"[...{table}.tBodies[0].rows].map((row) => row.cells[1].textContent)"
    assert browser.value(all_of("[aria-sort]", "id")) == []
    browser.value(press)
    falling = browser.value(column)
    figures = [each.replace(MINUS, "-").replace(",", ".").partition("±")[0] for each in falling]
    stakes = [*map(float, figures)]
    assert stakes == sorted(stakes, reverse=True)
    browser.value(press)
    assert browser.value(column) == falling[::-1] != falling
    sort = f"{table}.querySelector('[aria-sort]')"
    assert browser.value(f"[{sort}.textContent, {sort}.ariaSort]") == [seat, "ascending"]
    assert browser.value(f"{table}.tFoot.rows[0].textContent").startswith(all_bots)


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1600, "light"),
        (390, "dark"),
        pytest.param(1600, "dark", marks=pytest.mark.slow),
        pytest.param(390, "light", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", ["a league.html", "crosstable.html", "bot-1.html"])
def test_axe_finds_nothing_wrong(
    browser: Browser, folder: Path, name: str, width: int, scheme: str
) -> None:
    browser.window(width, 844, scheme)
    [file] = folder.parent.rglob(name)
    browser.open(file)
    assert axe(browser) == []


def follow(browser: Browser, link: str) -> tuple[str, str]:
    """Open the file of a link at its place; the title of a replay and which deal is shown."""
    parts = urlsplit(link)
    browser.open(Path(unquote(parts.path)), f"#{parts.fragment}")
    [title], [deal] = (browser.value(all_of(it, "textContent")) for it in ("h1", ".deal"))
    return title, deal


def test_every_fault_leads_to_its_deal_in_a_replay(browser: Browser, folder: Path) -> None:
    [faulty] = (it for it in folder.glob("bot-*.html") if "illegal in " in it.read_text("utf-8"))
    browser.open(faulty)
    told = browser.value(all_of(".faults li", "textContent"))
    links = browser.value(all_of('.faults li a[href*="#"]', "href"))
    assert len(links) == len(told) == 6
    for link, said in [*zip(links, told, strict=True)][::2]:
        title, deal = follow(browser, link)
        number, match = deal.split()[1], title.split()[-1]
        assert (said, deal.split()[0]) == (f"illegal in deal {number} of match {match}", "deal")


def test_a_match_leads_to_its_replay_from_the_beginning(browser: Browser, folder: Path) -> None:
    browser.open(folder / "matches.html")
    whole = "[...document.querySelectorAll('td a')].filter((it) => it.textContent === 'replay')"
    links = browser.value(f"{whole}.map((it) => it.href)")
    assert len(links) == 6
    assert follow(browser, links[-1])[1].startswith("deal 1 ")


def test_a_few_replays_are_written_and_the_page_leads_to_them(league: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = run("report", league, "--out", out)
    assert done.stderr == f"written: {out} and {out.with_suffix('.pages')}\n"
    written = {int(each.stem) for each in tmp_path.glob("page.pages/[0-9]*.html")}
    listed = document("replay", league)
    for worth in (lambda it: it["faults"], lambda it: max(map(abs, it["stakes"]))):
        assert {it["match"] for it in sorted(listed, key=worth, reverse=True)[:3]} | {6} <= written
    page = out.read_text(encoding="utf-8")
    for number in written:
        assert f'<li><a href="page.pages/{number}.html">Match {number}</a>: ' in page


def test_a_report_replaces_an_earlier_one_and_nothing_else(league: Path, tmp_path: Path) -> None:
    out, folder = tmp_path / "page.html", tmp_path / "page.pages"
    for replays in ("all", "none"):
        output("report", league, "--out", out, "--replays", replays)
    names = ("crosstable", "matches", "rules", "zole", "bot-1", "bot-2", "bot-3")
    pages = {*(folder / f"{name}.html" for name in names)}
    assert {*tmp_path.rglob("*")} == {out, folder, *pages}
    (folder / "notes.txt").write_text("my own")
    assert f"{folder / 'notes.txt'}: no report wrote this; move it away" in refusal(
        "report", league, "--out", out
    )
    assert {*folder.iterdir()} == {*pages, folder / "notes.txt"}


def test_replays_of_a_report_keep_private_what_is_private(league: Path, folder: Path) -> None:
    secret = json.dumps(PRIVATE)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e")
    private = league.parent / "private.html"
    output("report", league, "--out", private, "--replays", "all", "--private")
    replays = [f"{number}.html" for number in range(1, 7)]
    for pages, telling in ((folder, []), (private.with_suffix(".pages"), replays)):
        assert [each.name for each in sorted(pages.glob("[0-9]*.html"))] == replays
        found = [it.name for it in sorted(pages.glob("*.html")) if secret in it.read_text("utf-8")]
        assert [name for name in found if name in replays] == found == telling


@pytest.mark.parametrize(("options", "notes"), [((), 0), (("--private",), 1)])
def test_a_match_is_written_as_a_page(
    browser: Browser, league: Path, tmp_path: Path, options: tuple[str, ...], notes: int
) -> None:
    file = tmp_path / "match.html"
    done = run("replay", league, "1", "--html", file, *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"written: {file}\n")
    browser.open(file, "#deal=3&ply=0")
    browser.press("f")
    assert {*browser.value(all_of(".bots bdi", "textContent"))} == {*SHOWN}
    found = browser.value(f"""({{
        notes: document.querySelectorAll('.said.bad').length,
        told: document.querySelector('.details').textContent.includes({json.dumps(PRIVATE)}),
        hit: typeof hit,
        fits: document.documentElement.scrollWidth <= 1280,
    }})""")
    assert found == {"notes": notes, "told": bool(notes), "hit": "undefined", "fits": True}
