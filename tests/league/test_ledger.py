"""Lines of an open league's ledger: each holds the hash of those before it."""

import hashlib
import json

import msgspec
import pytest

from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Resumed,
    Sealed,
    chain_flaw,
    lines_after,
    order_seed,
    read_line,
)
from arena.league.schedule import commitment

AT = "2026-11-22T12:30:13+00:00"
SECRET = "5e" * 32

EVERY: tuple[Entry, ...] = (
    Committed(commitment(SECRET)),
    Joined("Anna", "a" * 64, "Ilze", False),
    Joined("Bert", "b" * 64, "Juris", True),
    Ordered(1, ("Anna", "Bert"), 0, 10, 0, "table"),
    Benched("Bert", "it did not start"),
    Resumed("Bert"),
    Left("Bert", "withdrawn"),
    Closed(1, ("Anna",)),
    Sealed(1, SECRET),
)


def chain() -> list[Line]:
    return lines_after(None, AT, EVERY)


def test_every_entry_comes_back_as_it_was_written() -> None:
    assert [read_line(line.text).entry for line in chain()] == list(EVERY)
    assert {read_line(line.text).at for line in chain()} == {AT}


def test_a_line_is_what_a_stranger_expects() -> None:
    line = chain()[3]
    assert json.loads(line.text) == {
        "at": AT,
        "entry": {
            "type": "ordered",
            "order": 1,
            "lineup": ["Anna", "Bert"],
            "first": 0,
            "deals": 10,
            "known": 0,
            "kind": "table",
        },
    }
    before = "0" * 64
    for each in chain():
        before = hashlib.sha256(before.encode() + b"\n" + each.text[42:-1].encode()).hexdigest()
        assert each.hash == before


def test_lines_go_on_from_the_last_one() -> None:
    first = lines_after(None, AT, EVERY[:4])
    assert [*first, *lines_after(first[-1], AT, EVERY[4:])] == chain()
    assert chain_flaw(chain()) is None


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
    assert chain_flaw(lines) == "line 3 of the ledger does not follow from the lines before it"


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        '{"at":"2026-11-22T12:30:13+00:00","entry":{"type":"cheated"}}',
    ],
)
def test_what_no_arena_has_written_is_no_line(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_line(text)


def test_a_seed_holds_the_secret_and_the_line() -> None:
    text = f"zole seed 1\n{SECRET}\n{'a' * 64}"
    assert hashlib.sha256(text.encode()).hexdigest() == order_seed(SECRET, "a" * 64)


def test_hashes_do_not_depend_on_the_time() -> None:
    later = lines_after(None, AT.replace("2026", "2027"), EVERY)
    assert [line.hash for line in later] == [line.hash for line in chain()]
    assert chain_flaw(later) is None
