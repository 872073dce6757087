"""Every state of the table and of a replay fits in the windows that people have."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.reports.page import replay_page
from tests.reports.test_viewer_review import reviewed
from tests.support.at_a_page import SETTLED, Person, state_of
from tests.support.browser import Browser
from tests.support.fits import misfits
from tests.support.seated import Sitting, others, plan


def each_state(page: Browser, players: int, deals: int, look: Callable[[str], None]) -> set[str]:
    """Play a match and look at each state once, at a bid and a card also with a hint."""
    rules = {"players": players} if players > 3 else {}
    met = set[str]()
    with Sitting(plan("pagat", deals, **rules), others(3)) as sitting:
        person = Person(page, 1, bids=0.7)
        person.sits(sitting.address)
        seen = person.looks()
        while True:
            state = state_of(page, seen)
            if state not in met:
                met.add(state)
                look(f"{players} players, {state}")
                if state in ("bid", "discard", "play-2"):
                    page.value(SETTLED)
                    page.press("h")
                    page.until("document.querySelector('.hint')?.innerText.includes('Hint:')")
                    look(f"{players} players, {state} with a hint")
            if seen.over:
                return met
            person.does(seen)
            seen = person.looks(seen)


@pytest.mark.parametrize(
    ("players", "deals"),
    [
        (3, 3),
        pytest.param(4, 8, marks=pytest.mark.slow),
        pytest.param(5, 14, marks=pytest.mark.slow),
    ],
)
def test_every_state_of_a_table_fits_in_every_window(
    page: Browser, players: int, deals: int
) -> None:
    found: list[str] = []
    met = each_state(page, players, deals, lambda state: found.extend(misfits(page, state)))
    assert {"bid", "discard", "play-1", "play-2", "end", "over"} <= met
    assert not found, "\n".join(found)


def test_a_replay_fits_in_every_window(page: Browser, tmp_path: Path) -> None:
    match, _ = reviewed(1)
    file = tmp_path / "replay.html"
    file.write_text(replay_page(match))
    found: list[str] = []
    for address in ("", "#ply=1", "#ply=12", "#ply=12&seat=1", "#ply=26"):
        page.open(file, address)
        found += misfits(page, f"replay {address}")
    assert not found, "\n".join(found)
