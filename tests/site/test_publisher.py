"""What is published of a league, step by step, and what never is."""

import gzip
import json
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.ledger import Benched, Closed, Sealed
from arena.league.schedule import MatchSpec
from arena.league.terms import match_plan, order_matches
from arena.match.commands import Failed, MatchPlan, Question, Said
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.site.config import Site, make_folders, read_site
from arena.site.process import SitePart, SiteProcess
from arena.site.publish import publisher as publisher_module
from arena.site.publish.publisher import LeaguePublisher
from arena.site.publish.state import RecordState
from arena.site.published import Published, Publisher
from arena.site.registry import Registry
from arena.site.registry.accounts import assign
from arena.site.registry.bots import bots
from arena.site.registry.organiser import announce, remove_announcement
from arena.stats.figures import Standing
from tests.support.alike import Step, played
from tests.support.open_record import SEED, Opened
from tests.support.registry import comes_in, owns
from tests.support.transcripts import simple

NOTE, STDERR = "canary-of-notes", "canary-of-stderr"


def with_canaries(plan: MatchPlan) -> MatchRecord:
    """The record of a match whose bots say in private what nobody else must see."""
    answer = simple()

    def said(_: int, question: Question) -> Step:
        reply = answer(question.request)
        assert not isinstance(reply, Failed)
        return Step(question, Said(msgspec.structs.replace(reply, note=NOTE), 1000), False)

    _, log = played(plan, said)
    return MatchRecord(
        results=play_again(plan, log).match.results(),
        log=log,
        stderr=(STDERR,) * 3,
        isolation="none",
    )


def settle(publisher: LeaguePublisher) -> None:
    while publisher.look() or publisher._due:
        time.sleep(0.001)


class Shown:
    """A league, and what is published of it."""

    def __init__(self, folder: Path, publish: str = "season") -> None:
        (folder / "site.toml").write_text('league = "ladder.toml"\n')
        self.site: Site = read_site(folder / "site.toml")
        make_folders(self.site)
        self.process = SiteProcess(self.site, "play")
        self.league = Opened(folder / "ladder.db")
        self.league.configure(publish=publish)
        self.registry = Registry.open(self.site.registry)

    def play(self, specs: Iterable[MatchSpec]) -> None:
        """Store some matches of an order, with private words."""
        league = self.league
        for spec in specs:
            record = with_canaries(match_plan(league.terms, league.seeds, spec))
            league.store.add(spec, msgspec.structs.replace(record, held_s=(0.5,) * 3))

    def go_on(self, orders: int) -> None:
        league = self.league
        for _ in range(orders):
            self.play(order_matches(league.terms, league.order()))
            for outcome in league.store.outcomes(after=league.draw.known):
                league.draw.stored(outcome)

    def end_season(self) -> None:
        self.league.append(Closed(1, ()), Sealed(1, SEED))

    @contextmanager
    def publisher(self) -> Iterator[LeaguePublisher]:
        with closing(Store.open(self.league.path)) as store:
            life = SitePart(self.process, "publisher")
            with closing(LeaguePublisher(self.site, store, self.registry, life)) as publisher:
                yield publisher

    def publish(self) -> None:
        with self.publisher() as publisher:
            settle(publisher)

    def document(self, key: str) -> Any:
        with closing(Published(self.site.published)) as published:
            found = published.document(key) or b"null"
        return json.loads(gzip.decompress(found) if found[:2] == b"\x1f\x8b" else found)

    def rows(self, name: str) -> list[Any]:
        with closing(Published(self.site.published)) as published:
            return [json.loads(data) for _, data in published.before(name, None, 1000)]


@pytest.fixture(name="shown")
def _shown(tmp_path: Path) -> Iterator[Shown]:
    shown = Shown(tmp_path)
    with closing(shown.league.store), closing(shown.registry):
        yield shown


