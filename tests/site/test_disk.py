"""The room of a site: counted with its league, a clear stop before there is none, and what then."""

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.database import FileKind, file_errors
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.refusals import Busy, NoRoom
from arena.site import disk as disk_module
from arena.site.config import Site, read_site
from arena.site.disk import BUILD_BYTES, DISK_LOOK_S, LEAST_BYTES, SPARE_BYTES, Disk, work_on
from arena.site.life import Life, read_states
from tests.support.registry import Clock, refused

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
        f_blocks = 1 << 40
        f_bavail = SPARE_BYTES // 4096 + 1

    room = Disk(site)
    room.refuse_if_full()
    monkeypatch.setattr("arena.site.disk.os.statvfs", lambda _: Found)
    room.refuse_if_full()
    Found.f_bavail -= 1
    with pytest.raises(NoRoom):
        room.refuse_if_full()
    assert room.room().left == 0


class Room:
    """The room of every disk, as a test says."""

    f_frsize = 1
    f_blocks = 1 << 40
    f_bavail = 1 << 40


@pytest.fixture(name="room")
def _room(monkeypatch: pytest.MonkeyPatch) -> type[Room]:
    found = type("Found", (Room,), {})
    monkeypatch.setattr("arena.site.disk.os.statvfs", lambda _: found)
    return found


def test_a_shortage_names_the_folder_and_the_room_left(tmp_path: Path, room: type[Room]) -> None:
    (tmp_path / "beside").mkdir()
    path = tmp_path / "site.toml"
    path.write_text('league = "beside/ladder.toml"\n')
    disk = Disk(read_site(path))
    room.f_bavail = SPARE_BYTES + BUILD_BYTES + 1
    assert disk.shortage() == ""
    room.f_bavail -= 1
    said = "the folder of the site has 1280 MiB of room left; below 1280 uploads wait"
    assert disk.shortage() == said
    (tmp_path / "site.site").mkdir()
    room.f_bavail = 3 * MIB
    assert disk.shortage().startswith("the folder site.site has 3 MiB of room left;")


def test_a_small_disk_keeps_less_room(site: Site, room: type[Room]) -> None:
    room.f_blocks = 512 * MIB
    room.f_bavail = 65 * MIB
    disk = Disk(msgspec.structs.replace(site, disk_bytes=1 << 40))
    assert disk.shortage() == ""
    disk.refuse_builds()
    room.f_bavail = 64 * MIB
    assert disk.shortage().endswith("64 MiB of room left; below 64 uploads wait")
    with pytest.raises(NoRoom):
        disk.refuse_builds()


def test_the_league_may_lie_on_another_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside").mkdir()
    path = tmp_path / "site.toml"
    path.write_text('league = "beside/ladder.toml"\n')
    free = {"beside": 5 * MIB}

    def found(folder: Path) -> object:
        return type("Found", (Room,), {"f_bavail": free.get(folder.name, 1 << 40)})

    monkeypatch.setattr("arena.site.disk.os.statvfs", found)
    disk = Disk(read_site(path))
    assert disk.shortage().startswith("the folder beside has 5 MiB of room left;")
    with pytest.raises(NoRoom):
        disk.refuse_if_full()


def test_what_the_organiser_allows_runs_short_too(site: Site, room: type[Room]) -> None:
    said = "the folder of the site and its league take 0 of 10 MiB that disk_gib allows"
    assert Disk(site).shortage() == said


_KIND = FileKind(noun="record", whole="a record", schema="", facts="")


def _full_file(path: Path) -> None:
    with (
        closing(sqlite3.connect(path / "full.db", isolation_level=None)) as sql,
        file_errors(_KIND, path),
    ):
        sql.execute("PRAGMA max_page_count=2")
        for number in range(9):
            sql.execute(f"CREATE TABLE t{number}(a)")


def _held_file(path: Path) -> None:
    with (
        closing(sqlite3.connect(path / "held.db", isolation_level=None)) as one,
        closing(sqlite3.connect(path / "held.db", isolation_level=None, timeout=0)) as other,
    ):
        one.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")


def _raises(error: Exception) -> Callable[[Path], None]:
    def fail(path: Path) -> None:
        raise error

    return fail


_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (_raises(_FULL), "the disk is full"),
        (_raises(refused(NoRoom, sqlite3.SQLITE_FULL)), "the disk is full"),
        (_raises(ExceptionGroup("tables", [KeyError(), _FULL])), "the disk is full"),
        (_full_file, "the disk is full"),
        (_held_file, "others hold a file for too long"),
        (_raises(refused(Busy, sqlite3.SQLITE_BUSY)), "others hold a file for too long"),
    ],
)
def test_a_process_that_a_full_disk_ends_rests_and_begins_anew(
    site: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    fails: Callable[[Path], None],
    why: str,
) -> None:
    monkeypatch.setattr(disk_module, "_REST_S", 0.0)
    begun: list[None] = []

    def work(site: Site, life: Life) -> None:
        begun.append(None)
        if len(begun) == 1:
            fails(tmp_path)

    work_on(site, Life(site, "clerk"), work)
    assert len(begun) == 2
    assert f"clerk     warning: {why}, and it rests" in capfd.readouterr().err


def test_whatever_fails_on_a_full_disk_is_taken_for_its_fault_and_waits_for_room(
    site: Site, room: type[Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_module, "_REST_S", 0.0)
    site.state.mkdir(parents=True)
    room.f_bavail = LEAST_BYTES - 1
    begun: list[None] = []
    rested: list[str] = []

    def work(site: Site, life: Life) -> None:
        begun.append(None)
        if len(begun) == 1:
            raise MachineError(Mistake("the record cannot be written: disk I/O error"))

    def rests(seconds: float) -> None:
        rested.append(read_states(site)["league"].doing)
        if len(rested) == 3:
            room.f_bavail = LEAST_BYTES

    monkeypatch.setattr(disk_module, "sleep", rests)
    work_on(site, Life(site, "league"), work)
    assert len(begun) == 2
    assert rested == ["rests: the disk is full"] * 3


@pytest.mark.parametrize(
    "error", [ArenaError(Mistake("no league")), OSError(errno.EACCES, "no"), NoRoom("no")]
)
def test_a_process_ends_by_any_other_mistake(site: Site, error: Exception) -> None:
    def work(site: Site, life: Life) -> None:
        raise error

    with pytest.raises(type(error)):
        work_on(site, Life(site, "league"), work)
