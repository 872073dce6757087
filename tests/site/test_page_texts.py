"""Pages as they are written: nothing is left in English or cut off, and their HTML is sound.

The HTML is checked by html-validate, which `npm ci` in the viewer's folder brings.
"""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

import arena
from arena.people.pages import PLAY_PAGE
from arena.site.pages import templates
from tests.site.test_pages import HOSTILE
from tests.support.bots import good, write_bot, write_league
from tests.support.browser import Browser
from tests.support.command import output
from tests.support.made_site import MadeSite
from tests.support.needs import need
from tests.support.page_server import drawn_pages, page_server
from tests.support.pseudo_language import PseudoLanguage, Unmarked
from tests.support.room import CUT, TORN, WIDE

CHECKER: Final = Path(arena.__file__).parent / "viewer" / "node_modules" / ".bin" / "html-validate"


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
    output("league", file)
    monkeypatch.setattr(templates, "Language", PseudoLanguage)
    output("report", file, "--private", "--replays", "all")
    pages = [each for each in tmp_path.rglob("*.html") if not each.stem.isdecimal()]
    assert len(pages) == 1 + 4 + 3
    for page in pages:
        assert Unmarked(page.read_text(), "league|tests").found == [], page.name


def test_a_report_is_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    file = write_league(tmp_path, deals=1)
    output("league", file)
    output("report", file, "--language", "lv")
    page = file.with_suffix(".html").read_text()
    assert '<html lang="lv">' in page
    assert "Vērts apskatīt" in page
    assert "Katrs bots pret katru citu" in (tmp_path / "league.pages/crosstable.html").read_text()


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


# --- HTML ---


def mistakes(folder: Path) -> str:
    if not CHECKER.exists():
        pytest.skip("there is no html-validate: npm ci in arena/viewer")
    need("node")
    (folder / ".htmlvalidate.json").write_text(
        '{"root": true, "extends": ["html-validate:standard"]}'
    )
    done = subprocess.run(
        (CHECKER, "--formatter", "text", "**/*.html"),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is (done.stdout == ""), done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_mistake_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text('<!doctype html><p id="a"></p><p id="a"></p>')
    assert "no-dup-id" in mistakes(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("said", [None, HOSTILE])
def test_the_pages_of_a_site_are_sound(said: str | None, tmp_path: Path) -> None:
    made = templates.site_templates(said or "Zole", "https://zole.example", "en")
    for path, draw in drawn_pages(MadeSite(said), made).items():
        name = path.strip("/").replace("/", "-") or "home"
        (tmp_path / f"{name}.html").write_text(draw(), encoding="utf-8")
    assert mistakes(tmp_path) == ""


@pytest.mark.slow
def test_the_pages_of_a_report_its_replays_and_a_seat_are_sound(
    page: Browser, tmp_path: Path
) -> None:
    league = write_league(tmp_path)
    output("league", league)
    output("report", league)
    (tmp_path / "seat.html").write_bytes(PLAY_PAGE.read_bytes())
    replay = next(tmp_path.glob("league.pages/[0-9]*.html"))
    page.open(replay)
    drawn = page.value("document.documentElement.outerHTML")
    assert "data-card" in drawn
    (tmp_path / "drawn.html").write_text(f"<!doctype html>{drawn}", encoding="utf-8")
    assert len([*tmp_path.glob("**/*.html")]) > 10
    assert mistakes(tmp_path) == ""
