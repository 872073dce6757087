"""Bots play under a umask that keeps others out of all that the arena writes."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bots import APART, write_league, write_quick_bot
from tests.support.command import PROJECT, command


def run_narrowly(*words: str | Path, caches: Path) -> "subprocess.CompletedProcess[str]":
    """Run the arena with caches that are missing yet. Bots of root run as other users."""
    return subprocess.run(
        command(*words),
        capture_output=True,
        text=True,
        check=False,
        umask=0o077,
        env={**os.environ, "PYTHONPATH": PROJECT, "XDG_CACHE_HOME": str(caches)},
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that bots may enter, as those of root must be; pytest's are closed to others."""
    with tempfile.TemporaryDirectory() as found:
        Path(found).chmod(0o755)
        yield Path(found)


@pytest.mark.parametrize("level", ["bubblewrap", pytest.param("landlock", marks=pytest.mark.slow)])
def test_bots_can_read_what_is_kept_for_them(folder: Path, level: str) -> None:
    if level == "bubblewrap" and APART.level != level:
        pytest.skip("arena doctor says why there is no bubblewrap here")
    bot, caches = write_quick_bot(folder / "bot"), folder / "caches"
    caches.mkdir()
    words = ("match", bot, bot, bot, "--deals", "1", "--isolation", level)
    done = run_narrowly(*words, caches=caches)
    assert done.returncode == 0, done.stderr
    league = write_league(folder / "league", deals=1, sandbox=f'[sandbox]\nlevel = "{level}"\n')
    done = run_narrowly("league", league, "--seed", "1", caches=caches)
    assert done.returncode == 0, done.stderr
    assert "exited" not in done.stdout
