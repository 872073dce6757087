"""A log replays to what happened, and nothing in it can be changed unnoticed."""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from operator import setitem
from typing import Any

import msgspec
import pytest

from arena.match.commands import Failed, MatchPlan, Said
from arena.match.log import LogMismatch, LogWriter
from arena.match.logged import Answered, play_again, verify
from arena.match.record import Course, MatchRecord, Results
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    BidReply,
    DiscardReply,
    PlayReply,
    Ready,
    TalonReply,
    ToBot,
)
from arena.zole.cards import INDEX, NAMES
from arena.zole.deal import deal_text
from arena.zole.rules import Rules, preset
from tests.match.test_referee import but, first
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


def record_of(plan: MatchPlan, driven: Driven, ready: Ready = ASKS_ALL) -> MatchRecord:
    log = LogWriter()
    log.start((ready,) * plan.rules.players)
    for played in driven.games:
        log.deal(played)
    kept = log.close()
    results = play_again(plan, kept).match.results()
    return MatchRecord(results=results, log=kept, stderr=(), isolation="none")


def altered(record: MatchRecord, **changes: object) -> MatchRecord:
    """A record with other results than its log leads to."""
    results = msgspec.structs.replace(record.results, **changes)
    return msgspec.structs.replace(record, results=results)


def is_refused(plan: MatchPlan, record: MatchRecord, why: str = ".") -> None:
    with pytest.raises(LogMismatch, match=why):
        verify(plan, record)


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


def test_a_deal_takes_less_than_300_bytes_of_log() -> None:
    _, record = played(plan_of(deals=60), faults=0.0)
    assert len(record.log) / 60 < 300


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


def answer_of_a_failed_step(lines: list[Fields]) -> None:
    """A log could show a card that was never sent."""
    line = next(line for line in lines[1:] if "failed" in line)
    line["steps"][int(next(iter(line["failed"])))][1] = "QC"


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
        lambda lines: setitem(step := lines[5]["steps"][0], 0, (step[0] + 1) % 3),
        answer_of_a_failed_step,
        step_that_the_arena_failed,
        start_that_the_arena_failed,
        lambda lines: lines.pop(4),
        lambda lines: lines.pop(),
        lambda lines: lines.append(lines[-1]),
        lambda lines: lines[5]["steps"].pop(),
        lambda lines: lines[5]["steps"].append([0, "QC", 1]),
        lambda lines: lines[0].clear(),
        lambda lines: lines[2].update(cards=lines[2]["cards"][:-2] + "XX"),
        lambda lines: lines[2].update(cards="2" + lines[2]["cards"][1:]),
        lambda lines: lines[0]["ready"].pop("0"),
        lambda lines: lines[3].setdefault("notes", {}).update({"999": "psst"}),
        lambda lines: lines[3].setdefault("failed", {}).update({"999": ["timeout", "psst"]}),
    ],
)
def test_a_changed_log_is_refused(change: Callable[[list[Fields]], object]) -> None:
    _, record = played(PLANS[0])
    is_refused(PLANS[0], changed(record, change))


def with_fault(results: Results, **changes: object) -> Fields:
    first_fault, *others = results.faults
    fault = msgspec.structs.replace(first_fault.fault, **changes)
    return {"faults": (msgspec.structs.replace(first_fault, fault=fault), *others)}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda results: {"faults": ()}, "the faults stored"),
        (lambda results: with_fault(results, kind="memory"), "the faults stored"),
        (lambda results: with_fault(results, seat=3), "the faults stored"),
        (lambda results: with_fault(results, detail="another"), "the faults stored"),
        (lambda results: {"payments": results.payments[:-1]}, "."),
        (lambda results: {"payments": (*results.payments, (0, 0, 0))}, "."),
        (lambda results: {"payments": ()}, "."),
        (lambda results: {"courses": results.courses[:-1]}, "."),
        (lambda results: {"courses": (*results.courses, results.courses[0])}, "."),
        (lambda results: {"disqualified": ()}, "the disqualified seats"),
        (lambda results: {"disqualified": (0, 1, 2)}, "the disqualified seats"),
        (lambda results: {"decisions": results.decisions + 1}, "."),
    ],
)
def test_results_that_the_log_does_not_lead_to_are_refused(
    change: Callable[[Results], Fields], why: str
) -> None:
    _, record = played(PLANS[4], faults=0.05)
    assert record.results.disqualified
    is_refused(PLANS[4], altered(record, **change(record.results)), why)


def test_a_log_and_its_payments_cut_together_are_refused() -> None:
    plan = PLANS[0]
    shorter = msgspec.structs.replace(plan, deals=plan.deals[:-1])
    _, record = played(shorter)
    verify(shorter, record)
    is_refused(plan, record, "29 of 30 deals were played")


