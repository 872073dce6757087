"""The pages in other languages: nothing is left in English."""

import pytest

from arena.site.pages import league
from arena.site.pages.drawing import Drawing
from tests.support.made_site import MadeSite
from tests.support.page_server import drawn_pages
from tests.support.pseudo_language import PseudoLanguage, Unmarked

DONE: set[str] = {
    "/error",
    "/join/x",
    "/login/x",
    "/me",
    "/me/uploads/failed",
    "/me/uploads/u5cXy",
    "/play",
    "/signin",
    "/start",
    "/tv",
    "/waiting",
    "/welcome",
}


def test_pages_say_nothing_that_no_catalogue_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league, "Language", PseudoLanguage)
    made = MadeSite(None)
    pages = drawn_pages(made, Drawing("Zole", "https://zole.example", "lv"))
    names = "|".join(sorted(made.names, key=len, reverse=True))
    for path, draw in pages.items():
        if path in DONE:
            assert Unmarked(draw(), names).found == [], path
