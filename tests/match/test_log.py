"""A log keeps every answer as one word and restores it exactly; a damaged log is refused."""

import gzip
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.commands import Failed
from arena.match.log import LoggedStart, LogMismatch, LogWriter, answer_from, answer_text, read_log
from arena.match.logged import LoggedMatch, play_again, verify
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
)
from tests.match.test_record import played
from tests.support.scripted import ASKS_ALL, plan_of

BLIND = AskBlind(3, 0, 0, 1, (), 60.0)
BID = AskBid(3, 0, 0, 1, (), 60.0, ("QC",), ("pass", "solo"))
TALON = AskTalon(3, 0, 0, 1, (), 60.0, ("QC",), ("take", "give"))
DISCARD = AskDiscard(3, 0, 0, 1, (), 60.0, ("QC", "QS"), ("QC", "QS"))
SURRENDER = AskSurrender(3, 0, 0, 1, (), 60.0, ("QC",))
OFFER = AskOffer(3, 0, 0, 1, (), 60.0, ("QC",), 2)
PLAY = AskPlay(3, 0, 0, 1, (), 60.0, ("QC",), (), ("QC",), True)

NOTES = st.none() | st.text(max_size=100)
# A bot may write any text where a word is due, also the words that a log uses itself.
WORDS = st.text(max_size=16) | st.sampled_from(
    ["", "offer", "yes", "no", "QC", "QC.QS", ".", "take"]
)


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (BLIND, BlindReply(id=3, blind=True)),
        (BLIND, BlindReply(id=3, blind=False)),
        (BID, BidReply(id=3, bid="solo")),
        (TALON, TalonReply(id=3, choice="give")),
        (DISCARD, DiscardReply(id=3, cards=("QS", "QC"))),
        (SURRENDER, SurrenderReply(id=3, surrender=True)),
        (SURRENDER, SurrenderReply(id=3, surrender=False)),
        (OFFER, OfferReply(id=3, accept=True)),
        (OFFER, OfferReply(id=3, accept=False)),
        (PLAY, PlayReply(id=3, card="QC")),
        (PLAY, PlayReply(id=3, offer=True)),
        (PLAY, PlayReply(id=3, card="offer")),  # not an offer but an illegal card
    ],
)
def test_a_good_answer_comes_back_as_it_was(request_: AnyRequest, reply: AnyReply) -> None:
    assert answer_from(answer_text(reply), request_) == reply


THREE = st.just(3)
ANSWERS = st.one_of(
    st.tuples(st.just(PLAY), st.builds(PlayReply, id=THREE, card=WORDS, note=NOTES)),
    # Cards with a dot in them join to a word that could be split elsewhere.
    st.tuples(
        st.just(DISCARD),
        st.builds(DiscardReply, id=THREE, cards=st.tuples(WORDS, WORDS), note=NOTES),
    ),
    st.tuples(st.just(BID), st.builds(BidReply, id=THREE, bid=WORDS, note=NOTES)),
    st.tuples(st.just(TALON), st.builds(TalonReply, id=THREE, choice=WORDS, note=NOTES)),
)


@given(ANSWERS)
def test_any_words_of_a_bot_come_back_as_they_were(asked: tuple[AnyRequest, AnyReply]) -> None:
    request, reply = asked
    assert answer_from(answer_text(reply), request, reply.note) == reply


@pytest.mark.parametrize("request_", [BLIND, SURRENDER, OFFER], ids=["blind", "surrender", "offer"])
@pytest.mark.parametrize("word", ["QC", "", "Yes", "offer"])
def test_a_word_that_is_neither_yes_nor_no_is_refused(request_: AnyRequest, word: str) -> None:
    with pytest.raises(LogMismatch):
        answer_from(word, request_)


@given(st.integers(1, 10**30), st.text(max_size=30) | st.none())
def test_any_ready_comes_back_as_it_was(tables: int, name: str | None) -> None:
    ready = Ready(1, name=name, tables=tables, asks=("offer",))
    failed = Failed("unready", "not in time")
    log = LogWriter()
    log.start((ready, failed, ASKS_ALL))
    start, deals = read_log(log.close())
    assert isinstance(start, LoggedStart)
    assert start.ready == {0: ready, 2: ASKS_ALL}
    assert [(seat, said.kind, said.detail) for seat, said in start.failed.items()] == [
        (1, "unready", "not in time")
    ]
    assert list(deals) == []


def test_a_log_that_is_damaged_or_cut_anywhere_is_refused() -> None:
    """Compressed bytes have a checksum; only the head's flags and time may differ unseen."""
    _, record = played(plan_of(deals=3))
    chance = random.Random(1)
    logs = [record.log[:size] for size in (0, 1, 9, 10, 40, -1, -8, -9)]
    for _ in range(200):
        place = chance.randrange(10, len(record.log))
        damaged = bytearray(record.log)
        damaged[place] ^= chance.randrange(1, 256)
        logs.append(bytes(damaged))
    for log in logs:
        with pytest.raises(LogMismatch, match="cannot be read"):
            list(read_log(log)[1])


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b'{"ready":{"x":1}}',
        b'{"ready":{"0":{"type":"play"}}}',
        b'{"ready":{}}\n{"deal":0}',
        b'{"ready":{}}\n\xff',
        b'{"ready":{}}\n\n{"deal":0,"cards":"","steps":[]}',
        b'{"ready":{},"x":' + b"[" * 100_000,
        b'{"ready":{}}\n{"x":' + b"[" * 100_000,
    ],
    ids=range(11),
)
def test_text_that_is_no_log_is_refused(text: bytes) -> None:
    with pytest.raises(LogMismatch, match="cannot be read"):
        list(read_log(gzip.compress(text))[1])


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_a_log_of_nothing_but_ends_of_lines_is_refused_at_the_first(end: bytes) -> None:
    with pytest.raises(LogMismatch, match="cannot be read"):
        read_log(gzip.compress(end * 300_000, 1))


def test_equal_matches_have_equal_logs_whenever_they_were_written() -> None:
    one, same, other = (played(plan_of(deals=3), seed)[1].log for seed in (1, 1, 2))
    assert one == same != other
    assert one[4:8] == bytes(4)  # no time of day in the head


def test_notes_never_make_a_log_too_large_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(deals=20)
    monkeypatch.setattr("arena.match.log.NOTED", 2048)
    _, record = played(plan, faults=0.05)
    noted = [bool(line.notes) for line in read_log(record.log)[1]]
    assert any(noted)
    assert not any(noted[10:])
    verify(plan, record)


def test_what_was_withheld_from_a_bot_is_kept_and_replays() -> None:
    plan = plan_of(deals=2)
    driven, record = played(plan)
    writer = LogWriter()
    writer.start(LoggedMatch(plan, record.log).greeted)
    for game in driven.games:
        first, *steps = game.steps
        outcome = msgspec.structs.replace(first.outcome, withheld_us=70_000)
        waited = msgspec.structs.replace(first, outcome=outcome)
        writer.deal(msgspec.structs.replace(game, steps=(waited, *steps)))
    log = writer.close()
    assert [line.withheld for line in read_log(log)[1]] == [{0: 70_000}] * 2
    assert b"withheld" not in gzip.decompress(record.log)
    verify(plan, msgspec.structs.replace(record, log=log))
    kept = [deal.steps[0].outcome.withheld_us for deal in play_again(plan, log).deals]
    assert kept == [70_000] * 2
