"""A log keeps what happened and replays to it, and nothing in it can be changed unnoticed."""

import gzip
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from operator import setitem
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.commands import Failed, MatchPlan, Said
from arena.match.log import LoggedStart, LogMismatch, LogWriter, answer_from, answer_text, read_log
from arena.match.logged import play_again, verify
from arena.match.record import Course, MatchRecord, Results
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    BidReply,
    BlindReply,
    DiscardReply,
    OfferReply,
    PlayReply,
    Ready,
    SurrenderReply,
    TalonReply,
    ToBot,
)
from arena.zole.cards import NAMES
from arena.zole.deal import deal_text
from arena.zole.rules import Rules, preset
from tests.match.test_referee import but, first
from tests.support.chance import by_chance
from tests.support.scripted import ASKS_ALL, Driven, drive, plan_of

Fields = dict[str, Any]
Change = Callable[[list[Fields]], object]


def played(plan: MatchPlan, seed: int = 1, faults: float = 0.01) -> tuple[Driven, MatchRecord]:
    """A match by chance, with notes and faults in it, and its record."""
    dice = random.Random(seed)

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        if dice.random() < faults:
            return Failed(dice.choice(("timeout", "malformed")), "by chance", 500_000)
        reply = by_chance(dice, request)
        note = "ķ\n\"'" if dice.random() < 0.05 else None
        return msgspec.structs.replace(reply, note=note)

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


def lines_of(record: MatchRecord) -> list[Fields]:
    return [json.loads(line) for line in gzip.decompress(record.log).splitlines()]


def changed(record: MatchRecord, change: Change) -> MatchRecord:
    """The record with a change made to the lines of its log."""
    lines = lines_of(record)
    change(lines)
    log = gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    return msgspec.structs.replace(record, log=log)


def waiting(driven: Driven, us: int, **fields: object) -> Driven:
    """A match in each deal of which the first bot to answer waited for its core."""

    def waited(steps: Sequence[Any]) -> tuple[Any, ...]:
        late = msgspec.structs.replace(steps[0].outcome, withheld_us=us)
        return msgspec.structs.replace(steps[0], outcome=late), *steps[1:]

    games = [
        msgspec.structs.replace(game, steps=waited(game.steps), **fields) for game in driven.games
    ]
    return Driven(games, [])


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
THE_PLAN, THE_LAST = PLANS[0], PLANS[-1]


@pytest.mark.parametrize("plan", [*PLANS, plan_of(preset("piedalies"), 10)])
def test_a_log_replays_to_the_same_games_and_lines(plan: MatchPlan) -> None:
    """Every line of the arena to a seat and every outcome, but not the seconds."""
    driven, record = played(plan)
    again = play_again(plan, record.log)
    assert list(again.deals) == driven.games
    verify(plan, record)
    for seat in range(plan.rules.players):
        lines, answers = zip(*again.transcript(seat), strict=True)
        assert list(lines) == driven.lines_to(seat)
        outcomes = [each.reply if isinstance(each, Said) else each for each in answers if each]
        said = [what for to, what in driven.exchange if to == seat and not isinstance(what, ToBot)]
        assert outcomes == said


def test_a_deal_takes_less_than_300_bytes_of_log() -> None:
    _, record = played(plan_of(deals=60), faults=0.0)
    assert len(record.log) / 60 < 300


def answer_of_a_failed_step(lines: list[Fields]) -> None:
    """A log could show a card that was never sent."""
    line = next(line for line in lines[1:] if "failed" in line)
    line["steps"][int(next(iter(line["failed"])))][1] = "QC"


def deal_after_the_disqualification(lines: list[Fields]) -> None:
    """The match was over: a further line of the log cannot have been played."""
    cards = deal_text(THE_LAST.deals[len(lines) - 1])
    lines.append({"deal": len(lines) - 1, "cards": cards, "steps": [[0, "QC", 1]]})


BY_THE_ARENA = {"0": ["internal", "a worker died"]}


@pytest.mark.parametrize(
    ("plan", "change"),
    [
        *(
            (THE_PLAN, change)
            for change in (
                lambda lines: lines[3].update(
                    cards=re.sub(r"\|(..)(.*?)\|(..)", r"|\3\2|\1", lines[3]["cards"], count=1)
                ),
                lambda lines: setitem(lines[5]["steps"][0], 0, (lines[5]["steps"][0][0] + 1) % 3),
                answer_of_a_failed_step,
                lambda lines: lines[5].update(
                    steps=[[lines[5]["steps"][0][0], None, 1], *lines[5]["steps"][1:]],
                    failed=BY_THE_ARENA,
                ),
                lambda lines: lines[0].update(
                    ready={seat: lines[0]["ready"][seat] for seat in "12"}, failed=BY_THE_ARENA
                ),
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
                lambda lines: lines[3].setdefault("failed", {}).update({"999": ["timeout", "x"]}),
            )
        ),
        (THE_LAST, deal_after_the_disqualification),
    ],
)
def test_a_changed_log_is_refused(plan: MatchPlan, change: Change) -> None:
    _, record = played(plan, faults=0.05)
    is_refused(plan, changed(record, change))


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
    _, record = played(THE_LAST, faults=0.05)
    assert record.results.disqualified
    assert len(record.results.payments) < len(THE_LAST.deals)
    is_refused(THE_LAST, altered(record, **change(record.results)), why)


