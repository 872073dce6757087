"""Bots in transfer: what arrives is what was submitted, and it is built where it plays."""

from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.base.resources import STANDARD
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.engine.builds import Copy, install
from arena.engine.transfer import pack_copy, receive
from tests.support.bots import APART, good, write_bot

BUILD = 'build = ["sh", "-c", "echo $(cat made 2>/dev/null) made >> made"]\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copies of a league; what arrives lies in another folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    home = tmp_path / "here"
    home.mkdir()
    return home


def copy_of(folder: Path) -> Copy:
    bot: Bot = read_bot(folder)
    return Copy(bot, content_hash(folder), STANDARD)


def test_a_bot_is_built_where_it_plays_from_what_it_was(home: Path, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bot", good(), more=BUILD)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("bot.py")
    copy = copy_of(folder)
    install(copy.bot, copy.digest, home, APART)
    for path in folder.iterdir():
        path.unlink()
    program = receive(copy, pack_copy(copy, home), APART)
    there = Path(program.folder)
    assert there.is_relative_to(tmp_path / "there")
    assert (there / "made").read_text() == "made\n"
    (there / "made").unlink()
    assert content_hash(there) == copy.digest


def test_a_bot_without_a_build_is_packed_from_its_copy(home: Path, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bot", good())
    copy = copy_of(folder)
    install(copy.bot, copy.digest, home, APART)
    (folder / "bot.py").write_text("changed")
    assert content_hash(Path(receive(copy, pack_copy(copy, home), APART).folder)) == copy.digest


def test_what_is_not_the_bot_is_refused(home: Path, tmp_path: Path) -> None:
    copy = copy_of(write_bot(tmp_path / "bot", good()))
    other = copy_of(write_bot(tmp_path / "other", good(before="os.getpid()")))
    with pytest.raises(ArenaError, match="what arrived is not the bot bot"):
        receive(copy, pack_copy(other, home), APART)
    assert not list((tmp_path / "there").rglob("*.built"))


def test_a_bot_of_which_only_the_build_is_left_is_not_sent(home: Path, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "bot", good(), more=BUILD)
    copy = copy_of(folder)
    install(copy.bot, copy.digest, home, APART)
    (home / f"{copy.digest[:16]}.tar").unlink()
    (folder / "bot.py").unlink()
    with pytest.raises(ArenaError, match="before its build are gone"):
        pack_copy(copy, home)
