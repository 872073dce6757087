"""Lines of an open league's ledger, what they come to, and when they end a bot's orders."""

import hashlib
import json

import msgspec
import pytest

from arena.league.fold import LedgerFold
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
    Teamed,
    chain_flaw,
    lines_after,
    moment,
    order_seed,
    read_line,
)
from arena.league.outcomes import Bench, StoredOutcome
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


CONTENT = "a" * 64
TABLE = ("Anna", "Bert", "Cara")
COMING: tuple[Entry, ...] = (
    Committed(commitment(SECRET)),
    *(Joined(bot, CONTENT, f"author of {bot}", False) for bot in TABLE),
)
ORDERS = [Ordered(1, TABLE, 0, 10, 0, "table"), Ordered(2, TABLE, 10, 10, 6, "table")]
OUT = Benched("Bert", "it fails")


def at(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00+00:00"


def after(*entries: Entry) -> LedgerFold:
    """What a ledger comes to in which three bots came, and then this, each a minute later."""
    found, last = LedgerFold(3), list[Line]()
    for minute, entry in enumerate((*COMING, *entries)):
        last = lines_after(last[0] if last else None, at(minute), [entry])
        found.apply(last[0])
    return found


def test_orders_are_found_by_lineup_and_first_deal() -> None:
    ledger = after(*ORDERS)
    assert list(ledger.orders.items()) == [((TABLE, 0), ORDERS[0]), ((TABLE, 10), ORDERS[1])]
    assert (ledger.read, ledger.last_order_at) == (6, moment(at(5)))


def test_a_season_has_a_commitment_then_a_final_and_at_its_end_its_secret() -> None:
    final = Ordered(3, TABLE, 20, 100, 6, "final")
    closed, sealed = (
        after(*ORDERS, Closed(1, TABLE), final, *more) for more in ((), (Sealed(1, SECRET),))
    )
    assert (closed.commitment, closed.committed_at) == (commitment(SECRET), at(0))
    assert (closed.final, closed.season, closed.secret) == (TABLE, 1, None)
    assert (sealed.secret, sealed.sealed_at, sealed.deals_of(TABLE)) == (SECRET, at(8), 120)


def test_each_order_has_a_seed_of_its_own_from_the_secret_and_its_line() -> None:
    hashes = after(ORDERS[0]).hash, after(*ORDERS).hash
    assert after(*ORDERS).seeds(SECRET) == tuple(order_seed(SECRET, each) for each in hashes)
    assert after().seeds(SECRET) == ()


def test_a_bot_that_came_again_has_not_left() -> None:
    ledger = after(*(Left(bot, "withdrawn") for bot in TABLE), COMING[1])
    assert list(ledger.left.items()) == [
        ("Bert", (moment(at(5)), "withdrawn")),
        ("Cara", (moment(at(6)), "withdrawn")),
    ]
    assert ledger.joined.keys() == {*TABLE}
    assert ledger.came == {bot: moment(at(m)) for bot, m in zip(TABLE, (7, 2, 3), strict=True)}


def test_a_benched_bot_does_not_play_until_it_is_resumed_which_it_may_be_once() -> None:
    """Unless the organiser benched it: then the organiser says so, as often as he likes."""
    copied = Benched("Bert", "a copy", True)
    assert after(OUT).playing == ["Anna", "Cara"]
    assert after(OUT, Resumed("Bert")).playing == [*TABLE]
    assert after(OUT).may_resume("Bert")
    assert not after(OUT, Resumed("Bert"), OUT).may_resume("Bert")
    assert not after(copied).may_resume("Bert")
    assert after(copied, Resumed("Bert", True), OUT).may_resume("Bert")


def test_orders_of_a_lineup_go_on_with_its_deals_even_after_a_break() -> None:
    ledger = after(ORDERS[0], Left("Bert", "withdrawn"), Joined("Bert", CONTENT, "Bruno", False))
    assert ledger.deals_of(TABLE) == 10


def test_bots_of_one_author_are_apart_unless_the_organiser_named_them() -> None:
    mine = [
        Joined(bot, CONTENT, "Anna", False, organiser=bot < "Dd")
        for bot in ("Da", "Db", "De", "Df")
    ]
    ledger, teamed = after(*mine), after(*mine, Teamed((("Anna", "Bert"),)))
    persons = [ledger.person(each) for each in mine]
    assert persons == ["bot Da", "bot Db", "author anna", "author anna"]
    assert len({ledger.person(each, apart=False) for each in mine}) == 4
    assert {teamed.person(each, apart=False) for each in mine} == {"team 0"}


def played(orders: str) -> Bench:
    """Orders of six matches each, of which one ends at a bot, by its first letter, or at none."""
    bench = Bench()
    names = {name[0]: name for name in TABLE}
    for number, spoiler in enumerate(orders, 1):
        for match in range(6):
            out = (names[spoiler],) if spoiler in names and match == 3 else ()
            bench.stored(number, outcome(out))
    return bench


def outcome(out: tuple[str, ...] = (), gone: tuple[str, ...] = ()) -> StoredOutcome:
    seats = tuple(map(TABLE.index, out))
    return StoredOutcome(TABLE, 0, 10, 1, TABLE, seats, gone=gone)


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        ("A..A..A", "3 of its last 7 orders are void by it"),
        ("A.....AA", "3 of its last 8 orders are void by it"),
        ("A.....AA..", "3 of its last 10 orders are void by it"),
        ("A.....AA...", None),
        ("B..B..B", None),
    ],
)
def test_three_void_orders_of_the_last_ten_bench_the_bot_that_spoilt_them(
    orders: str, why: str | None
) -> None:
    assert played(orders).why("Anna") == why


def test_one_order_is_void_once_however_many_of_its_matches_end() -> None:
    bench = Bench()
    for _ in range(6):
        bench.stored(1, outcome(("Anna",)))
    assert bench.why("Anna") is None


def test_three_matches_in_a_row_without_a_deal_of_its_own_are_enough() -> None:
    bench = Bench()
    for gone in ("Bert",), ("Bert",), (), ("Bert",), ("Bert",):
        bench.stored(1, outcome(gone=gone))
    assert bench.why("Bert") is None
    bench.stored(2, outcome(gone=("Bert",)))
    assert bench.why("Bert") == "it failed from the first deal on in 3 matches in a row"
    bench.forgive("Bert", 2)
    assert bench.why("Bert") is None
