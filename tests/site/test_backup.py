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
from arena.site.registry.accounts import Account, accept, account_of, account_of_session, invite
from arena.site.registry.jobs import Archive, OwnLogs, ask_for, jobs, spool_file, spooled
from tests.record.test_store import facts
from tests.support.command import output, run, said, start
from tests.support.registry import account, answer, comes_in, digest, enter, killed, took
from tests.support.whole_site import write_author_bot, write_site


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


def unstarted(folder: Path) -> Site:
    (folder / "site.toml").write_text('league = "league.toml"\n')
    return read_site(folder / "site.toml")


NEWER = "UPDATE {} SET value = '99' WHERE key = 'format'"


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda site, at: back_up(site, at / "monday"), "this exists already"),
        (lambda site, at: restore(at / "monday", site.path.parent), "this exists already"),
        (lambda site, at: back_up(site, at / "none" / "again"), "there is no such folder"),
        (lambda _, at: restore(at / "none", at / "again"), "this is not the backup of a site"),
        (lambda _, at: restore(at, at / "again"), "this is not the backup of a site"),
        (lambda _, at: back_up(unstarted(at), at / "again"), "never started"),
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
    back_up(site, place)
    assert not list(tmp_path.glob("zole-*"))


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
