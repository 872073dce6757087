"""A log replays to what happened, and nothing in it can be changed unnoticed."""

import gzip
import json
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import msgspec
import pytest

from arena.match.commands import Failed, MatchPlan, Said
from arena.match.log import LogWriter, Unfaithful
from arena.match.logged import Answered, play_again, verify
from arena.match.record import Course, MatchRecord
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    BidReply,
    DiscardReply,
    PlayReply,
    TalonReply,
    ToBot,
)
from arena.zole.cards import INDEX, NAMES
from arena.zole.deal import deal_text
from arena.zole.rules import preset
from tests.match.test_referee import first
from tests.support.chance import by_chance
from tests.support.scripted import ASKS_ALL, Driven, drive, plan_of

Fields = dict[str, Any]


def played(plan: MatchPlan, seed: int = 1, faults: float = 0.01) -> tuple[Driven, MatchRecord]:
    """A match by chance, with notes and faults in it, and its record."""
    dice = random.Random(seed)

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        if dice.random() < faults:
            return Failed(dice.choice(("timeout", "malformed")), "by chance", 500_000)
        reply = by_chance(dice, request)
        if dice.random() < 0.05:
            reply = msgspec.structs.replace(reply, note="ķ\n\"'")
        return reply

    driven = drive(plan, answer)
    return driven, record_of(plan, driven)


def record_of(plan: MatchPlan, driven: Driven) -> MatchRecord:
    log = LogWriter()
    log.start((ASKS_ALL,) * plan.rules.players)
    for played in driven.games:
        log.deal(played)
    kept = log.close()
    results = play_again(plan, kept).match.results()
    return MatchRecord(results=results, log=kept, stderr=(), isolation="none")


def altered(record: MatchRecord, **changes: object) -> MatchRecord:
    """A record with other results than its log leads to."""
    results = msgspec.structs.replace(record.results, **changes)
    return msgspec.structs.replace(record, results=results)


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
    assert list(play_again(plan, record.log).deals) == driven.games
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
    dealer, first, second, *rest = lines[3]["cards"].split("|")
    one, other = first.split("."), second.split(".")
    one[0], other[0] = other[0], one[0]
    lines[3]["cards"] = "|".join([dealer, ".".join(one), ".".join(other), *rest])


def another_card(lines: list[Fields]) -> None:
    plays = [step for step in lines[2]["steps"] if step[1] and len(step[1]) == 2]
    plays[0][1], plays[3][1] = plays[3][1], plays[0][1]


def step_that_the_arena_failed(lines: list[Fields]) -> None:
    lines[5]["steps"][0][1] = None
    lines[5]["failed"] = {"0": ["internal", "a worker died"]}


def start_that_the_arena_failed(lines: list[Fields]) -> None:
    del lines[0]["ready"]["0"]
    lines[0]["failed"] = {"0": ["internal", "a worker died"]}


@pytest.mark.parametrize(
    "change",
    [
        exchange_cards,
        another_card,
        step_that_the_arena_failed,
        start_that_the_arena_failed,
        lambda lines: lines.pop(4),
        lambda lines: lines.pop(),
        lambda lines: lines.append(lines[-1]),
        lambda lines: lines[5]["steps"].pop(),
        lambda lines: lines[5]["steps"].append([0, "QC", 1]),
        lambda lines: lines[5]["steps"][0].__setitem__(0, (lines[5]["steps"][0][0] + 1) % 3),
        lambda lines: lines[0].clear(),
        lambda lines: lines[2].__setitem__("cards", lines[2]["cards"][:-2] + "XX"),
        lambda lines: lines[2].__setitem__("cards", "2" + lines[2]["cards"][1:]),
        lambda lines: lines[0]["ready"].pop("0"),
    ],
)
def test_a_changed_log_is_refused(change: Callable[[list[Fields]], object]) -> None:
    _, record = played(PLANS[0], faults=0.0)
    with pytest.raises(Unfaithful):
        verify(PLANS[0], changed(record, change))


def test_a_changed_result_is_refused_with_its_place() -> None:
    _, record = played(PLANS[0])
    payments = list(record.results.payments)
    payments[7] = (payments[7][1], payments[7][0], payments[7][2] + 1)
    with pytest.raises(Unfaithful, match="deal 8: paid"):
        verify(PLANS[0], altered(record, payments=tuple(payments)))


def test_a_missing_fault_is_refused() -> None:
    _, record = played(PLANS[0])
    assert record.results.faults
    with pytest.raises(Unfaithful, match="the faults stored"):
        verify(PLANS[0], altered(record, faults=()))


