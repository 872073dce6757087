"""The process `play`: what is published of a league and what never is, and what authors ask of it.

And its season, and what rests on a full disk.
"""

import errno
import gzip
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import DEFAULT, Mock

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.base.refusals import Busy
from arena.league.ledger import Benched, Closed, Sealed
from arena.league.schedule import MatchSpec
from arena.league.terms import match_plan, order_matches
from arena.match.commands import MatchPlan, Question, Said
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.record.export import own_log
from arena.record.matches import ReplayedMatch
from arena.record.paths import record_path
from arena.record.pulled import read_logs
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.site import disk, play
from arena.site.answers import answer_next
from arena.site.config import Site, make_folders, read_site
from arena.site.process import SitePart, SiteProcess
from arena.site.publish.publisher import LeaguePublisher
from arena.site.publish.state import RecordState
from arena.site.published import Published, Publisher
from arena.site.registry import Registry
from arena.site.registry.accounts import assign
from arena.site.registry.bots import bots
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
from arena.site.registry.organiser import announce, remove_announcement
from arena.stats.figures import Standing
from tests.support.alike import Step, played
from tests.support.open_record import SEED, Opened
from tests.support.records import find_match
from tests.support.registry import comes_in, owns, refused
from tests.support.transcripts import simple
from tests.support.whole_site import write_site

NOTE, STDERR = "canary-of-notes", "canary-of-stderr"


def with_canaries(plan: MatchPlan) -> MatchRecord:
    """The record of a match whose bots say in private what nobody else must see."""
    answer = simple()

    def said(_: int, question: Question) -> Step:
        reply: Any = answer(question.request)
        return Step(question, Said(msgspec.structs.replace(reply, note=NOTE), 1000), False)

    _, log = played(plan, said)
    return MatchRecord(
        results=play_again(plan, log).match.results(),
        log=log,
        stderr=(STDERR,) * 3,
        isolation="none",
        held_s=(0.5,) * 3,
    )


class Shown(ExitStack):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        (folder / "site.toml").write_text('league = "ladder.toml"\n')
        self.site: Site = read_site(folder / "site.toml")
        make_folders(self.site)
        self.process = SiteProcess(self.site, "play")
        self.league = Opened(folder / "ladder.db")
        self.league.configure(publish="season")
        self.registry = self.enter_context(closing(Registry.open(self.site.registry)))
        self.enter_context(closing(self.league.store))
        self.publishing = self.enter_context(ExitStack())

    def play(self, specs: Iterable[MatchSpec]) -> None:
        """Store some matches of an order, with private words."""
        for spec in specs:
            plan = match_plan(self.league.terms, self.league.seeds, spec)
            self.league.store.add(spec, with_canaries(plan))

    def go_on(self, orders: int) -> None:
        league = self.league
        for _ in range(orders):
            self.play(order_matches(league.terms, league.order()))
            for outcome in league.store.outcomes(after=league.draw.known):
                league.draw.stored(outcome)

    def begin(self) -> LeaguePublisher:
        self.publishing.close()
        store = self.publishing.enter_context(closing(Store.open(self.league.path)))
        part = SitePart(self.process, "publisher")
        self.publisher = LeaguePublisher(self.site, store, self.registry, part)
        return self.publishing.enter_context(closing(self.publisher))

    def settle(self) -> None:
        """The publisher goes on until nothing is left to do."""
        while self.publisher.look() or self.publisher._due:
            time.sleep(0.001)

    def publish(self) -> None:
        self.begin()
        self.settle()

    def document(self, key: str) -> Any:
        with closing(Published(self.site.published)) as published:
            found = published.document(key) or b"null"
        return json.loads(gzip.decompress(found) if found[:2] == b"\x1f\x8b" else found)

    def rows(self, name: str) -> list[Any]:
        with closing(Published(self.site.published)) as published:
            return [json.loads(data) for _, data in published.before(name, None, 1000)]

    def lines(self) -> dict[str, Any]:
        return {line["bot"]: line for line in self.document("standings")["lines"]}


@pytest.fixture(name="shown")
def _shown(tmp_path: Path) -> Iterator[Shown]:
    with Shown(tmp_path) as shown:
        yield shown


