"""No test hangs on how fast or busy a machine is: what waits is patient, what sleeps says why."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parent
FILES = sorted(path for path in ROOT.rglob("*.py") if "zoo" not in path.relative_to(ROOT).parts)
"""All but the bots of the zoo, whose business it is."""

BOUNDS = ("wait", "join", "settimeout", "fail_after", "result")
"""Calls whose first number is a bound on waiting; others have a `timeout`."""

SHORT_WAITS = {
    "people/test_pages.py": "a server must not end while somebody looks",
}
"""Files that wait for less than all patience, and what they see by that."""

SLEEPS = {
    "support/patience.py": "the pause between two looks",
    "cli/test_kills.py": "the moments of kills, which are drawn",
    "cli/test_site.py": "the moments of kills, which are drawn",
    "cluster/test_hostile.py": "a stranger that drips",
    "sandbox/test_isolation.py": "the moments of kills",
    "site/test_backup.py": "the moments of kills",
    "site/test_class.py": "the moments of kills, which are drawn",
    "site/test_registry_together.py": "the moments of kills, which are drawn",
    "site/test_publisher.py": "the pause between two looks",
    "site/test_runner.py": "a process that beats, and one whose signal has come already",
    "tasks/test_season_end.py": "the moments of kills",
}
"""Files that sleep, and what for: never in the hope that something has happened meanwhile."""

SHORT_CLOCKS = {
    "match/test_wire.py": "no process meets it",
    "sandbox/test_watch.py": "no process meets it",
    "sandbox/test_isolation.py": "the program computes until it is ended",
}
"""Files in which a clock is short, and who meets it."""

CLOCK = re.compile(r"\b(?:cpu_)?(?:move|start|match)_s\b[\"']?\s*[=:]\s*(\d+(?:\.\d+)?)")
ROOM_S = 60.0
"""A clock with less is short: a slow, busy machine may need so long for what takes no time."""


@cache
def calls(path: Path) -> tuple[ast.Call, ...]:
    text = path.read_text(encoding="utf-8")
    if not re.search(r"timeout=|sleep\(|\.(?:" + "|".join(BOUNDS) + r")\(", text):
        return ()  # spares the parser most files
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


def waits_for_less(call: ast.Call) -> bool:
    """Whether a call waits for less than tests have patience, by a number that it names."""
    bounds = [each.value for each in call.keywords if each.arg == "timeout"]
    if getattr(call.func, "attr", "") in BOUNDS:
        bounds += call.args[:1]
    said = [each.value for each in bounds if isinstance(each, ast.Constant)]
    return any(isinstance(it, int | float) and 0 < it < PATIENCE_S for it in said)


def test_whoever_waits_has_all_patience() -> None:
    found = {place(path) for path in FILES if any(map(waits_for_less, calls(path)))}
    assert found == {*SHORT_WAITS}


def test_nobody_sleeps_in_hope() -> None:
    found = {
        place(path)
        for path in FILES
        if any(ast.unparse(call.func) in ("time.sleep", "sleep") for call in calls(path))
    }
    assert found == {*SLEEPS}


def test_clocks_have_room_for_the_slowest_machine() -> None:
    found = {
        place(path)
        for path in FILES
        if any(float(most) < ROOM_S for most in CLOCK.findall(path.read_text(encoding="utf-8")))
    }
    assert found == {*SHORT_CLOCKS}


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