def test_what_is_published_is_what_the_record_says(shown: Shown) -> None:
    shown.go_on(2)
    shown.publish()
    with closing(Store.open(shown.league.path)) as store:
        table = summarize(store).standings
    lines = shown.document("standings")["lines"]
    assert msgspec.convert(lines, list[Standing]) == table
    numbers = shown.document("numbers")
    assert (numbers["matches"], numbers["lines"]) == (12, len(shown.rows("ledger")))
    crosstable = shown.document("crosstable")
    assert crosstable["bots"] == [line["bot"] for line in lines]
    assert len(crosstable["pairs"]) == len(lines) * (len(lines) - 1) // 2
    author = {line["bot"]: line["author"] for line in lines}
    assert {frozenset((pair["giver"], pair["taker"])) for pair in crosstable["company"]} == {
        frozenset((author[pair["bot"]], author[pair["other"]]))
        for pair in crosstable["pairs"]
        if pair["sets"]
    }
    assert [row["match"] for row in shown.rows("matches")] == list(range(12, 0, -1))
    assert {row["counts"] for row in shown.rows("matches")} == {"counts"}
    assert shown.document("matches/7")["seatings"] == [7, 8, 9, 10, 11, 12]
    assert shown.document("deals/1/0") is None
    bot = lines[0]["bot"]
    assert shown.document(f"bots/{bot}")["times"]["moves"] > 0
    assert len(shown.rows(f"own/{bot}")) == 6 * sum(
        bot in each["bots"] for each in shown.rows("matches")[::6]
    )


def test_a_publisher_that_goes_on_says_the_same_as_one_that_begins_anew(shown: Shown) -> None:
    shown.league.configure(publish="at_once")
    shown.go_on(1)
    shown.publish()
    shown.league.join("new")
    shown.go_on(2)
    shown.publish()
    keys = ["standings", "crosstable", "matches/3", "matches/9", "deals/2/0", "proof", "rules"]
    keys += [f"bots/{bot}" for bot in ("a", "b", "c", "d", "new")]

    def told() -> list[Any]:
        changes = {"at": None, "version": None}
        return [*(shown.document(key) | changes for key in keys), shown.rows("matches")]

    before = told()
    shown.site.published.unlink()
    shown.publish()
    assert told() == before


def test_a_new_publisher_begins_with_what_the_last_one_knew_of_the_same_record(
    shown: Shown,
) -> None:
    shown.go_on(3)
    shown.publish()
    with closing(Publisher(shown.site.published)) as to:
        to.put("bots/old", {})
        to.publish()
    with shown.publisher() as publisher:
        publisher.look()
        assert shown.document("numbers")["matches"] == 18
        assert shown.document("bots/old") == {}
    shown.league.store.set_facts(identity="0" * 32)
    shown.publish()
    assert shown.document("bots/old") is None
    assert len(shown.rows("matches")) == 18
    files = {path.name for path in shown.site.published.parent.iterdir() if path.is_file()}
    assert files == {"published.db"}


def test_a_league_that_rests_says_when_it_goes_on_or_why_it_cannot(shown: Shown) -> None:
    shown.go_on(1)
    why = "no table can be formed: a table of 3 needs 3 bots, and 2 bots can play"
    with shown.publisher() as publisher:

        def told() -> tuple[float | None, str]:
            settle(publisher)
            return shown.document("numbers")["next_at"], shown.document("league")["waits"]

        next_at, waits = told()
        last = shown.rows("ledger")[0]
        ordered = datetime.fromisoformat(json.loads(last["text"])["at"]).timestamp()
        assert (next_at, waits) == (ordered + 600, "")
        SitePart(shown.process, "league").beat(why)
        assert told() == (None, why)
        SitePart(shown.process, "league").beat("plays")
        assert told()[0] is not None


def test_a_line_of_the_table_has_the_team_of_its_author(shown: Shown) -> None:
    authors = [comes_in(shown.registry, f"author of {bot}").name for bot in "bd"]
    shown.go_on(4)
    with shown.publisher() as publisher:
        for team, teams in (("", {}), ("Blue", {"b": "Blue", "d": "Blue"})):
            assign(shown.registry, authors, team)
            settle(publisher)
            table = shown.document("standings")["lines"]
            assert {line["bot"]: line["team"] for line in table if line["team"]} == teams


def test_what_the_organiser_says_is_published_when_it_changes(shown: Shown) -> None:
    page = shown.site.path.with_name("about.md")
    shown.site = msgspec.structs.replace(shown.site, about_file="about.md")
    nothing = {"text": "", "announcements": [], "leagues": []}
    with shown.publisher() as publisher:

        def told() -> tuple[Any, Any]:
            settle(publisher)
            return shown.document("about"), shown.document("league")["announced"]

        assert told() == (nothing, None)
        page.write_text("# A cup\n")
        first = announce(shown.registry, "Come")
        about, announced = told()
        assert (about["text"], announced["title"]) == ("# A cup\n", "Come")
        page.write_bytes(b"\xff")
        remove_announcement(shown.registry, first.number)
        assert told() == (nothing, None)