def test_what_is_published_is_what_the_record_says(shown: Shown) -> None:
    shown.go_on(2)
    shown.publish()
    with closing(Store.open(shown.league.path)) as store:
        table = summarize(store).standings
    lines, matches = shown.lines(), shown.rows("matches")
    assert msgspec.convert([*lines.values()], list[Standing]) == table
    numbers = shown.document("numbers")
    assert (numbers["matches"], numbers["lines"]) == (12, len(shown.rows("ledger")))
    crosstable = shown.document("crosstable")
    assert crosstable["bots"] == [*lines]
    assert len(crosstable["pairs"]) == len(lines) * (len(lines) - 1) // 2
    assert {frozenset((pair["giver"], pair["taker"])) for pair in crosstable["company"]} == {
        frozenset((lines[pair["bot"]]["author"], lines[pair["other"]]["author"]))
        for pair in crosstable["pairs"]
        if pair["sets"]
    }
    assert [(row["match"], row["counts"]) for row in matches] == [
        (number, "counts") for number in range(12, 0, -1)
    ]
    assert shown.document("matches/7")["seatings"] == [7, 8, 9, 10, 11, 12]
    assert shown.document("deals/1/0") is None
    for bot in lines:
        assert shown.document(f"bots/{bot}")["times"]["moves"] > 0
        assert len(shown.rows(f"own/{bot}")) == sum(bot in each["bots"] for each in matches)


def test_a_bots_best_deal_may_be_watched_and_guests_know_house_bots_by_peoples_names(
    shown: Shown,
) -> None:
    shown.league.join("careful", house=True)
    shown.go_on(3)
    shown.publish()
    found = [shown.document(f"bots/{bot}") for bot in shown.lines()]
    assert {each["best_at"] for each in found} == {None}, "matches are shown after the season"
    assert {each["line"]["bot"]: each["at_tables"] for each in found if each["at_tables"]} == {
        "careful": "Anna"
    }
    shown.league.configure(publish="at_once")
    shown.publishing.close()
    shown.site.published.unlink()
    shown.publish()
    for bot in "abcd":
        about = shown.document(f"bots/{bot}")
        match, number = about["best_at"]
        line, hand = shown.document(f"matches/{match}")["line"], about["best"][0]
        assert line["bots"][hand["seat"]] == bot
        assert (sorted(line["bots"]), line["first"] + number) == (hand["lineup"], hand["deal"])


