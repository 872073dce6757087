"""The room of a site: counted with its league, and a clear stop before there is none."""

from pathlib import Path

import pytest

from arena.base.refusals import NoRoom
from arena.site.config import Site, read_site
from arena.site.disk import DISK_LOOK_S, SPARE_BYTES, Disk
from tests.support.registry import Clock

MIB = 1 << 20


@pytest.fixture
def site(tmp_path: Path) -> Site:
    path = tmp_path / "site.toml"
    path.write_text('league = "ladder.toml"\ndisk_gib = 0.01\n')
    return read_site(path)


def write(path: Path, size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)


def test_the_site_and_what_belongs_to_its_league_are_counted(site: Site, tmp_path: Path) -> None:
    for name in ("site.site/spool/a", "ladder.db", "ladder.bots/b/bot.py", "other.db"):
        write(tmp_path / name, MIB)
    (tmp_path / "ladder.bots" / "around").symlink_to(tmp_path)
    assert Disk(site).room().used // MIB == 3


def test_a_full_site_refuses_and_says_what_helps(site: Site, tmp_path: Path) -> None:
    clock = Clock()
    room = Disk(site, clock)
    room.refuse_if_full(9 * MIB)
    with pytest.raises(NoRoom, match="no room left for this; the organiser") as told:
        room.refuse_if_full(11 * MIB)
    assert (told.value.status, told.value.exit_code) == (507, 3)
    write(tmp_path / "ladder.db", 11 * MIB)
    room.refuse_if_full()  # files are counted now and then, not each time
    clock.now += DISK_LOOK_S + 1
    with pytest.raises(NoRoom):
        room.refuse_if_full()


def test_a_disk_that_is_nearly_full_refuses_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Found:
        f_frsize = 4096
        f_bavail = SPARE_BYTES // 4096 + 1

    room = Disk(site)
    room.refuse_if_full()
    monkeypatch.setattr("arena.site.disk.os.statvfs", lambda _: Found)
    room.refuse_if_full()
    Found.f_bavail -= 1
    with pytest.raises(NoRoom):
        room.refuse_if_full()
    assert room.room().left == 0
