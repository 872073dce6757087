"""The process `play`: a season, what rests on a full disk, and what authors ask of a league."""

import errno
import gzip
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import DEFAULT, Mock, patch

import pytest

from arena.base.errors import MachineError
from arena.base.refusals import Busy
from arena.match.commands import Said
from arena.record.export import own_log
from arena.record.matches import ReplayedMatch
from arena.record.paths import record_path
from arena.record.pulled import read_logs
from arena.record.store import Store
from arena.site import disk, play
from arena.site.answers import answer_next
from arena.site.config import Site, make_folders, read_site
from arena.site.process import SitePart, SiteProcess
from arena.site.published import Publisher
from arena.site.registry import Registry
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    MOST_TRIES,
    About,
    Challenge,
    ChangeBot,
    OwnLogs,
    SiteJob,
    ask_for,
    find_job,
    jobs,
    log_of,
)
from tests.site.test_publisher import NOTE, STDERR, Shown
from tests.support.records import find_match
from tests.support.registry import comes_in, owns, refused
from tests.support.whole_site import write_site

OVER_AT_ONCE = "final = 3\nfinal_deals = 10\nclose_at = 2020-01-01T12:00:00\n"


def play_until(site: Site, last: str = "the season is over") -> list[str]:
    """Play until a word is reported; what was said of it."""
    make_folders(site)
    part, said = SitePart(SiteProcess(site, "play"), "league"), list[str]()

    def beat(doing: str) -> None:
        if doing == last:
            raise KeyboardInterrupt

    with (
        patch.multiple(part, say=said.append, beat=beat),
        pytest.raises(KeyboardInterrupt),
    ):
        play.play_ladder(part)
    return said


def test_a_season_ends_by_its_calendar_and_challenges_are_played_beside_its_record(
    tmp_path: Path,
) -> None:
    site = read_site(write_site(tmp_path, "abc", OVER_AT_ONCE))
    said, record = play_until(site), site.league.with_suffix(".db")
    assert "season 1 is closed; its final is between" in "\n".join(said)
    assert said[-2] == "season 1 is over; its record is sealed"
    with closing(Store.open(record)) as store:
        assert store.sealed() == 1
    before, ending = record.read_bytes(), threading.Event()
    assert len(play_until(site)) == 1
    part = SitePart(SiteProcess(site, "play"), "challenges")
    with closing(Registry.open(site.registry)) as registry:
        anna = comes_in(registry, "Anna")
        owns(registry, anna, "a")
        ask_for(registry, anna, Challenge(("a", "b", "c")))
        ending.set()
        assert answer_next(part, registry, (Challenge,), ending)
        assert [each.state for each in jobs(registry, anna)] == ["waiting"]
        ending.clear()
        assert answer_next(part, registry, (Challenge,), ending)
        assert not answer_next(part, registry, (Challenge,), ending)
        [done] = jobs(registry, anna)
    assert done.result is not None
    assert (done.result.matches, sum(done.result.stakes.values())) == (6, 0)  # in every seating
    assert record.read_bytes() == before


def test_no_order_is_drawn_while_the_disk_is_nearly_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LOW_BYTES", 1 << 62)
    monkeypatch.setattr(disk, "SHARE", 1)
    play_until(read_site(write_site(tmp_path)), "the site's disk is nearly full")
    with closing(Store.open(tmp_path / "ladder.db")) as store:
        assert store.stored() == {}


