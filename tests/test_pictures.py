"""The README's pictures can be made again, and show what the arena shows today."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.browser import Browser
from tools.pictures import (
    FRAME,
    PICTURES,
    SITE,
    WINDOW,
    moving_picture,
    play,
    replay_picture,
    site_picture,
    standings_picture,
    table_picture,
)

REMEDY = "run: .venv/bin/python -m tools.pictures, and look at them"


@pytest.mark.slow
def test_the_pictures_can_be_made(tmp_path: Path, browser: Browser) -> None:
    record = play(tmp_path, deals=4)
    drawn = ET.fromstring(standings_picture(record))
    said = "".join(drawn.itertext()).replace("\N{NO-BREAK SPACE}", " ")
    assert "Spring: 16 of 16 sets" in said
    assert "url(" not in said
    assert size_of(replay_picture(record, tmp_path, browser)) == WINDOW


def size_of(picture: bytes) -> tuple[int, int]:
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


@pytest.mark.slow
def test_the_moving_picture_can_be_made_and_is_small(tmp_path: Path, page: Browser) -> None:
    made = moving_picture(tmp_path, page, stages=(1, 2))
    assert made.count(b"ANMF") > 10
    assert len((PICTURES / "league.webp").read_bytes()) < 300_000
    assert made[24:30] == b"".join((side - 1).to_bytes(3, "little") for side in FRAME)


@pytest.mark.slow
def test_the_pictures_of_a_table_and_of_a_site_are_there_and_can_be_made(page: Browser) -> None:
    assert size_of(table_picture(page)) == WINDOW
    for name, (path, width, height, scheme) in SITE.items():
        made = site_picture(path, page, width, height, scheme)
        sizes = [size_of(each) for each in (made, (PICTURES / f"{name}.png").read_bytes())]
        assert sizes == [(width, height)] * 2


@pytest.mark.slow
def test_the_standings_in_the_readme_are_those_of_today(tmp_path: Path) -> None:
    assert standings_picture(play(tmp_path)) == (PICTURES / "standings.svg").read_text(), REMEDY
