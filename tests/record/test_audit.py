"""What an open league's ledger says is recomputed, and whatever was tampered with is noticed."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest

from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Sealed,
    lines_after,
    read_line,
)
from arena.league.open_draw import OpenDraw
from arena.record.audit import ledger_flaws
from arena.record.rows import encode_json, first_facts
from arena.record.store import Store
from arena.record.summary import table_before_final
from tests.league.test_schedule import open_terms
from tests.support.command import run
from tests.support.drawn_league import DrawnLeague
from tests.support.open_record import SEED, Opened, entries_in, open_record

Edit = Callable[[list[Entry]], list[Entry]]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A ladder of eight orders, with one more bot in between, and a season that is over."""
    folder = tmp_path_factory.mktemp("open")
    ladder, season = Opened(folder / "ladder.db", "abcde"), Opened(folder / "season.db", "abcdefgh")
    with closing(ladder.store):
        ladder.go_on(4)
        ladder.join("f")
        ladder.go_on(4)
    season.configure(final=3, final_deals=20)
    with closing(season.store):
        season.go_on(2)
        final = season.draw.finalists(table_before_final(season.store, season.draw.ledger))
        season.append(Closed(1, final))
        orders = list(season.draw.final_orders(final))
        season.append(*orders)
        for order in orders:
            season.play(order)
        season.append(Sealed(1, SEED))
    return {league.path.stem: league.path.read_bytes() for league in (ladder, season)}


def flaws(path: Path) -> list[str]:
    with closing(Store.open(path)) as store:
        return list(ledger_flaws(store))


