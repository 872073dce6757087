"""Lines of an open league's ledger: each holds the hash of those before it."""

import hashlib
import json

import msgspec
import pytest

from arena.league.ledger import (
    Begun,
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Resumed,
    Revealed,
    Sealed,
    chain_flaw,
    epoch_seed,
    field_digest,
    lines_after,
    practice_secret,
    read_line,
)
from arena.league.schedule import commitment

AT = "2026-11-22T12:30:13+00:00"
SECRET = "5e" * 32
FIELD = field_digest({"Anna": "a" * 64, "Bert": "b" * 64})

EVERY: tuple[Entry, ...] = (
    Committed(1, commitment(SECRET)),
    Joined("Anna", "a" * 64, "Ilze", False),
    Joined("Bert", "b" * 64, "Juris", True),
    Begun(1, FIELD),
    Committed(2, "c" * 64),
    Ordered(1, ("Anna", "Bert"), 0, 10, 1, 0, "table"),
    Benched("Bert", "it did not start"),
    Resumed("Bert"),
    Left("Bert", "withdrawn"),
    Closed(1, ("Anna",)),
    Revealed(1, SECRET),
    Sealed(1),
)


def chain() -> list[Line]:
    return lines_after(None, AT, EVERY)


def test_every_entry_comes_back_as_it_was_written() -> None:
    assert [read_line(line.text).entry for line in chain()] == list(EVERY)
    assert {read_line(line.text).at for line in chain()} == {AT}


def test_a_line_is_what_a_stranger_expects() -> None:
    line = chain()[5]
    assert json.loads(line.text) == {
        "at": AT,
        "entry": {
            "type": "ordered",
            "order": 1,
            "lineup": ["Anna", "Bert"],
            "first": 0,
            "deals": 10,
            "epoch": 1,
            "known": 0,
            "kind": "table",
        },
    }
    before = "0" * 64
    for each in chain():
        before = hashlib.sha256(before.encode() + b"\n" + each.text.encode()).hexdigest()
        assert each.hash == before


def test_lines_go_on_from_the_last_one() -> None:
    first = lines_after(None, AT, EVERY[:4])
    assert [*first, *lines_after(first[-1], AT, EVERY[4:])] == chain()
    assert chain_flaw(chain()) is None
    assert chain_flaw(chain()[4:], first[-1]) is None


def change(lines: list[Line], place: int, **changes: str | int) -> None:
    lines[place] = msgspec.structs.replace(lines[place], **changes)


def test_a_changed_text_is_noticed() -> None:
    lines = chain()
    change(lines, 1, text=lines[1].text.replace("Ilze", "Inga"))
    assert chain_flaw(lines) == "line 2 of the ledger does not follow from the lines before it"


def test_a_line_changed_with_its_hash_is_noticed_at_the_next() -> None:
    lines = chain()
    lines[1:2] = lines_after(lines[0], AT, [Joined("Anna", "a" * 64, "Inga", False)])
    assert chain_flaw(lines) == "line 3 of the ledger does not follow from the lines before it"


def test_a_missing_line_is_noticed() -> None:
    lines = chain()
    del lines[2]
    assert chain_flaw(lines) == "line 3 of the ledger is missing"


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        '{"at":"2026-11-22T12:30:13+00:00","entry":{"type":"cheated"}}',
        '{"at":"2026-11-22T12:30:13+00:00","entry":{"type":"resumed", "bot":"Anna"}}',
        '{"at":"2026-11-22T12:30:13+00:00","entry":{"type":"resumed","bot":"A","bot":"B"}}',
        '{"at":"yesterday","entry":{"type":"resumed","bot":"Anna"}}',
    ],
)
def test_what_no_arena_has_written_is_no_line(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_line(text)
    hashed = hashlib.sha256(f"{'0' * 64}\n{text}".encode()).hexdigest()
    assert (chain_flaw([Line(1, text, hashed)]) or "").startswith("line 1 of the ledger: ")


def test_the_digest_of_a_field_is_that_of_its_sorted_lines() -> None:
    text = f"Anna\0{'a' * 64}\nBert\0{'b' * 64}\n"
    assert hashlib.sha256(text.encode()).hexdigest() == FIELD
    assert field_digest({"Bert": "b" * 64, "Anna": "a" * 64}) == FIELD
    assert field_digest({"Anna": "b" * 64, "Bert": "a" * 64}) != FIELD


def test_a_seed_holds_the_secret_and_the_field() -> None:
    text = f"zole epoch 1\n{SECRET}\n{FIELD}"
    assert hashlib.sha256(text.encode()).hexdigest() == epoch_seed(SECRET, FIELD)


def test_practice_secrets_follow_from_the_seed_given() -> None:
    assert practice_secret("7", 2) == hashlib.sha256(b"zole epoch\n7\n2").hexdigest()
