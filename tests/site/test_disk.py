"""The room of a site: a clear stop before there is none, and what then."""

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.database import FileKind, file_errors
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.refusals import Busy, NoRoom
from arena.site import disk as disk_module
from arena.site.config import Site, read_site
from arena.site.disk import LEAST_BYTES, LOW_BYTES, refuse_if_low, shortage, work_on
from arena.site.process import SitePart, SiteProcess, read_states
from tests.support.registry import refused

MIB = 1 << 20


@pytest.fixture
def site(tmp_path: Path) -> Site:
    path = tmp_path / "site.toml"
    path.write_text('league = "ladder.toml"\n')
    return read_site(path)


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


def test_a_disk_that_is_nearly_full_refuses_and_says_what_helps(
    site: Site, room: type[Room]
) -> None:
    room.f_bavail = LOW_BYTES + 1
    refuse_if_low(site)
    room.f_bavail -= 1
    with pytest.raises(NoRoom, match="disk is nearly full; the organiser must make room") as told:
        refuse_if_low(site)
    assert (told.value.status, told.value.exit_code) == (507, 3)


def test_a_shortage_names_the_folder_and_the_room_left(tmp_path: Path, room: type[Room]) -> None:
    (tmp_path / "beside").mkdir()
    path = tmp_path / "site.toml"
    path.write_text('league = "beside/ladder.toml"\n')
    site = read_site(path)
    room.f_bavail = LOW_BYTES + 1
    assert shortage(site) == ""
    room.f_bavail -= 1
    said = "the folder of the site has 1024 MiB of room left; below 1024 MiB uploads and play pause"
    assert shortage(site) == said
    (tmp_path / "site.site").mkdir()
    room.f_bavail = 3 * MIB
    assert shortage(site).startswith("the folder site.site has 3 MiB of room left;")


def test_a_small_disk_keeps_less_room(site: Site, room: type[Room]) -> None:
    room.f_blocks = 512 * MIB
    room.f_bavail = 65 * MIB
    assert shortage(site) == ""
    refuse_if_low(site)
    room.f_bavail = 64 * MIB
    assert shortage(site).endswith("has 64 MiB of room left; below 64 MiB uploads and play pause")
    with pytest.raises(NoRoom):
        refuse_if_low(site)


def test_the_league_may_lie_on_another_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside").mkdir()
    path = tmp_path / "site.toml"
    path.write_text('league = "beside/ladder.toml"\n')
    small = {"f_bavail": 500 * MIB, "f_blocks": 1000 * MIB}  # which is half empty
    large = {"f_bavail": 900 * MIB}

    def found(folder: Path) -> object:
        return type("Found", (Room,), large if folder.name == "beside" else small)

    monkeypatch.setattr("arena.site.disk.os.statvfs", found)
    site = read_site(path)
    assert shortage(site).startswith("the folder beside has 900 MiB of room left;")
    with pytest.raises(NoRoom):
        refuse_if_low(site)


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

    def work(part: SitePart) -> None:
        begun.append(None)
        if len(begun) == 1:
            fails(tmp_path)

    work_on(SitePart(SiteProcess(site, "play"), "requests"), work)
    assert len(begun) == 2
    assert f"requests: {why}, and it rests" in capfd.readouterr().err


def test_whatever_fails_on_a_full_disk_is_taken_for_its_fault_and_waits_for_room(
    site: Site, room: type[Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_module, "_REST_S", 0.0)
    site.state.mkdir(parents=True)
    room.f_bavail = LEAST_BYTES - 1
    begun: list[None] = []
    rested: list[str] = []

    def work(part: SitePart) -> None:
        begun.append(None)
        if len(begun) == 1:
            raise MachineError(Mistake("the record cannot be written: disk I/O error"))

    def rests(seconds: float) -> None:
        rested.append(read_states(site)["play"].doing["league"])
        if len(rested) == 3:
            room.f_bavail = LEAST_BYTES

    monkeypatch.setattr(disk_module, "sleep", rests)
    work_on(SitePart(SiteProcess(site, "play"), "league"), work)
    assert len(begun) == 2
    assert rested == ["rests: the disk is full"] * 3


@pytest.mark.parametrize(
    "error", [ArenaError(Mistake("no league")), OSError(errno.EACCES, "no"), NoRoom("no")]
)
def test_a_process_ends_by_any_other_mistake(site: Site, error: Exception) -> None:
    def work(part: SitePart) -> None:
        raise error

    with pytest.raises(type(error)):
        work_on(SitePart(SiteProcess(site, "play"), "league"), work)
