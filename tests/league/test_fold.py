"""What the lines of a ledger come to: orders, epochs, seeds, who came and left when."""

import pytest

from arena.league.fold import LedgerFold
from arena.league.ledger import (
    Begun,
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Revealed,
    Sealed,
    epoch_seed,
    field_digest,
    lines_after,
    moment,
    read_line,
)
from arena.league.schedule import commitment

ONE, TWO = "5e" * 32, "d" * 64
CONTENT = "a" * 64
TABLE = ("Anna", "Bert", "Cara")
FIELD = field_digest(dict.fromkeys(TABLE, CONTENT))
COMING: tuple[Entry, ...] = (
    Committed(1, commitment(ONE)),
    *(Joined(bot, CONTENT, f"author of {bot}", False) for bot in TABLE),
)
BEGUN: tuple[Entry, ...] = (*COMING, Begun(1, FIELD), Committed(2, commitment(TWO)))
ORDERS = [Ordered(1, TABLE, 0, 10, 1, 0, "table"), Ordered(2, TABLE, 10, 10, 1, 6, "table")]


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
    ledger = after(*BEGUN, *ORDERS)
    assert list(ledger.orders.items()) == [((TABLE, 0), ORDERS[0]), ((TABLE, 10), ORDERS[1])]
    assert (ledger.read, ledger.field.orders) == (8, 2)
    assert (ledger.begun, ledger.ordered) == (moment(at(4)), moment(at(7)))


def test_an_epoch_is_told_from_its_commitment_to_its_seed() -> None:
    ledger = after(*BEGUN, *ORDERS)
    first, second = ledger.epochs
    assert (first.field, first.begun_at, first.orders) == (FIELD, at(4), 2)
    assert (first.secret, first.seed, second.begun_at) == (None, None, None)
    ledger = after(*BEGUN, *ORDERS, Revealed(1, ONE))
    first, second = ledger.epochs
    assert (first.secret, first.revealed_at) == (ONE, at(8))
    assert first.seed == epoch_seed(ONE, FIELD)
    assert ledger.revealed == {1: 9}


def test_seeds_of_epochs_come_from_secrets_revealed_or_kept() -> None:
    seeds = (epoch_seed(ONE, FIELD), epoch_seed(TWO, FIELD))
    assert after(*BEGUN).seeds({1: ONE}) == seeds[:1]
    ledger = after(*BEGUN, Revealed(1, ONE), Begun(2, FIELD))
    assert ledger.seeds({2: TWO}) == seeds
    with pytest.raises(KeyError):
        ledger.seeds({})


def test_who_came_again_has_not_left() -> None:
    ledger = after(*COMING, *(Left(bot, "withdrawn") for bot in TABLE), COMING[1])
    assert list(ledger.left.items()) == [
        ("Bert", (moment(at(5)), "withdrawn")),
        ("Cara", (moment(at(6)), "withdrawn")),
    ]
    assert ledger.joined.keys() == {*TABLE}
    assert ledger.came == {bot: moment(at(m)) for bot, m in zip(TABLE, (7, 2, 3), strict=True)}


def test_a_season_that_is_closed_has_a_final_and_then_its_seal() -> None:
    ledger = after(*BEGUN, Closed(1, TABLE))
    assert (ledger.final, ledger.field.season, ledger.field.sealed) == (TABLE, 1, False)
    assert after(*BEGUN, Revealed(1, ONE), Closed(1, TABLE), Sealed(1)).field.sealed


def test_a_line_that_cannot_follow_changes_nothing() -> None:
    ledger = after(*BEGUN)
    [line] = lines_after(None, at(9), [Benched("nobody", "why")])
    with pytest.raises(ValueError, match="nobody is not in the field"):
        ledger.apply(line, read_line(line.text))
    assert (ledger.read, ledger.field.benched) == (len(BEGUN), {})
