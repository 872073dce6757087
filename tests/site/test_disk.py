"""The room of a site: a clear stop before there is none, what is told, what rests and goes on."""

import errno
import os
import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from arena.base.database import FileKind, file_errors
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.refusals import Busy, NoRoom
from arena.site.config import Site, read_site
from arena.site.disk import LEAST_BYTES, LOW_BYTES, refuse_if_low, shortage, work_on
from arena.site.process import SitePart, SiteProcess, read_states
from arena.site.registry import Registry
from tests.support.command import run
from tests.support.patience import until
from tests.support.registry import refused
from tests.support.small_disk import small_disk
from tests.support.web import served

MIB = 1 << 20
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site whose league lies in another folder than what it writes itself."""
    (tmp_path / "beside").mkdir()
    path = tmp_path / "site.toml"
    path.write_text('league = "beside/ladder.toml"\n')
    return read_site(path)


@pytest.fixture(name="room")
def _room(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    room = SimpleNamespace(disk=1 << 40, free=1 << 40, beside=1 << 40)

    def statvfs(folder: Path) -> SimpleNamespace:
        if folder.name == "beside":
            return SimpleNamespace(f_frsize=1, f_blocks=1 << 40, f_bavail=room.beside)
        return SimpleNamespace(f_frsize=1, f_blocks=room.disk, f_bavail=room.free)

    monkeypatch.setattr("arena.site.disk.os.statvfs", statvfs)
    return room


@pytest.mark.parametrize(
    ("room_of", "said"),
    [
        ({"free": LOW_BYTES + 1}, ""),
        ({"free": LOW_BYTES}, "the folder of the site has 1024 MiB of room left; below 1024 MiB"),
        ({"free": 3 * MIB}, "the folder of the site has 3 MiB of room left; below 1024 MiB"),
        ({"disk": 512 * MIB, "free": 65 * MIB}, ""),
        (
            {"disk": 512 * MIB, "free": 64 * MIB},
            "the folder of the site has 64 MiB of room left; below 64 MiB",
        ),
        (  # the fuller one counts, of two disks
            {"disk": 1000 * MIB, "free": 500 * MIB, "beside": 900 * MIB},
            "the folder beside has 900 MiB of room left; below 1024 MiB",
        ),
    ],
)
def test_a_disk_that_is_nearly_full_refuses_and_says_where_how_much_and_what_helps(
    site: Site, room: SimpleNamespace, room_of: dict[str, int], said: str
) -> None:
    vars(room).update(room_of)
    told = f"{said} uploads and play pause" if said else ""
    assert shortage(site) == told
    site.folder.mkdir()
    assert shortage(site) == told.replace("of the site", "site.site")
    if not said:
        refuse_if_low(site)
        return
    with pytest.raises(NoRoom, match="disk is nearly full; the organiser must make room") as full:
        refuse_if_low(site)
    assert (full.value.status, full.value.exit_code) == (507, 3)


def _full_file(path: Path) -> None:
    with (
        closing(sqlite3.connect(path / "full.db", isolation_level=None)) as sql,
        file_errors(FileKind(noun="record", whole="a record", schema="", facts=""), path),
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


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (FULL, "the disk is full"),
        (refused(NoRoom, sqlite3.SQLITE_FULL), "the disk is full"),
        (ExceptionGroup("tables", [KeyError(), FULL]), "the disk is full"),
        (_full_file, "the disk is full"),
        (_held_file, "others hold a file for too long"),
        (refused(Busy, sqlite3.SQLITE_BUSY), "others hold a file for too long"),
        (ArenaError(Mistake("no league")), ""),
        (OSError(errno.EACCES, "no"), ""),
        (NoRoom("no"), ""),
    ],
)
def test_a_process_rests_and_begins_anew_where_it_is_hindered_and_ends_by_any_other_mistake(
    site: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    fails: Any,
    why: str,
) -> None:
    monkeypatch.setattr("arena.site.disk._REST_S", 0.0)
    begun: list[SitePart] = []

    def work(part: SitePart) -> None:
        begun.append(part)
        if len(begun) == 1:
            Mock(side_effect=fails)(tmp_path)

    with nullcontext() if why else pytest.raises(type(fails)):
        work_on(SitePart(SiteProcess(site, "play"), "requests"), work)
    assert len(begun) == (2 if why else 1)
    assert f"requests: {why}, and it rests" in capfd.readouterr().err or not why


def test_whatever_fails_on_a_full_disk_is_taken_for_its_fault_and_waits_for_room(
    site: Site, room: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.site.disk._REST_S", 0.0)
    site.state.mkdir(parents=True)
    room.free = LEAST_BYTES - 1
    fault = MachineError(Mistake("the record cannot be written: disk I/O error"))
    work, rested = Mock(side_effect=[fault, None]), list[str]()

    def rests(seconds: float) -> None:
        rested.append(read_states(site)["play"].doing["league"])
        room.free += len(rested) == 3

    monkeypatch.setattr("arena.site.disk.sleep", rests)
    work_on(SitePart(SiteProcess(site, "play"), "league"), work)
    assert work.call_count == 2
    assert rested == ["rests: the disk is full"] * 3


# --- a disk that is full ---


def test_an_archive_that_finds_no_room_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 300) as disk, served(disk.folder) as web:
        who = web.comes_in("Anna")
        head = f"Host: HOST\r\nAuthorization: Bearer {who.token}\r\nContent-Length: 1000000\r\n"
        with web.connect(f"POST /api/v1/bots HTTP/1.1\r\n{head}\r\n") as sending:
            until(lambda: [*web.site.spool.glob("*.part")])
            disk.fill()
            sending.sendall(bytes(1_000_000))
            assert sending.recv(100).startswith(b"HTTP/1.1 507")
            until(lambda: not [*web.site.spool.iterdir()])
        found = web.get("/health")
        said = "the folder site.site has 0 MiB of room left; below 37 MiB uploads and play pause"
        assert (found.status, found.json["why"]) == (503, [said])
        assert web.get("/start").status == 200
        disk.empty()
        disk.fill(left=30 << 20)
        refused = web.ask("POST", "/api/v1/bots", b"x", token=who.token)
        assert (refused.status, refused.json["error"]) == (507, "the site's disk is nearly full")
        assert web.get("/health").status == 503
        disk.empty()
        assert web.ask("POST", "/api/v1/bots", b"x", token=who.token).status == 202


def test_the_organiser_is_told_of_a_full_disk_while_the_site_is_stopped(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 20) as disk:
        path = disk.folder / "site.toml"
        path.write_text('league = "ladder.toml"\n')
        Registry.open(read_site(path).registry).close()
        disk.fill()
        for words in (("announce", path, "Come"), ("accounts", path)):
            done = run("serve", *words)
            assert (done.returncode, "the disk is full" in done.stderr) == (3, True), done.stderr
        disk.empty()
        assert run("serve", "announce", path, "Come").returncode == 0
