"""The process `play`: a season, what rests on a full disk, and what authors ask of a league."""

import errno
import gzip
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import DEFAULT, Mock

import pytest

from arena.base.errors import MachineError
from arena.base.refusals import Busy
from arena.match.commands import Said
from arena.record.export import own_log
from arena.record.paths import record_path
from arena.record.pulled import read_logs
from arena.record.store import Store
from arena.site import disk, play
from arena.site.answers import answer_next
from arena.site.config import Site, make_folders, read_site
from arena.site.play import play_ladder
from arena.site.process import SitePart, SiteProcess
from arena.site.published import Publisher
from arena.site.registry import Registry
from arena.site.registry.accounts import Account
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

OVER = "the season is over"
OVER_AT_ONCE = "final = 3\nfinal_deals = 10\nclose_at = 2020-01-01T12:00:00\n"


class Short(SitePart):
    """A part that ends once it reports a word, such as that the season is over."""

    def __init__(self, site: Site, last: str = OVER) -> None:
        self._last = last
        self.said: list[str] = []
        make_folders(site)
        super().__init__(SiteProcess(site, "play"), "league")

    def say(self, what: str) -> None:
        self.said.append(what)

    def beat(self, doing: str) -> None:
        super().beat(doing)
        if doing == self._last:
            raise KeyboardInterrupt

    def play(self) -> list[str]:
        """Play until the last word; what was said of it."""
        self.said.clear()
        with pytest.raises(KeyboardInterrupt):
            play_ladder(self)
        return self.said


def test_a_season_ends_by_its_calendar_and_its_record_is_left_alone(tmp_path: Path) -> None:
    league = Short(read_site(write_site(tmp_path, "abc", OVER_AT_ONCE)))
    said = league.play()
    assert "season 1 is closed; its final is between" in "\n".join(said)
    assert said[-2] == "season 1 is over; its record is sealed"
    record = tmp_path / "ladder.db"
    with closing(Store.open(record)) as store:
        assert store.sealed() == 1
    before = record.read_bytes()
    assert len(league.play()) == 1
    assert record.read_bytes() == before


def test_no_order_is_drawn_while_the_disk_is_nearly_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LOW_BYTES", 1 << 62)
    monkeypatch.setattr(disk, "SHARE", 1)
    Short(read_site(write_site(tmp_path)), "the site's disk is nearly full").play()
    with closing(Store.open(tmp_path / "ladder.db")) as store:
        assert store.stored() == {}