@pytest.mark.parametrize(
    "change",
    [{"kind": "memory"}, {"seat": 3}, {"detail": "another"}],
    ids=lambda each: next(iter(each)),
)
def test_a_fault_of_another_kind_seat_or_detail_is_refused(change: dict[str, Any]) -> None:
    _, record = played(PLANS[0])
    first_fault, *others = record.results.faults
    fault = msgspec.structs.replace(first_fault.fault, **change)
    faults = (msgspec.structs.replace(first_fault, fault=fault), *others)
    with pytest.raises(Unfaithful, match="the faults stored"):
        verify(PLANS[0], altered(record, faults=faults))


def test_a_log_and_its_payments_cut_together_are_refused() -> None:
    plan = PLANS[0]
    shorter = msgspec.structs.replace(plan, deals=plan.deals[:-1])
    _, record = played(shorter)
    verify(shorter, record)
    with pytest.raises(Unfaithful, match="29 of 30 deals were played"):
        verify(plan, record)


def test_bytes_that_are_no_log_are_refused() -> None:
    _, record = played(PLANS[0])
    for log in (b"", b"nonsense", record.log[:-20], gzip.compress(b"{")):
        with pytest.raises(Unfaithful, match="cannot be read"):
            verify(PLANS[0], msgspec.structs.replace(record, log=log))


def every_step(record: MatchRecord) -> list[tuple[int, int, str]]:
    """Each answer of a log: its line, its step and what it says."""
    lines = [json.loads(line) for line in gzip.decompress(record.log).splitlines()]
    return [
        (number, step, said)
        for number, line in enumerate(lines[1:], 1)
        for step, (_, said, _) in enumerate(line["steps"])
        if said is not None
    ]


def test_no_card_of_a_deal_played_out_can_be_changed_for_another() -> None:
    """Whatever card is written in its place, legal there or not.

    Where a deal stopped early its payments do not depend on the cards, and nothing else is stored.
    """
    plan = plan_of(deals=8)
    dice = random.Random(3)
    driven, record = played(plan, faults=0.0)
    tried = 0
    for line, step, was in every_step(record):
        if was not in INDEX or sum(driven.games[line - 1].result.tricks.seats) < 8:
            continue
        for other in dice.sample([name for name in NAMES if name != was], 4):
            with pytest.raises(Unfaithful):
                verify(plan, edited(record, line, step, other))
            tried += 1
    assert tried > 200


def test_no_bid_discard_or_yes_of_a_log_can_be_changed() -> None:
    """A whole deal follows from each of them, so what comes after no longer fits."""
    plan = plan_of(preset("lzsf", {"surrender": {"declarer": "before_lead_3"}}), 12)
    _, record = played(plan, faults=0.0)
    others = {"pass": "ordinary", "ordinary": "pass", "take": "give", "give": "take"}
    others |= {"yes": "no", "no": "yes", "small_solo": "ordinary"}
    tried = set()
    for line, step, was in every_step(record):
        if was in others:
            with pytest.raises(Unfaithful):
                verify(plan, edited(record, line, step, others[was]))
            tried.add(was)
    assert {"pass", "ordinary", "take", "give", "yes", "no"} <= tried


def edited(record: MatchRecord, line: int, step: int, answer: str) -> MatchRecord:
    def change(lines: list[Fields]) -> None:
        lines[line]["steps"][step][1] = answer

    return changed(record, change)


def test_no_payment_of_a_record_can_be_changed() -> None:
    plan = plan_of(deals=5)
    _, record = played(plan)
    for deal, seat, by in product(range(5), range(3), (-1, 1)):
        payments = [list(paid) for paid in record.results.payments]
        payments[deal][seat] += by
        told = tuple(tuple(paid) for paid in payments)
        with pytest.raises(Unfaithful, match=f"deal {deal + 1}: paid"):
            verify(plan, altered(record, payments=told))


def test_no_course_of_a_record_can_be_changed() -> None:
    plan = plan_of(deals=5)
    _, record = played(plan)
    for deal, course in enumerate(record.results.courses):
        for other in (
            Course((course.dealer + 1) % 3, course.contract, course.declarer),
            Course(course.dealer, "blind", course.declarer),
            Course(course.dealer, course.contract, None if course.declarer == 0 else 0),
        ):
            told = (*record.results.courses[:deal], other, *record.results.courses[deal + 1 :])
            with pytest.raises(Unfaithful, match=f"deal {deal + 1}: went as"):
                verify(plan, altered(record, courses=told))
    for courses in (
        record.results.courses[:-1],
        (*record.results.courses, record.results.courses[0]),
    ):
        with pytest.raises(Unfaithful):
            verify(plan, altered(record, courses=courses))