def change(how: str, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        assert sql.execute(how).rowcount > 0


def rewrite(edit: Edit, path: Path) -> None:
    """Write the ledger anew as a forger who knows the format: the chain fits again."""
    with closing(Store.open(path)) as store:
        at, entries = read_line(store.ledger()[0].text).at, entries_in(store)
    lines = lines_after(None, at, edit(entries))
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("DELETE FROM ledger")
        sql.executemany("INSERT INTO ledger VALUES (?, ?, ?)", map(msgspec.structs.astuple, lines))


def replaced(of: type[Entry], number: int, **more: object) -> Callable[[Path], None]:
    """One of the entries of a kind gets other values."""

    def edit(entries: list[Entry]) -> list[Entry]:
        place = [place for place, each in enumerate(entries) if isinstance(each, of)][number]
        entries[place] = msgspec.structs.replace(entries[place], **more)
        return entries

    return partial(rewrite, edit)


def without_last_order(entries: list[Entry]) -> list[Entry]:
    [*_, last] = [each for each in entries if isinstance(each, Ordered)]
    return [each for each in entries if each != last]


def cut_final_short(path: Path) -> None:
    rewrite(without_last_order, path)
    change("DELETE FROM matches WHERE id > (SELECT max(id) - 6 FROM matches)", path)


def close_format(path: Path) -> None:
    """Make the league a closed one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        [(text,)] = sql.execute("SELECT value FROM league WHERE key = 'facts'")
        facts = msgspec.json.decode(text)
        config = facts["terms"]["config"]
        facts["terms"]["config"] = {"format": "closed", "rules": config["rules"]}
        sql.execute("UPDATE league SET value = ? WHERE key = 'facts'", (encode_json(facts),))


@pytest.mark.parametrize("record", ["ladder", "season"])
def test_nothing_is_wrong_with_an_honest_ledger(
    records: dict[str, bytes], record: str, tmp_path: Path
) -> None:
    path = tmp_path / "ladder.db"
    path.write_bytes(records[record])
    assert flaws(path) == []


SECRET = "the season's secret is not the one that was committed to"
DRAWN = "is not the one that was drawn"
BEST = "is not between the best"
EARLY = "season 1 ends before its orders were played"


@pytest.mark.parametrize(
    ("record", "tamper", "flaw"),
    [
        (
            "ladder",
            partial(change, "UPDATE ledger SET text = replace(text, 'author of a', 'me')"),
            "line 2 of the ledger does not follow",
        ),
        (
            "ladder",
            partial(change, "DELETE FROM ledger WHERE number = 5"),
            "line 5 of the ledger does not follow",
        ),
        ("ladder", partial(change, "DELETE FROM ledger"), "the ledger is empty"),
        ("ladder", replaced(Committed, 0, commitment="f" * 64), SECRET),
        (
            "ladder",
            partial(change, "UPDATE league SET value = replace(value, '[\"7\"]', '[\"8\"]')"),
            SECRET,
        ),
        ("ladder", replaced(Joined, 0, content="f" * 64), "a is another bot than the league has"),
        ("ladder", replaced(Ordered, 1, first=90), DRAWN),
        ("ladder", replaced(Ordered, 1, deals=20), DRAWN),
        ("ladder", replaced(Ordered, -1, known=999), "is of no order"),
        ("ladder", replaced(Ordered, 1, known=0), "line "),
        ("ladder", partial(rewrite, lambda entries: entries[:-1]), "is of no order"),
        ("ladder", partial(rewrite, lambda entries: [*entries, Left("x", "withdrawn")]), "no 'x'"),
        ("ladder", partial(change, "UPDATE matches SET first = 70 WHERE id = 9"), "is of no order"),
        ("ladder", close_format, "the league is not open, but it has a ledger"),
        ("season", partial(rewrite, without_last_order), EARLY),
        ("season", cut_final_short, EARLY),
        ("season", replaced(Closed, 0, final=("a", "b", "d")), BEST),
        ("season", replaced(Closed, 0, final=tuple("abcdefgh")), BEST),
        ("season", replaced(Closed, 0, season=2), BEST),
        ("season", replaced(Ordered, -1, deals=5), DRAWN),
        ("season", replaced(Ordered, -1, kind="table"), DRAWN),
        (
            "season",
            partial(rewrite, lambda entries: [*entries, entries[1]]),
            "a line follows the end of the season",
        ),
    ],
)
def test_what_was_tampered_with_is_noticed(
    records: dict[str, bytes],
    record: str,
    tamper: Callable[[Path], None],
    flaw: str,
    tmp_path: Path,
) -> None:
    path = tmp_path / "ladder.db"
    path.write_bytes(records[record])
    tamper(path)
    found = flaws(path)
    assert any(flaw in each for each in found), found


def swap_lineup(entries: list[Entry]) -> list[Entry]:
    """Another table than that which was drawn, in the last order."""
    *rest, last = entries
    assert isinstance(last, Ordered)
    others = [name for name in "abcdef" if name not in last.lineup]
    lineup = tuple(sorted((*others, last.lineup[0])))[:3]
    return [*rest, msgspec.structs.replace(last, lineup=lineup, first=0)]


def test_another_table_than_the_one_drawn_is_noticed(tmp_path: Path) -> None:
    found = []
    for orders in range(1, 5):
        league = Opened(tmp_path / f"{orders}.db", "abcdef")
        with closing(league.store):
            league.go_on(orders)
            league.order()
        assert flaws(league.path) == []
        rewrite(swap_lineup, league.path)
        found += flaws(league.path)
    assert any(DRAWN in flaw for flaw in found)
    assert len(found) >= 3


def test_the_command_reports_flaws_of_the_ledger(tmp_path: Path) -> None:
    record = open_record(tmp_path / "ladder.db", orders=1, logs=True)
    done = run("verify", record)
    assert (done.returncode, done.stdout) == (0, "6 of 6 matches replay to what is stored\n")
    change("DELETE FROM ledger WHERE number = 2", record)
    done = run("verify", record)
    assert done.returncode == 1
    assert "line 2 of the ledger does not follow from the lines before it" in done.stdout


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Opened]:
    """An open league of three bots under way."""
    league = Opened(tmp_path / "ladder.db", "abc")
    with closing(league.store):
        yield league


def spoil(league: Opened, orders: int) -> None:
    """Play orders in each match of which b is disqualified."""
    for _ in range(orders):
        league.play(league.order(), out="b")


def test_an_organiser_needs_no_match_to_bench_a_bot(league: Opened) -> None:
    league.join("d")
    for entry in (Benched("b", "a copy", True), Resumed("b", True)):
        league.append(entry)
        league.go_on(1)
    assert list(ledger_flaws(league.store)) == []


def test_a_bot_is_benched_for_what_ended_since_it_was_resumed(league: Opened) -> None:
    spoil(league, 2)
    last, late = league.order(), league.order()
    league.play(last, out="b")
    league.play(late)  # under way when it was benched, and played well
    league.append(Resumed("b"))
    spoil(league, 3)
    benched = [each for each in entries_in(league.store) if isinstance(each, Benched)]
    assert [each.why for each in benched] == ["3 of its last 3 orders are void by it"] * 2
    assert list(ledger_flaws(league.store)) == []


def spoil_and_forget(league: Opened) -> None:
    spoil(league, 3)
    change("UPDATE matches SET disqualified = '[]'", league.path)


def spoil_without_benching(league: Opened) -> None:
    league.draw.to_bench = dict  # type: ignore[method-assign]
    spoil(league, 4)


def resume_twice(league: Opened) -> None:
    for _ in range(2):
        spoil(league, 3)
        league.append(Resumed("b"))


def seal_early(league: Opened) -> None:
    league.order()
    league.append(Closed(1, ()), Sealed(1, SEED))


@pytest.mark.parametrize(
    ("act", "flaw"),
    [
        (spoil_and_forget, "benched for nothing"),
        (spoil_without_benching, "b was to be benched before"),
        (resume_twice, "b is resumed though it may not be"),
        (seal_early, EARLY),
    ],
)
def test_a_league_that_does_not_follow_its_rules_is_noticed(
    league: Opened, act: Callable[[Opened], None], flaw: str
) -> None:
    act(league)
    found = list(ledger_flaws(league.store))
    assert any(flaw in each for each in found), found


class Chronicle(DrawnLeague):
    """A league with orders under way, which benches bots as an arena does."""

    def __init__(self) -> None:
        super().__init__("abcdef")
        self.coming: list[tuple[Ordered, list[int]]] = []
        self.replaced: set[str] = set()

    def order_next(self) -> None:
        """Write down the next order, if there is one."""
        self.bench()
        table = self.draw.next_table()
        if table is not None:
            self.coming.append((self.order(table), list(range(6))))

    def play_match(self, number: int = 0, out: str = "") -> None:
        """Store a match of an order that is under way; a bot may be disqualified in it."""
        order, left = self.coming[number]
        self.store_match(order, left.pop(), out)
        if not left:
            del self.coming[number]
        self.bench()

    def play_all(self) -> None:
        while self.coming:
            self.play_match()

    def bench(self) -> None:
        for bot, why in self.draw.to_bench().items():
            self.append(Benched(bot, why))

    def flaws(self) -> list[str]:
        """The flaws of a record with this ledger and these outcomes."""
        joined = (read_line(line.text).entry for line in self.lines)
        bots = {each.bot: each.content for each in joined if isinstance(each, Joined)}
        terms = open_terms(bots=bots)
        record = Mock(spec=Store)
        record.terms.return_value, record.ledger.return_value = terms, self.lines
        record.outcomes.return_value = iter(self.outcomes)
        record.facts.return_value = first_facts(None, terms, SEED, True)
        return list(ledger_flaws(record))


@pytest.mark.parametrize("seconds", [1.0, 40.0])
@pytest.mark.parametrize("moment", ["before it left", "after it left", "after it came again"])
def test_a_bot_that_left_and_came_again_between_two_orders_is_no_false_alarm(
    moment: str, seconds: float
) -> None:
    """Its matches end at one of these moments."""
    league = Chronicle()
    league.play(4)
    league.order_next()
    [bot, *_] = league.coming[0][0].lineup
    league.seconds = dict.fromkeys("abc", seconds)
    if moment == "before it left":
        league.play_all()
    league.append(Left(bot, "withdrawn"))
    if moment == "after it left":
        league.play_all()
    league.join(bot)
    league.play_all()
    league.play(6)
    assert league.flaws() == []


WEIGHTS = {
    "order": 30,
    "play": 60,
    "leave": 4,
    "come": 6,
    "replace": 3,
    "resume": 3,
    "bench": 3,
    "again": 4,
}


def chronicle(seed: int, steps: int) -> Chronicle:
    """A league to which anything may happen at any moment."""
    dice, league = random.Random(seed), Chronicle()
    for _ in range(steps):
        [what] = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))
        field = league.draw.ledger
        if what == "order":
            league.order_next()
        elif what == "play" and league.coming:
            number = dice.randrange(len(league.coming))
            out = dice.choice(league.coming[number][0].lineup) if dice.random() < 0.15 else ""
            league.seconds = dict.fromkeys("abc", dice.choice((0.2, 1.0, 30.0)))
            for _ in range(dice.randint(1, 6)):
                if len(league.coming) > number:
                    league.play_match(number, out)
        elif what in ("leave", "replace", "again") and len(field.playing) > 4:
            bot = dice.choice(sorted(field.bots))
            league.append(Left(bot, "replaced" if what == "replace" else "withdrawn"))
            if what == "replace":
                league.replaced.add(bot)
                league.join(f"{bot}{len(league.lines)}")
            elif what == "again":
                if dice.random() < 0.5:
                    league.play_all()
                league.join(bot)
        elif what == "come":  # a name that was replaced never comes again
            gone = set("abcdefgh") - field.bots.keys() - {bot[0] for bot in field.bots if bot[1:]}
            for bot in dice.sample(sorted(gone), min(1, len(gone))):
                if bot not in league.replaced:
                    league.join(bot)
        elif what == "bench" and len(field.playing) > 3:
            league.append(Benched(dice.choice(sorted(field.playing)), "a word", True))
        elif what == "resume" and field.benched:
            bot = dice.choice(sorted(field.benched))
            if bot in field.benched_by_organiser or field.may_resume(bot):
                league.append(Resumed(bot, bot in field.benched_by_organiser))
    return league


@pytest.mark.parametrize("seed", range(5))
def test_whatever_happens_the_draws_are_the_same_when_made_again(seed: int) -> None:
    league = chronicle(seed, 120)
    again = OpenDraw(league.config)
    again.read(league.lines, league.outcomes)
    assert league.flaws() == []
    assert league.draw.next_table() == again.next_table()
    assert league.draw.half_widths() == pytest.approx(again.half_widths())
