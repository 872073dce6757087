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
CHAIN = lines_after(None, AT, EVERY)


def test_every_entry_comes_back_as_it_was_written() -> None:
    dated = [read_line(line.text) for line in CHAIN]
    assert [(each.at, each.entry) for each in dated] == [(AT, entry) for entry in EVERY]


def test_a_line_is_what_a_stranger_expects() -> None:
    assert json.loads(CHAIN[3].text) == {
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
    for each in CHAIN:
        before = hashlib.sha256(before.encode() + b"\n" + each.text[42:-1].encode()).hexdigest()
        assert each.hash == before


def test_lines_go_on_from_the_last_one() -> None:
    first = lines_after(None, AT, EVERY[:4])
    assert [*first, *lines_after(first[-1], AT, EVERY[4:])] == CHAIN


def test_hashes_do_not_depend_on_the_time() -> None:
    later = lines_after(None, AT.replace("2026", "2027"), EVERY)
    assert [line.hash for line in later] == [line.hash for line in CHAIN]
    assert [chain_flaw(lines) for lines in (CHAIN, later)] == [None, None]


OTHER = msgspec.structs.replace(CHAIN[1], text=CHAIN[1].text.replace("Ilze", "Inga"))
REHASHED = lines_after(CHAIN[0], AT, [Joined("Anna", "a" * 64, "Inga", False)])


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([CHAIN[0], OTHER, *CHAIN[2:]], 2),
        ([CHAIN[0], *REHASHED, *CHAIN[2:]], 3),
        ([*CHAIN[:2], *CHAIN[3:]], 3),
    ],
    ids=["another text", "another text with its hash", "a missing line"],
)
def test_a_changed_line_is_noticed_there_or_at_the_next(lines: list[Line], number: int) -> None:
    wrong = f"line {number} of the ledger does not follow from the lines before it"
    assert chain_flaw(lines) == wrong


@pytest.mark.parametrize("text", ["no JSON", f'{{"at":"{AT}","entry":{{"type":"cheated"}}}}'])
def test_what_no_arena_has_written_is_no_line(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_line(text)


def test_a_seed_holds_the_secret_and_the_line() -> None:
    text = f"zole seed 1\n{SECRET}\n{'a' * 64}"
    assert hashlib.sha256(text.encode()).hexdigest() == order_seed(SECRET, "a" * 64)
