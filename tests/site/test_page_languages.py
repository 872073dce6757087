"""The pages in other languages: nothing is left in English, and nothing is cut off."""

import re
from pathlib import Path

import pytest

from arena.reports.tables import MINUS
from arena.site.pages import templates
from tests.support.bots import good, write_bot, write_league
from tests.support.browser import Browser
from tests.support.command import run, run_here
from tests.support.made_site import MadeSite
from tests.support.page_server import drawn_pages, page_server
from tests.support.pseudo_language import PseudoLanguage, Unmarked
from tests.support.room import CUT, TORN, WIDE


def names_of(made: MadeSite) -> str:
    """A pattern of the names of bots, whole and as they are beside a figure."""
    names = sorted(made.names, key=len, reverse=True)
    return "|".join(re.escape(each) for name in names for each in (name, f"{name[:15]}…"))


def test_pages_say_nothing_that_no_catalogue_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "Language", PseudoLanguage)
    made = MadeSite()
    pages = drawn_pages(made, templates.site_templates("Zole", "https://zole.example", "lv"))
    for path, draw in pages.items():
        assert Unmarked(draw(), names_of(made)).found == [], path


def test_a_report_says_nothing_that_no_catalogue_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_league(tmp_path, deals=2)
    odd = "m.get('deal') == 1 and m['type'] == 'play': answer['card'] = 'ZZ'"
    write_bot(tmp_path / "c", good(before=f"if {odd}"))
    assert run_here("league", file).returncode == 0
    monkeypatch.setattr(templates, "Language", PseudoLanguage)
    done = run("report", file, "--private", "--replays", "all")
    assert done.returncode == 0, done.stderr
    pages = [each for each in tmp_path.rglob("*.html") if not each.stem.isdecimal()]
    assert len(pages) == 1 + 4 + 3
    for page in pages:
        assert Unmarked(page.read_text(), "league|tests").found == [], page.name


def test_a_report_is_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    file = write_league(tmp_path, deals=1)
    assert run_here("league", file).returncode == 0
    assert run("report", file, "--language", "lv").returncode == 0
    page = file.with_suffix(".html").read_text()
    assert '<html lang="lv">' in page
    assert "Vērts apskatīt" in page
    assert "Katrs bots pret katru citu" in (tmp_path / "league.pages/crosstable.html").read_text()
    done = run("report", file, "--language", "xx")
    assert done.returncode == 2
    assert "--language: there is no language xx here; choose en, lv" in done.stderr


def test_numbers_with_a_comma_are_sorted_as_numbers(page: Browser, tmp_path: Path) -> None:
    file = write_league(tmp_path, deals=2)
    assert run_here("league", file).returncode == 0
    assert run("report", file, "--language", "lv").returncode == 0
    page.open(tmp_path / "league.pages/crosstable.html")
    table = "document.querySelector('table[aria-labelledby=seats]')"
    page.value(f"{table}.querySelectorAll('th button')[1].click()")
    shown = page.value(f"[...{table}.tBodies[0].rows].map((row) => row.cells[1].textContent)")
    stakes = [float(each.replace(MINUS, "-").replace(",", ".")) for each in shown]
    assert stakes == sorted(stakes, reverse=True)
    assert len(set(stakes)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("language", ["lv", "pseudo"])
def test_no_page_is_wider_than_a_phone_and_nothing_is_cut_off(
    page: Browser, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    if language == "pseudo":
        monkeypatch.setattr(templates, "Language", PseudoLanguage)
    page.window(390, 844)
    with page_server(MadeSite(), language=language) as site:
        for path in site.shown:
            page.visit(site.address + path)
            assert (page.value(WIDE), page.value(CUT), page.value(TORN)) == (0, [], []), path