@pytest.mark.parametrize(("fails", "code"), [(MachineError(), 3), (KeyError("x"), 1)])
def test_an_error_of_a_thread_ends_the_whole_process(
    fails: Exception, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, codes = threading.Event(), list[int]()

    def leave(number: int) -> None:
        codes.append(number)
        ended.set()

    def fail(part: SitePart, ending: threading.Event) -> None:
        raise fails

    site = read_site(write_site(tmp_path))
    make_folders(site)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # which is put back
    monkeypatch.setattr("arena.site.play.os._exit", leave)
    monkeypatch.setattr(play, "_THREADS", {"requests": fail})
    monkeypatch.setattr(play, "play_ladder", lambda part: ended.wait())
    play.run_play(SiteProcess(site, "play"))
    assert codes == [code]


# --- what authors ask of a league ---


@pytest.fixture(name="shown")
def _shown(tmp_path: Path) -> Iterator[Shown]:
    shown = Shown(tmp_path)
    with closing(shown.league.store), closing(shown.registry):
        shown.go_on(1)
        shown.publish()
        yield shown


@pytest.fixture(name="anna")
def _anna(shown: Shown) -> Account:
    """Whose are all bots that played."""
    anna = comes_in(shown.registry, "Anna")
    owns(shown.registry, anna, *"abcd")
    return anna


NEVER = threading.Event()


def part_of(shown: Shown) -> SitePart:
    return SitePart(SiteProcess(shown.site, "play"), "requests")


def asked(shown: Shown, who: Account, about: About) -> SiteJob:
    found, _ = ask_for(shown.registry, who, about)
    assert answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
    return find_job(shown.registry, who, found.id)


def text_of(shown: Shown, found: SiteJob) -> str:
    return gzip.decompress(log_of(shown.registry, found.owner, found.id)).decode()


def leaves_to_anna(shown: Shown, bots: Iterable[str]) -> None:
    """Give all other bots to nobody."""
    with shown.registry.writing() as sql:
        for bot in set("abcd") - set(bots):
            sql.execute("DELETE FROM bots WHERE name = ?", (bot,))


@pytest.mark.parametrize("seats", [(1,), (0, 2)])
def test_the_log_an_author_gets_is_replayed_and_has_no_others_words(
    shown: Shown, anna: Account, seats: tuple[int, ...]
) -> None:
    bots = next(shown.league.store.outlines()).bots
    leaves_to_anna(shown, [bots[seat] for seat in seats])
    text = text_of(shown, asked(shown, anna, OwnLogs(0, 1000)))
    whole = find_match(record_path(shown.site.league), 1)
    own = next(read_logs(text.encode(), "1"))
    for seat in seats:
        assert list(own.transcript(seat)) == list(whole.transcript(seat))
        assert own.record.stderr[seat] == whole.record.stderr[seat] == STDERR
    assert NOTE in text
    for other in {0, 1, 2} - set(seats):
        said = [came.reply for _, came in own.transcript(other) if isinstance(came, Said)]
        assert not any(getattr(each, "note", None) for each in said)
        assert own.record.stderr[other] == ""
        assert own.plan.seeds[other] == 0


def test_the_first_of_the_newest_logs_come_in_one_answer(
    shown: Shown, anna: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def numbers(after: int, most: int) -> list[int]:
        text = text_of(shown, asked(shown, anna, OwnLogs(after, most)))
        return [match.number for match in read_logs(text.encode(), "1")]

    last = max(shown.league.store.numbers())
    assert last > 4
    monkeypatch.setattr("arena.site.answers.MOST_LOGS", 2)
    assert numbers(0, 1000) == [1, 2]
    assert numbers(2, 1000) == [3, 4]
    assert numbers(0, 3) == [last - 2, last - 1]
    assert numbers(last, 3) == []


def test_nobody_gets_what_a_bot_saw_that_did_not_sit_there(shown: Shown, anna: Account) -> None:
    bots = next(shown.league.store.outlines()).bots
    [out] = set("abcd") - set(bots)
    leaves_to_anna(shown, [out])
    with closing(Publisher(shown.site.published)) as publisher:  # as of another season
        publisher.add(f"own/{out}", 1, {})
        publisher.add(f"own/{out}", 999, {})
        publisher.publish()
    text = text_of(shown, asked(shown, anna, OwnLogs(0, 1000)))
    assert all(out in match.bots for match in read_logs(text.encode(), "1"))


def test_what_cannot_be_withdrawn_is_told(shown: Shown, anna: Account) -> None:
    found = asked(shown, anna, ChangeBot("a", "withdraw"))
    assert (found.state, "a" in found.answer) == ("failed", True)
    assert str(shown.site.folder.parent) not in found.answer


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), refused(Busy, sqlite3.SQLITE_BUSY)]
)
def test_what_a_full_disk_or_a_held_file_keeps_from_being_done_waits(
    shown: Shown, anna: Account, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fails = [error] * (MOST_TRIES + 1)
    cut = Mock(wraps=own_log, side_effect=[*fails, DEFAULT])
    monkeypatch.setattr("arena.site.answers.own_log", cut)
    found, _ = ask_for(shown.registry, anna, OwnLogs(0, 1))
    for _ in fails:
        with pytest.raises(type(error)):  # so that this part of the process rests
            answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
        assert find_job(shown.registry, anna, found.id).ended is None
    assert answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
    assert text_of(shown, find_job(shown.registry, anna, found.id)).count(STDERR) == 3


def test_a_challenge_is_played_in_every_seating_and_waits_if_the_process_ends(
    tmp_path: Path,
) -> None:
    site = read_site(write_site(tmp_path, "abc", OVER_AT_ONCE))
    part, ending = Short(site), threading.Event()
    part.play()
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
    assert (done.result.matches, sum(done.result.stakes.values())) == (6, 0)
