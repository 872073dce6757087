"""The room of a site: a clear stop before there is none, what is told, what rests and goes on."""

import errno
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from arena.base.database import FileKind, file_errors
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.refusals import Busy, NoRoom
from arena.bots.archive import pack
from arena.site import disk as disk_module
from arena.site.config import Site, read_site
from arena.site.disk import LEAST_BYTES, LOW_BYTES, refuse_if_low, shortage, work_on
from arena.site.process import SitePart, SiteProcess, read_states
from arena.site.registry import Registry
from arena.site.registry.accounts import Account
from arena.site.registry.jobs import Challenge, ask_for, jobs
from tests.support.command import run
from tests.support.patience import until
from tests.support.registry import refused
from tests.support.small_disk import small_disk
from tests.support.web import served
from tests.support.whole_site import WholeSite, running, write_author_bot, write_site
from tools.chaos_actors import Actors

MIB = 1 << 20


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site whose league lies in another folder than what it writes itself."""
    (tmp_path / "beside").mkdir()
    path = tmp_path / "site.toml"
    path.write_text('league = "beside/ladder.toml"\n')
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


@pytest.mark.parametrize(
    ("blocks", "left", "said"),
    [
        (1 << 40, LOW_BYTES + 1, ""),
        (1 << 40, LOW_BYTES, "1024 MiB of room left; below 1024 MiB"),
        (1 << 40, 3 * MIB, "3 MiB of room left; below 1024 MiB"),
        (512 * MIB, 65 * MIB, ""),
        (512 * MIB, 64 * MIB, "64 MiB of room left; below 64 MiB"),
    ],
)
def test_a_disk_that_is_nearly_full_refuses_and_says_where_how_much_and_what_helps(
    site: Site, room: type[Room], blocks: int, left: int, said: str
) -> None:
    room.f_blocks, room.f_bavail = blocks, left
    if not said:
        assert shortage(site) == ""
        refuse_if_low(site)
        return
    with pytest.raises(NoRoom, match="disk is nearly full; the organiser must make room") as told:
        refuse_if_low(site)
    assert (told.value.status, told.value.exit_code) == (507, 3)
    assert shortage(site) == f"the folder of the site has {said} uploads and play pause"
    site.folder.mkdir()
    assert shortage(site).startswith(f"the folder site.site has {said}")


def test_the_league_may_lie_on_another_disk(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"f_bavail": 500 * MIB, "f_blocks": 1000 * MIB}  # which is half empty
    large = {"f_bavail": 900 * MIB}

    def found(folder: Path) -> object:
        return type("Found", (Room,), large if folder.name == "beside" else small)

    monkeypatch.setattr("arena.site.disk.os.statvfs", found)
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


def _failing(error: Exception) -> Callable[[Path], None]:
    return Mock(side_effect=error)


_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (_failing(_FULL), "the disk is full"),
        (_failing(refused(NoRoom, sqlite3.SQLITE_FULL)), "the disk is full"),
        (_failing(ExceptionGroup("tables", [KeyError(), _FULL])), "the disk is full"),
        (_full_file, "the disk is full"),
        (_held_file, "others hold a file for too long"),
        (_failing(refused(Busy, sqlite3.SQLITE_BUSY)), "others hold a file for too long"),
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
    fault = MachineError(Mistake("the record cannot be written: disk I/O error"))
    work, rested = Mock(side_effect=[fault, None]), list[str]()

    def rests(seconds: float) -> None:
        rested.append(read_states(site)["play"].doing["league"])
        if len(rested) == 3:
            room.f_bavail = LEAST_BYTES

    monkeypatch.setattr(disk_module, "sleep", rests)
    work_on(SitePart(SiteProcess(site, "play"), "league"), work)
    assert work.call_count == 2
    assert rested == ["rests: the disk is full"] * 3


@pytest.mark.parametrize(
    "error", [ArenaError(Mistake("no league")), OSError(errno.EACCES, "no"), NoRoom("no")]
)
def test_a_process_ends_by_any_other_mistake(site: Site, error: Exception) -> None:
    with pytest.raises(type(error)):
        work_on(SitePart(SiteProcess(site, "play"), "league"), Mock(side_effect=error))


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


def health(actors: Actors) -> Any:
    status, said = actors.ask("GET", "/health")
    return status, json.loads(said) if said else None


def states(site: WholeSite, who: Account) -> list[str]:
    return [each.state for each in site.registry(lambda registry: jobs(registry, who))]


def pauses(site: WholeSite) -> bool:
    """Whether play has met the full disk: in a match under way, or before it drew another."""
    drawn_none = "nearly full" in read_states(site.site)["play"].doing["league"]
    return drawn_none or "league: the disk is full" in site.said()


@pytest.mark.slow
def test_no_process_dies_of_a_full_disk_and_all_go_on_once_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2000) as disk:
        path = write_site(disk.folder, "abc", league="trickle = 3600\n")
        with running(path) as site:
            site.wait_for(lambda: site.document("standings"))
            anna = site.comes_in("Anna")
            actors = Actors(site, anna, tmp_path / "bots", 1)
            mine = pack(write_author_bot(tmp_path / "mine", "me", 2))
            bearer = {"Authorization": f"Bearer {anna.token}"}
            assert actors.ask("POST", "/api/v1/bots", mine, **bearer)[0] == 202
            site.wait_for(lambda: states(site, anna.account) == ["done"])
            site.wait_for(lambda: "mine joins" in site.said())
            about = Challenge(("a", "b", "mine"))
            site.registry(lambda registry: ask_for(registry, anna.account, about))
            pids = sorted(site.pids())
            disk.fill()
            site.wait_for(lambda: health(actors)[0] == 503)
            assert health(actors)[1]["why"][0].startswith("the folder site.site has 0 MiB")
            assert actors.ask("POST", "/api/v1/bots", b"x", **bearer)[0] == 507
            site.wait_for(lambda: pauses(site))
            disk.fill()
            actors.ask("GET", "/matches/1/replay")
            assert actors.ask("GET", "/start")[0] == 200
            done = run("serve", "backup", path, disk.folder / "backup")
            assert done.returncode == 3, done.stderr
            matches = site.document("numbers")["matches"]
            disk.empty()
            site.wait_for(lambda: health(actors)[0] == 200)
            site.wait_for(lambda: site.document("numbers")["matches"] > matches)
            site.wait_for(lambda: states(site, anna.account) == ["done"] * 2)
            assert sorted(site.pids()) == pids, site.said()
            assert site.end() == 0
        done = run("verify", disk.folder / "ladder.toml")
        assert done.returncode == 0, done.stdout
