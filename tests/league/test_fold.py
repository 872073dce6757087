"""What the lines of a ledger come to: orders, seeds, who came and left when."""

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


def after(*entries: Entry) -> LedgerFold:
    return fold_of(*COMING, *entries)


def at(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00+00:00"


def test_orders_are_found_by_lineup_and_first_deal() -> None:
    ledger = after(*ORDERS)
    assert list(ledger.orders.items()) == [((TABLE, 0), ORDERS[0]), ((TABLE, 10), ORDERS[1])]
    assert (ledger.read, len(ledger.orders)) == (6, 2)
    assert ledger.last_order_at == moment(at(5))


def test_a_season_has_a_commitment_and_at_its_end_its_secret() -> None:
    ledger = after(*ORDERS, Closed(1, TABLE))
    assert (ledger.commitment, ledger.committed_at) == (commitment(SECRET), at(0))
    assert ledger.secret is None
    ledger = after(*ORDERS, Closed(1, TABLE), Sealed(1, SECRET))
    assert (ledger.secret, ledger.sealed_at) == (SECRET, at(7))


def test_each_order_has_a_seed_of_its_own_from_the_secret_and_its_line() -> None:
    first, second = after(*ORDERS).seeds(SECRET)
    assert first == order_seed(SECRET, after(ORDERS[0]).hash)
    assert second == order_seed(SECRET, after(*ORDERS).hash)
    assert after().seeds(SECRET) == ()


def test_who_came_again_has_not_left() -> None:
    ledger = after(*(Left(bot, "withdrawn") for bot in TABLE), COMING[1])
    assert list(ledger.left.items()) == [
        ("Bert", (moment(at(5)), "withdrawn")),
        ("Cara", (moment(at(6)), "withdrawn")),
    ]
    assert ledger.joined.keys() == {*TABLE}
    assert ledger.came == {bot: moment(at(m)) for bot, m in zip(TABLE, (7, 2, 3), strict=True)}


def test_a_season_that_is_closed_has_a_final_and_then_its_seal() -> None:
    ledger = after(Closed(1, TABLE))
    assert (ledger.final, ledger.season, ledger.secret) == (TABLE, 1, None)
    final = Ordered(2, TABLE, 10, 100, 6, "final")
    ledger = after(ORDERS[0], Closed(1, TABLE), final, Sealed(1, SECRET))
    assert ledger.secret == SECRET
    assert ledger.deals_of(TABLE) == 110


def test_benched_bots_do_not_play() -> None:
    assert after(Benched("Bert", "it fails")).playing == ["Anna", "Cara"]
    assert after(Benched("Bert", "it fails"), Resumed("Bert")).playing == [*TABLE]


def test_a_bot_is_resumed_once() -> None:
    out = Benched("Bert", "it fails")
    assert after(out).may_resume("Bert")
    assert not after(out, Resumed("Bert"), out).may_resume("Bert")


def test_whom_the_organiser_benched_plays_when_the_organiser_says_so() -> None:
    out = Benched("Bert", "a copy", True)
    assert not after(out).may_resume("Bert")
    again = after(out, Resumed("Bert", True), Benched("Bert", "it fails"))
    assert again.may_resume("Bert")


def test_orders_of_a_lineup_go_on_with_its_deals_even_after_a_break() -> None:
    ledger = after(ORDERS[0], Left("Bert", "withdrawn"), Joined("Bert", CONTENT, "Bruno", False))
    assert ledger.deals_of(TABLE) == 10


def test_house_bots_play_until_the_authors_of_a_table_are_there() -> None:
    house = [Joined(bot, CONTENT, "house", True) for bot in ("random", "sampler")]
    assert after(*house).drawn == list(TABLE)
    fewer = after(*house, Benched("Anna", "it fails"))
    assert fewer.drawn == ["Bert", "Cara", "random", "sampler"]


def test_bots_of_one_author_are_apart_unless_the_organiser_named_them() -> None:
    mine = [
        Joined(bot, CONTENT, "Anna", False, organiser=bot < "Dd")
        for bot in ("Da", "Db", "De", "Df")
    ]
    persons = [after(*mine).person(each) for each in mine]
    assert persons == ["bot Da", "bot Db", "author anna", "author anna"]
    assert len({after(*mine).person(each, apart=False) for each in mine}) == 4
    teamed = after(*mine, Teamed((("Anna", "Bert"),)))
    assert {teamed.person(each, apart=False) for each in mine} == {"team 0"}