def test_a_bot_may_join_while_all_are_compared(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.go_on(1)

    def join_and_summarize(*given: Any) -> Any:
        if "new" not in shown.league.terms.bots:
            shown.league.join("new")
        return summarize_fully(*given)

    name = "arena.site.publish.publisher.summarize_fully"
    monkeypatch.setattr(name, join_and_summarize)
    with shown.publisher() as publisher:
        publisher.look()
        assert "new" not in {line["bot"] for line in shown.document("standings")["lines"]}
        settle(publisher)
    assert "new" in {line["bot"] for line in shown.document("standings")["lines"]}


def test_a_deal_is_of_the_table_that_has_it(shown: Shown) -> None:
    shown.go_on(12)
    with closing(Store.open(shown.league.path)) as store:
        state = RecordState(store)
        for (lineup, first), order in state.ledger.orders.items():
            for deal in (first, first + order.deals - 1):
                assert state.table_of(lineup, deal) == (lineup, first)
    assert len({first for _, first in state.ledger.orders}) > 1


def test_cards_are_shown_once_the_season_is_over(shown: Shown) -> None:
    shown.go_on(1)
    shown.publish()
    assert shown.document("matches/1")["later"] == "season"
    assert [shown.document(key) for key in ("deals/1/0", "replays/1")] == [None, None]
    shown.end_season()
    shown.publish()
    assert [len(hand) for hand in shown.document("deals/1/0")["hands"]] == [8, 8, 8]
    assert shown.document("matches/1")["line"]["shown"]
    assert all(row["shown"] for row in shown.rows("matches"))
    assert shown.document("proof")["secret"] == SEED
    replay = shown.document("replays/1")
    assert all(replay["match"]["deals"][0]["hands"])
    assert replay["back"] == {"words": shown.site.title, "address": "/"}


def test_a_replay_has_the_reviews_of_its_match(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.league.configure(publish="at_once")
    shown.go_on(1)
    monkeypatch.setattr("arena.site.publish.matches.reviews_of", lambda match, played: {0: ()})
    shown.publish()
    assert shown.document("replays/1")["review"]["deals"][0]["verdicts"] == []


def test_a_publisher_that_was_killed_over_the_end_of_a_season_goes_on_with_it(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown.go_on(2)
    shown.publish()
    shown.end_season()
    with shown.publisher() as publisher, monkeypatch.context() as patched:
        patched.setattr(publisher_module, "_AT_ONCE", 6)
        publisher.look()  # and it is killed behind its first version
    shown.publish()
    assert all(row["shown"] for row in shown.rows("matches"))


@pytest.mark.parametrize("publish", ["season", "at_once"])
def test_no_private_word_and_no_seed_is_published(shown: Shown, publish: str) -> None:
    shown.league.configure(publish=publish)
    shown.go_on(2)
    shown.league.append(Benched("a", "x", True))
    shown.publish()
    assert (shown.document("replays/1") is None) == (publish == "season")
    replays = str([shown.document(f"replays/{number}") for number in range(1, 13)]).encode()
    data = shown.site.published.read_bytes() + replays
    for word in (NOTE, STDERR, *shown.league.seeds):
        assert word.encode() not in data
    for row in shown.rows("matches"):
        deals = [shown.document(f"deals/{row['order']}/{deal}") for deal in range(10)]
        assert publish == "at_once" or not any(each and each["hands"] for each in deals)


def test_the_registry_learns_what_became_of_bots(shown: Shown) -> None:
    anna = comes_in(shown.registry, "Anna")
    owns(shown.registry, anna, "a", "b")
    shown.league.append(Benched("a", "it fails", True))
    shown.publish()
    assert {bot.name: (bot.state, bot.why) for bot in bots(shown.registry, anna)} == {
        "a": ("benched", "it fails"),
        "b": ("playing", ""),
    }


def test_an_order_counts_once_all_of_it_is_played(shown: Shown) -> None:
    order = shown.league.order()
    specs = list(order_matches(shown.league.terms, order))
    with shown.publisher() as publisher:
        for part, counts in ((specs[:2], "waiting"), (specs[2:], "counts")):
            shown.play(part)
            settle(publisher)
            of_bot = shown.document(f"bots/{order.lineup[0]}")["matches"]
            for matches in (shown.rows("matches"), of_bot):
                assert {match["counts"] for match in matches} == {counts}
            if counts == "waiting":
                [under_way] = shown.document("now")["now"]
                assert (under_way["played"], under_way["matches"]) == (2, 6)
                assert shown.document("deals/1/0") is None
