"""What is published of a league, step by step, and what never is."""

import gzip
import json
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.ledger import Benched, Closed, Sealed
from arena.league.schedule import MatchSpec
from arena.league.terms import match_plan, order_matches
from arena.match.commands import MatchPlan, Question, Said
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.site.config import Site, make_folders, read_site
from arena.site.process import SitePart, SiteProcess
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