def test_a_log_and_its_payments_cut_together_are_refused() -> None:
    shorter = msgspec.structs.replace(THE_PLAN, deals=THE_PLAN.deals[:-1])
    _, record = played(shorter)
    verify(shorter, record)
    is_refused(THE_PLAN, record, "29 of 30 deals were played")


CARDS = {card: [other for other in NAMES if other != card] for card in NAMES}
WORDS = {"pass": ["ordinary"], "ordinary": ["pass"], "take": ["give"], "give": ["take"]}
WORDS |= {"yes": ["no"], "no": ["yes"]}


@pytest.mark.parametrize(
    ("rules", "deals", "others"),
    [
        (preset(), 12, CARDS),
        (preset("lzsf", {"surrender": {"declarer": "before_lead_3"}}), 24, WORDS),
    ],
)
def test_no_answer_of_a_deal_can_be_changed_for_another(
    rules: Rules, deals: int, others: Mapping[str, Sequence[str]]
) -> None:
    """A whole deal follows from each, and a card is played once, whether another is legal or not.

    Where a deal stopped early its payments do not depend on the cards, and nothing else is stored.
    """
    dice, tried = random.Random(3), set()
    for seed, deal in enumerate(plan_of(rules, deals).deals):
        plan = plan_of(rules, [deal])
        driven, record = played(plan, seed, faults=0.0)  # one deal: it is verified in a moment
        is_whole = sum(driven.games[0].result.tricks.seats) == 8
        for step, (_, was, _) in enumerate(lines_of(record)[1]["steps"]):
            if was not in others or (was in CARDS and not is_whole):
                continue
            for other in dice.sample(others[was], min(4, len(others[was]))):

                def change(lines: list[Fields], step: int = step, other: str = other) -> None:
                    lines[1]["steps"][step][1] = other

                is_refused(plan, changed(record, change))
            tried.add(was)
    assert tried == others.keys()


def test_no_payment_or_course_of_a_record_can_be_changed() -> None:
    plan = plan_of(deals=5)
    _, record = played(plan)
    results = record.results
    for deal, (paid, course) in enumerate(zip(results.payments, results.courses, strict=True)):
        for seat, by in product(range(3), (-1, 1)):
            false = tuple(stakes + by * (seat == who) for who, stakes in enumerate(paid))
            others = (*results.payments[:deal], false, *results.payments[deal + 1 :])
            is_refused(plan, altered(record, payments=others), f"deal {deal + 1}: paid")
        for changes in (
            {"dealer": (course.dealer + 1) % 3},
            {"contract": "blind"},
            {"declarer": None if course.declarer == 0 else 0},
        ):
            wrong: Course = msgspec.structs.replace(course, **changes)
            courses = (*results.courses[:deal], wrong, *results.courses[deal + 1 :])
            is_refused(plan, altered(record, courses=courses), f"deal {deal + 1}: went as")


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


ASKED = (3, 0, 0, 1, (), 60.0)
YES_OR_NO: list[AnyRequest] = [AskBlind(*ASKED), AskSurrender(*ASKED, ()), AskOffer(*ASKED, (), 2)]
BLIND, SURRENDER, OFFER = YES_OR_NO
PLAY = AskPlay(*ASKED, ("QC",), (), ("QC",), True)
# A bot may write any text where a word is due, also the words that a log uses itself.
ANY = st.text(max_size=16) | st.sampled_from(
    ["", "offer", "yes", "no", "QC", "QC.QS", ".", "take", "solo"]
)
REPLIES: list[tuple[AnyRequest, type[AnyReply], dict[str, st.SearchStrategy[Any]]]] = [
    (BLIND, BlindReply, {"blind": st.booleans()}),
    (SURRENDER, SurrenderReply, {"surrender": st.booleans()}),
    (OFFER, OfferReply, {"accept": st.booleans()}),
    (PLAY, PlayReply, {"offer": st.just(True)}),
    (PLAY, PlayReply, {"card": ANY}),  # "offer" is then an illegal card
    (AskBid(*ASKED, (), ()), BidReply, {"bid": ANY}),
    (AskTalon(*ASKED, (), ()), TalonReply, {"choice": ANY}),
    # Cards with a dot in them join to a word that could be split elsewhere.
    (AskDiscard(*ASKED, (), ()), DiscardReply, {"cards": st.tuples(ANY, ANY)}),
]


