"""A person's screen, fed with whole matches: what it shows of them, and every answer by keys."""

from collections.abc import Callable
from functools import cache, partial

import msgspec
import pytest

from arena.match.wire import (
    AskBid,
    AskDiscard,
    AskPlay,
    BidReply,
    Bye,
    DealEnd,
    Dealt,
    DiscardReply,
    FromBot,
    Hello,
    Malformed,
    PlayReply,
    Ready,
    Refused,
    Reply,
    Request,
    ToBot,
    decode,
    encode,
)
from arena.people.terminal_face import Face
from arena.people.terminal_picture import picture
from arena.people.terminal_table import begun, happened, laid_aside, told, turn
from arena.people.terminal_words import request_words, short_name
from arena.zole.rules import preset, preset_names
from tests.golden import ROOT
from tests.support.by_keys import ENTER, RIGHT, answered, arrows, keys_shown
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import TRANSCRIPTS, Entry, simple

Exchange = list[ToBot | FromBot | None]
"""One seat's lines in order; None where an answer did not come, or not one that can be read."""

KEYS = {"keys shown": keys_shown, "arrow keys": arrows}
FOREVER = 1e9


@cache
def transcript(name: str, seat: int) -> Exchange:
    """A golden transcript as one seat knows it."""
    decoder = msgspec.json.Decoder(Entry)
    to_bot = msgspec.json.Decoder(ToBot)
    found: Exchange = []
    path = ROOT / "protocol" / "transcripts" / f"{name}.jsonl"
    for line in path.read_bytes().splitlines():
        entry = decoder.decode(line)
        if entry.to == seat:
            found.append(to_bot.decode(msgspec.json.encode(entry.line)))
        elif entry.by == seat:
            found.append(None if entry.line is None else _answer(entry.line))
    return found


def _answer(line: object) -> FromBot | None:
    try:
        return decode(msgspec.json.encode(line))
    except Malformed:
        return None


@cache
def match_by(rules: str, players: int) -> Exchange:
    """Four deals by a preset as seat 0 knows them."""
    driven = drive(
        plan_of(preset(rules, {"players": players}), 4), lambda _, request: simple(6)(request)
    )
    return [
        what if isinstance(what, ToBot | FromBot) else None
        for seat, what in driven.exchange
        if seat == 0
    ]


EXCHANGES: dict[str, Callable[[], Exchange]] = {
    **{
        f"{name}-{seat}": partial(transcript, name, seat)
        for name in TRANSCRIPTS
        for seat in range(3)
    },
    **{
        f"{rules}-{players}": partial(match_by, rules, players)
        for rules in preset_names()
        for players in (3, 4)
    },
}


def heard(face: Face, message: ToBot) -> None:
    """Let the face hear a message, and show all that waits."""
    face.hear(encode(message), 0.0)
    if face.pass_time(FOREVER) is not None:
        face.press(" ")


@pytest.mark.parametrize("name", EXCHANGES)
def test_every_answer_can_be_given_by_the_keys_that_are_shown_and_by_arrow_keys(name: str) -> None:
    for keys in KEYS.values():
        face = Face(0.0)
        for what in EXCHANGES[name]():
            if isinstance(what, ToBot):
                heard(face, what)
                if isinstance(what, DealEnd):
                    face.press(ENTER)
            elif isinstance(what, Reply) and _legal(face, what):
                assert answered(face, keys(face, what)) == msgspec.structs.replace(what, note=None)
        assert face.over is isinstance(what, Bye)


def _legal(face: Face, reply: Reply) -> bool:
    return not (isinstance(reply, PlayReply) and reply.card and reply.card not in face.legal)


@pytest.mark.parametrize("name", EXCHANGES)
def test_what_events_make_of_the_table_is_what_requests_and_results_say(name: str) -> None:
    exchange = EXCHANGES[name]()
    assert isinstance(exchange[0], Hello)
    table = begun(exchange[0])
    for what in exchange:
        if isinstance(what, DiscardReply):
            table = laid_aside(table, what)
        if not isinstance(what, Request | DealEnd):
            continue
        for event in what.events:
            if isinstance(event, Dealt):
                assert table.totals == event.totals
            table = happened(table, event)
        if isinstance(what, AskPlay):
            assert table.trick == what.trick
            assert table.hand in ((), what.hand)
            assert turn(table) == what.seat or not (table.trick or table.last)
        if isinstance(what, DealEnd):
            assert table.tricks == what.result.tricks.seats
            assert table.points == what.result.points.seats
        table = told(table, what)
        assert not isinstance(what, AskBid) or turn(table) == what.seat


