"""Bots play under a umask that keeps others out of all that the arena writes."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bots import APART, write_league, write_quick_bot
from tests.support.command import PROJECT, command


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that bots may enter, as those of root must be; pytest's are closed to others."""
    with tempfile.TemporaryDirectory() as found:
        Path(found).chmod(0o755)
        yield Path(found)


@pytest.mark.parametrize("level", ["bubblewrap", pytest.param("landlock", marks=pytest.mark.slow)])
def test_bots_can_read_what_is_kept_for_them(folder: Path, level: str) -> None:
    """Bots of root run as other users; caches are missing yet."""
    if level == "bubblewrap" and APART.level != level:
        pytest.skip("arena doctor says why there is no bubblewrap here")
    bot, caches = write_quick_bot(folder / "bot"), folder / "caches"
    caches.mkdir()
    league = write_league(folder / "league", deals=1, sandbox=f'[sandbox]\nlevel = "{level}"\n')
    for words in (
        ("match", bot, bot, bot, "--deals", "1", "--isolation", level),
        ("league", league, "--seed", "1"),
    ):
        done = subprocess.run(
            command(*words), capture_output=True, text=True, check=False, umask=0o077,
            env={**os.environ, "PYTHONPATH": PROJECT, "XDG_CACHE_HOME": str(caches)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "exited" not in done.stdout