@pytest.mark.parametrize(("request_", "kind", "fields"), REPLIES)
@given(data=st.data(), note=st.none() | st.text(max_size=100))
def test_any_answer_of_a_bot_comes_back_as_it_was(
    request_: AnyRequest, kind: Any, fields: Any, data: st.DataObject, note: str | None
) -> None:
    reply = kind(id=3, note=note, **data.draw(st.fixed_dictionaries(fields)))
    assert answer_from(answer_text(reply), request_, note) == reply


@pytest.mark.parametrize("request_", YES_OR_NO)
@pytest.mark.parametrize("word", ["QC", "", "Yes", "offer"])
def test_a_word_that_is_neither_yes_nor_no_is_refused(request_: AnyRequest, word: str) -> None:
    with pytest.raises(LogMismatch):
        answer_from(word, request_)


@given(st.integers(1, 10**30), st.text(max_size=30) | st.none())
def test_any_ready_comes_back_as_it_was(tables: int, name: str | None) -> None:
    ready = Ready(1, name=name, tables=tables, asks=("offer",))
    log = LogWriter()
    log.start((ready, Failed("unready", "not in time"), ASKS_ALL))
    start, deals = read_log(log.close())
    assert isinstance(start, LoggedStart)
    failed = {seat: (said.kind, said.detail) for seat, said in start.failed.items()}
    assert (start.ready, failed) == ({0: ready, 2: ASKS_ALL}, {1: ("unready", "not in time")})
    assert list(deals) == []


def read_all(log: bytes) -> object:
    return list(read_log(log)[1])


def test_a_log_that_is_damaged_or_cut_anywhere_is_refused() -> None:
    """Compressed bytes have a checksum; only the head's flags and time may differ unseen."""
    log, dice = played(plan_of(deals=3))[1].log, random.Random(1)
    damaged = [log[:size] for size in (0, 1, 9, 10, 40, -1, -8, -9)]
    for _ in range(200):
        place = dice.randrange(10, len(log))
        other = log[place] ^ dice.randrange(1, 256)
        damaged.append(log[:place] + bytes([other]) + log[place + 1 :])
    for each in damaged:
        with pytest.raises(LogMismatch, match="cannot be read"):
            read_all(each)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (b"", read_all),
        (b"\n", read_all),
        (b"null", read_all),
        (b"[]", read_all),
        (b'{"ready":{"x":1}}', read_all),
        (b'{"ready":{"0":{"type":"play"}}}', read_all),
        (b'{"ready":{}}\n{"deal":0}', read_all),
        (b'{"ready":{}}\n\xff', read_all),
        (b'{"ready":{}}\n\n{"deal":0,"cards":"","steps":[]}', read_all),
        (b'{"ready":{},"x":' + b"[" * 100_000, read_all),
        (b'{"ready":{}}\n{"x":' + b"[" * 100_000, read_all),
        (b"\n" * 300_000, read_log),  # before a deal is asked for
        (b"\r" * 300_000, read_log),
    ],
    ids=range(13),
)
def test_text_that_is_no_log_is_refused(text: bytes, read: Callable[[bytes], object]) -> None:
    with pytest.raises(LogMismatch, match="cannot be read"):
        read(gzip.compress(text, 1))


def test_equal_matches_have_equal_logs_whenever_they_were_written() -> None:
    one, same, other = (played(plan_of(deals=3), seed)[1].log for seed in (1, 1, 2))
    assert one == same != other
    assert one[4:8] == bytes(4)  # no time of day in the head


def test_notes_never_make_a_log_too_large_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(deals=20)
    monkeypatch.setattr("arena.match.log.NOTED", 2048)
    _, record = played(plan, faults=0.05)
    noted = [bool(line.notes) for line in read_log(record.log)[1]]
    assert (any(noted), any(noted[10:])) == (True, False)
    verify(plan, record)


def test_what_was_withheld_from_a_bot_is_kept_and_replays() -> None:
    plan = plan_of(deals=2)
    driven, record = played(plan)
    waited = record_of(plan, waiting(driven, 70_000))
    assert [line.withheld for line in read_log(waited.log)[1]] == [{0: 70_000}] * 2
    assert b"withheld" not in gzip.decompress(record.log)
    verify(plan, waited)
    kept = [deal.steps[0].outcome.withheld_us for deal in play_again(plan, waited.log).deals]
    assert kept == [70_000] * 2
