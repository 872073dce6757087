"""The HTML of every page, by html-validate, which `npm ci` in the viewer's folder brings."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

import arena
from arena.people.pages import PLAY_PAGE
from arena.reports.language import ENGLISH
from arena.site.pages.templates import site_templates
from tests.site.test_pages import HOSTILE
from tests.support.bots import write_league
from tests.support.browser import Browser
from tests.support.command import run
from tests.support.made_site import MadeSite
from tests.support.needs import need
from tests.support.page_server import drawn_pages

CHECKER: Final = Path(arena.__file__).parent / "viewer" / "node_modules" / ".bin" / "html-validate"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHECKER.exists(), reason="there is no html-validate: npm ci in arena/viewer"
    ),
]


def mistakes(folder: Path) -> str:
    """What is wrong in the pages of a folder, a line each."""
    need("node")
    config = folder / ".htmlvalidate.json"
    config.write_text('{"root": true, "extends": ["html-validate:standard"]}')
    done = subprocess.run(
        (CHECKER, "--formatter", "text", "**/*.html"),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is (done.stdout == ""), done.stderr
    return done.stdout


def test_a_mistake_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text('<!doctype html><p id="a"></p><p id="a"></p>')
    assert "no-dup-id" in mistakes(tmp_path)


@pytest.mark.parametrize("said", [None, HOSTILE])
def test_the_pages_of_a_site_are_sound(said: str | None, tmp_path: Path) -> None:
    templates = site_templates(said or "Zole", "https://zole.example", ENGLISH)
    pages = drawn_pages(MadeSite(said), templates)
    for path, draw in pages.items():
        name = path.strip("/").replace("/", "-") or "home"
        (tmp_path / f"{name}.html").write_text(draw(), encoding="utf-8")
    assert mistakes(tmp_path) == ""


def test_the_pages_of_a_report_its_replays_and_a_seat_are_sound(
    page: Browser, tmp_path: Path
) -> None:
    league = write_league(tmp_path)
    assert run("league", league).returncode == 0
    assert run("report", league).returncode == 0
    (tmp_path / "seat.html").write_bytes(PLAY_PAGE.read_bytes())
    replay = next(tmp_path.glob("league.pages/[0-9]*.html"))
    page.open(replay)
    drawn = page.value("document.documentElement.outerHTML")
    assert "data-card" in drawn
    (tmp_path / "drawn.html").write_text(f"<!doctype html>{drawn}", encoding="utf-8")
    assert len([*tmp_path.glob("**/*.html")]) > 10
    assert mistakes(tmp_path) == ""
