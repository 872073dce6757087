"""Pages fit, in every window and language, and their colours can be told apart."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import arena
from arena.match.commands import MatchPlan
from arena.people import pages
from arena.reports import page as page_module
from arena.reports.page import page_review, replay_page
from tests.reports.test_viewer import FIVE, seen, show
from tests.reports.test_viewer_review import COMMAND, reviewed
from tests.support.at_a_page import SETTLED, at_table, state_of
from tests.support.browser import Browser, axe
from tests.support.command import PROJECT
from tests.support.fits import misfits
from tests.support.room import CUT, WIDE
from tests.support.scripted import plan_of
from tests.support.seated import plan


def each_state(page: Browser, players: int, deals: int, look: Callable[[str], None]) -> set[str]:
    """Play a match and look at each state once, at a bid and a card also with a hint."""
    rules = {"players": players} if players > 3 else {}
    met = set[str]()
    with at_table(page, plan("pagat", deals, **rules), bids=0.7) as (_, person):
        seen = person.looks()
        while (state := state_of(page, seen)) != "over":
            if state not in met:
                met.add(state)
                look(f"{players} players, {state}")
                if state in ("bid", "discard", "play-2"):
                    page.value(SETTLED)
                    page.press("h")
                    page.until("document.querySelector('.hint')?.innerText.includes('Hint:')")
                    look(f"{players} players, {state} with a hint")
            seen = person.moves(seen)
        look(f"{players} players, over")
    return met


@pytest.mark.parametrize(
    ("players", "deals"),
    [
        (3, 3),
        pytest.param(4, 12, marks=pytest.mark.slow),
        pytest.param(5, 14, marks=pytest.mark.slow),
    ],
)
def test_every_state_of_a_table_fits_in_every_window(
    page: Browser, players: int, deals: int
) -> None:
    found: list[str] = []
    met = each_state(page, players, deals, lambda state: found.extend(misfits(page, state)))
    assert {"bid", "discard", "play-1", "play-2", "end"} <= met
    assert not found, "\n".join(found)


@pytest.mark.parametrize("deals", [plan_of(), FIVE], ids=["three", "five"])
def test_a_replay_fits_in_every_window(page: Browser, tmp_path: Path, deals: MatchPlan) -> None:
    found: list[str] = []
    for address in ("", "#ply=1", "#ply=12", "#ply=12&seat=1", "#ply=26"):
        show(page, tmp_path, seen(deals), address)
        found += misfits(page, f"replay {address}")
    assert not found, "\n".join(found)


VIEWER: Final = Path(PROJECT, "arena/viewer")

# What is on the page that no catalogue says; names of bots are strangers' words.
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
    with at_table(page, plan("lzsf", 5), bids=0.7) as (_, person):
        seen = person.looks()
        while not seen.over:
            looks_right(page, "sampler|careful|rules")
            seen = person.moves(seen)
        looks_right(page, "sampler|careful|rules")


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
    with at_table(page, plan("pagat", 1), 2, dice=8) as (sitting, person):
        page.value(f"document.cookie = 'language={language}; path=/'")
        person.sits(sitting.address)
        assert page.value("document.documentElement.lang") == language
        seen = person.looks()
        while not seen.over:
            assert page.value(CUT) == []
            assert page.value(WIDE) == 0
            seen = person.moves(seen)
        assert axe(page) == []
        page.value("document.cookie = 'language=; path=/; max-age=0'")


def test_a_choice_at_a_table_is_that_of_the_whole_site(page: Browser) -> None:
    chosen = "document.querySelector('[data-setting=language]')"
    with at_table(page, plan("pagat", 1), 2, dice=8) as (sitting, person):
        page.value("localStorage.setItem('zole:language', 'de')")
        page.value("document.cookie = 'language=lv; path=/'")
        person.sits(sitting.address)
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


HOME = Path(arena.__file__).parent
STYLE = (HOME / "reports" / "style.css").read_text(encoding="utf-8")
CARDS = (HOME / "reports" / "card.css").read_text(encoding="utf-8")
TABLE = (HOME / "viewer" / "src" / "play" / "style.css").read_text(encoding="utf-8")

SURFACES = "paper panel sunk".split()
TEXTS = "ink faint accent bad seat-0 seat-1 seat-2 seat-3 seat-4".split()
LINES = [f"line-{number}" for number in range(8)]
SHADES = [f"{side}-{step}" for side in ("ahead", "behind") for step in (1, 2, 3)]
PAIRS = [
    *((text, surface) for text in (*TEXTS, *LINES) for surface in SURFACES),
    *(("ink", shade) for shade in (*SHADES, "wash", "bad-wash")),
    *((suit, "card") for suit in ("clubs", "spades", "hearts", "diamonds")),
    *(("panel", f"seat-{seat}") for seat in range(5)),
    ("accent", "wash"),
    ("bad", "bad-wash"),
    *(("card", cloth) for cloth in ("felt", "felt-edge", "bar")),
    *(("gold", cloth) for cloth in ("felt", "felt-edge")),
    ("up", "paper"),
    ("on-accent", "accent"),
]


def colours(dark: bool) -> dict[str, tuple[float, float, float]]:
    """Each colour by its name, as red, green and blue from 0 to 1."""
    light, _, rest = STYLE.partition("@media (prefers-color-scheme: dark)")
    return values(light + (rest.partition("\n* {")[0] if dark else ""))


def values(text: str) -> dict[str, tuple[float, float, float]]:
    found: dict[str, tuple[float, float, float]] = {}
    for name, value in re.findall(r"--([\w-]+): #([0-9a-f]{3,6});", text):
        digits = value if len(value) == 6 else "".join(digit * 2 for digit in value)
        red, green, blue = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
        found[name] = red, green, blue
    return found


def luminance(colour: tuple[float, float, float]) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_the_contrast_of_wcag_aa_and_the_edge_of_what_is_pressed_stands_out(
    dark: bool,
) -> None:
    found = colours(dark)
    least = dict.fromkeys(PAIRS, 4.5) | {("edge", surface): 3 for surface in SURFACES}
    reached = {(one, other): contrast(found[one], found[other]) for one, other in least}
    assert {pair: each for pair, each in reached.items() if each < least[pair]} == {}


@pytest.mark.parametrize("dark", [False, True])
def test_cards_that_may_not_be_played_are_read_as_well_in_every_deck(dark: bool) -> None:
    dimmed = r"not\(\.legal\) \.card {\s*filter: brightness\(([\d.]+)\)"
    (brightness,) = map(float, re.findall(dimmed, TABLE))
    assert "opacity" not in TABLE
    found = colours(dark)
    decks = [found, found | values(CARDS)]
    assert decks[0]["clubs"] != decks[1]["clubs"] == found["spades"]
    for number, deck in enumerate(decks):
        for suit in ("clubs", "spades", "hearts", "diamonds"):
            ink, card = (
                (brightness * red, brightness * green, brightness * blue)
                for red, green, blue in (deck[suit], deck["card"])
            )
            assert contrast(ink, card) >= 4.5, (number, suit)
