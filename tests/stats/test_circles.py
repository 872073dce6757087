"""A circle is told where three pairs are each beyond luck and go round, and nowhere else."""

from itertools import combinations

from arena.stats.circles import circles
from arena.stats.figures import Gap, HeadToHead
from arena.stats.head_to_head import crosstable
from arena.stats.misfit import pairwise_misfit
from arena.stats.sets import SetBlock
from arena.stats.strengths import strengths
from tests.stats.test_misfit import circular
from tests.support.worked import simulated


def gap(bot: str, other: str, los: float | None) -> HeadToHead:
    """Two bots that met, and how sure it is that the first is better."""
    stakes = 0.0 if los is None else los - 0.5
    return HeadToHead(bot, other, 50, 50, Gap(stakes, 0.1, los), None, False)


def test_three_sure_wins_that_go_round_are_a_circle() -> None:
    assert circles([gap("a", "b", 0.999), gap("a", "c", 0.001), gap("b", "c", 0.999)]) == (
        ("a", "b", "c"),
    )
    assert circles([gap("a", "b", 0.001), gap("a", "c", 0.999), gap("b", "c", 0.001)]) == (
        ("a", "c", "b"),
    )


def test_a_row_is_not_a_circle() -> None:
    assert circles([gap("a", "b", 0.999), gap("a", "c", 0.999), gap("b", "c", 0.999)]) == ()


def test_one_win_that_luck_may_have_made_breaks_a_circle() -> None:
    sure = [gap("a", "b", 0.999), gap("a", "c", 0.001)]
    assert circles([*sure, gap("b", "c", 0.97)]) == ()
    assert circles([*sure, gap("b", "c", None)]) == ()
    assert circles(sure) == ()


def test_among_many_pairs_a_circle_must_be_surer() -> None:
    """0.985 is beyond luck alone and as the last of three, not as one of ten alike."""
    ring = [gap("a", "b", 0.985), gap("a", "c", 0.015), gap("b", "c", 0.985)]
    alone = [gap("a", "b", 0.9999), gap("a", "c", 0.0001), gap("b", "c", 0.985)]
    assert circles(alone) == (("a", "b", "c"),)
    others = [gap(one, other, 0.5) for one, other in combinations("defg", 2)]
    assert circles([*ring, *others]) == ()


def test_a_circle_of_made_up_matches_is_found_and_named() -> None:
    lineups: list[tuple[int, ...]] = list(combinations(range(5), 3))
    for by, expected in ((3.0, (("a", "b", "c"),)), (0.0, ())):
        blocks = circular(1, lineups, 60, by)
        assert circles(crosstable(blocks, "abcde", strengths(blocks, 5))) == expected


def test_gaps_in_order_that_do_not_add_up_are_a_misfit_and_no_circle() -> None:
    """a beats b and b beats c by a little, but a beats c by far more than both."""
    blocks = []
    for block in simulated(7, [0.4, 0.0, -0.4, 0.1, -0.1], list(combinations(range(5), 3)), 80):
        stakes = block.stakes.copy()
        if {0, 2} <= set(block.bots):
            stakes[:, block.bots.index(0)] += 2.0
            stakes[:, block.bots.index(2)] -= 2.0
        blocks.append(SetBlock(block.bots, stakes))
    chance = pairwise_misfit(blocks, 5).chance
    assert chance is not None
    assert chance < 0.001
    pairs = crosstable(blocks, "abcde", strengths(blocks, 5))
    told = {(pair.bot, pair.other): pair.met and pair.met.stakes > 0 for pair in pairs}
    assert told["a", "b"]
    assert told["b", "c"]
    assert told["a", "c"]
    assert circles(pairs) == ()