def test_a_bots_rank_is_compared_with_that_of_a_week_ago(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.go_on(2)
    shown.publish()
    ordered = sorted(row["at"] for row in shown.rows("matches"))

    def before(moment: float) -> dict[str, int | None]:
        monkeypatch.setattr("time.time", lambda: moment + 7 * 86_400)
        shown.publishing.close()
        shown.site.published.unlink()
        shown.publish()
        return {bot: line["rank_before"] for bot, line in shown.lines().items()}

    assert before(ordered[-1]) == {bot: line["rank"] for bot, line in shown.lines().items()}
    assert before(ordered[0] - 1) == dict.fromkeys(shown.lines())


def test_a_publisher_that_goes_on_says_the_same_as_one_that_begins_anew(shown: Shown) -> None:
    keys = ["standings", "crosstable", "matches/3", "matches/9", "deals/2/0", "proof", "rules"]
    keys += [f"bots/{bot}" for bot in ("a", "b", "c", "d", "new")]

    def told() -> list[Any]:
        changes = {"at": None, "version": None}
        return [*(shown.document(key) | changes for key in keys), shown.rows("matches")]

    shown.league.configure(publish="at_once")
    shown.go_on(1)
    shown.publish()
    shown.league.join("new")
    shown.go_on(2)
    shown.publish()
    before = told()
    shown.publishing.close()
    shown.site.published.unlink()
    shown.publish()
    assert told() == before


def test_a_new_publisher_begins_with_what_the_last_one_knew_of_the_same_record(
    shown: Shown,
) -> None:
    shown.go_on(3)
    shown.publish()
    shown.publishing.close()
    with closing(Publisher(shown.site.published)) as to:
        to.put("bots/old", {})
        to.publish()
    shown.begin().look()
    assert (shown.document("numbers")["matches"], shown.document("bots/old")) == (18, {})
    shown.league.store.set_facts(identity="0" * 32)
    shown.publish()
    assert (len(shown.rows("matches")), shown.document("bots/old")) == (18, None)
    shown.publishing.close()
    files = {path.name for path in shown.site.published.parent.iterdir() if path.is_file()}
    assert files == {"published.db"}


def test_a_league_that_rests_says_when_it_goes_on_or_why_it_cannot(shown: Shown) -> None:
    shown.go_on(1)
    shown.publish()
    last = shown.rows("ledger")[0]
    ordered = datetime.fromisoformat(json.loads(last["text"])["at"]).timestamp()
    why = "no table can be formed: a table of 3 needs 3 bots, and 2 bots can play"
    for beat, told in (
        ("begins", (ordered + 600, "")),
        (why, (None, why)),
        ("plays", (ordered + 600, "")),
    ):
        SitePart(shown.process, "league").beat(beat)
        shown.settle()
        found = shown.document("numbers")["next_at"], shown.document("league")["waits"]
        assert found == told


def test_a_line_of_the_table_has_the_team_of_its_author(shown: Shown) -> None:
    authors = [comes_in(shown.registry, f"author of {bot}").name for bot in "bd"]
    shown.go_on(4)
    shown.begin()
    for team, teams in (("", {}), ("Blue", {"b": "Blue", "d": "Blue"})):
        assign(shown.registry, authors, team)
        shown.settle()
        assert {bot: line["team"] for bot, line in shown.lines().items() if line["team"]} == teams


def test_what_the_organiser_says_is_published_when_it_changes(shown: Shown) -> None:
    page = shown.site.path.with_name("about.md")
    shown.site = msgspec.structs.replace(shown.site, about_file="about.md")
    shown.publish()
    nothing = ({"text": "", "announcements": [], "leagues": []}, None)
    assert (shown.document("about"), shown.document("league")["announced"]) == nothing
    page.write_text("# A cup\n")
    first = announce(shown.registry, "Come")
    shown.settle()
    assert shown.document("about")["text"] == "# A cup\n"
    assert shown.document("league")["announced"]["title"] == "Come"
    page.write_bytes(b"\xff")
    remove_announcement(shown.registry, first.number)
    shown.settle()
    assert (shown.document("about"), shown.document("league")["announced"]) == nothing


def test_a_bot_may_join_while_all_are_compared(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    def join_and_summarize(*given: Any) -> Any:
        if "new" not in shown.league.terms.bots:
            shown.league.join("new")
        return summarize_fully(*given)

    shown.go_on(1)
    monkeypatch.setattr("arena.site.publish.publisher.summarize_fully", join_and_summarize)
    shown.begin().look()
    assert "new" not in shown.lines()
    shown.settle()
    assert "new" in shown.lines()


def test_a_deal_is_of_the_table_that_has_it(shown: Shown) -> None:
    shown.go_on(12)
    with closing(Store.open(shown.league.path)) as store:
        state = RecordState(store)
        for (lineup, first), order in state.ledger.orders.items():
            for deal in (first, first + order.deals - 1):
                assert state.table_of(lineup, deal) == (lineup, first)
    assert len({first for _, first in state.ledger.orders}) > 1


def test_cards_are_shown_once_the_season_is_over_although_a_publisher_is_killed_over_it(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.go_on(2)
    shown.publish()
    assert shown.document("matches/1")["later"] == "season"
    assert [shown.document(key) for key in ("deals/1/0", "replays/1")] == [None, None]
    shown.league.append(Closed(1, ()), Sealed(1, SEED))
    monkeypatch.setattr("arena.site.publish.matches.reviews_of", lambda match, played: {0: ()})
    with monkeypatch.context() as patched:
        patched.setattr("arena.site.publish.publisher._AT_ONCE", 6)
        shown.begin().look()  # and it is killed behind its first version
    shown.publish()
    assert [len(hand) for hand in shown.document("deals/1/0")["hands"]] == [8, 8, 8]
    assert shown.document("matches/1")["line"]["shown"]
    assert all(row["shown"] for row in shown.rows("matches"))
    assert shown.document("proof")["secret"] == SEED
    replay = shown.document("replays/1")
    assert all(replay["match"]["deals"][0]["hands"])
    assert replay["review"]["deals"][0]["verdicts"] == []
    assert replay["back"] == {"words": shown.site.title, "address": "/"}


@pytest.mark.parametrize("publish", ["season", "at_once"])
def test_no_private_word_and_no_seed_is_published(shown: Shown, publish: str) -> None:
    shown.league.configure(publish=publish)
    shown.go_on(2)
    anna = comes_in(shown.registry, "Anna")
    owns(shown.registry, anna, "a", "b")
    shown.league.append(Benched("a", "it fails", True))
    shown.publish()
    assert (shown.document("replays/1") is None) == (publish == "season")
    replays = str([shown.document(f"replays/{number}") for number in range(1, 13)]).encode()
    data = shown.site.published.read_bytes() + replays
    for word in (NOTE, STDERR, *shown.league.seeds):
        assert word.encode() not in data
    for row in shown.rows("matches"):
        deals = [shown.document(f"deals/{row['order']}/{deal}") for deal in range(10)]
        assert publish == "at_once" or not any(each and each["hands"] for each in deals)
    assert {bot.name: (bot.state, bot.why) for bot in bots(shown.registry, anna)} == {
        "a": ("benched", "it fails"),
        "b": ("playing", ""),
    }, "the registry learns what became of bots"


def test_an_order_counts_once_all_of_it_is_played(shown: Shown) -> None:
    order = shown.league.order()
    specs = list(order_matches(shown.league.terms, order))
    shown.begin()
    for part, counts in ((specs[:2], "waiting"), (specs[2:], "counts")):
        shown.play(part)
        shown.settle()
        of_bot = shown.document(f"bots/{order.lineup[0]}")["matches"]
        assert {match["counts"] for match in (*shown.rows("matches"), *of_bot)} == {counts}
        if counts == "waiting":
            [under_way] = shown.document("now")["now"]
            assert (under_way["played"], under_way["matches"]) == (2, 6)
            assert shown.document("deals/1/0") is None


OVER_AT_ONCE = "final = 3\nfinal_deals = 10\nclose_at = 2020-01-01T12:00:00\n"


class Short(SitePart):
    """A part that ends once it reports a word, such as that the season is over."""

    def __init__(self, site: Site, last: str = "the season is over") -> None:
        self._last, self.said = last, list[str]()
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
            play.play_ladder(self)
        return self.said


def test_a_season_ends_by_its_calendar_and_challenges_are_played_beside_its_record(
    tmp_path: Path,
) -> None:
    site = read_site(write_site(tmp_path, "abc", OVER_AT_ONCE))
    part, record = Short(site), site.league.with_suffix(".db")
    said = [*part.play()]
    assert "season 1 is closed; its final is between" in "\n".join(said)
    assert said[-2] == "season 1 is over; its record is sealed"
    with closing(Store.open(record)) as store:
        assert store.sealed() == 1
    before, ending = record.read_bytes(), threading.Event()
    assert len(part.play()) == 1
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
    Short(read_site(write_site(tmp_path)), "the site's disk is nearly full").play()
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


@pytest.fixture(name="asked")
def _asked(tmp_path: Path) -> Iterator[Asked]:
    with Asked(tmp_path) as asked:
        yield asked


@pytest.mark.parametrize("seats", [(1,), (0, 2)])
def test_the_log_an_author_gets_is_replayed_and_has_no_others_words(
    asked: Asked, seats: tuple[int, ...]
) -> None:
    asked.leave_to_anna(*(asked.seats[seat] for seat in seats))
    own = asked.logs(0, 1000)[0]
    whole = find_match(record_path(asked.site.league), 1)
    for seat in seats:
        assert list(own.transcript(seat)) == list(whole.transcript(seat))
        assert NOTE in repr(list(own.transcript(seat)))
        assert own.record.stderr[seat] == whole.record.stderr[seat] == STDERR
    for other in {0, 1, 2} - set(seats):
        said = [came.reply for _, came in own.transcript(other) if isinstance(came, Said)]
        assert not any(getattr(each, "note", None) for each in said)
        assert (own.record.stderr[other], own.plan.seeds[other]) == ("", 0)


def test_the_first_of_the_newest_logs_come_in_one_answer(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = max(asked.league.store.numbers())
    assert last > 4
    monkeypatch.setattr("arena.site.answers.MOST_LOGS", 2)
    for after, most, numbers in (
        (0, 1000, [1, 2]),
        (2, 1000, [3, 4]),
        (0, 3, [last - 2, last - 1]),
        (last, 3, []),
    ):
        assert [match.number for match in asked.logs(after, most)] == numbers


def test_nobody_gets_what_a_bot_saw_that_did_not_sit_there(asked: Asked) -> None:
    [out] = {*"abcd"} - {*asked.seats}
    asked.leave_to_anna(out)
    with closing(Publisher(asked.site.published)) as publisher:  # as of another season
        publisher.add(f"own/{out}", 1, {})
        publisher.add(f"own/{out}", 999, {})
        publisher.publish()
    assert all(out in match.bots for match in asked.logs(0, 1000))


def test_what_cannot_be_withdrawn_is_told(asked: Asked) -> None:
    found = asked.answer(ChangeBot("a", "withdraw"))
    assert (found.state, "a" in found.answer) == ("failed", True)
    assert str(asked.site.folder.parent) not in found.answer


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), refused(Busy, sqlite3.SQLITE_BUSY)]
)
def test_what_a_full_disk_or_a_held_file_keeps_from_being_done_waits(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fails = [error] * (MOST_TRIES + 1)
    cut = Mock(wraps=own_log, side_effect=[*fails, DEFAULT])
    monkeypatch.setattr("arena.site.answers.own_log", cut)
    for _ in fails:
        with pytest.raises(type(error)):  # so that this part of the process rests
            asked.answer(OwnLogs(0, 1))
    assert cut.call_count == len(fails)
    assert [match.record.stderr for match in asked.logs(0, 1)] == [(STDERR,) * 3]
