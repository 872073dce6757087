"""What the lines of a ledger come to: orders, seeds, the field and its history."""

from arena.league.fold import LedgerFold
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Sealed,
    Teamed,
    moment,
    order_seed,
)
from arena.league.schedule import commitment
from tests.support.open_record import fold_of

SECRET = "5e" * 32
CONTENT = "a" * 64
TABLE = ("Anna", "Bert", "Cara")
COMING: tuple[Entry, ...] = (
    Committed(commitment(SECRET)),
    *(Joined(bot, CONTENT, f"author of {bot}", False) for bot in TABLE),
)
ORDERS = [Ordered(1, TABLE, 0, 10, 0, "table"), Ordered(2, TABLE, 10, 10, 6, "table")]
OUT = Benched("Bert", "it fails")


def after(*entries: Entry) -> LedgerFold:
    """What a ledger comes to in which three bots came, and then this happened."""
    return fold_of(*COMING, *entries)


def at(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00+00:00"


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
