"""`docs/record.md` names all tables, columns and facts of a record, and the grammar of its logs."""

import gzip
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import arena
from arena.match.commands import MatchPlan
from arena.match.log import LoggedDeal, LoggedStart, LogWriter
from arena.match.wire import FaultKind
from arena.record.rows import FORMAT, Facts
from tests.match.test_record import PLANS, played
from tests.support.scripted import plan_of

ROOT = Path(arena.__file__).parent
PAGE = (ROOT.parent / "docs/record.md").read_text(encoding="utf-8")


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


def test_the_page_has_the_tables_and_columns_of_a_record(played_league: Path) -> None:
    with closing(sqlite3.connect(played_league.with_suffix(".db"))) as sql:
        named = "SELECT name FROM sqlite_master WHERE type = 'table'"
        there = {
            table: [column for _, column, *_ in sql.execute(f"PRAGMA table_info({table})")]
            for (table,) in sql.execute(named).fetchall()
        }
    assert said("table") == there
    assert {*said("key")} == {*Facts.__struct_fields__}
    assert f"The format is {FORMAT}," in PAGE


def test_the_page_has_the_fields_of_each_line_of_a_log() -> None:
    kinds: dict[str, type[msgspec.Struct]] = {"start": LoggedStart, "deal": LoggedDeal}
    assert said("of") == {
        name: [field.name for field in msgspec.structs.fields(kind)] for name, kind in kinds.items()
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
        for (log,) in sql.execute("SELECT log FROM logs"):
            assert not flaws(log, odd=True)


def test_what_a_bot_says_amiss_is_in_the_grammar_too() -> None:
    """Every field, odd words, and characters that JSON escapes."""
    driven, _ = played(plan_of(deals=3), faults=0.2)
    writer = LogWriter()
    writer.start(())
    odd = {"sent": {0: '"\\é\n', 3: ""}}
    for game in driven.games:
        first, *steps = game.steps
        lost = msgspec.structs.replace(first.outcome, withheld_us=7)
        waited = msgspec.structs.replace(first, outcome=lost)
        writer.deal(msgspec.structs.replace(game, steps=(waited, *steps), **odd))
    log = writer.close()
    assert not flaws(log)
    longest = max(gzip.decompress(log).splitlines()[1:], key=len)
    changed = re.sub(rb'"(pass|ordinary|solo)"', rb'"?Q\\u0000C"', longest, count=1)
    rules = grammar(odd=True)
    assert re.fullmatch(rules["deal"].encode(), changed)
    assert not re.fullmatch(grammar(odd=False)["deal"].encode(), changed)


def test_the_grammar_allows_no_other_line() -> None:
    log = played(plan_of(deals=2), faults=0.1)[1].log
    _, line, *_ = gzip.decompress(log).splitlines()
    chance = random.Random(1)
    form = grammar(odd=False)["deal"].encode()
    for _ in range(200):
        place = chance.choice([at for at, byte in enumerate(line) if byte in b'{}[]:",.'])
        assert not re.fullmatch(form, line[:place] + line[place + 1 :])


def test_the_grammar_has_the_kinds_of_faults() -> None:
    text = re.search(r"^kind +=(.*)$", PAGE, re.MULTILINE)
    assert text is not None
    assert re.findall(r"'(\w+)'", text[1]) == [*get_args(FaultKind)]
