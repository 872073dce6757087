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
from arena.record.rows import first_facts
from arena.record.store import Store
from arena.record.summary import table_before_final
from tests.league.test_schedule import open_terms
from tests.support.command import output, run
from tests.support.drawn_league import DrawnLeague
from tests.support.open_record import SEED, Opened, entries_in, open_record

Tamper = Callable[[Path], None]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A ladder of eight orders, with one more bot in between, and a season that is over.

    Also a ladder whose last order has no match yet.
    """
    folder = tmp_path_factory.mktemp("open")
    ladder = Opened(folder / "ladder.db", "abcde")
    season = Opened(folder / "season.db", "abcdefgh", final=3, final_deals=20)
    begun = Opened(folder / "begun.db", "abcdef")
    leagues = (ladder, season, begun)
    with closing(ladder.store), closing(season.store), closing(begun.store):
        ladder.go_on(4)
        ladder.join("f")
        ladder.go_on(4)
        begun.go_on(3)
        begun.order()
        season.go_on(2)
        final = season.draw.finalists(table_before_final(season.store, season.draw.ledger))
        season.append(Closed(1, final))
        orders = list(season.draw.final_orders(final))
        season.append(*orders)
        for order in orders:
            season.play(order)
        season.append(Sealed(1, SEED))
        assert [list(ledger_flaws(league.store)) for league in leagues] == [[], [], []]
    return {league.path.stem: league.path.read_bytes() for league in leagues}


def change(how: str, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        assert sql.execute(how).rowcount > 0


def rewrite(edit: Callable[[list[Entry]], list[Entry]], path: Path) -> None:
    """Write the ledger anew as a forger who knows the format: the chain fits again."""
    with closing(Store.open(path)) as store:
        at, entries = read_line(store.ledger()[0].text).at, entries_in(store)
    lines = lines_after(None, at, edit(entries))
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("DELETE FROM ledger")
        sql.executemany("INSERT INTO ledger VALUES (?, ?, ?)", map(msgspec.structs.astuple, lines))


def replaced(of: type[Entry], number: int, **more: object) -> Tamper:
    """One of the entries of a kind gets other values."""

    def edit(entries: list[Entry]) -> list[Entry]:
        old = [each for each in entries if isinstance(each, of)][number]
        new = msgspec.structs.replace(old, **more)
        assert new != old
        return [new if each is old else each for each in entries]

    return partial(rewrite, edit)


def without_last_order(entries: list[Entry]) -> list[Entry]:
    [*_, last] = [each for each in entries if isinstance(each, Ordered)]
    return [each for each in entries if each != last]


def cut_final_short(path: Path) -> None:
    rewrite(without_last_order, path)
    change("DELETE FROM matches WHERE id > (SELECT max(id) - 6 FROM matches)", path)


CLOSED_FORMAT = """UPDATE league SET value = json_set(value, '$.terms.config',
    json_object('format', 'closed', 'rules', json_extract(value, '$.terms.config.rules')))
    WHERE key = 'facts'"""
AUTHOR = "UPDATE ledger SET text = replace(text, 'author of a', 'me')"
OTHER_SEED = "UPDATE league SET value = replace(value, '[\"7\"]', '[\"8\"]')"

SECRET = "the season's secret is not the one that was committed to"
DRAWN = "is not the one that was drawn"
BEST = "is not between the best"
EARLY = "season 1 ends before its orders were played"
AFTER = "a line follows the end of the season"


@pytest.mark.parametrize(
    ("record", "tamper", "flaw"),
    [
        ("ladder", partial(change, AUTHOR), "line 2 of the ledger does not follow"),
        (
            "ladder",
            partial(change, "DELETE FROM ledger WHERE number = 5"),
            "line 5 of the ledger does not follow",
        ),
        ("ladder", partial(change, "DELETE FROM ledger"), "the ledger is empty"),
        ("ladder", replaced(Committed, 0, commitment="f" * 64), SECRET),
        ("ladder", partial(change, OTHER_SEED), SECRET),
        ("ladder", replaced(Joined, 0, content="f" * 64), "a is another bot than the league has"),
        ("ladder", replaced(Ordered, 1, first=90), DRAWN),
        ("ladder", replaced(Ordered, 1, deals=20), DRAWN),
        ("begun", replaced(Ordered, -1, lineup=("a", "b", "c")), DRAWN),
        ("begun", replaced(Ordered, -1, lineup=("d", "e", "f")), DRAWN),
        ("ladder", replaced(Ordered, -1, known=999), "is of no order"),
        ("ladder", replaced(Ordered, 1, known=0), "line "),
        ("ladder", partial(rewrite, lambda entries: entries[:-1]), "is of no order"),
        ("ladder", partial(rewrite, lambda entries: [*entries, Left("x", "withdrawn")]), "no 'x'"),
        ("ladder", partial(change, "UPDATE matches SET first = 70 WHERE id = 9"), "is of no order"),
        ("ladder", partial(change, CLOSED_FORMAT), "the league is not open, but it has a ledger"),
        ("season", partial(rewrite, without_last_order), EARLY),
        ("season", cut_final_short, EARLY),
        ("season", replaced(Closed, 0, final=("a", "b", "d")), BEST),
        ("season", replaced(Closed, 0, final=tuple("abcdefgh")), BEST),
        ("season", replaced(Closed, 0, season=2), BEST),
        ("season", replaced(Ordered, -1, deals=5), DRAWN),
        ("season", replaced(Ordered, -1, kind="table"), DRAWN),
        ("season", partial(rewrite, lambda entries: [*entries, entries[1]]), AFTER),
    ],
)
def test_what_was_tampered_with_is_noticed(
    records: dict[str, bytes], record: str, tamper: Tamper, flaw: str, tmp_path: Path
) -> None:
    path = tmp_path / "ladder.db"
    path.write_bytes(records[record])
    tamper(path)
    with closing(Store.open(path)) as store:
        found = list(ledger_flaws(store))
    assert any(flaw in each for each in found), found


def test_the_command_reports_flaws_of_the_ledger(tmp_path: Path) -> None:
    record = open_record(tmp_path / "ladder.db", orders=1, logs=True)
    assert output("verify", record) == "6 of 6 matches replay to what is stored\n"
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


def bench_without_a_match(league: Opened) -> None:
    """As only an organiser may."""
    league.join("d")
    for entry in (Benched("b", "a copy", True), Resumed("b", True)):
        league.append(entry)
        league.go_on(1)


def spoil_again(league: Opened) -> None:
    """A bot is benched for what ended since it was resumed."""
    spoil(league, 2)
    last, late = league.order(), league.order()
    league.play(last, out="b")
    league.play(late)  # under way when it was benched, and played well
    league.append(Resumed("b"))
    spoil(league, 3)
    benched = [each.why for each in entries_in(league.store) if isinstance(each, Benched)]
    assert benched == ["3 of its last 3 orders are void by it"] * 2


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
        (bench_without_a_match, None),
        (spoil_again, None),
        (spoil_and_forget, "benched for nothing"),
        (spoil_without_benching, "b was to be benched before"),
        (resume_twice, "b is resumed though it may not be"),
        (seal_early, EARLY),
    ],
)
def test_a_league_that_does_not_follow_its_rules_is_noticed_and_no_other(
    league: Opened, act: Callable[[Opened], None], flaw: str | None
) -> None:
    act(league)
    found = list(ledger_flaws(league.store))
    assert any(flaw in each for each in found) if flaw else not found, found


class Chronicle(DrawnLeague):
    """A league with orders under way, which benches bots as an arena does."""

    def __init__(self) -> None:
        super().__init__("abcdef")
        self.coming: list[tuple[Ordered, list[int]]] = []

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
        terms = open_terms(bots={it.bot: it.content for it in joined if isinstance(it, Joined)})
        record = Mock(spec=Store)
        record.terms.return_value, record.ledger.return_value = terms, self.lines
        record.outcomes.return_value = iter(self.outcomes)
        record.facts.return_value = first_facts(None, terms, SEED, True)
        return list(ledger_flaws(record))


ACTS = {"order": 30, "play": 60, "withdrawn": 4, "come": 6, "replaced": 3, "again": 8}
ACTS |= {"bench": 3, "resume": 3}


def chronicle(seed: int, steps: int) -> Chronicle:
    """A league to which anything may happen at any moment."""
    dice, league = random.Random(seed), Chronicle()
    for act in dice.choices([*ACTS], [*ACTS.values()], k=steps):
        field = league.draw.ledger
        gone = {bot for bot, (_, why) in field.left.items() if why == "withdrawn"}
        fresh = {"g", "h"} - field.joined.keys()
        match act:
            case "order":
                league.order_next()
            case "play" if league.coming:
                number = dice.randrange(len(league.coming))
                out = dice.choice((*league.coming[number][0].lineup, *[""] * 17))
                league.seconds = dict.fromkeys("abc", dice.choice((0.2, 1.0, 30.0)))
                for _ in range(dice.randint(1, len(league.coming[number][1]))):
                    league.play_match(number, out)
            case "withdrawn" | "replaced" | "again" if len(field.playing) > 4:
                bot = dice.choice(sorted(field.bots))
                league.append(Left(bot, "replaced" if act == "replaced" else "withdrawn"))
                if act == "again" and dice.random() < 0.5:
                    league.play_all()
                if act != "withdrawn":
                    league.join(bot if act == "again" else f"{bot}{len(league.lines)}")
            case "come" if gone | fresh:  # a name that was replaced never comes again
                league.join(dice.choice(sorted(gone | fresh)))
            case "bench" if len(field.playing) > 3:
                league.append(Benched(dice.choice(sorted(field.playing)), "a word", True))
            case "resume" if field.benched:
                bot = dice.choice(sorted(field.benched))
                by_organiser = bot in field.benched_by_organiser
                if by_organiser or field.may_resume(bot):
                    league.append(Resumed(bot, by_organiser))
    return league


@pytest.mark.parametrize("seed", range(5))
def test_whatever_happens_nothing_is_a_false_alarm_and_the_draws_are_the_same_when_made_again(
    seed: int,
) -> None:
    league = chronicle(seed, 120)
    again = OpenDraw(league.config)
    again.read(league.lines, league.outcomes)
    assert league.flaws() == []
    assert league.draw.next_table() == again.next_table()
    assert league.draw.half_widths() == pytest.approx(again.half_widths())
