"""What the lines of a ledger come to: orders, seeds, who came and left when."""

import pytest

from arena.league.fold import LedgerFold
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Sealed,
    lines_after,
    moment,
    order_seed,
    read_line,
)
from arena.league.schedule import commitment

SECRET = "5e" * 32
CONTENT = "a" * 64
TABLE = ("Anna", "Bert", "Cara")
COMING: tuple[Entry, ...] = (
    Committed(commitment(SECRET)),
    *(Joined(bot, CONTENT, f"author of {bot}", False) for bot in TABLE),
)
ORDERS = [Ordered(1, TABLE, 0, 10, 0, "table"), Ordered(2, TABLE, 10, 10, 6, "table")]


def after(*entries: Entry) -> LedgerFold:
    """The ledger of these entries, the first written at minute 0, each a minute later."""
    found = LedgerFold(3)
    last = None
    for minute, entry in enumerate(entries):
        [last] = lines_after(last, at(minute), [entry])
        found.apply(last, read_line(last.text))
    return found


def at(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00+00:00"


def test_orders_are_found_by_lineup_and_first_deal() -> None:
    ledger = after(*COMING, *ORDERS)
    assert list(ledger.orders.items()) == [((TABLE, 0), ORDERS[0]), ((TABLE, 10), ORDERS[1])]
    assert (ledger.read, ledger.field.orders) == (6, 2)
    assert ledger.ordered == moment(at(5))


def test_a_season_has_a_commitment_and_at_its_end_its_secret() -> None:
    ledger = after(*COMING, *ORDERS, Closed(1, TABLE))
    assert (ledger.field.commitment, ledger.committed_at) == (commitment(SECRET), at(0))
    assert ledger.secret is None
    ledger = after(*COMING, *ORDERS, Closed(1, TABLE), Sealed(1, SECRET))
    assert (ledger.secret, ledger.sealed_at) == (SECRET, at(7))


def test_each_order_has_a_seed_of_its_own_from_the_secret_and_its_line() -> None:
    first, second = after(*COMING, *ORDERS).seeds(SECRET)
    assert first == order_seed(SECRET, after(*COMING, ORDERS[0]).hash)
    assert second == order_seed(SECRET, after(*COMING, *ORDERS).hash)
    assert after(*COMING).seeds(SECRET) == ()


def test_who_came_again_has_not_left() -> None:
    ledger = after(*COMING, *(Left(bot, "withdrawn") for bot in TABLE), COMING[1])
    assert list(ledger.left.items()) == [
        ("Bert", (moment(at(5)), "withdrawn")),
        ("Cara", (moment(at(6)), "withdrawn")),
    ]
    assert ledger.joined.keys() == {*TABLE}
    assert ledger.came == {bot: moment(at(m)) for bot, m in zip(TABLE, (7, 2, 3), strict=True)}


def test_a_season_that_is_closed_has_a_final_and_then_its_seal() -> None:
    ledger = after(*COMING, Closed(1, TABLE))
    assert (ledger.final, ledger.field.season, ledger.field.sealed) == (TABLE, 1, False)
    assert after(*COMING, Closed(1, TABLE), Sealed(1, SECRET)).field.sealed


def test_a_line_that_cannot_follow_changes_nothing() -> None:
    ledger = after(*COMING)
    [line] = lines_after(None, at(9), [Benched("nobody", "why")])
    with pytest.raises(ValueError, match="nobody is not in the field"):
        ledger.apply(line, read_line(line.text))
    assert (ledger.read, ledger.field.benched) == (len(COMING), {})
