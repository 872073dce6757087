"""Roles and seats, counted by hand on a few games."""

from math import sqrt

import numpy as np
import pytest

from arena.league.schedule import seatings
from arena.stats.figures import Lineup, Role, Share
from arena.stats.intervals import wilson
from arena.stats.roles import roles, seat_table
from arena.stats.sets import Block, Played, complete_blocks
from arena.zole.state import GAMES
from tests.stats.test_sets import NAMES, SEATS, gathered, played

ORDINARY, SOLO, TABLE, THROWN_IN = map(GAMES.index, ("ordinary", "solo", "table", "thrown_in"))


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


def line(found: tuple[Role, ...], bot: str | None) -> Role:
    return next(each for each in found if each.bot == bot)


def test_each_role_has_its_own_stakes() -> None:
    found = roles(a_declares(), NAMES)
    assert [each.bot for each in found] == ["a", "b", "c", None]
    a, b = line(found, "a"), line(found, "b")
    assert (a.declares.value, a.declares.of) == (0.8, 60)
    assert (a.wins.value, a.wins.of) == (0.75, 48)
    assert (a.declarer.value, a.declarer.of) == ((6 * 4 - 2 * 8) / 8, 48)
    assert (a.defender.value, a.defender.of) == (None, 0)
    assert a.contracts == {"ordinary": 36, "solo": 12}
    assert (b.declares.value, b.wins.value, b.contracts) == (0.0, None, {})
    assert (b.defender.value, b.defender.of) == ((6 * -2 + 2 * 4) / 8, 48)
    assert (b.table.value, b.table.of) == (-4, 6)
    assert (b.sitting_out.value, b.sitting_out.of) == (None, 0)


def test_everybody_together_pays_nothing_at_the_table() -> None:
    every = line(roles(a_declares(), NAMES), None)
    assert every.table.value == 0
    assert every.declares.value == pytest.approx(0.8 / 3)
    assert every.declarer.value == 1
    assert every.defender.value == -0.5


def test_the_interval_of_a_role_is_that_of_the_ratio_by_sets() -> None:
    share = line(roles(a_declares(), NAMES), "a").declarer
    totals = np.array([24.0] * 6 + [-48.0] * 2 + [0, 0])
    counts = np.array([6.0] * 8 + [0, 0])
    left = totals - counts * totals.sum() / counts.sum()
    error = sqrt(((left - left.mean()) ** 2).sum() * 10 / 9) / counts.sum()
    assert share.plus_minus == pytest.approx(2.2621572 * error)


def test_the_interval_of_a_share_is_wilsons_with_the_clustered_error() -> None:
    """The textbook's form of the bound: a share as far from its estimate as t errors of its own."""
    wins = line(roles(a_declares(), NAMES), "a").wins
    assert wins.value is not None
    assert wins.plus_minus is not None
    assert wins.ci95 is not None
    t = 2.2621572
    number = wins.value * (1 - wins.value) / (wins.plus_minus / t) ** 2
    for end in wins.ci95:
        assert abs(wins.value - end) == pytest.approx(t * sqrt(end * (1 - end) / number))
    assert 0 < wins.ci95[0] < wins.value < wins.ci95[1] < 1


def test_a_share_of_none_or_all_is_as_sure_as_its_sets_are_many() -> None:
    """`a` wins all it declares, in each of ten sets: of ten hands that would say as much."""
    courses = [(2, 0, ORDINARY)] * 10
    won = [(4, -2, -2)] * 10
    found = line(roles(gathered([played(number, won, courses) for number in range(6)]), NAMES), "a")
    assert (found.wins.value, found.wins.plus_minus) == (1, 0)
    r = 2.2621572**2 / 10
    assert found.wins.ci95 == pytest.approx((1 / (1 + r), 1))


def test_without_clusters_the_interval_is_that_of_scipy() -> None:
    from scipy.stats import binomtest  # which takes a second to import

    z = 1.959963984540054
    for hits, number in ((0, 12), (1, 30), (19, 20), (50, 100), (40, 40)):
        told = binomtest(hits, number).proportion_ci(method="wilson")
        assert wilson(hits / number, number, z) == pytest.approx((told.low, told.high))


def test_fewer_than_ten_sets_or_games_in_a_role_have_no_interval() -> None:
    few = gathered([played(number, [(4, -2, -2)] * 9) for number in range(6)])
    assert line(roles(few, NAMES), "a").declarer.plus_minus is None
    tables = [(2, -1, TABLE)] + [(2, 0, ORDINARY)] * 8
    ten = [played(number, [(2, 2, -4)] * 18, tables * 2) for number in range(5)]
    ten.append(played(5, [(2, 2, -4)] * 18, [(2, 0, ORDINARY)] * 18))
    assert line(roles(gathered(ten), NAMES), "a").table.of == 10
    assert line(roles(gathered(ten), NAMES), "a").table.plus_minus is not None
    b = line(roles(a_declares(), NAMES), "b")
    assert b.table.plus_minus is None
    assert b.defender.plus_minus is not None


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
    assert line(roles(gathered(matches), NAMES), "a").declarer == Share(1 / 3, 0.0, 66)


def test_seats_are_counted_from_forehand() -> None:
    """The seat left of the dealer makes 2, the next nothing, the dealer loses 2."""
    matches = []
    for number in range(6):
        payments, courses = [], []
        for deal in range(12):
            dealer = deal % 3
            paid = [0, 0, 0]
            paid[(dealer + 1) % 3], paid[dealer] = 2, -2
            payments.append(tuple(paid))
            courses.append((dealer, 0, ORDINARY))
        matches.append(played(number, payments, courses))
    for each in seat_table(gathered(matches), NAMES):
        hands = (each.forehand.value, each.middlehand.value, each.rearhand.value)
        assert hands == (2, 0, -2)
        assert each.sitting_out == Share(None, None, 0)
        assert each.forehand.plus_minus == pytest.approx(0)


def test_the_dealer_of_four_sits_out_and_holds_no_hand() -> None:
    names = ("a", "b", "c", "d")
    seats = seatings(names, 4)
    matches = [
        Played(
            names,
            0,
            1,
            number,
            np.array([(6, -2, -2, -2)], np.int16),
            np.array([(3, 0, ORDINARY)], np.int8),
            (),
        )
        for number in range(len(seats))
    ]

    def seats_of(_: Lineup) -> list[tuple[str, ...]]:
        return seats

    blocks = complete_blocks(matches, names, seats_of)
    a = line(roles(blocks, names), "a")
    assert (a.declares.of, a.sitting_out.of) == (18, 6)
    assert a.declares.value == pytest.approx(1 / 3)
    assert a.sitting_out.value == -2
    [first, *_] = seat_table(blocks, names)
    assert (first.forehand.value, first.forehand.of) == (6, 6)
    assert (first.sitting_out.value, first.sitting_out.of) == (-2, 6)


def test_no_sets_make_no_lines() -> None:
    assert roles([], NAMES) == ()
    assert seat_table([], NAMES) == ()