def test_results_with_a_deal_more_or_less_are_refused() -> None:
    _, record = played(PLANS[0])
    for payments in (record.results.payments[:-1], (*record.results.payments, (0, 0, 0)), ()):
        with pytest.raises(Unfaithful):
            verify(PLANS[0], altered(record, payments=payments))


def test_a_seat_wrongly_said_to_be_disqualified_is_refused() -> None:
    plan = PLANS[4]
    _, record = played(plan, faults=0.05)
    assert record.results.disqualified
    for seats in ((), (0, 1, 2)):
        with pytest.raises(Unfaithful, match="the disqualified seats"):
            verify(plan, altered(record, disqualified=seats))


def test_a_wrong_number_of_decisions_is_refused() -> None:
    plan = plan_of(deals=3)
    driven, record = played(plan)
    decisions = sum(len(game.steps) for game in driven.games)
    verify(plan, altered(record, decisions=decisions))
    with pytest.raises(Unfaithful):
        verify(plan, altered(record, decisions=decisions + 1))


def test_a_deal_after_the_disqualification_is_refused() -> None:
    """The match was over: a further line of the log cannot have been played."""
    plan = PLANS[4]
    _, record = played(plan, faults=0.05)
    assert len(record.results.payments) < len(plan.deals)
    deal = plan.deals[len(record.results.payments)]

    def one_more(lines: list[Fields]) -> None:
        line = {"deal": len(lines) - 1, "cards": deal_text(deal)}
        lines.append({**line, "steps": [[0, "QC", 1]]})

    with pytest.raises(Unfaithful):
        verify(plan, changed(record, one_more))


@pytest.mark.parametrize(
    "reply",
    [
        PlayReply(id=0, card="offer"),
        PlayReply(id=0, card=""),
        BidReply(id=0, bid="yes"),
        DiscardReply(id=0, cards=("QC.QS", "x")),
        DiscardReply(id=0, cards=("", "")),
        TalonReply(id=0, choice="no"),
    ],
)
def test_a_bot_cannot_make_its_match_unfaithful_by_the_words_it_chooses(reply: AnyReply) -> None:
    plan = plan_of(preset("lzsf", {"surrender": {"defender": True}}), 3)
    odd = 0

    def answer(seat: int, request: AnyRequest) -> AnyReply:
        nonlocal odd
        usual = first(seat, request)
        if seat != 2 or type(usual) is not type(reply):
            return usual
        odd += 1
        return msgspec.structs.replace(reply, id=request.id)

    driven = drive(plan, answer)
    assert odd
    record = record_of(plan, driven)
    assert list(play_again(plan, record.log).deals) == driven.games
    verify(plan, record)


def test_what_was_said_to_a_seat_is_told_again_from_the_log() -> None:
    """Every line of the arena and all that came of it, but for the seconds."""
    plan = plan_of(preset("piedalies"), 10)
    driven, record = played(plan, faults=0.02)
    for seat in range(3):
        lines, answers = zip(*play_again(plan, record.log).transcript(seat), strict=True)
        assert list(lines) == driven.lines_to(seat)
        said = [what for to, what in driven.exchange if to == seat and not isinstance(what, ToBot)]
        assert [_reply(answer) for answer in answers if answer is not None] == said


def _reply(answer: Answered) -> object:
    return answer.reply if isinstance(answer, Said) else answer


def test_a_step_that_failed_has_no_answer() -> None:
    """Else a log could show a card that was never said."""
    plan = PLANS[0]
    _, record = played(plan)

    def answered(lines: list[Fields]) -> None:
        line = next(line for line in lines[1:] if "failed" in line)
        line["steps"][int(next(iter(line["failed"])))][1] = "QC"

    with pytest.raises(Unfaithful):
        verify(plan, changed(record, answered))


@pytest.mark.parametrize("kept", ["notes", "failed"])
def test_a_note_or_failure_of_no_step_is_refused(kept: str) -> None:
    plan = PLANS[0]
    _, record = played(plan, faults=0.0)
    value = "psst" if kept == "notes" else ["timeout", "psst"]
    with pytest.raises(Unfaithful):
        verify(
            plan, changed(record, lambda lines: lines[3].setdefault(kept, {}).update({999: value}))
        )
