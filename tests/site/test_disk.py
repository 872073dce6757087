"""The disk of a site: a clear stop before it is full, what rests and goes on, and one that is lost.

The restore drill: a site that was copied while all of it was written is the same site again.
"""

import errno
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from arena.base.database import FileKind, file_errors
from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.refusals import Busy, NoRoom
from arena.bots.manifest import Bot
from arena.record.store import Store
from arena.site.backup import back_up, restore
from arena.site.config import Site, make_folders, read_site
from arena.site.disk import LEAST_BYTES, LOW_BYTES, refuse_if_low, shortage, work_on
from arena.site.process import SitePart, SiteProcess, read_states
from arena.site.registry import Registry
from arena.site.registry.accounts import Account, accept, account_of, account_of_session, invite
from arena.site.registry.jobs import Archive, OwnLogs, ask_for, jobs, spool_file, spooled
from tests.record.test_store import facts
from tests.support.command import output, run, said, start
from tests.support.patience import until
from tests.support.registry import account, answer, comes_in, digest, enter, killed, refused, took
from tests.support.small_disk import small_disk
from tests.support.web import served
from tests.support.whole_site import write_author_bot, write_site

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


# --- a site that is lost ---


def site_of(folder: Path, league: str = "league.toml", more: str = "") -> Site:
    folder.mkdir(exist_ok=True)
    path = folder / "site.toml"
    path.write_text(f'league = "{league}"\n{more}[quotas]\nuploads = 100000\nbots = 100000\n')
    site = read_site(path)
    opened(site).close()
    site.spool.mkdir()
    return site


def opened(site: Site) -> Registry:
    return Registry.open(site.registry, site.quotas)


def send(site: Site, registry: Registry, who: Account, number: int) -> None:
    (site.spool / spool_file(who, digest(number))).write_bytes(str(number).encode())
    ask_for(registry, who, Archive(digest(number)))


def test_a_site_that_was_lost_is_the_same_again(played_league: Path, tmp_path: Path) -> None:
    home, place = tmp_path / "home", tmp_path / "monday"
    (home / "words").mkdir(parents=True)
    (home / "words" / "about.md").write_text("# Us\n")
    league = home / "leagues" / "league.toml"
    shutil.move(played_league.parent, league.parent)
    copy = next(each for each in league.with_suffix(".bots").iterdir() if each.is_dir())
    (copy / os.fsdecode(b"\xff")).write_text("no text for a name")
    site = site_of(home, "leagues/league.toml", 'about = "words/about.md"\n')
    with closing(opened(site)) as registry:
        came = accept(registry, invite(registry, "anna"))
        send(site, registry, came.account, 1)
        cut, _ = ask_for(registry, came.account, OwnLogs(0, 1))
        answer(registry, took(registry, OwnLogs), b"a log")
        waiting, _ = ask_for(registry, came.account, OwnLogs(0, 2))
    output("serve", "show", site.path, league, "--name", "spring")
    shutil.copyfile(league.with_suffix(".db"), league.with_name("league.season-1.db"))
    commands = (
        ("standings", league, "--json"),
        ("serve", "accounts", site.path, "--json"),
        ("serve", "audit", site.path, "--json"),
    )
    shown = [output(*words) for words in commands]
    holds = "1 account, 1 waiting upload, 6 matches, 3 bots"
    assert output("serve", "backup", site.path, place) == f"{place}: {holds} copied and checked\n"
    assert place.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(home)
    assert output("serve", "restore", place, home) == f"{home}: {holds} restored and checked\n"
    assert home.stat().st_mode & 0o777 == 0o750
    assert {path.name for each in (home, league.parent) for path in each.iterdir()} == {
        *("site.toml", "site.site", "words", "leagues"),
        *("league.toml", "league.db", "league.bots", "league.season-1.db"),
    }
    assert [output(*words) for words in commands] == shown
    assert (site.league_pages / "spring" / "en" / "index.html").exists()
    assert (home / "words" / "about.md").read_text() == "# Us\n"
    assert (copy / os.fsdecode(b"\xff")).read_text() == "no text for a name"
    output("verify", league)
    with closing(opened(site)) as registry:
        assert account_of(registry, came.token) == came.account
        assert account_of_session(registry, came.session) is None, "it may have ended since"
        assert [sent.state for sent in jobs(registry, came.account)] == ["waiting"]
        assert (site.spool / spool_file(came.account, digest(1))).read_bytes() == b"1"
        assert took(registry, OwnLogs).id == waiting.id
        query = "SELECT count(*) FROM jobs WHERE id = ?"
        assert registry.read(query, (cut.id,)) == [(0,)], "what was cut is cut anew"


def enter_bots(site: Site, said: Callable[[str], None]) -> None:
    """Send, take and enter bots without end, as the web and the intake do."""
    with (
        closing(opened(site)) as registry,
        closing(Store.write(site.league.with_suffix(".db"))) as record,
    ):
        anna = account(registry, "anna")
        said("begun")
        for number in range(10**6):
            send(site, registry, anna, number)
            bot = Bot(f"bot{number}", "1", anna.name, ("run",))
            name = record.submit(bot, digest(number), "2026-01-01T00:00:00+00:00", ())
            enter(registry, took(registry), name, bot.name)
            said(name)