@pytest.mark.parametrize(("fails", "code"), [(MachineError(), 3), (KeyError("x"), 1)])
def test_an_error_of_a_thread_ends_the_whole_process(
    fails: Exception, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()
    leave = Mock(side_effect=lambda _: ended.set())
    site = read_site(write_site(tmp_path))
    make_folders(site)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # which is put back
    monkeypatch.setattr("arena.site.play.os._exit", leave)
    monkeypatch.setattr(play, "_THREADS", {"requests": Mock(side_effect=fails)})
    monkeypatch.setattr(play, "play_ladder", lambda part: ended.wait())
    play.run_play(SiteProcess(site, "play"))
    leave.assert_called_once_with(code)


# --- what authors ask of a league ---


class Asked(Shown):
    """A league of which Anna, whose are all bots that played, asks what she may."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.go_on(1)
        self.publish()
        self.publishing.close()
        self.anna = comes_in(self.registry, "Anna")
        owns(self.registry, self.anna, *"abcd")
        self.seats = next(self.league.store.outlines()).bots

    def answer(self, about: About) -> SiteJob:
        found, _ = ask_for(self.registry, self.anna, about)
        part = SitePart(self.process, "requests")
        assert answer_next(part, self.registry, FILE_REQUESTS, threading.Event())
        return find_job(self.registry, self.anna, found.id)

    def logs(self, after: int, most: int) -> list[ReplayedMatch]:
        found = self.answer(OwnLogs(after, most))
        return [*read_logs(gzip.decompress(log_of(self.registry, self.anna, found.id)), "1")]

    def leave_to_anna(self, *bots: str) -> None:
        with self.registry.writing() as sql:
            for bot in {*"abcd"} - {*bots}:
                sql.execute("DELETE FROM bots WHERE name = ?", (bot,))


@pytest.fixture(name="shown")
def _shown(tmp_path: Path) -> Iterator[Asked]:
    with Asked(tmp_path) as shown:
        yield shown


@pytest.mark.parametrize("seats", [(1,), (0, 2)])
def test_the_log_an_author_gets_is_replayed_and_has_no_others_words(
    shown: Asked, seats: tuple[int, ...]
) -> None:
    shown.leave_to_anna(*(shown.seats[seat] for seat in seats))
    own = shown.logs(0, 1000)[0]
    whole = find_match(record_path(shown.site.league), 1)
    for seat in seats:
        assert list(own.transcript(seat)) == list(whole.transcript(seat))
        assert NOTE in repr(list(own.transcript(seat)))
        assert own.record.stderr[seat] == whole.record.stderr[seat] == STDERR
    for other in {0, 1, 2} - set(seats):
        said = [came.reply for _, came in own.transcript(other) if isinstance(came, Said)]
        assert not any(getattr(each, "note", None) for each in said)
        assert (own.record.stderr[other], own.plan.seeds[other]) == ("", 0)


def test_the_first_of_the_newest_logs_come_in_one_answer(
    shown: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = max(shown.league.store.numbers())
    assert last > 4
    monkeypatch.setattr("arena.site.answers.MOST_LOGS", 2)
    for after, most, numbers in (
        (0, 1000, [1, 2]),
        (2, 1000, [3, 4]),
        (0, 3, [last - 2, last - 1]),
        (last, 3, []),
    ):
        assert [match.number for match in shown.logs(after, most)] == numbers


def test_nobody_gets_what_a_bot_saw_that_did_not_sit_there(shown: Asked) -> None:
    [out] = {*"abcd"} - {*shown.seats}
    shown.leave_to_anna(out)
    with closing(Publisher(shown.site.published)) as publisher:  # as of another season
        publisher.add(f"own/{out}", 1, {})
        publisher.add(f"own/{out}", 999, {})
        publisher.publish()
    assert all(out in match.bots for match in shown.logs(0, 1000))


def test_what_cannot_be_withdrawn_is_told(shown: Asked) -> None:
    found = shown.answer(ChangeBot("a", "withdraw"))
    assert (found.state, "a" in found.answer) == ("failed", True)
    assert str(shown.site.folder.parent) not in found.answer


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), refused(Busy, sqlite3.SQLITE_BUSY)]
)
def test_what_a_full_disk_or_a_held_file_keeps_from_being_done_waits(
    shown: Asked, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fails = [error] * (MOST_TRIES + 1)
    cut = Mock(wraps=own_log, side_effect=[*fails, DEFAULT])
    monkeypatch.setattr("arena.site.answers.own_log", cut)
    for _ in fails:
        with pytest.raises(type(error)):  # so that this part of the process rests
            shown.answer(OwnLogs(0, 1))
    assert cut.call_count == len(fails)
    assert [match.record.stderr for match in shown.logs(0, 1)] == [(STDERR,) * 3]
