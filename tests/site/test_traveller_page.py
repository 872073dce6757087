"""The page of a traveller in a browser."""

import json
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from tests.support.bots import OPEN, good, write_bot, write_quick_bot
from tests.support.browser import Browser, axe
from tests.support.command import run, run_here
from tests.support.hostile import long_ago

BOTS: Final = ("<img src=x onerror=hit=1>", "b" * 40, "\u202ec" + "\u0335" * 12)
"""Names of strangers, as an old record may hold them; the second faults in deal 1."""
PRIVATE: Final = "canary"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played #1 100%")
    write_quick_bot(folder / "a", turn=0)
    says = f"answer['note'] = {PRIVATE!r}; print({PRIVATE!r}, file=sys.stderr)"
    odd = "m.get('deal') == 1 and m['type'] == 'play': answer['card'] = 'ZZ'"
    write_bot(folder / "b", good(before=f"{says}\n    if {odd}"))
    write_quick_bot(folder / "c", turn=2)
    path = folder / "a league.toml"
    entries = (
        f"{{ path = {json.dumps(each)}, name = {json.dumps(name)} }}"
        for each, name in zip("abc", BOTS, strict=True)
    )
    path.write_text(f"name = '<b>'\ndeals = 2\nbots = [{', '.join(entries)}]\n{OPEN}")
    with long_ago():
        assert run_here("league", path, "--seed", "5").returncode == 0
    return path


def written(league: Path, deal: str, name: str, *more: str) -> Path:
    page = league.with_name(name)
    done = run("deal", league, deal, "--html", page, *more)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return page


def links(browser: Browser) -> list[str]:
    return list(
        browser.value(
            "[...document.querySelectorAll('tbody a')].map((it) => it.getAttribute('href'))"
        )
    )


def test_the_page_says_what_the_document_says(browser: Browser, league: Path) -> None:
    browser.open(written(league, "2", "deal.html"))
    sheet = json.loads(run("deal", league, "2", "--json").stdout)
    rows = browser.value(
        "[...document.querySelectorAll('table')[0].tBodies[0].rows].map((row) => row.innerText)"
    )
    assert len(rows) == len(sheet["lines"]) == 6
    for row, line in zip(rows, sheet["lines"], strict=True):
        assert re.findall(r"[+-]\d+", row.replace("\N{MINUS SIGN}", "-")) == [
            f"{paid:+d}" for paid in line["payments"]
        ]
        assert row.split()[:2] == [str(line["match"]), line["contract"] or "\N{EN DASH}"]
        assert row.count("declares") == (line["declarer"] is not None)
        assert ("illegal" in row) is (line["fault"] is not None)
    cards = "document.querySelectorAll('dl .card').length"
    assert browser.value(cards) == 26
    assert browser.value("document.querySelectorAll('h1 b, img, script ~ script').length") == 0


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    browser: Browser, league: Path, width: int, scheme: str
) -> None:
    browser.window(width, 800, scheme)
    browser.open(written(league, "2", "axe.html"))
    assert axe(browser) == []
    assert browser.value("document.documentElement.scrollWidth") <= width


def test_lines_link_to_replays_that_are_beside_them(browser: Browser, league: Path) -> None:
    browser.open(written(league, "2", "alone.html"))
    assert links(browser) == []
    assert "To replay a line: arena replay" in browser.shown()["text"]
    assert run("report", league, "--replays", "all").returncode == 0
    page = written(league, "2", "beside.html")
    assert PRIVATE in run("replay", league, "1", "--json", "--private").stdout
    assert PRIVATE not in page.read_text()
    browser.open(page)
    found = links(browser)
    sheet = json.loads(run("deal", league, "2", "--json").stdout)
    assert [address.split("/")[1] for address in found] == [
        f"{line['match']}.html#deal=2" for line in sheet["lines"]
    ]
    file, _, address = found[0].partition("#")
    browser.open(league.parent / unquote(file), f"#{address}")
    assert "deal 2" in browser.shown()["text"]
    assert browser.value("document.querySelectorAll('.hand, .card').length") > 0
    assert f"match {sheet['lines'][0]['match']}" in browser.value("document.title")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--html /nowhere/x.html", "/nowhere/x.html: cannot be written"),
    ],
)
def test_a_mistake_is_told_in_a_line(league: Path, words: str, told: str) -> None:
    done = run("deal", league, "2", *words.split())
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
