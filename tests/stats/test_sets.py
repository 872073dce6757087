"""Matches become sets when every seating of their deals has been played; sums forget last bits."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.league.schedule import seatings
from arena.stats.figures import Lineup
from arena.stats.sets import (
    EPSILON,
    MIRROR,
    Block,
    Floats,
    Played,
    complete_blocks,
    dense_ranks,
    round_noise,
    zero_small,
)
from tests.support.present import present

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
    """The blocks of matches of bots that are called a to e."""
    return complete_blocks(matches, "abcde", seats_of, session)


def stakes_of(matches: Sequence[Played], session: int = 1) -> Floats:
    """The stakes of the only block, by set and bot."""
    [block] = gathered(matches, session)
    return present(block.stakes).stakes


def test_a_bots_stakes_are_the_mean_over_its_seats() -> None:
    """Every bot sat in every seat."""
    matches = [played(number, [(4, -2, -2), (0, 0, 0)]) for number in range(6)]
    [block] = gathered(matches)
    assert (block.deals, block.seatings, block.sets) == (2, 6, 2)
    assert stakes_of(matches).tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("step", [1, -1])
def test_seatings_may_come_in_any_order(step: int) -> None:
    """A bot wins wherever it sits; the others lose."""
    matches = [
        played(number, [tuple(4 if bot == "b" else -2 for bot in seats)])
        for number, seats in enumerate(SEATS)
    ]
    assert stakes_of(matches[::step]).tolist() == [[-2, 4, -2]]


def test_deals_that_lack_a_seating_do_not_count() -> None:
    assert gathered([played(number, [(0, 0, 0)]) for number in range(5)]) == []


def test_a_disqualification_voids_all_sets_of_the_deals_and_is_named() -> None:
    matches = [played(number, [(0, 0, 0)] * 3) for number in range(5)]
    [block] = gathered([*matches, played(5, [(0, 0, 0)], out=(1,), deals=3)])
    assert (block.stakes, block.games, block.sets) == (None, None, 3)
    assert block.disqualified == {SEATS[5][1]: 1}


def test_a_session_is_a_set() -> None:
    payments = [(6, -3, -3), (0, 0, 0), (-2, 1, 1), (2, -1, -1)]
    matches = [played(number, payments) for number in range(6)]
    [block] = gathered(matches, session=2)
    assert stakes_of(matches, session=2).shape == (2, 3)
    assert present(block.games).payments.shape == (6, 4, 3)


def test_two_bots_of_a_mirror_sit_in_nine_seats_each() -> None:
    lineup = ("a", "b")
    matches = [
        played(
            number,
            [tuple(2 * row.count("b") if bot == "a" else -2 * row.count("a") for bot in row)],
            lineup=lineup,
        )
        for number, row in enumerate(seats_of(lineup))
    ]
    made = (2 * 3 * 2 + 4 * 3) / 9 * MIRROR
    assert stakes_of(matches)[0] == pytest.approx([made, -made])


@pytest.mark.parametrize("lineup", [("a", "b"), NAMES])
def test_a_mirror_shows_the_same_gap_as_a_table_of_three(lineup: Lineup) -> None:
    """Each bot makes by how much its strength is above the mean of those at the table."""
    strength = {"a": 5, "b": -4, "c": 2}
    matches = []
    for number, row in enumerate(seats_of(lineup)):
        total = sum(strength[bot] for bot in row)
        matches.append(
            played(number, [tuple(3 * strength[bot] - total for bot in row)], None, lineup)
        )
    [stakes] = stakes_of(matches)
    assert stakes[0] - stakes[1] == pytest.approx(27)


def test_what_is_small_is_relative_to_what_was_added() -> None:
    small = np.array([-EPSILON / 2, 2 * EPSILON])
    assert zero_small(small).tolist() == [0, 2 * EPSILON]
    assert zero_small(small, size=4.0).tolist() == [0, 0]


def test_noise_is_rounded_away_and_never_leaves_a_negative_zero() -> None:
    assert str(round_noise(-1e-13)) == "0.0"
    assert round(round_noise(1 / 128 - 1e-13), 6) == round(1 / 128, 6)


def test_values_that_differ_by_noise_share_a_rank() -> None:
    assert dense_ranks(np.array([0.1, 0.3, 0.1 + 1e-15, -2.0])).tolist() == [1, 0, 1, 2]
    assert dense_ranks(np.array([])).size == 0
