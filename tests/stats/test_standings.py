"""Standings have an order that is fair, and words where there is no number."""

from itertools import combinations

from arena.stats.blocks import Block
from arena.stats.figures import Standing
from arena.stats.sets import SetBlock
from arena.stats.standings import standings
from tests.support.worked import simulated

NAMES = "abcdef"


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
