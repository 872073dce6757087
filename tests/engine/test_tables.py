"""Many tables in one process: the record equals one table's, and no table pays for another."""

import sys
from pathlib import Path

import msgspec
import pytest

from arena.engine.job import Job
from arena.engine.worker import play_match
from arena.match.commands import untimed
from arena.match.log import LoggedDeal, read_log
from arena.match.logged import play_again, verify
from arena.match.record import MatchRecord
from arena.sandbox.box import Program
from tests.support.bots import APART
from tests.support.scripted import plan_of

BOT = """
import json, os, sys, threading, time
rest = b""
while chunk := os.read(0, 1 << 16):
    *lines, rest = (rest + chunk).split(b"\\n")
    said = []
    for line in lines:
        m = json.loads(line)
        t = m["type"]
        if t == "hello":
            answer = {"type": "ready", "protocol": 1, "tables": TABLES}
        elif t == "bid":
            answer = {"type": t, "id": m["id"], "bid": m["legal"][m["deal"] % len(m["legal"])]}
        elif t == "discard":
            answer = {"type": t, "id": m["id"], "cards": m["hand"][-2:]}
        elif t == "play":
            answer = {"type": t, "id": m["id"], "card": m["legal"][0]}
        else:
            continue
        deal = m.get("deal")
        SPECIAL
        said.append(answer)
    os.write(1, "".join(json.dumps(each) + chr(10) for each in said).encode())
"""


def bot(folder: Path, name: str, tables: int, special: str = "pass") -> Program:
    place = folder / f"{name} {tables}"
    place.mkdir(parents=True)
    source = BOT.replace("TABLES", str(tables)).replace("SPECIAL", special)
    (place / "bot.py").write_text(source)
    return Program(name, (sys.executable, "bot.py"), str(place))


def play(
    folder: Path, tables: int, special: str = "pass", move_s: float | None = None
) -> MatchRecord:
    """A match of 24 deals; seat 1 does something special, and only it may have a clock."""
    plan = untimed(plan_of(deals=24))
    odd = msgspec.structs.replace(plan.limits, move_s=move_s)
    plan = msgspec.structs.replace(plan, people={1: odd})
    programs = (
        bot(folder, "a", tables),
        bot(folder, "b", tables, special),
        bot(folder, "c", tables),
    )
    record = play_match(Job(plan, programs, APART))
    verify(plan, record)
    return record


def lines(record: MatchRecord) -> list[LoggedDeal]:
    """The deals of a log without their microseconds, which are never the same twice."""
    return [
        msgspec.structs.replace(
            deal, steps=tuple((seat, answer, 0) for seat, answer, _ in deal.steps), withheld={}
        )
        for deal in read_log(record.log)[1]
    ]


def test_logs_are_the_same_with_one_table_and_with_many(tmp_path: Path) -> None:
    one, many = play(tmp_path, 1), play(tmp_path, 64)
    assert lines(one) == lines(many)
    assert one.results.payments == many.results.payments
    assert one.results.decisions == many.results.decisions


def test_requests_of_many_tables_come_together(tmp_path: Path) -> None:
    record = play(tmp_path, 64, 'answer["note"] = str(len(lines))')
    notes = [note for deal in read_log(record.log)[1] for note in deal.notes.values()]
    assert max(map(int, notes)) >= 8


@pytest.mark.parametrize(
    ("special", "kind"),
    [
        ("if deal == 5 and t != 'deal_end': answer['id'] = 10**6", "malformed"),
        ("if deal == 5 and t == 'play': answer['card'] = 'ZZ'", "illegal"),
        ("if deal == 5: continue", "timeout"),
        ("if deal == 5: answer = {'type': t, 'id': m['id'], 'card': [1]}", "malformed"),
    ],
)
def test_a_fault_at_one_table_costs_the_others_nothing(
    tmp_path: Path, special: str, kind: str
) -> None:
    """In real time, which is the machine's and not a test's to turn: bots are real processes."""
    honest = play(tmp_path / "honest", 64)
    record = play(tmp_path / "odd", 64, special, 10.0 if kind == "timeout" else None)
    assert [
        (entry.deal, entry.fault.kind, entry.fault.seat) for entry in record.results.faults
    ] == [(5, kind, 1)] or kind == "malformed"
    others = [
        number for number in range(24) if number not in {e.deal for e in record.results.faults}
    ]
    assert len(others) >= 22
    assert [record.results.payments[number] for number in others] == [
        honest.results.payments[number] for number in others
    ]


def test_a_bot_that_dies_loses_what_is_open_and_all_that_follows(tmp_path: Path) -> None:
    record = play(tmp_path, 8, "if deal == 9 and t == 'play': os.kill(os.getpid(), 9)")
    assert {entry.fault.kind for entry in record.results.faults} == {"exited"}
    assert len(record.results.payments) == 24
    assert {entry.deal for entry in record.results.faults} >= set(range(18, 24))


def test_a_disqualification_ends_the_match_at_the_same_deal(tmp_path: Path) -> None:
    plan = untimed(plan_of(deals=24, max_faults=3))
    odd = "if deal % 4 == 1 and t != 'hello': answer['id'] = None"
    records = []
    for tables in (1, 64):
        programs = tuple(bot(tmp_path, name, tables) for name in "ac")
        crew = (programs[0], bot(tmp_path, "b", tables, odd), programs[1])
        record = play_match(Job(plan, crew, APART))
        verify(plan, record)
        records.append(record)
    assert records[0].results.disqualified == records[1].results.disqualified == (1,)
    assert len(records[0].results.payments) < 24


def test_a_log_of_many_tables_replays(tmp_path: Path) -> None:
    record = play(tmp_path, 64)
    games = list(play_again(plan_of(deals=24), record.log).deals)
    assert [game.result.payments for game in games] == list(record.results.payments)
