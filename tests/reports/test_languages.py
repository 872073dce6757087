"""The pages in other languages: nothing is left in English, and nothing is cut off."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from arena.people import pages
from arena.reports import page as page_module
from arena.reports.page import page_review, replay_page
from tests.reports.test_viewer_review import COMMAND, reviewed
from tests.support.at_a_page import Person
from tests.support.browser import Browser, axe
from tests.support.command import PROJECT
from tests.support.room import CUT, WIDE
from tests.support.seated import Sitting, others, plan

VIEWER: Final = Path(PROJECT, "arena/viewer")

LEFT: Final = """(() => {
    const strangers = "bdi, kbd, code, pre, option[lang], .card, .small, .number, noscript, script";
    const known = /NAMES|Zole|Spring|bubblewrap|[0-9.,]+ (m|µ)?s\\b/g;
    const left = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { textContent, parentElement } = texts.currentNode;
        if (parentElement.closest(strangers)) continue;
        let depth = 0;
        let rest = "";
        for (const sign of textContent) {
            if (sign === "⟦") depth += 1;
            if (depth === 0) rest += sign;
            if (sign === "⟧") depth -= 1;
        }
        if (/\\p{L}{2}/u.test(rest.replace(known, ""))) left.push(rest.trim());
    }
    const named = [...document.querySelectorAll("[aria-label], [title]")].flatMap((it) =>
        it.closest(".card, .small, bdi, .name") || it.querySelector(":scope > bdi") ? []
            : [it.getAttribute("aria-label"), it.getAttribute("title")].filter(Boolean));
    const said = (text) => /\\p{L}{2}/u.test(text.replace(known, ""));
    const unmarked = named.filter((text) => said(text) && !text.includes("⟦"));
    return [...left, ...unmarked];
})()"""
"""What is on the page that no catalogue says; names of bots are strangers' words."""


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pages whose words are marked and two fifths longer."""
    node = shutil.which("node")
    if node is None or not (VIEWER / "node_modules").exists():
        pytest.skip("the pages are made with Node.js and npm ci in arena/viewer")
    folder = tmp_path_factory.mktemp("pseudo")
    subprocess.run((node, "build.mjs", "--pseudo", str(folder)), cwd=VIEWER, check=True)
    return folder


def looks_right(page: Browser, names: str) -> None:
    assert page.value(LEFT.replace("NAMES", names)) == []
    assert page.value(CUT) == []
    assert page.value(WIDE) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_a_table_says_nothing_but_what_its_catalogue_says_and_has_room_for_longer_words(
    page: Browser, pseudo: Path, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    monkeypatch.setattr(pages, "PLAY_PAGE", pseudo / "play.html")
    page.window(width, height)
    with Sitting(plan("lzsf", 5), others(3)) as sitting:
        person = Person(page, 1, bids=0.7)
        person.sits(sitting.address)
        names = "sampler|careful|rules"
        seen = person.looks()
        while not seen.over:
            looks_right(page, names)
            person.does(seen)
            seen = person.looks(seen)
        looks_right(page, names)


@pytest.mark.slow
def test_a_replay_says_nothing_but_what_its_catalogue_says(
    page: Browser, pseudo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "PAGE", pseudo / "page.html")
    match, found = reviewed(2)
    file = tmp_path / "replay.html"
    file.write_text(replay_page(match, review=page_review(match, found, COMMAND)))
    for width in (390, 1280):
        page.window(width, 844)
        for address in ("", "#ply=1", "#ply=12&seat=1", "#deal=2&ply=26"):
            page.open(file, address)
            looks_right(page, "|".join(match.bots))


@pytest.mark.parametrize(
    "language",
    ["lv", *(pytest.param(it, marks=pytest.mark.slow) for it in ("de", "fr", "ru", "tr"))],
)
def test_a_match_is_played_in_each_language(page: Browser, language: str) -> None:
    page.window(390, 844)
    with Sitting(plan("pagat", 1), others(8)) as sitting:
        page.visit(sitting.address)
        page.value(f"localStorage.setItem('zole:language', '{language}')")
        person = Person(page, 2)
        person.sits(sitting.address)
        assert page.value("document.documentElement.lang") == language
        seen = person.looks()
        while not seen.over:
            assert page.value(CUT) == []
            assert page.value(WIDE) == 0
            person.does(seen)
            seen = person.looks(seen)
        assert axe(page) == []
    page.value("localStorage.removeItem('zole:language')")


def test_a_choice_at_a_table_is_that_of_the_whole_site(page: Browser) -> None:
    chosen = "document.querySelector('[data-setting=language]')"
    with Sitting(plan("pagat", 1), others(8)) as sitting:
        Person(page, 2).sits(sitting.address)
        page.value("localStorage.setItem('zole:language', 'de')")
        page.value("document.cookie = 'language=lv; path=/'")
        Person(page, 2).sits(sitting.address)
        assert page.value("document.documentElement.lang") == "lv"
        page.value("document.querySelector('[aria-label=Iestatījumi]').click()")
        page.until(f"{chosen} !== null")
        page.value(f"{chosen}.value = 'ru'; {chosen}.dispatchEvent(new Event('change'))")
        page.until("document.documentElement?.lang === 'ru'")
        assert page.value("document.cookie") == "language=ru"
        assert page.value("localStorage.getItem('zole:language')") == "ru"
        page.value("document.cookie = 'language=; path=/; max-age=0'")
        page.value("localStorage.removeItem('zole:language')")
        page.leave()


def test_an_address_may_say_the_language_and_an_unknown_one_is_english(
    page: Browser, tmp_path: Path
) -> None:
    match, _ = reviewed(1)
    file = tmp_path / "replay.html"
    file.write_text(replay_page(match))
    page.visit(f"{file.as_uri()}?lang=lv")
    assert (
        page.value("document.querySelector('[data-key=PageDown]').ariaLabel")
        == "partiju uz priekšu"
    )
    page.visit(f"{file.as_uri()}?lang=xx")
    assert page.value("document.querySelector('[data-key=PageDown]').ariaLabel") == "a deal on"
