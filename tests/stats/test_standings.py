"""Standings have an order that is fair, and words where there is no number."""

from itertools import combinations

import numpy as np

from arena.stats.figures import Standing
from arena.stats.sets import Block, SetBlock, league_sets
from arena.stats.standings import rank_ranges, standings
from arena.stats.strengths import anytime_plus_minus, means, strengths
from tests.support.worked import simulated

NAMES = "abcdef"
TRIOS = list(combinations(range(4), 3))
FIVE = list(combinations(range(5), 3))


def table(
    blocks: list[SetBlock],
    names: str = NAMES,
    void: tuple[Block, ...] = (),
    field: str | None = None,
) -> list[Standing]:
    whole = [
        Block(
            tuple(names[bot] for bot in each.bots),
            0,
            len(each.stakes),
            6,
            len(each.stakes),
            each,
            None,
            {},
        )
        for each in blocks
    ]
    return standings([*whole, *void], names, {"a": {"illegal": 2}}, field)


def test_equal_schedules_are_ordered_by_plain_means() -> None:
    blocks = simulated(1, [0.0, 2.0, -2.0, 1.0], list(combinations(range(4), 3)), 40)
    found = table(blocks, "abcd")
    assert [line.bot for line in found] == ["b", "d", "a", "c"]
    assert [line.rank for line in found] == [1, 2, 3, 4]
    means = [line.stakes_per_deal for line in found if line.stakes_per_deal is not None]
    assert len(means) == 4
    assert means == sorted(means, reverse=True)


def test_unequal_schedules_are_ordered_by_strength() -> None:
    blocks = simulated(4, [0.2, 0.6, 2.5, -2.5], [(0, 1, 3), (1, 2, 3)], 400)
    found = {line.bot: line for line in table(blocks, "abcd")}
    assert (found["b"].rank, found["a"].rank) == (2, 3)
    assert (found["a"].stakes_per_deal or 0) > (found["b"].stakes_per_deal or 0)
    assert (found["a"].strength or 0) < (found["b"].strength or 0)


def test_groups_that_never_met_are_ranked_apart_the_largest_first() -> None:
    blocks = simulated(2, [0.0] * 6, [(4, 5), (0, 1, 2)], 20)
    found = table(blocks)
    assert [line.part for line in found] == [1, 1, 1, 2, 2, None]
    assert [line.rank for line in found[:5]] == [1, 2, 3, 1, 2]
    assert {line.bot for line in found[:3]} == set("abc")
    assert (found[5].bot, found[5].ranks, found[5].stakes_per_deal) == ("d", None, None)


def test_in_an_open_league_nobody_stands_before_others_without_an_interval() -> None:
    met = simulated(5, [0.0, 1.0, -1.0, 9.0], [(0, 1, 2)], 200)
    met += simulated(6, [0.0, 1.0, -1.0, 9.0], [(0, 1, 3)], 3)
    found = table(met, "abcd", field="abcd")
    assert [(line.bot, line.rank) for line in found] == [("b", 1), ("a", 2), ("c", 3), ("d", 4)]
    assert (found[3].strength or 0) > (found[0].strength or 0)
    assert [line.anytime_ci95 is None for line in found] == [False, False, False, True]


def test_without_sets_there_are_names_only() -> None:
    found = table([], "ab")
    assert [line.bot for line in found] == ["a", "b"]
    for line in found:
        assert (line.stakes_per_deal, line.elo, line.ranks, line.strength) == (None,) * 4
    assert found[0].faults == {"illegal": 2}


def test_one_bot_alone_has_a_line() -> None:
    [line] = table([], "a")
    assert (line.bot, line.sets, line.ci95) == ("a", 0, None)


def test_bots_that_did_exactly_as_well_share_a_rank() -> None:
    [block] = simulated(3, [0.0, 0.0, -4.0], [(0, 1, 2)], 20)
    stakes = block.stakes.copy()
    stakes[:, 0] = stakes[:, 1] = -stakes[:, 2] / 2
    found = table([SetBlock((0, 1, 2), stakes)], "abc")
    assert [(line.rank, line.bot) for line in found] == [(1, "a"), (1, "b"), (3, "c")]


def test_a_bot_that_lost_everything_has_a_bound_not_a_number() -> None:
    blocks = simulated(5, [0.0, 0.0, -90.0], [(0, 1, 2)], 20)
    last = table(blocks, "abc")[-1]
    assert (last.bot, last.elo_bound, last.elo_pm) == ("c", "<", None)


