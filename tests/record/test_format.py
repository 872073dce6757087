"""The format of records and logs is that of `docs/record.md`, and records of another are refused.

The record in `tests/data/league` was written by an earlier arena, in format 8. A record without a
match has a summary as well.
"""

import gzip
import random
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import arena
from arena.bots.manifest import content_hash, read_bot
from arena.league.file import read_league
from arena.match.commands import MatchPlan
from arena.match.log import LoggedDeal, LoggedStart, LogWriter
from arena.match.wire import FaultKind
from arena.record.matches import stored_matches, verify_all
from arena.record.rows import FORMAT, Facts, VoidMatch
from arena.record.store import Store
from arena.record.summary import summarize
from arena.tasks.league_request import LeagueRequest, opened_record
from tests.match.test_record import PLANS, played, waiting
from tests.support.bots import write_quick_bot
from tests.support.command import document, output, refusal, run_here
from tests.support.scripted import plan_of
from tests.support.stored_league import stored_league

PAGE = Path(arena.__file__).parents[1].joinpath("docs/record.md").read_text(encoding="utf-8")


def rows(heading: str) -> Iterator[tuple[str, str]]:
    """The first two cells of a table by its heading; an empty first cell says the same as above."""
    first = ""
    for row in PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]:
        cells = [cell.strip(" `") for cell in row.split("|")[1:3]]
        first = cells[0] or first
        yield first, cells[1]


def said(heading: str) -> dict[str, list[str]]:
    """The second cells of a table by the first ones."""
    return {
        name: [cell for _, cell in own] for name, own in groupby(rows(heading), lambda it: it[0])
    }


def test_the_page_has_the_tables_columns_and_facts_of_a_record_and_the_fields_of_a_log(
    played_league: Path,
) -> None:
    with closing(sqlite3.connect(played_league.with_suffix(".db"))) as sql:
        named = "SELECT name FROM sqlite_master WHERE type = 'table'"
        there = {
            table: [column for _, column, *_ in sql.execute(f"PRAGMA table_info({table})")]
            for (table,) in sql.execute(named).fetchall()
        }
    assert said("table") == there
    assert {*said("key")} == {*Facts.__struct_fields__}
    assert f"The format is {FORMAT}," in PAGE
    assert said("of") == {
        name: [field.name for field in msgspec.structs.fields(kind)]
        for name, kind in (("start", LoggedStart), ("deal", LoggedDeal))
    }


def grammar(odd: bool) -> dict[str, str]:
    """A regular expression for each rule of the grammar, with or without a bot's odd words."""
    text = PAGE.partition("```text\n")[2].partition("```")[0]
    written = dict(re.findall(r"^(\w+) += (.*?)(?=^\w|\Z)", text, re.MULTILINE | re.DOTALL))

    def expression(rule: str) -> str:
        parts = re.findall(r"'([^']+)'|/((?:[^/\\]|\\.)+)/|(\w+)|([()|?*])", written[rule])
        if rule == "odd" and not odd:
            return "(?!)"
        found = (
            re.escape(quoted) or own or sign or expression(name)
            for quoted, own, name, sign in parts
        )
        return f"(?:{''.join(found)})"

    return {rule: expression(rule) for rule in written}


def flaws(log: bytes, odd: bool = False) -> list[bytes]:
    """The lines of a log that are none by the grammar."""
    rules = grammar(odd)
    forms = iter([rules["start"]])
    return [
        line
        for line in gzip.decompress(log).splitlines()
        if not re.fullmatch(next(forms, rules["deal"]).encode(), line)
    ]


@pytest.mark.parametrize("plan", PLANS)
def test_every_line_of_a_log_is_one_by_the_grammar(plan: MatchPlan) -> None:
    assert not flaws(played(plan, faults=0.05)[1].log)


def test_the_logs_of_real_bots_are_logs_by_the_grammar(played_league: Path) -> None:
    with closing(sqlite3.connect(played_league.with_suffix(".db"))) as sql:
        logs = [log for (log,) in sql.execute("SELECT log FROM logs")]
    assert [flaws(log, odd=True) for log in logs] == [[]] * 6


def test_what_a_bot_says_amiss_is_in_the_grammar_too() -> None:
    """Every field, odd words, and characters that JSON escapes."""
    driven, _ = played(plan_of(deals=3), faults=0.2)
    writer = LogWriter()
    writer.start(())
    for game in waiting(driven, 7, sent={0: '"\\é\n', 3: ""}).games:
        writer.deal(game)
    log = writer.close()
    assert not flaws(log)
    longest = max(gzip.decompress(log).splitlines()[1:], key=len)
    changed = re.sub(rb'"(pass|ordinary|solo)"', rb'"?Q\\u0000C"', longest, count=1)
    forms = [grammar(odd)["deal"].encode() for odd in (True, False)]
    assert [bool(re.fullmatch(form, changed)) for form in forms] == [True, False]


