"""A log replays to what happened, and nothing in it can be changed unnoticed."""

import gzip
import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from arena.logs import LogWriter, Unfaithful
from arena.messages import AnyReply, AnyRequest
from arena.procedure import Failed, MatchPlan
from arena.records import DealFault, MatchRecord, replay, verify
from arena.zole.rules import preset
from tests.scripted import ASKS_ALL, Driven, drive, plan_of
from tests.test_no_leak import by_chance

Fields = dict[str, Any]


def played(plan: MatchPlan, seed: int = 1, faults: float = 0.01) -> tuple[Driven, MatchRecord]:
    """A match by chance, with notes and faults in it, and its record."""
    dice = random.Random(seed)

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        if dice.random() < faults:
            return Failed(dice.choice(("timeout", "malformed")), "by chance", 0.5)
        reply = by_chance(dice, request)
        if dice.random() < 0.05:
            reply = msgspec.structs.replace(reply, note="ķ\n\"'")
        return reply

    driven = drive(plan, answer)
    return driven, record_of(plan, driven)


def record_of(plan: MatchPlan, driven: Driven) -> MatchRecord:
    log = LogWriter()
    log.start((ASKS_ALL,) * plan.rules.players)
    for game in driven.games:
        log.game(game)
    faults = [DealFault(game.number, fault) for game in driven.games for fault in game.faults]
    payments = tuple(game.result.payments for game in driven.games)
    return MatchRecord(payments, tuple(faults), driven.disqualified, 0, log.close(), ())


PLANS = [
    plan_of(deals=30),
    plan_of(preset("lzsf", {"players": 4}), 20),
    plan_of(preset("piedalies", {"all_pass": "pool", "pools": {"enabled": True}}), 20),
    plan_of(preset("pagat", {"conduct": {"on_fault": "substitute"}}), 10),
    plan_of(deals=40, max_faults=2),
]


@pytest.mark.parametrize("plan", PLANS)
def test_a_log_replays_to_the_same_games(plan: MatchPlan) -> None:
    driven, record = played(plan)
    assert list(replay(plan, record.log)) == driven.games
    verify(plan, record)


def test_equal_matches_have_equal_logs() -> None:
    assert played(PLANS[0])[1].log == played(PLANS[0])[1].log
    assert played(PLANS[0])[1].log != played(PLANS[0], seed=2)[1].log


def test_a_deal_takes_less_than_300_bytes_of_log() -> None:
    plan = plan_of(deals=200)
    _, record = played(plan, faults=0.0)
    assert len(record.log) / 200 < 300


def changed(record: MatchRecord, change: Callable[[list[Fields]], object]) -> MatchRecord:
    """The record with a change made to the lines of its log."""
    lines = [json.loads(line) for line in gzip.decompress(record.log).splitlines()]
    change(lines)
    log = gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    return msgspec.structs.replace(record, log=log)


def exchange_cards(lines: list[Fields]) -> None:
    first, second = lines[3]["hands"][:2]
    one, other = first.split("."), second.split(".")
    one[0], other[0] = other[0], one[0]
    lines[3]["hands"][:2] = [".".join(one), ".".join(other)]


def another_card(lines: list[Fields]) -> None:
    plays = [step for step in lines[2]["steps"] if step[1] and len(step[1]) == 2]
    plays[0][1], plays[3][1] = plays[3][1], plays[0][1]


@pytest.mark.parametrize(
    "change",
    [
        exchange_cards,
        another_card,
        lambda lines: lines.pop(4),
        lambda lines: lines.pop(),
        lambda lines: lines.append(lines[-1]),
        lambda lines: lines[5]["steps"].pop(),
        lambda lines: lines[5]["steps"].append([0, "QC", 1]),
        lambda lines: lines[5]["steps"][0].__setitem__(0, (lines[5]["steps"][0][0] + 1) % 3),
        lambda lines: lines[0].clear(),
        lambda lines: lines[2].__setitem__("talon", "QC.XX"),
        lambda lines: lines[2].__setitem__("dealer", 1 - lines[2]["dealer"]),
        lambda lines: lines[0]["ready"].pop("0"),
    ],
)
def test_a_changed_log_is_refused(change: Callable[[list[Fields]], object]) -> None:
    _, record = played(PLANS[0], faults=0.0)
    with pytest.raises(Unfaithful):
        verify(PLANS[0], changed(record, change))


def test_a_changed_result_is_refused_with_its_place() -> None:
    _, record = played(PLANS[0])
    payments = list(record.payments)
    payments[7] = (payments[7][1], payments[7][0], payments[7][2] + 1)
    with pytest.raises(Unfaithful, match="deal 7: paid"):
        verify(PLANS[0], msgspec.structs.replace(record, payments=tuple(payments)))


def test_a_missing_fault_is_refused() -> None:
    _, record = played(PLANS[0])
    assert record.faults
    with pytest.raises(Unfaithful, match="the faults stored"):
        verify(PLANS[0], msgspec.structs.replace(record, faults=()))


def test_bytes_that_are_no_log_are_refused() -> None:
    _, record = played(PLANS[0])
    for log in (b"", b"nonsense", record.log[:-20], gzip.compress(b"{")):
        with pytest.raises(Unfaithful, match="cannot be read"):
            verify(PLANS[0], msgspec.structs.replace(record, log=log))
