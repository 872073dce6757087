"""A person plays `arena play --terminal` to its end, in a terminal that tmux draws."""

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command import command, run
from tests.support.needs import need

pytestmark = pytest.mark.slow


class Pane:
    """A terminal of some size in which a command runs."""

    def __init__(self, server: str) -> None:
        self._server = server

    def tmux(self, *words: str) -> str:
        """What a command of tmux prints."""
        need("tmux")
        whole = ["tmux", "-L", self._server, "-f", "/dev/null", *words]
        env = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
        }
        return subprocess.run(whole, env=env, capture_output=True, text=True, check=True).stdout

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names of them."""
        self.tmux("send-keys", *keys)

    def shown(self) -> str:
        """What the terminal shows."""
        return self.tmux("capture-pane", "-p")


@contextmanager
def pane(folder: Path, columns: int, rows: int, *words: str) -> Iterator[Pane]:
    """A terminal in which a command of the arena runs, and says how it ended."""
    whole = " ".join(map(str, command(*words)))
    opened = Pane(f"arena-{folder.name}-{columns}")
    size = ("-x", str(columns), "-y", str(rows))
    opened.tmux("new-session", "-d", *size, f"cd {folder}; {whole}; echo ended $?; sleep 1000")
    try:
        yield opened
    finally:
        opened.tmux("kill-server")


def next_keys(shown: str) -> tuple[str, ...]:
    """The keys with which to go on: bids, plays the first card that may be played."""
    if "Enter: " in shown and "lay aside" not in shown:
        return ("Enter",)
    if "Lay two cards aside" in shown:
        return ("9", "0", "Enter")
    for letter in "onlt":
        if f"[{letter}]" in shown and not ("offer" in shown and letter == "o"):
            return (letter,)
    asks = re.search(r"\n([^\n]*)\n(?:Which card|You lead)", shown)
    key = re.search(r"[0-9]", asks[1]) if asks else None
    return (key[0],) if key else ()


@pytest.mark.parametrize(("columns", "rows", "rules"), [(60, 24, "pagat"), (100, 40, "lzsf")])
def test_a_match_is_played_to_its_end_by_the_keys_that_are_shown(
    tmp_path: Path, columns: int, rows: int, rules: str
) -> None:
    words = ("play", "--terminal", "--deals", "3", "--seed", "3", "--rules", rules)
    record = ("--record", str(tmp_path / "played.db"))
    with pane(tmp_path, columns, rows, *words, *record) as terminal:
        deadline = time.monotonic() + 120
        screens: list[str] = []
        while "ended" not in (shown := terminal.shown()):
            assert time.monotonic() < deadline, shown
            if shown not in screens[-1:]:
                screens.append(shown)
            if keys := next_keys(shown):
                terminal.press(*keys)
            time.sleep(0.05)
        assert "ended 0" in shown
        assert "The match is over." in shown
    assert max(len(line) for screen in screens for line in screen.splitlines()) <= columns
    assert sum("is over:" in screen for screen in screens) >= 3
    assert run("verify", tmp_path / "played.db").returncode == 0