def test_the_grammar_allows_no_other_line_and_has_the_kinds_of_faults() -> None:
    log = played(plan_of(deals=2), faults=0.1)[1].log
    _, line, *_ = gzip.decompress(log).splitlines()
    signs = [at for at, byte in enumerate(line) if byte in b'{}[]:",.']
    form = grammar(odd=False)["deal"].encode()
    for place in random.Random(1).choices(signs, k=200):
        assert not re.fullmatch(form, line[:place] + line[place + 1 :])
    [kinds] = re.findall(r"^kind +=(.*)$", PAGE, re.MULTILINE)
    assert re.findall(r"'(\w+)'", kinds) == [*get_args(FaultKind)]


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """An old record with its league and the copy of the bot that was submitted."""
    league = stored_league(tmp_path)
    with closing(Store.open(league.with_suffix(".db"))) as store:
        digest = store.submissions()[-1].digest
    copy = league.with_suffix(".bots") / digest[:16]
    shutil.copytree(tmp_path / "newest", copy)
    copy.with_suffix(".built").touch()
    return league


def test_an_old_record_says_what_it_said_then_and_goes_on(league: Path) -> None:
    with closing(Store.open(league.with_suffix(".db"))) as store:
        summary, outlines = summarize(store), list(store.outlines())
        states = {each.name: each.state for each in store.submissions()}
        faulty = [each.number for each in stored_matches(store, faulty=True)]
        assert store.faults() == {"faulty": {"illegal": 6}}
        assert [problem for *_, problem in verify_all(store)] == [None] * 16
    assert (summary.sets, summary.sets_played, summary.sets_void) == (14, 4, 6)
    assert (summary.complete, summary.practice, summary.seed) == (False, True, "7")
    assert summary.owed == (VoidMatch(("a", "faulty", "mine.2"), 1, 0, "its worker died"),)
    assert states == {"mine": "replaced", "mine.2": "playing"}
    assert {each.disqualified for each in outlines} == {(), (0,)}
    assert faulty == [each.match for each in outlines if each.faults]
    assert "continuing, " in run_here("league", league).stderr
    done = document("standings", league)
    assert (done["sets"], done["complete"], done["owed"]) == (14, True, [])
    assert output("verify", league).startswith("21 of 21 matches replay")


OLDER = (
    "UPDATE league SET value = '5' WHERE key = 'format'",
    "ALTER TABLE matches DROP COLUMN at",
    "DROP TABLE ledger",
)
NEWER = ("UPDATE league SET value = '9' WHERE key = 'format'", "CREATE TABLE more (x)")
NONE = ("DELETE FROM league WHERE key = 'format'",)


@pytest.mark.parametrize(("form", "how"), [("5", OLDER), ("9", NEWER), ("none", NONE)])
def test_a_record_of_another_format_is_refused_and_left_as_it_is(
    league: Path, form: str, how: tuple[str, ...]
) -> None:
    record = league.with_suffix(".db")
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        for statement in how:
            sql.execute(statement)
    before, why = record.read_bytes(), f"it has format {form}, this arena opens format 8\n"
    for command in ("standings", "league", "verify"):
        assert why in refusal(command, league)
    assert record.read_bytes() == before


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that lives on submissions: there is one, and nothing was played."""
    path = tmp_path_factory.mktemp("empty") / "league.toml"
    path.write_text("deals = 2\n")
    bot = write_quick_bot(path.with_name("mine"))
    config, bots = read_league(path, None)
    with opened_record(LeagueRequest(path, config, bots, (), {})) as store:
        store.submit(read_bot(bot), content_hash(bot), "2026-01-01T00:00:00+00:00", ())
    return path


@pytest.mark.parametrize(
    "words",
    [
        *("standings", "standings --all", "standings --csv"),
        *("standings --csv --crosstable", "standings --csv --roles", "standings --csv --seats"),
        *("standings --csv --company", "report", "report --replays all", "verify", "faults"),
        *("export standings", "export sets", "export matches", "export games", "export moves"),
        *("export faults", "export deals", "export logs", "replay", "submissions"),
        *("deals", "deals --json"),
    ],
)
def test_every_command_works_for_a_league_without_a_match(empty: Path, words: str) -> None:
    name, *more = words.split()
    output(name, empty, *more)


def test_a_league_without_a_table_is_not_complete_and_keeps_its_seed(empty: Path) -> None:
    found = document("standings", empty)
    assert (found["sets"], found["complete"], found["seed"]) == (0, False, None)
