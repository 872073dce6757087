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


def test_a_line_is_what_a_stranger_expects_and_comes_back_as_it_was_written() -> None:
    dated = [read_line(line.text) for line in CHAIN]
    assert [(each.at, each.entry) for each in dated] == [(AT, entry) for entry in EVERY]
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


def test_hashes_are_a_chain_that_goes_on_and_do_not_depend_on_the_time() -> None:
    hashes = ["0" * 64]
    for each in CHAIN:
        before = f"{hashes[-1]}\n{each.text[42:-1]}"
        hashes.append(hashlib.sha256(before.encode()).hexdigest())
    assert [line.hash for line in CHAIN] == hashes[1:]
    assert [*CHAIN[:4], *lines_after(CHAIN[3], AT, EVERY[4:])] == CHAIN
    later = lines_after(None, AT.replace("2026", "2027"), EVERY)
    assert [line.hash for line in later] == hashes[1:]
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


def test_orders_are_found_by_lineup_and_first_deal_and_each_has_a_seed_of_its_own() -> None:
    ledger = after(*ORDERS)
    assert list(ledger.orders.items()) == [((TABLE, 0), ORDERS[0]), ((TABLE, 10), ORDERS[1])]
    assert (ledger.read, ledger.last_order_at) == (6, moment(at(5)))
    hashes = after(ORDERS[0]).hash, ledger.hash
    assert ledger.seeds(SECRET) == tuple(order_seed(SECRET, each) for each in hashes)
    assert after().seeds(SECRET) == ()


def test_a_season_has_a_commitment_then_a_final_and_at_its_end_its_secret() -> None:
    final = Ordered(3, TABLE, 20, 100, 6, "final")
    closed = after(*ORDERS, Closed(1, TABLE), final)
    assert (closed.commitment, closed.committed_at) == (commitment(SECRET), at(0))
    assert (closed.final, closed.season, closed.secret) == (TABLE, 1, None)
    sealed = after(*ORDERS, Closed(1, TABLE), final, Sealed(1, SECRET))
    assert (sealed.secret, sealed.sealed_at, sealed.deals_of(TABLE)) == (SECRET, at(8), 120)


def test_a_bot_that_came_again_has_not_left_and_the_deals_of_its_lineup_go_on() -> None:
    left = [Left(bot, "withdrawn") for bot in TABLE]
    ledger = after(ORDERS[0], *left, COMING[1])
    assert list(ledger.left.items()) == [
        ("Bert", (moment(at(6)), "withdrawn")),
        ("Cara", (moment(at(7)), "withdrawn")),
    ]
    assert ledger.joined.keys() == {*TABLE}
    assert ledger.came == {bot: moment(at(m)) for bot, m in zip(TABLE, (8, 2, 3), strict=True)}
    assert ledger.deals_of(TABLE) == 10


COPIED = Benched("Bert", "a copy", True)


@pytest.mark.parametrize(
    ("entries", "plays", "may_resume"),
    [
        ([OUT], False, True),
        ([OUT, Resumed("Bert")], True, False),
        ([OUT, Resumed("Bert"), OUT], False, False),
        ([COPIED], False, False),
        ([COPIED, Resumed("Bert", True), OUT], False, True),
    ],
)
def test_a_benched_bot_does_not_play_until_it_is_resumed_which_it_may_be_once(
    entries: list[Entry], plays: bool, may_resume: bool
) -> None:
    """Unless the organiser benched it: then the organiser says so, as often as he likes."""
    ledger = after(*entries)
    assert ledger.playing == [bot for bot in TABLE if bot != "Bert" or plays]
    assert ledger.may_resume("Bert") is may_resume


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


def outcome(out: str = "", gone: str = "") -> StoredOutcome:
    """A match that ended at a bot, or in which one played no deal."""
    seats = (TABLE.index(out),) if out else ()
    return StoredOutcome(TABLE, 0, 10, 1, TABLE, seats, gone=(gone,) if gone else ())


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
    """Orders of six matches each, of which one ends at a bot, by its first letter, or at none."""
    bench, names = Bench(), {name[0]: name for name in TABLE}
    for number, spoiler in enumerate(orders, 1):
        for match in range(6):
            bench.stored(number, outcome(names.get(spoiler, "") if match == 3 else ""))
    assert bench.why("Anna") == why


def test_one_order_is_void_once_however_many_of_its_matches_end() -> None:
    bench = Bench()
    for _ in range(6):
        bench.stored(1, outcome("Anna"))
    assert bench.why("Anna") is None


def test_three_matches_in_a_row_without_a_deal_of_its_own_are_enough() -> None:
    bench = Bench()
    for gone in ("Bert", "Bert", "", "Bert", "Bert"):
        bench.stored(1, outcome(gone=gone))
    assert bench.why("Bert") is None
    bench.stored(2, outcome(gone="Bert"))
    assert bench.why("Bert") == "it failed from the first deal on in 3 matches in a row"
    bench.forgive("Bert", 2)
    assert bench.why("Bert") is None
