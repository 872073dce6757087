"""The restore drill: a site that was copied while all of it was written is the same site again."""

import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot
from arena.record.store import Store
from arena.site.backup import back_up, restore
from arena.site.config import Site, make_folders, read_site
from arena.site.registry import Registry
from arena.site.registry.accounts import (
    Account,
    accept,
    account_of,
    account_of_session,
    accounts,
    invite,
)
from arena.site.registry.jobs import Archive, OwnLogs, ask_for, jobs, spool_file, spooled
from tests.record.test_store import facts
from tests.support.command import output, run, said, start
from tests.support.registry import account, answer, comes_in, digest, enter, killed, took
from tests.tasks.test_open_league import ladder
from tests.tasks.test_open_league import write_bot as write_entry


def site_of(folder: Path, league: str = "league.toml") -> Site:
    """A site whose registry was made."""
    folder.mkdir(exist_ok=True)
    path = folder / "site.toml"
    path.write_text(f'league = "{league}"\n[quotas]\nuploads = 100000\nbots = 100000\n')
    site = read_site(path)
    with closing(Registry.open(site.registry)):
        site.spool.mkdir()
    return site


def new_site(folder: Path) -> Site:
    path = folder / "site.toml"
    path.write_text('league = "league.toml"\n')
    return read_site(path)


def send(site: Site, registry: Registry, who: Account, number: int) -> None:
    (site.spool / spool_file(who, digest(number))).write_bytes(str(number).encode())
    ask_for(registry, who, Archive(digest(number)))


def test_a_site_that_was_lost_is_the_same_again(played_league: Path, tmp_path: Path) -> None:
    site, place = site_of(played_league.parent), tmp_path / "monday"
    (site.path.parent / "words").mkdir()
    (site.path.parent / "words" / "about.md").write_text("# Us\n")
    site.path.write_text(f'about = "words/about.md"\n{site.path.read_text()}')
    site = read_site(site.path)
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        came = accept(registry, invite(registry, "anna"))
        send(site, registry, came.account, 1)
        cut, _ = ask_for(registry, came.account, OwnLogs(0, 1))
        answer(registry, took(registry, OwnLogs), b"a log")
        waiting, _ = ask_for(registry, came.account, OwnLogs(0, 2))
    make_folders(site)
    season = played_league.with_name("league.season-1.db")
    output("serve", "show", site.path, played_league, "--name", "spring")
    shutil.copyfile(played_league.with_suffix(".db"), season)
    beside = [site.league_pages / "spring" / "en" / "index.html", season]
    commands = (
        ("standings", played_league, "--json"),
        ("serve", "accounts", site.path, "--json"),
        ("serve", "audit", site.path, "--json"),
    )
    shown = [output(*words) for words in commands]
    assert output("serve", "backup", site.path, place) == (
        f"{place}: 1 account, 1 waiting upload, 6 matches, 3 bots copied and checked\n"
    )
    assert place.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(played_league.parent)
    assert output("serve", "restore", place, played_league.parent) == (
        f"{played_league.parent}: 1 account, 1 waiting upload, 6 matches, 3 bots"
        " restored and checked\n"
    )
    assert {path.name for path in played_league.parent.iterdir()} == {
        *("site.toml", "site.site", "words"),
        *("league.toml", "league.db", "league.bots", "league.season-1.db"),
    }
    assert played_league.parent.stat().st_mode & 0o777 == 0o750
    assert [output(*words) for words in commands] == shown
    assert all(each.exists() for each in beside)
    assert site.about is not None
    assert site.about.read_text() == "# Us\n"
    output("verify", played_league)
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        assert account_of(registry, came.token) == came.account
        assert account_of_session(registry, came.session) is None, "it may have ended since"
        (sent,) = jobs(registry, came.account)
        assert sent.state == "waiting"
        assert (site.spool / spool_file(came.account, digest(1))).read_bytes() == b"1"
        assert took(registry, OwnLogs).id == waiting.id
        assert ask_for(registry, came.account, cut.about)[1], "what was cut is cut anew"


