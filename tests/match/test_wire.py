"""Any bytes are an answer or `Malformed`, whose message leads to the mistake in the line."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.unreadable import BYTES_SHOWN, MOST_NESTED, quoted
from arena.match.wire import (
    NOTE_BYTES,
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
    FromBot,
    Malformed,
    OfferReply,
    PlayReply,
    Ready,
    SurrenderReply,
    TalonReply,
    decode,
    encode,
    reply_to,
)

ASK_BID = AskBid(3, 0, 0, 1, (), 60.0, ("QC",), ("pass", "solo"))
ASK_PLAY = AskPlay(3, 0, 0, 1, (), 60.0, ("QC",), (), ("QC",), False)
PLAY = b'{"type":"play","id":3,"card":"QC"}'


def with_note(note: str) -> bytes:
    return msgspec.json.encode(PlayReply(id=3, card="QC", note=note))


@pytest.mark.parametrize("text", ['"[["', '"\\"[["', "[[1], [2]]", '{"a": {"b": []}}'])
def test_an_answer_is_nested_so_deep_and_no_deeper_on_every_python(text: str) -> None:
    line = '{"type": "play", "id": 1, "card": "QC", "x": %s%s%s}'
    depth = MOST_NESTED - 1 - {"[": 2, "{": 3}.get(text[0], 0)
    answer = decode((line % ("[" * depth, text, "]" * depth)).encode())
    assert answer == PlayReply(id=1, card="QC")
    with pytest.raises(Malformed, match=r"^the line is nested more than 500 deep$"):
        decode((line % ("[" * (depth + 1), text, "]" * (depth + 1))).encode())


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(
    st.binary(),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["ready", "bid", "play", "discard", "offer", "x"]) | ODD},
        optional=dict.fromkeys(("id", "card", "bid", "cards", "note", "offer", "protocol"), ODD),
    ),
)
def test_any_bytes_and_any_object_are_an_answer_or_malformed(
    raw: bytes, message: dict[str, object]
) -> None:
    for line in (raw, msgspec.json.encode(message)):
        try:
            answer = decode(line)
            assert isinstance(answer, FromBot)
            outcome = str(reply_to(ASK_PLAY, answer))
        except Malformed as error:
            outcome = str(error)
        assert 0 < len(outcome) < 2000


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"type":"ready","protocol":1}', Ready(1)),
        (b' {"card":"QC", "id":3, "type":"play"}\r\n', PlayReply(id=3, card="QC")),
        # Of two equal keys the later counts.
        (b'{"type":"play","id":2,"id":3,"card":"QC"}', PlayReply(id=3, card="QC")),
        (b'{"type":"play","id":3,"card":"QS","card":"QC"}', PlayReply(id=3, card="QC")),
        (b'{"type":"bid","id":3,"bid":"pass","new":{"a":[1]}}', BidReply(id=3, bid="pass")),
        (
            b'{"type":"discard","id":3,"cards":["QC","7D"],"note":"x"}',
            DiscardReply(id=3, cards=("QC", "7D"), note="x"),
        ),
        *(
            (with_note(note), PlayReply(id=3, card="QC", note=note))
            for note in ("", "x" * NOTE_BYTES, "ķ" * 512, "♣" * 341)
        ),
    ],
)
def test_a_good_line_is_read(line: bytes, answer: AnyReply | Ready) -> None:
    assert decode(line) == answer


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (PlayReply(id=2, card="QC"), "answers id 2, asked 3"),
        (BidReply(id=3, bid="pass"), "answers bid, asked play"),
        (Ready(1), "answers ready, asked play"),
        (PlayReply(id=3), "a play is either a card or an offer"),
        (PlayReply(id=3, card="QC", offer=True), "a play is either a card or an offer"),
    ],
)
def test_an_answer_to_something_else_is_malformed(answer: AnyReply | Ready, told: str) -> None:
    with pytest.raises(Malformed, match=told):
        reply_to(ASK_PLAY, answer)


def test_a_line_begins_with_its_type_and_id_and_has_no_spaces() -> None:
    assert encode(ASK_BID) == (
        b'{"type":"bid","id":3,"table":0,"deal":0,"seat":1,"events":[],"clock_s":60.0,'
        b'"hand":["QC"],"legal":["pass","solo"]}\n'
    )


ANSWERS: list[tuple[AnyRequest, AnyReply]] = [
    (AskBlind(3, 0, 0, 1, (), 60.0), BlindReply(id=3, blind=False)),
    (ASK_BID, BidReply(id=3, bid="pass")),
    (AskTalon(3, 0, 0, 1, (), 60.0, ("QC",), ("take", "give")), TalonReply(id=3, choice="give")),
    (AskDiscard(3, 0, 0, 1, (), 60.0, (), ()), DiscardReply(id=3, cards=("QC", "QS"))),
    (AskSurrender(3, 0, 0, 1, (), 60.0, ()), SurrenderReply(id=3, surrender=True)),
    (AskOffer(3, 0, 0, 1, (), 60.0, (), 2), OfferReply(id=3, accept=True)),
    (ASK_PLAY, PlayReply(id=3, card="QC")),
    (ASK_PLAY, PlayReply(id=3, offer=True)),
]


@pytest.mark.parametrize(("request_", "answer"), ANSWERS)
def test_each_request_takes_its_own_answer_and_no_other(
    request_: AnyRequest, answer: AnyReply
) -> None:
    assert reply_to(request_, decode(msgspec.json.encode(answer))) == answer
    for _, other in ANSWERS:
        if type(other) is not type(answer):
            with pytest.raises(Malformed):
                reply_to(request_, other)


@pytest.mark.parametrize("digits", [1, 19, 20, 100, 4000, 4300, 4301, 10_000])
def test_the_message_about_a_wrong_id_is_short_for_any_id(digits: int) -> None:
    line = b'{"type":"play","id":' + b"9" * digits + b',"card":"QC"}'
    with pytest.raises(Malformed) as told:
        reply_to(ASK_PLAY, decode(line))
    assert len(str(told.value)) < 300


@pytest.mark.parametrize(
    ("line", "why"),
    [
        *(
            (line, "")
            for line in (
                b"null",
                b"[]",
                b"{}",
                b'"play"',
                b"NaN",
                b'{"type":"play"}',
                b'{"type":"play","id":1e400,"card":"QC"}',
                b'{"type":"play","id":' + b"9" * 5000 + b',"card":"QC"}',
                b'{"type":"play","id":-1e-400,"card":"QC"}',
                b'{"type":"play","id":true,"card":"QC"}',
                b'{"type":"play","id":3,"card":["QC"]}',
                b'{"type":"play","id":3,"card":"' + b"Q" * 100 + b'"}',
                b'{"type":"play","id":3,"note":"\\ud800","card":"QC"}',
                b'{"type":"play","id":3,"card":"QC"} {}',
                b'{"type":"play","id":3,"card":"QC","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
                b"[" * 100_000,
                b'\xef\xbb\xbf{"type":"play","id":3,"card":"QC"}',
                b'{"type":"play","id":3,"card":"QC","note":"\xff"}',
                b'{"type":"play",\x00"id":3,"card":"QC"}',
                b"\x00" * 1000,
                b'{"type":"discard","id":3,"cards":["QC"]}',
                b'{"type":"discard","id":3,"cards":["QC","QS","QH"]}',
                b'{"type":"ready","protocol":1,"asks":["hint"]}',
                b'{"type":"ready","protocol":1,"tables":0}',
                # A note is measured in bytes, not in letters.
                *map(with_note, ("x" * (NOTE_BYTES + 1), "ķ" * 513, "ķ" * 512 + "x", "♣" * 342)),
            )
        ),
        (b"", "an empty line; an answer is one JSON object on one line"),
        (b"hello", "the line is not JSON; print debugging goes to stderr"),
        (b"{'type': 'play'}", "double quotes; in Python print json.dumps"),
        (b'{"type":"play",', "the line ends within its JSON; an answer is one line"),
        (PLAY * 2, "something follows the JSON on its line"),
        (b'{"type":"play","id":3,}', "the line is not JSON: trailing comma in object (byte 22)"),
        (b"\xef\xbb\xbf" + PLAY, "a byte order mark; write UTF-8 without one"),
        (PLAY.decode().encode("utf-16"), "the line looks like UTF-16; write UTF-8"),
        (PLAY.decode().encode("utf-16-le")[1:], "the line looks like UTF-16; write UTF-8"),
        (
            '{"type":"play","id":3,"card":"QC","note":"ü"}'.encode("latin-1"),
            "the line is not UTF-8 (byte 0xfc at place 42); does the program write Latin-1?",
        ),
        (b"[1]", "an answer must be a JSON object, not a list"),
        (b'{"id":3}', "the field type is missing"),
        (b'{"type":"deal_end","id":3}', "deal_end asks nothing; do not answer it"),
        (b'{"type":"error","id":3}', "error asks nothing; do not answer it"),
        (b'{"type":"bye"}', "bye asks nothing; do not answer it"),
        (b'{"type":"hello"}', "the field type cannot be 'hello'"),
        (b'{"type":"play","id":"3"}', "the field id must be a whole number, not a string"),
        (b'{"type":"play","id":-3}', "the field id must be int >= 0"),
        (b'{"type":"discard","id":3,"cards":["QC",7]}', "the field cards[1] must be a string"),
        (b'{"type":"discard","id":3,"cards":["QC"]}', "the field cards must be array of length 2"),
        (b'{"type":"ready","protocol":1,"asks":["hint"]}', "asks[0] cannot be 'hint'"),
    ],
)
def test_a_line_that_is_no_answer_is_malformed_and_a_mistake_has_its_sentence(
    line: bytes, why: str
) -> None:
    with pytest.raises(Malformed) as told:
        decode(line)
    assert why in str(told.value)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"hello", "'hello'"),
        ("ķ".encode(), "'ķ'"),
        (b"Gr\xfc\xdfe", r"'Gr\xfc\xdfe'"),
        (b"a\x1b[2J", r"'a\x1b[2J'"),
        (b"x" * 1000, "'" + "x" * BYTES_SHOWN + "'…"),
    ],
)
def test_a_line_is_shown_as_it_was_sent(line: bytes, shown: str) -> None:
    assert quoted(line) == shown