@pytest.mark.parametrize("size", [(60, 24), (100, 40), (37, 16)])
@pytest.mark.parametrize("name", ["blind-2", "four_at_the_table-0", "refused_offer-1", "lzsf-3"])
def test_a_picture_fits_its_screen_and_never_lacks_the_question(
    name: str, size: tuple[int, int]
) -> None:
    width, height = size
    face = Face(0.0)
    for what in EXCHANGES[name]():
        if isinstance(what, ToBot):
            heard(face, what)
            lines = picture(face, width, height, 0.0)
            assert len(lines) == height
            assert max(line.cell_len for line in lines) <= width
            shown = " ".join("".join(line.plain for line in lines).split())
            if face.asked is not None and face.table is not None:
                assert request_words(face.table, face.asked)[:25] in shown
            assert all(short_name(card) in shown for card in face.legal)
            if isinstance(what, DealEnd):
                assert "Paid: you" in shown
                face.press(ENTER)
        elif isinstance(what, Reply):
            answered(face, keys_shown(face, what))


def asked(kind: type[Request], exchange: Exchange) -> Face:
    """A face at the first such question."""
    face = Face(0.0)
    for what in exchange:
        if isinstance(what, ToBot):
            heard(face, what)
        elif isinstance(what, Reply):
            answered(face, keys_shown(face, what))
        if isinstance(what, kind):
            return face
    raise AssertionError(f"{kind} is not asked")


def test_events_are_shown_one_after_another_and_a_question_after_them() -> None:
    face = Face(1.0)
    hello, _, request, *_ = transcript("ordinary_win", 2)
    assert isinstance(hello, Hello)
    assert isinstance(request, AskPlay)
    face.hear(encode(hello), 0.0)
    face.hear(encode(request), 0.0)
    due = face.pass_time(0.0)
    steps = 0
    while due is not None:
        assert face.asked is None
        assert len(face.log) <= steps + 1
        due, steps = face.pass_time(due), steps + 1
    assert steps == len(request.events)
    assert face.asked == request


def test_a_card_that_is_not_allowed_is_refused_with_words_and_sent_nowhere() -> None:
    face = asked(AskPlay, transcript("ordinary_win", 0))
    assert isinstance(face.asked, AskPlay)
    barred = next(card for card in face.asked.hand if card not in face.legal)
    assert face.press(str(face.asked.hand.index(barred) + 1)) is None
    assert "not allowed" in face.said
    assert face.press("0") is None
    assert face.asked is not None


def test_enter_answers_nothing_before_something_is_chosen() -> None:
    face = asked(AskBid, transcript("ordinary_win", 1))
    assert face.press(ENTER) is None
    assert face.press(RIGHT) is None
    assert isinstance(face.press(ENTER), BidReply)


def test_a_picked_card_can_be_put_back() -> None:
    face = asked(AskDiscard, transcript("ordinary_win", 1))
    assert isinstance(face.asked, AskDiscard)
    hand = face.asked.hand
    for key in ("1", "2", "3"):
        face.press(key)
    assert len(face.picked) == 2
    assert "put one back" in face.said
    face.press("1")
    assert face.press(ENTER) is None
    face.press("0")
    answer = face.press(ENTER)
    assert isinstance(answer, DiscardReply)
    assert answer.cards == (hand[1], hand[9])


def test_a_refused_answer_brings_the_question_back_with_the_reason() -> None:
    face = Face(0.0)
    for what in transcript("corrected", 0):
        if isinstance(what, ToBot):
            heard(face, what)
        elif isinstance(what, Reply) and _legal(face, what):
            answered(face, keys_shown(face, what))
        elif what is not None and not isinstance(what, Ready):
            face.press("1")
        if isinstance(what, Refused):
            assert isinstance(face.asked, AskPlay)
            assert face.said == f"{what.fault}: {what.detail}"
            return
    raise AssertionError("nothing was refused")


def test_a_question_that_was_given_up_is_asked_no_more() -> None:
    exchange = transcript("timeout", 0)
    face = Face(0.0)
    missed = exchange.index(None)
    for what in exchange[:missed]:
        if isinstance(what, ToBot):
            heard(face, what)
        elif isinstance(what, Reply):
            answered(face, keys_shown(face, what))
    assert face.asked is not None
    end = exchange[missed + 1]
    assert isinstance(end, DealEnd)
    heard(face, end)
    assert face.asked is None
    assert any("Your fault: timeout" in said for said in face.log)


def test_a_hint_moves_the_cursor_and_enter_takes_it() -> None:
    face = asked(AskPlay, transcript("ordinary_win", 1))
    assert face.press("h") == "hint"
    reply = PlayReply(id=face.asked.id if face.asked else -1, card=face.legal[-1])
    face.hinted(reply)
    assert "Hint: " in face.said
    assert face.press(ENTER) == reply


def test_leaving_is_asked_about_but_for_ctrl_c() -> None:
    face = asked(AskBid, transcript("ordinary_win", 1))
    assert face.press("q") is None
    assert face.press("n") is None
    assert face.asked is not None
    assert face.press("q") is None
    assert face.press("y") == "leave"
    assert face.press("\x03") == "leave"


def test_the_clock_runs_from_when_the_question_came() -> None:
    face = asked(AskBid, transcript("ordinary_win", 1))
    first, later = ("\n".join(line.plain for line in picture(face, 60, 24, now)) for now in (0, 15))
    assert "1:00" in first
    assert "0:45" in later