def enter_bots(site: Site, said: Callable[[str], None]) -> None:
    """Send, take and enter bots without end, as the web and the intake do."""
    with (
        closing(Registry.open(site.registry, site.quotas)) as registry,
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
    (tmp_path / "live").mkdir()
    site = site_of(tmp_path / "live")
    Store.create(site.league.with_suffix(".db"), facts()).close()
    with closing(Registry.open(site.registry)) as registry:
        comes_in(registry, "anna")
    with killed(lambda said: enter_bots(site, said)) as (begun, kill):
        begun()
        for number in range(3):
            begun()
            back_up(site, tmp_path / f"copy{number}")
        kill()
    counts = []
    for number in range(3):
        restore(tmp_path / f"copy{number}", tmp_path / f"again{number}")
        again = read_site(tmp_path / f"again{number}" / "site.toml")
        with closing(Store.open(again.league.with_suffix(".db"))) as record:
            entries = {entry.name: Archive(entry.digest) for entry in record.submissions()}
        with closing(Registry.open(again.registry, again.quotas)) as registry:
            sent = jobs(registry, account(registry, "anna"), most=10**6)
            files = spooled(registry, kept_s=0)
        ended = {each.name: each.about for each in sent if each.name}
        assert ended.items() <= entries.items()
        assert {path.name for path in again.spool.iterdir()} == files
        counts.append(len(ended))
    assert counts == sorted(counts)
    assert counts[-1] > 0


@pytest.mark.parametrize(
    ("file", "statement", "what"),
    [
        (
            "site.site/registry/registry.db",
            "UPDATE facts SET value = '99' WHERE key = 'format'",
            "has format 99, this arena opens format 7",
        ),
        (
            "league.db",
            "UPDATE league SET value = '99' WHERE key = 'format'",
            "the record of a league: it has format 99",
        ),
    ],
)
def test_formats_of_a_newer_arena_are_refused(
    file: str, statement: str, what: str, played_league: Path, tmp_path: Path
) -> None:
    place = tmp_path / "monday"
    back_up(site_of(played_league.parent), place)
    with closing(sqlite3.connect(place / file)) as sql, sql:
        sql.execute(statement)
        sql.execute("PRAGMA journal_mode=DELETE")
    with pytest.raises(ArenaError, match=what):
        restore(place, tmp_path / "again")
    assert not list(tmp_path.glob("*again"))


def test_a_bot_whose_file_has_no_text_for_a_name_stops_no_backup(
    played_league: Path, tmp_path: Path
) -> None:
    site, place, again = site_of(played_league.parent), tmp_path / "monday", tmp_path / "again"
    Registry.open(site.registry, site.quotas).close()
    copy = next(each for each in site.league.with_suffix(".bots").iterdir() if each.is_dir())
    (copy / os.fsdecode(b"\xff")).write_text("x")
    back_up(site, place)
    restore(place, again)
    found = again / copy.relative_to(played_league.parent) / os.fsdecode(b"\xff")
    assert found.read_text() == "x"


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda site, at: back_up(site, at / "monday"), "this exists already"),
        (lambda site, at: restore(at / "monday", site.path.parent), "this exists already"),
        (lambda site, at: back_up(site, at / "none" / "again"), "there is no such folder"),
        (lambda _, at: restore(at / "none", at / "again"), "this is not the backup of a site"),
        (lambda _, at: restore(at, at / "again"), "this is not the backup of a site"),
        (lambda _, at: back_up(new_site(at), at / "again"), "never started"),
        (
            lambda _, at: back_up(site_of(at / "x", "../played/league.toml"), at / "again"),
            "the league is elsewhere",
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
    site = site_of(played_league.parent)
    for number in range(4):

        def copy(said: Callable[[str], None]) -> None:
            said("begun")
            back_up(site, tmp_path / "monday")
            said("done")
            signal.pause()

        with killed(copy) as (begun, kill):
            begun()
            time.sleep(0.01 * number)
            done = kill()
        assert (tmp_path / "monday").exists() or not done
        if (tmp_path / "monday").exists():
            restore(tmp_path / "monday", tmp_path / f"again{number}")
            shutil.rmtree(tmp_path / "monday")
    back_up(site, tmp_path / "monday")
    assert not list(tmp_path.glob("zole-*"))


def test_a_league_in_a_folder_of_its_own_goes_back_there(
    played_league: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.move(played_league.parent, home / "leagues")
    site = site_of(home, "leagues/league.toml")
    back_up(site, tmp_path / "monday")
    restore(tmp_path / "monday", tmp_path / "again")
    assert (tmp_path / "again" / "leagues" / "league.db").exists()
    with closing(Registry.open(site.registry)) as registry:
        assert accounts(registry) == []


@pytest.mark.slow
def test_an_open_league_goes_on_from_a_copy_that_was_made_while_it_played(tmp_path: Path) -> None:
    """The drill with real bots: the site is copied twice, killed and deleted, and made again."""
    home, league = tmp_path / "home", tmp_path / "home" / "ladder.toml"
    home.mkdir()
    ladder(home, "", "width = 0.01\n")
    site = site_of(home, "ladder.toml")
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        anna = comes_in(registry, "anna")
        output("submit", write_entry(tmp_path / "mine"), "--league", league)
        send(site, registry, anna, 1)
        enter(registry, took(registry), "mine", "mine")
        send(site, registry, anna, 2)
    arena = start("league", league, "--jobs", "1")
    said(arena, "mine joins")
    said(arena, "orders played")
    places = tmp_path / "first", tmp_path / "second"
    for place in places:
        output("serve", "backup", site.path, place)
        said(arena, "orders played")
    arena.kill()
    arena.communicate()
    shutil.rmtree(home)
    for place in places:
        output("serve", "restore", place, home)
        before = output("standings", league, "--json")
        output("verify", league)
        assert output("standings", league, "--json") == before
        done = run("league", league, "--orders", "2")
        assert done.returncode == 0, done.stderr
        output("verify", league)
        with closing(Registry.open(site.registry, site.quotas)) as registry:
            assert [one.state for one in jobs(registry, anna)] == ["waiting", "done"]
        shutil.rmtree(home)
