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

import msgspec
import pytest

from arena.base.refusals import Busy
from arena.match.commands import Said
from arena.record.export import own_log
from arena.record.paths import record_path
from arena.record.pulled import read_logs
from arena.site.answers import NOT_TO_BE_SHOWN, answer_next
from arena.site.api import Challenged
from arena.site.config import read_site
from arena.site.process import SitePart, SiteProcess
from arena.site.registry.accounts import Account
from arena.site.registry.file import Registry
from arena.site.registry.jobs import MOST_TRIES
from arena.site.registry.requests import (
    FILE_REQUESTS,
    About,
    Challenge,
    OwnLog,
    SiteRequest,
    Withdraw,
    find_request,
    request,
    requests,
)
from tests.site.test_play import OVER_AT_ONCE, Short
from tests.site.test_publisher import NOTE, STDERR, Shown
from tests.support.records import find_match
from tests.support.registry import comes_in, refused
from tests.support.whole_site import write_site


@pytest.fixture(name="shown")
def _shown(tmp_path: Path) -> Iterator[Shown]:
    shown = Shown(tmp_path)
    with closing(shown.league.store), closing(shown.registry):
        shown.go_on(1)
        yield shown


@pytest.fixture(name="anna")
def _anna(shown: Shown) -> Account:
    """Whose are all bots that played."""
    anna = comes_in(shown.registry, "Anna")
    with shown.registry.writing() as sql:
        for bot in "abcd":
            row = (bot, anna.number, bot, "playing", "", 0.0)
            sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)
    return anna


def asked(shown: Shown, who: Account, about: About) -> SiteRequest:
    """What becomes of a request."""
    found, _ = request(shown.registry, who, about)
    assert answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
    return find_request(shown.registry, who, found.id)


NEVER = threading.Event()


def part_of(shown: Shown) -> SitePart:
    return SitePart(SiteProcess(shown.site, "play"), "requests")


def text_of(shown: Shown, found: SiteRequest) -> str:
    with shown.registry.reading() as sql:
        (packed,) = sql.execute("SELECT log FROM jobs WHERE id = ?", (found.id,)).fetchone()
    assert packed is not None, found.answer
    return gzip.decompress(packed).decode()


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
    text = text_of(shown, asked(shown, anna, OwnLog(1)))
    whole = find_match(record_path(shown.site.league), 1)
    [own] = read_logs(text.encode(), "1")
    for seat in seats:
        assert list(own.transcript(seat)) == list(whole.transcript(seat))
        assert own.record.stderr[seat] == whole.record.stderr[seat] == STDERR
    assert NOTE in text
    for other in {0, 1, 2} - set(seats):
        said = [came.reply for _, came in own.transcript(other) if isinstance(came, Said)]
        assert not any(getattr(each, "note", None) for each in said)
        assert own.record.stderr[other] == ""
        assert own.plan.seeds[other] == 0


def test_nobody_gets_what_a_bot_saw_that_did_not_sit_there(shown: Shown, anna: Account) -> None:
    bots = next(shown.league.store.outlines()).bots
    [out] = set("abcd") - set(bots)
    leaves_to_anna(shown, [out])
    assert asked(shown, anna, OwnLog(1)).answer == NOT_TO_BE_SHOWN


def test_what_cannot_be_withdrawn_is_told(shown: Shown, anna: Account) -> None:
    found = asked(shown, anna, Withdraw("a"))
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
    found, _ = request(shown.registry, anna, OwnLog(1))
    while fails:
        with pytest.raises(type(error)):  # so that this part of the process rests
            answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
        assert find_request(shown.registry, anna, found.id).state == "waiting"
    assert answer_next(part_of(shown), shown.registry, FILE_REQUESTS, NEVER)
    assert text_of(shown, find_request(shown.registry, anna, found.id)).count(STDERR) == 3


def test_a_challenge_is_played_in_every_seating_and_waits_if_the_process_ends(
    tmp_path: Path,
) -> None:
    site = read_site(write_site(tmp_path, "abc", OVER_AT_ONCE))
    part, ending = Short(site), threading.Event()
    part.play()
    with closing(Registry.open(site.registry)) as registry:
        anna = comes_in(registry, "Anna")
        with registry.writing() as sql:
            row = ("a", anna.number, "a", "playing", "", 0)
            sql.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?)", row)
        request(registry, anna, Challenge(("a", "b", "c")))
        ending.set()
        assert answer_next(part, registry, (Challenge,), ending)
        [asked] = requests(registry, anna)
        assert asked.state == "waiting"
        ending.clear()
        assert answer_next(part, registry, (Challenge,), ending)
        [done] = requests(registry, anna)
        assert not answer_next(part, registry, (Challenge,), ending)
    assert msgspec.json.decode(done.answer, type=Challenged).matches == 6