def test_void_sets_and_disqualifications_are_counted_apart() -> None:
    void = Block(("a", "b", "c"), 20, 5, 6, 5, None, None, {"a": 2})
    found = {
        line.bot: line for line in table(simulated(6, [0.0] * 3, [(0, 1, 2)], 20), "abc", (void,))
    }
    assert (found["a"].sets, found["a"].void_sets, found["a"].disqualified) == (20, 5, 2)
    assert (found["b"].void_sets, found["b"].disqualified) == (5, 0)


def test_clear_differences_leave_one_rank_each() -> None:
    blocks = simulated(1, [6.0, 2.0, -2.0, -6.0], TRIOS, 50)
    assert rank_ranges(means(league_sets(blocks, 4))) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_bots_alike_in_the_middle_share_their_ranks() -> None:
    blocks = simulated(2, [6.0, 0.0, 0.0, -6.0], TRIOS, 50)
    assert rank_ranges(means(league_sets(blocks, 4))) == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_few_sets_leave_every_rank() -> None:
    blocks = simulated(3, [6.0, 0.0, -6.0], [(0, 1, 2)], 9)
    assert rank_ranges(means(league_sets(blocks, 4))) == [(1, 3)] * 3 + [None]


def test_ten_sets_are_enough_for_a_rank() -> None:
    blocks = simulated(3, [20.0, 0.0, -20.0], [(0, 1, 2)], 10)
    assert rank_ranges(means(league_sets(blocks, 3))) == [(1, 1), (2, 2), (3, 3)]


def test_bots_without_a_degree_of_freedom_do_not_blur_the_ranks_of_others() -> None:
    """Sixteen tests in place of one would: twenty trios that met once each are not tested."""
    sure = np.array([1.0] * 15 + [-1.0] * 5)
    pair = SetBlock((6, 7), np.stack([sure, -sure], axis=1))
    once = simulated(5, [0.0] * 6, list(combinations(range(6), 3)), 1)
    assert rank_ranges(means(league_sets([pair, *once], 8))) == [(1, 6)] * 6 + [(1, 1), (2, 2)]


def test_ranks_are_counted_among_bots_that_met() -> None:
    blocks = simulated(4, [6.0, 0.0, -6.0, 6.0, 0.0, -6.0], [(0, 1, 2), (3, 4, 5)], 50)
    assert rank_ranges(strengths(league_sets(blocks, 6))) == [(1, 1), (2, 2), (3, 3)] * 2


def test_a_difference_that_is_the_same_in_every_set_is_sure() -> None:
    block = SetBlock((0, 1), np.array([[1.0, -1.0]] * 20))
    assert rank_ranges(means(league_sets([block], 2))) == [(1, 1), (2, 2)]


def test_bots_that_did_the_same_cannot_be_told_apart() -> None:
    block = SetBlock((0, 1), np.zeros((20, 2)))
    assert rank_ranges(means(league_sets([block], 2))) == [(1, 2), (1, 2)]


def test_ranks_at_all_times_leave_more_open_and_tell_clear_differences() -> None:
    near = strengths(league_sets(simulated(1, [0.4, 0.2, 0.0, -0.2, -0.4], FIVE, 40), 5))
    for at_end, at_all in zip(rank_ranges(near), rank_ranges(near, anytime=True), strict=True):
        assert at_end is not None
        assert at_all is not None
        assert at_all[0] <= at_end[0] <= at_end[1] <= at_all[1]
    far = strengths(league_sets(simulated(2, [6.0, 3.0, 0.0, -3.0, -6.0], FIVE, 40), 5))
    assert rank_ranges(far, anytime=True) == [(rank, rank) for rank in range(1, 6)]


def test_bots_that_never_met_are_not_compared_at_any_look() -> None:
    blocks = simulated(4, [6.0, 0.0, -6.0] * 2, [(0, 1, 2), (3, 4, 5)], 50)
    assert (
        rank_ranges(strengths(league_sets(blocks, 6)), anytime=True) == [(1, 1), (2, 2), (3, 3)] * 2
    )
    one_set = [SetBlock((0, 1, 2), np.array([[1.0, 0.0, -1.0]]))]
    assert anytime_plus_minus(strengths(league_sets(one_set, 3)), 0) is None
