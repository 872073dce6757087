"""Matches become sets when every seating of their deals has been played."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.league.schedule import seatings
from arena.stats.figures import Lineup
from arena.stats.sets import MIRROR, Block, Played, complete_blocks

NAMES = ("a", "b", "c")
SEATS = seatings(NAMES, 3)


def played(
    seating: int,
    payments: Sequence[tuple[int, ...]],
    courses: Sequence[tuple[int, int, int]] | None = None,
    lineup: Lineup = NAMES,
    out: tuple[int, ...] = (),
    deals: int = 0,
) -> Played:
    """A match over the deals from 0 on; courses are an ordinary game of seat 0, dealt by 2."""
    of_deals = courses or [(2, 0, 0)] * len(payments)
    return Played(
        lineup,
        0,
        deals or len(payments),
        seating,
        np.array(payments, np.int16).reshape(-1, len(seats_of(lineup)[0])),
        np.array(of_deals, np.int8).reshape(-1, 3),
        out,
    )


def seats_of(lineup: Lineup) -> list[tuple[str, ...]]:
    return seatings(lineup, max(3, len(lineup)))


def gathered(matches: Sequence[Played], session: int = 1) -> list[Block]:
    return complete_blocks(matches, NAMES, seats_of, session)


def test_a_bots_stakes_are_the_mean_over_its_seats() -> None:
    [block] = gathered([played(number, [(4, -2, -2), (0, 0, 0)]) for number in range(6)])
    assert block.stakes is not None
    assert (block.deals, block.seatings, block.sets) == (2, 6, 2)
    assert block.stakes.stakes.tolist() == [[0, 0, 0], [0, 0, 0]]  # everyone sat in every seat


def test_seatings_may_come_in_any_order() -> None:
    """A bot wins wherever it sits; the others lose."""
    matches = [
        played(number, [tuple(4 if bot == "b" else -2 for bot in seats)])
        for number, seats in enumerate(SEATS)
    ]
    for order in (matches, matches[::-1]):
        [block] = gathered(order)
        assert block.stakes is not None
        assert block.stakes.stakes.tolist() == [[-2, 4, -2]]


def test_deals_that_lack_a_seating_do_not_count() -> None:
    assert gathered([played(number, [(0, 0, 0)]) for number in range(5)]) == []


def test_a_disqualification_voids_all_sets_of_the_deals_and_is_named() -> None:
    matches = [played(number, [(0, 0, 0)] * 3) for number in range(5)]
    matches.append(played(5, [(0, 0, 0)], out=(1,), deals=3))
    [block] = gathered(matches)
    assert (block.stakes, block.games, block.sets) == (None, None, 3)
    assert block.disqualified == {SEATS[5][1]: 1}


def test_a_session_is_a_set() -> None:
    payments = [(6, -3, -3), (0, 0, 0), (-2, 1, 1), (2, -1, -1)]
    [block] = gathered([played(number, payments) for number in range(6)], session=2)
    assert block.stakes is not None
    assert block.stakes.stakes.shape == (2, 3)
    assert block.games is not None
    assert block.games.payments.shape == (6, 4, 3)


def test_two_bots_of_a_mirror_sit_in_nine_seats_each() -> None:
    lineup = ("a", "b")
    seats = seats_of(lineup)
    matches = [
        played(
            number,
            [tuple(2 * row.count("b") if bot == "a" else -2 * row.count("a") for bot in row)],
            lineup=lineup,
        )
        for number, row in enumerate(seats)
    ]
    [block] = gathered(matches)
    assert block.stakes is not None
    assert block.stakes.stakes[0].sum() == pytest.approx(0)
    assert block.stakes.stakes[0, 0] == pytest.approx((2 * 3 * 2 + 4 * 3) / 9 * MIRROR)


def test_a_mirror_shows_the_same_gap_as_a_table_of_three() -> None:
    """Each bot makes by how much its strength is above the mean of those at the table."""
    strength = {"a": 5, "b": -4, "c": 2}

    def gap(lineup: Lineup) -> float:
        matches = []
        for number, row in enumerate(seats_of(lineup)):
            total = sum(strength[bot] for bot in row)
            paid = tuple(3 * strength[bot] - total for bot in row)
            matches.append(played(number, [paid], lineup=lineup))
        [block] = gathered(matches)
        assert block.stakes is not None
        return float(block.stakes.stakes[0, 0] - block.stakes.stakes[0, 1])

    assert gap(("a", "b")) == pytest.approx(27)
    assert gap(NAMES) == pytest.approx(27)
