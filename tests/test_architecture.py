"""The life of a deal as `docs/architecture.md` tells it, function by function, is what happens."""

import re
import subprocess
import sys
from pathlib import Path
from types import FrameType

import pytest

import arena
from arena.base.installation import form
from tests.support.bots import write_league
from tests.support.command import run_here

_MOST_MODULES = 68
"""What the first match of a closed league may wait for: packages and modules of ours."""

_TELL = """
import os, sys
from arena.__main__ import main
from arena.engine import runner
def run(jobs, *_, **__):
    next(iter(jobs))
    print(*(name for name in sys.modules if name.partition(".")[0] == "arena"), flush=True)
    os._exit(0)
runner.run = run
main()
"""

ROOT = Path(arena.__file__).parent


def test_the_first_match_waits_for_few_modules(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=1)
    words = ("league", str(league), "--isolation", "none")
    done = subprocess.run(
        [sys.executable, "-c", _TELL, *words], cwd=ROOT.parent, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    modules = done.stdout.split()
    assert {"arena.engine.workers", "arena.tasks.closed_league"} < {*modules}
    assert len(modules) <= _MOST_MODULES - 2, "bubblewrap's two come to these"


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
