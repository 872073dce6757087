"""The life of a deal as `docs/architecture.md` tells it, function by function, is what happens."""

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

import arena
from arena.base.installation import form
from tests.support.bots import write_league
from tests.support.command import run_here

ROOT = Path(arena.__file__).parent


def told() -> list[tuple[str, str]]:
    text = (ROOT.parent / "docs/architecture.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\| \d+ \| (.*?) \|", text, re.MULTILINE)
    return [pair for step in steps for pair in re.findall(r"`([\w/]+\.py)` `(\w+)`", step)]


@pytest.mark.skipif(form() == "compiled", reason="compiled functions are not seen when called")
def test_the_life_of_a_deal_goes_the_way_that_the_page_tells(tmp_path: Path) -> None:
    coming = told()

    def note(frame: FrameType, event: str, _: object) -> None:
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        if event == "call" and coming and (path, name) == (str(ROOT / coming[0][0]), coming[0][1]):
            del coming[0]

    league = write_league(tmp_path, deals=1)
    sys.setprofile(note)
    try:
        done = run_here("league", league)
        run_here("verify", league)
    finally:
        sys.setprofile(None)
    assert not coming, f"{done.stdout}\n{done.stderr}"
