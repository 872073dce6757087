"""Roles and seats, counted by hand on a few games."""

from math import sqrt

import numpy as np
import pytest

from arena.stats.figures import Role, Share
from arena.stats.roles import roles, seat_table
from arena.stats.sets import Block
from arena.zole.state import GAMES
from tests.stats.test_sets import NAMES, SEATS, gathered, played, seats_of
from tests.support.present import present

ORDINARY, SOLO, TABLE, THROWN_IN = map(GAMES.index, ("ordinary", "solo", "table", "thrown_in"))
T_9 = 2.2621572
"""Student's t of 9 degrees of freedom, at 97.5 %."""


def a_declares() -> list[Block]:
    """Ten deals: `a` declares and wins 4 in six of them, loses 8 at solo in two; then the table,
    where `b` pays, and a deal that is thrown in. The dealer is seat 2.
    """
    matches = []
    for number, seats in enumerate(SEATS):
        a, b = seats.index("a"), seats.index("b")
        won = tuple(4 if seat == a else -2 for seat in range(3))
        lost = tuple(-8 if seat == a else 4 for seat in range(3))
        table = tuple(-4 if seat == b else 2 for seat in range(3))
        payments = [won] * 6 + [lost] * 2 + [table, (0, 0, 0)]
        courses = [(2, a, ORDINARY)] * 6 + [(2, a, SOLO)] * 2 + [(2, -1, TABLE), (2, -1, THROWN_IN)]
        matches.append(played(number, payments, courses))
    return gathered(matches)


def role_of(bot: str | None, blocks: list[Block]) -> Role:
    return next(each for each in roles(blocks, NAMES) if each.bot == bot)


def values(role: Role) -> dict[str, tuple[float | None, int]]:
    """The value and the number of games of each share."""
    names = ("declares", "wins", "declarer", "defender", "table", "sitting_out")
    shares: dict[str, Share] = {name: getattr(role, name) for name in names}
    return {name: (share.value, share.of) for name, share in shares.items()}


def test_each_role_has_its_own_stakes() -> None:
    a, b, c, every = roles(a_declares(), NAMES)
    assert [each.bot for each in (a, b, c, every)] == ["a", "b", "c", None]
    assert (a.contracts, b.contracts) == ({"ordinary": 36, "solo": 12}, {})
    assert values(a) == {
        "declares": (0.8, 60),
        "wins": (0.75, 48),
        "declarer": ((6 * 4 - 2 * 8) / 8, 48),
        "defender": (None, 0),
        "table": (2, 6),
        "sitting_out": (None, 0),
    }
    assert values(b) == {
        "declares": (0, 60),
        "wins": (None, 0),
        "declarer": (None, 0),
        "defender": ((6 * -2 + 2 * 4) / 8, 48),
        "table": (-4, 6),
        "sitting_out": (None, 0),
    }
    assert values(every) == {
        "declares": (pytest.approx(0.8 / 3), 180),
        "wins": (0.75, 48),
        "declarer": (1, 48),
        "defender": (-0.5, 96),
        "table": (0, 18),
        "sitting_out": (None, 0),
    }


def test_the_interval_of_a_role_is_that_of_the_ratio_by_sets() -> None:
    totals = np.array([24.0] * 6 + [-48.0] * 2 + [0, 0])
    counts = np.array([6.0] * 8 + [0, 0])
    left = totals - counts * totals.sum() / counts.sum()
    error = sqrt(((left - left.mean()) ** 2).sum() * 10 / 9) / counts.sum()
    assert role_of("a", a_declares()).declarer.plus_minus == pytest.approx(T_9 * error)


def test_the_interval_of_a_share_is_wilsons_with_the_clustered_error() -> None:
    """The textbook's form of the bound: a share as far from its estimate as t errors of its own."""
    wins = role_of("a", a_declares()).wins
    value, (low, high) = present(wins.value), present(wins.ci95)
    number = value * (1 - value) / (present(wins.plus_minus) / T_9) ** 2
    for end in (low, high):
        assert abs(value - end) == pytest.approx(T_9 * sqrt(end * (1 - end) / number))
    assert 0 < low < value < high < 1


def test_a_share_of_none_or_all_is_as_certain_as_its_sets_are_many() -> None:
    """`a` wins all it declares, in each of ten sets: of ten hands that would say as much."""
    won = [played(number, [(4, -2, -2)] * 10, [(2, 0, ORDINARY)] * 10) for number in range(6)]
    wins = role_of("a", gathered(won)).wins
    assert (wins.value, wins.plus_minus) == (1, 0)
    assert wins.ci95 == pytest.approx((1 / (1 + T_9**2 / 10), 1))


def test_fewer_than_ten_sets_or_games_in_a_role_have_no_interval() -> None:
    few = gathered([played(number, [(4, -2, -2)] * 9) for number in range(6)])
    tables = [(2, -1, TABLE)] + [(2, 0, ORDINARY)] * 8
    ten = [played(number, [(2, 2, -4)] * 18, tables * 2) for number in range(5)]
    ten.append(played(5, [(2, 2, -4)] * 18, [(2, 0, ORDINARY)] * 18))
    at_table = role_of("a", gathered(ten)).table
    b = role_of("b", a_declares())
    assert role_of("a", few).declarer.plus_minus is None
    assert (at_table.of, at_table.plus_minus is None) == (10, False)
    assert (b.table.plus_minus is None, b.defender.plus_minus is None) == (True, False)


def test_a_role_that_makes_the_same_in_every_set_has_no_spread_at_all() -> None:
    """A third of a stake a deal, set by set, in more games here than there."""
    matches = []
    for number, seats in enumerate(SEATS):
        a = seats.index("a")
        won = tuple(int(seat == a and number % 3 == 0) for seat in range(3))
        declared = [number < 3 or deal % 2 == 1 for deal in range(15)]
        payments = [won if each else (0, 0, 0) for each in declared]
        courses = [(2, a, ORDINARY) if each else (2, -1, THROWN_IN) for each in declared]
        matches.append(played(number, payments, courses))
    assert role_of("a", gathered(matches)).declarer == Share(1 / 3, 0.0, 66)


def test_seats_are_counted_from_forehand() -> None:
    """The seat left of the dealer makes 2, the next nothing, the dealer loses 2."""
    paid = [(-2, 2, 0), (0, -2, 2), (2, 0, -2)] * 4
    courses = [(deal % 3, 0, ORDINARY) for deal in range(12)]
    for each in seat_table(gathered([played(n, paid, courses) for n in range(6)]), NAMES):
        hands = (each.forehand.value, each.middlehand.value, each.rearhand.value)
        assert hands == (2, 0, -2)
        assert each.sitting_out == Share(None, None, 0)
        assert each.forehand.plus_minus == pytest.approx(0)


def test_the_dealer_of_four_sits_out_and_holds_no_hand() -> None:
    names = ("a", "b", "c", "d")
    paid, courses = [(6, -2, -2, -2)], [(3, 0, ORDINARY)]
    seats = range(len(seats_of(names)))
    blocks = gathered([played(number, paid, courses, names) for number in seats])
    a, seat = roles(blocks, names)[0], seat_table(blocks, names)[0]
    assert values(a)["declares"] == (6 / 18, 18)
    assert values(a)["sitting_out"] == (-2, 6)
    assert (seat.forehand.value, seat.forehand.of) == (6, 6)
    assert (seat.sitting_out.value, seat.sitting_out.of) == (-2, 6)


def test_no_sets_make_no_lines() -> None:
    assert roles([], NAMES) == ()
    assert seat_table([], NAMES) == ()