def test_a_copy_made_while_all_is_written_is_of_one_piece(tmp_path: Path) -> None:
    """What the registry says of the record holds; an upload that waits has its archive."""
    site, counts = site_of(tmp_path / "live"), []
    Store.create(site.league.with_suffix(".db"), facts()).close()
    with closing(opened(site)) as registry:
        comes_in(registry, "anna")
    with killed(lambda said: enter_bots(site, said)) as (begun, _):
        begun()
        for number in range(3):
            begun()
            back_up(site, tmp_path / f"copy{number}")
    for number in range(3):
        restore(tmp_path / f"copy{number}", tmp_path / f"again{number}")
        again = read_site(tmp_path / f"again{number}" / "site.toml")
        with closing(Store.open(again.league.with_suffix(".db"))) as record:
            entries = {entry.name: Archive(entry.digest) for entry in record.submissions()}
        with closing(opened(again)) as registry:
            sent = jobs(registry, account(registry, "anna"), most=10**6)
            files = spooled(registry, kept_s=0)
        ended = {each.name: each.about for each in sent if each.name}
        assert ended.items() <= entries.items()
        assert {path.name for path in again.spool.iterdir()} == files
        counts.append(len(ended))
    assert counts == sorted(counts)
    assert counts[-1] > 0


def changed(place: Path, statement: str) -> Path:
    """The backup, whose database was written by another arena."""
    file = "league.db" if "league" in statement else "site.site/registry/registry.db"
    with closing(sqlite3.connect(place / file)) as sql, sql:
        sql.execute(statement)
        sql.execute("PRAGMA journal_mode=DELETE")
    return place


NEWER = "UPDATE {} SET value = '99' WHERE key = 'format'"


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda site, at: back_up(site, at / "monday"), "this exists already"),
        (lambda site, at: restore(at / "monday", site.path.parent), "this exists already"),
        (lambda site, at: back_up(site, at / "none" / "again"), "there is no such folder"),
        (lambda _, at: restore(at / "none", at / "again"), "this is not the backup of a site"),
        (lambda _, at: restore(at, at / "again"), "this is not the backup of a site"),
        (
            lambda site, at: back_up(replace(site, path=at / "site.toml"), at / "again"),
            "never started",
        ),
        (
            lambda _, at: back_up(site_of(at / "x", "../played/league.toml"), at / "again"),
            "the league is elsewhere",
        ),
        (
            lambda _, at: restore(changed(at / "monday", NEWER.format("facts")), at / "again"),
            "has format 99, this arena opens format 7",
        ),
        (
            lambda _, at: restore(changed(at / "monday", NEWER.format("league")), at / "again"),
            "the record of a league: it has format 99",
        ),
    ],
)
def test_what_cannot_be_copied_or_restored_is_refused_and_leaves_nothing(
    act: Callable[[Site, Path], object], said: str, played_league: Path, tmp_path: Path
) -> None:
    site = site_of(played_league.parent)
    back_up(site, tmp_path / "monday")
    with pytest.raises(ArenaError, match=said):
        act(site, tmp_path)
    assert not list(tmp_path.rglob("*again"))


def test_a_backup_that_is_killed_leaves_no_copy_and_the_next_one_sweeps(
    played_league: Path, tmp_path: Path
) -> None:
    site, place = site_of(played_league.parent), tmp_path / "monday"

    def copy(said: Callable[[str], None]) -> None:
        said("begun")
        back_up(site, place)
        said("done")
        signal.pause()

    for number in range(4):
        with killed(copy) as (begun, kill):
            begun()
            time.sleep(0.01 * number)
            done = kill()
        assert place.exists() or not done
        if place.exists():
            restore(place, tmp_path / f"again{number}")
            shutil.rmtree(place)

    def is_swept() -> bool:
        """The check that a killed process had begun outlives it, and may still hold a file."""
        shutil.rmtree(place, ignore_errors=True)
        back_up(site, place)
        return not list(tmp_path.glob("zole-*"))

    until(is_swept)


@pytest.mark.slow
def test_an_open_league_goes_on_from_a_copy_that_was_made_while_it_played(tmp_path: Path) -> None:
    """The drill with real bots: the site is copied twice, killed and deleted, and made again."""
    home, places = tmp_path / "home", (tmp_path / "first", tmp_path / "second")
    home.mkdir()
    site = read_site(write_site(home, "", "width = 0.01\n"))
    make_folders(site)
    with closing(opened(site)) as registry:
        anna = comes_in(registry, "anna")
        output("submit", write_author_bot(tmp_path / "mine", "me"), "--league", site.league)
        send(site, registry, anna, 1)
        enter(registry, took(registry), "mine", "mine")
        send(site, registry, anna, 2)
    arena = start("league", site.league, "--jobs", "1")
    said(arena, "mine joins")
    said(arena, "orders played")
    for place in places:
        output("serve", "backup", site.path, place)
        said(arena, "orders played")
    arena.kill()
    arena.communicate()
    for place in places:
        shutil.rmtree(home)
        output("serve", "restore", place, home)
        before = output("standings", site.league, "--json")
        output("verify", site.league)
        assert output("standings", site.league, "--json") == before
        done = run("league", site.league, "--orders", "2")
        assert done.returncode == 0, done.stderr
        output("verify", site.league)
        with closing(opened(site)) as registry:
            assert [one.state for one in jobs(registry, anna)] == ["waiting", "done"]
