"""When a bot that keeps failing gets no more orders."""

import pytest

from arena.league.outcomes import Bench, StoredOutcome

TABLE = ("Anna", "Bert", "Cara")


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