def single_deals(rules: Rules, count: int) -> Iterator[tuple[MatchPlan, Driven, MatchRecord]]:
    """Matches of one deal each, without faults: they are verified in a moment."""
    for number, deal in enumerate(plan_of(rules, count).deals):
        plan = plan_of(rules, [deal])
        yield plan, *played(plan, seed=number, faults=0.0)


def answers(record: MatchRecord) -> list[tuple[int, str]]:
    """The steps of the only deal of a log that have an answer, and their answers."""
    _, line = (json.loads(line) for line in gzip.decompress(record.log).splitlines())
    return [(step, said) for step, (_, said, _) in enumerate(line["steps"]) if said is not None]


def test_no_card_of_a_deal_played_out_can_be_changed_for_another() -> None:
    """For any other card, legal there or not.

    Where a deal stopped early its payments do not depend on the cards, and nothing else is stored.
    """
    dice, tried = random.Random(3), 0
    for plan, driven, record in single_deals(preset(), 12):
        if sum(driven.games[0].result.tricks.seats) < 8:
            continue
        for step, was in answers(record):
            if was not in INDEX:
                continue
            for other in dice.sample([name for name in NAMES if name != was], 4):
                is_refused(plan, edited(record, step, other))
                tried += 1
    assert tried > 200


def test_no_bid_discard_or_yes_of_a_log_can_be_changed() -> None:
    """A whole deal follows from each of them, so what comes after no longer fits."""
    rules = preset("lzsf", {"surrender": {"declarer": "before_lead_3"}})
    others = {"pass": "ordinary", "ordinary": "pass", "take": "give", "give": "take"}
    others |= {"yes": "no", "no": "yes", "small_solo": "ordinary"}
    tried = set()
    for plan, _, record in single_deals(rules, 24):
        for step, was in answers(record):
            if was in others:
                is_refused(plan, edited(record, step, others[was]))
                tried.add(was)
    assert {"pass", "ordinary", "take", "give", "yes", "no"} <= tried


def edited(record: MatchRecord, step: int, answer: str) -> MatchRecord:
    return changed(record, lambda lines: setitem(lines[1]["steps"][step], 1, answer))


def test_no_payment_or_course_of_a_record_can_be_changed() -> None:
    plan = plan_of(deals=5)
    _, record = played(plan)
    for deal, seat, by in product(range(5), range(3), (-1, 1)):
        payments = [list(paid) for paid in record.results.payments]
        payments[deal][seat] += by
        false = altered(record, payments=tuple(map(tuple, payments)))
        is_refused(plan, false, f"deal {deal + 1}: paid")
    courses = record.results.courses
    for deal, course in enumerate(courses):
        for other in (
            Course((course.dealer + 1) % 3, course.contract, course.declarer),
            Course(course.dealer, "blind", course.declarer),
            Course(course.dealer, course.contract, None if course.declarer == 0 else 0),
        ):
            false = altered(record, courses=(*courses[:deal], other, *courses[deal + 1 :]))
            is_refused(plan, false, f"deal {deal + 1}: went as")


def test_a_deal_after_the_disqualification_is_refused() -> None:
    """The match was over: a further line of the log cannot have been played."""
    plan = PLANS[4]
    _, record = played(plan, faults=0.05)
    assert len(record.results.payments) < len(plan.deals)
    deal = plan.deals[len(record.results.payments)]

    line = {"cards": deal_text(deal), "steps": [[0, "QC", 1]]}
    longer = changed(record, lambda lines: lines.append({"deal": len(lines) - 1, **line}))
    is_refused(plan, longer)


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
def test_a_bot_cannot_make_its_record_wrong_by_the_words_it_chooses(reply: AnyReply) -> None:
    plan = plan_of(preset("lzsf", {"surrender": {"defender": True}}), 3)

    def odd(seat: int, request: AnyRequest) -> AnyReply | None:
        is_asked = seat == 2 and type(first(seat, request)) is type(reply)
        return msgspec.structs.replace(reply, id=request.id) if is_asked else None

    driven = drive(plan, but(odd))
    assert any(type(said) is type(reply) for seat, said in driven.exchange if seat == 2)
    record = record_of(plan, driven)
    assert list(play_again(plan, record.log).deals) == driven.games
    verify(plan, record)


def test_the_lines_to_a_seat_and_its_answers_are_read_again_from_the_log() -> None:
    """Every line of the arena and every outcome, but not the seconds."""
    plan = plan_of(preset("piedalies"), 10)
    driven, record = played(plan, faults=0.02)
    for seat in range(3):
        lines, answers = zip(*play_again(plan, record.log).transcript(seat), strict=True)
        assert list(lines) == driven.lines_to(seat)
        said = [what for to, what in driven.exchange if to == seat and not isinstance(what, ToBot)]
        assert [_reply(answer) for answer in answers if answer is not None] == said


def _reply(answer: Answered) -> object:
    return answer.reply if isinstance(answer, Said) else answer
