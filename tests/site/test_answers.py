"""What authors ask of a league: their logs, their bots, challenges."""

import errno
import gzip
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.base.refusals import Busy
from arena.match.commands import Said
from arena.record.export import own_log
from arena.record.paths import record_path
from arena.record.pulled import read_logs
from arena.site.answers import answer_next
from arena.site.config import read_site
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
from tests.site.test_play import OVER_AT_ONCE, Short
from tests.site.test_publisher import NOTE, STDERR, Shown
from tests.support.records import find_match
from tests.support.registry import comes_in, owns, refused
from tests.support.whole_site import write_site


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


def asked(shown: Shown, who: Account, about: About) -> SiteJob:
    """What becomes of a request."""
    found, _ = ask_for(shown.registry, who, about)
    assert answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
    return find_job(shown.registry, who, found.id)


NEVER = threading.Event()


def part_of(shown: Shown) -> SitePart:
    return SitePart(SiteProcess(shown.site, "play"), "requests")


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
        for number in (1, 999):
            publisher.add(f"own/{out}", number, {})
        publisher.publish()
    text = text_of(shown, asked(shown, anna, OwnLogs(0, 1000)))
    assert all(out in match.bots for match in read_logs(text.encode(), "1"))


def test_what_cannot_be_withdrawn_is_told(shown: Shown, anna: Account) -> None:
    found = asked(shown, anna, ChangeBot("a", "withdraw"))
    assert found.state == "failed"
    assert "a" in found.answer
    assert str(shown.site.folder.parent) not in found.answer


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), refused(Busy, sqlite3.SQLITE_BUSY)]
)
def test_what_a_full_disk_or_a_held_file_keeps_from_being_done_waits(
    shown: Shown, anna: Account, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fails = [error] * (MOST_TRIES + 1)

    def cut(*given: Any) -> str:
        if fails:
            raise fails.pop()
        return own_log(*given)

    monkeypatch.setattr("arena.site.answers.own_log", cut)
    found, _ = ask_for(shown.registry, anna, OwnLogs(0, 1))
    while fails:
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
        [asked] = jobs(registry, anna)
        assert asked.state == "waiting"
        ending.clear()
        assert answer_next(part, registry, (Challenge,), ending)
        [done] = jobs(registry, anna)
        assert not answer_next(part, registry, (Challenge,), ending)
    assert done.result is not None
    assert done.result.matches == 6
    assert sum(done.result.stakes.values()) == 0
