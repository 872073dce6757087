"""The colours of all pages can be told apart, in light and dark."""

import re
from pathlib import Path

import pytest

import arena

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
    text = light + (rest.partition("\n* {")[0] if dark else "")
    return values(text)


def values(text: str) -> dict[str, tuple[float, float, float]]:
    """The colours that a style sheet names."""
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


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_the_contrast_of_wcag_aa(dark: bool) -> None:
    found = colours(dark)
    weak: dict[tuple[str, str], float] = {}
    for text, surface in PAIRS:
        found_contrast = contrast(found[text], found[surface])
        if found_contrast < 4.5:
            weak[text, surface] = round(found_contrast, 2)
    assert weak == {}


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_cards_that_may_not_be_played_are_read_as_well_in_every_deck(dark: bool) -> None:
    dimmed = r"not\(\.legal\) \.card {\s*filter: brightness\(([\d.]+)\)"
    (brightness,) = map(float, re.findall(dimmed, TABLE))
    assert "opacity" not in TABLE
    found = colours(dark)
    decks = [found, found | values(CARDS)]
    assert decks[0]["clubs"] != decks[1]["clubs"] == found["spades"]
    for deck in decks:
        for suit in ("clubs", "spades", "hearts", "diamonds"):
            ink, card = (
                (brightness * red, brightness * green, brightness * blue)
                for red, green, blue in (deck[suit], deck["card"])
            )
            assert contrast(ink, card) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
def test_the_edge_of_what_is_pressed_stands_out(dark: bool) -> None:
    found = colours(dark)
    for surface in SURFACES:
        assert contrast(found["edge"], found[surface]) >= 3
