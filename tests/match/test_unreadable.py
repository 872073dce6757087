"""An error message leads to the mistake in an unreadable line."""

import pytest

from arena.match.unreadable import BYTES_SHOWN, quoted
from arena.match.wire import Malformed, decode

PLAY = '{"type":"play","id":3,"card":"QC"}'


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "an empty line; an answer is one JSON object on one line"),
        (b"hello", "the line is not JSON; print debugging goes to stderr"),
        (b"{'type': 'play'}", "double quotes; in Python print json.dumps"),
        (b'{"type":"play",', "the line ends within its JSON; an answer is one line"),
        (PLAY.encode() * 2, "something follows the JSON on its line"),
        (b'{"type":"play","id":3,}', "the line is not JSON: trailing comma in object (byte 22)"),
        (b"\xef\xbb\xbf" + PLAY.encode(), "a byte order mark; write UTF-8 without one"),
        (PLAY.encode("utf-16"), "the line looks like UTF-16; write UTF-8"),
        (PLAY.encode("utf-16-le")[1:], "the line looks like UTF-16; write UTF-8"),
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
def test_a_mistake_has_its_sentence(line: bytes, why: str) -> None:
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
