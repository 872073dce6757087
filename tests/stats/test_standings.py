"""Standings: a fair order, words where there is no number, the figures of docs/statistics.md."""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pytest

from arena.stats.analysis import analysis, crosstable
from arena.stats.elo import ratings
from arena.stats.figures import Hypotheses, Standing
from arena.stats.intervals import t_quantile
from arena.stats.sets import Block, SetBlock, league_sets
from arena.stats.sprt import SAME, decide
from arena.stats.standings import rank_ranges, standings
from arena.stats.strengths import anytime_plus_minus, means, plus_minus, strengths
from tests.support.present import present
from tests.support.worked import simulated, worked_league

TRIO = [(0, 1, 2)]
TRIOS = list(combinations(range(4), 3))
FIVE = list(combinations(range(5), 3))
TWO_PARTS = [(0, 1, 2), (3, 4, 5)]


def whole(blocks: Sequence[SetBlock]) -> list[Block]:
    """Sets of bots that are called a to f, with all that stands around them."""
    return [
        Block(
            tuple("abcdef"[bot] for bot in each.bots),
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


def table(
    blocks: Sequence[SetBlock], names: str = "abc", field: str | None = None
) -> list[Standing]:
    return standings(whole(blocks), names, {"a": {"illegal": 2}}, field)


def equal_on_the_whole() -> list[SetBlock]:
    """Bots 0 and 1 make the same, 1/128 a deal, in different sets: halfway between two decimals."""
    sixths = np.zeros((64, 3))
    sixths[:4, 0] = 2, 1, 1, -1
    sixths[40:46, 1] = 1, 1, 1, 1, -2, 1
    sixths[:, 2] = -sixths[:, 0] - sixths[:, 1]
    return [SetBlock((0, 1, 2), sixths / 6)]


def twins(lineups: Sequence[tuple[int, ...]]) -> list[SetBlock]:
    """Bots 0 and 1 sit together, and do the same, in every set."""
    blocks = []
    for block in simulated(9, [0.3, 0.3, 0.1, -0.3, -0.4], lineups, 30):
        stakes = block.stakes.copy()
        stakes[:, 1] = stakes[:, 0]
        blocks.append(SetBlock(block.bots, stakes - stakes.mean(axis=1, keepdims=True)))
    return blocks


WEAK_ONES = simulated(4, [0.2, 0.6, 2.5, -2.5], [(0, 1, 3), (1, 2, 3)], 400)
"""Bot 1 is stronger than bot 0, but sits with the strongest half the time."""
NEWCOMER = [
    block
    for tables, sets in ((TRIO, 200), ([(0, 1, 3)], 3))
    for block in simulated(5, [0.0, 1.0, -1.0, 9.0], tables, sets)
]


@pytest.mark.parametrize(
    ("blocks", "field", "ranks"),
    [
        (simulated(1, [0.0, 2.0, -2.0, 1.0], TRIOS, 40), None, "b1 d2 a3 c4"),
        (equal_on_the_whole(), None, "a1 b1 c3"),
        (WEAK_ONES, None, "c1 b2 a3 d4"),
        (NEWCOMER, "abcd", "b1 a2 c3 d4"),
    ],
    ids=["equal schedule", "exactly as well", "unequal schedule", "open, one is new"],
)
def test_the_order_is_that_of_means_or_of_strengths_and_new_bots_stand_last(
    blocks: list[SetBlock], field: str | None, ranks: str
) -> None:
    names = "".join(sorted(ranks))[-len(ranks.split()) :]
    assert [f"{it.bot}{it.rank}" for it in table(blocks, names, field)] == ranks.split()


def test_that_order_may_differ_from_the_one_by_means_and_by_strengths() -> None:
    """By whom a bot met, and where a new bot has no interval yet."""
    _, b, a, _ = table(WEAK_ONES, "abcd")
    assert present(a.stakes_per_deal) > present(b.stakes_per_deal)
    assert present(a.strength) < present(b.strength)
    first, *others, new = table(NEWCOMER, "abcd", field="abcd")
    assert present(new.strength) > present(first.strength)
    known = [line.anytime_ci95 is not None for line in (first, *others, new)]
    assert known == [True, True, True, False]


def test_groups_that_never_met_are_ranked_apart_the_largest_first() -> None:
    *found, last = table(simulated(2, [0.0] * 6, [(4, 5), (0, 1, 2)], 20), "abcdef")
    assert [(line.part, line.rank) for line in found] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    assert {line.bot for line in found[:3]} == {*"abc"}
    assert (last.bot, last.part, last.ranks, last.stakes_per_deal) == ("d", None, None, None)


def test_without_sets_there_are_names_and_counts_only() -> None:
    """Void sets and disqualifications are counted apart."""
    void = Block(("a", "b"), 20, 5, 6, 5, None, None, {"a": 2})
    line = Standing(rank=1, bot="b", stakes_per_deal=None, games=0, sets=0, void_sets=5, faults={})
    faulty = msgspec.structs.replace(line, bot="a", faults={"illegal": 2}, disqualified=2)
    assert standings([void], "ab", {"a": {"illegal": 2}}) == [faulty, line]


def test_a_bot_that_lost_everything_has_a_bound_not_a_number() -> None:
    last = table(simulated(5, [0.0, 0.0, -90.0], TRIO, 20))[-1]
    assert (last.bot, last.sets, last.elo_bound, last.elo_pm) == ("c", 20, "<", None)


EACH_ITS_OWN = [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize(
    ("true", "tables", "sets", "ranks"),
    [
        ([6, 2, -2, -6], TRIOS, 50, [*EACH_ITS_OWN, (4, 4)]),
        ([6, 0, 0, -6], TRIOS, 50, [(1, 1), (2, 3), (2, 3), (4, 4)]),
        ([6, 0, -6, 0], TRIO, 9, [(1, 3)] * 3 + [None]),
        ([20, 0, -20], TRIO, 10, EACH_ITS_OWN),
        ([6, 0, -6, 6, 0, -6], TWO_PARTS, 50, EACH_ITS_OWN * 2),
    ],
    ids=["clear", "alike in the middle", "nine sets", "ten sets", "two parts"],
)
def test_ranks_are_those_that_the_sets_leave_open_among_bots_that_met(
    true: list[float],
    tables: list[tuple[int, ...]],
    sets: int,
    ranks: list[tuple[int, int] | None],
) -> None:
    assert rank_ranges(strengths(league_sets(simulated(2, true, tables, sets), len(true)))) == ranks


SURE = np.array([1.0] * 15 + [-1.0] * 5)


@pytest.mark.parametrize(
    ("blocks", "ranks"),
    [
        (  # sixteen tests in place of one would: twenty trios that met once each are not tested
            [
                SetBlock((6, 7), np.stack([SURE, -SURE], axis=1)),
                *simulated(5, [0.0] * 6, list(combinations(range(6), 3)), 1),
            ],
            [(1, 6)] * 6 + [(1, 1), (2, 2)],
        ),
        ([SetBlock((0, 1), np.array([[1.0, -1.0]] * 20))], [(1, 1), (2, 2)]),
        ([SetBlock((0, 1), np.zeros((20, 2)))], [(1, 2), (1, 2)]),
    ],
    ids=["others have no degree of freedom", "the same in every set", "no difference"],
)
def test_a_clear_difference_is_told_whoever_else_met(
    blocks: list[SetBlock], ranks: list[tuple[int, int]]
) -> None:
    assert rank_ranges(means(league_sets(blocks, len(ranks)))) == ranks


def test_ranks_at_all_times_leave_more_open_and_tell_clear_differences() -> None:
    near, far, apart, once = (
        strengths(league_sets(simulated(4, true, tables, sets), len(true)))
        for true, tables, sets in (
            ([0.4, 0.2, 0.0, -0.2, -0.4], FIVE, 40),
            ([6.0, 3.0, 0.0, -3.0, -6.0], FIVE, 40),
            ([6.0, 0.0, -6.0] * 2, TWO_PARTS, 50),
            ([1.0, 0.0, -1.0], TRIO, 1),
        )
    )
    for at_end, always in zip(rank_ranges(near), rank_ranges(near, anytime=True), strict=True):
        [low, high], [lowest, highest] = at_end or (1, 5), always or (1, 5)
        assert lowest <= low <= high <= highest
    assert rank_ranges(far, anytime=True) == [*EACH_ITS_OWN, (4, 4), (5, 5)]
    assert rank_ranges(apart, anytime=True) == EACH_ITS_OWN * 2
    assert anytime_plus_minus(once, 0) is None


LEAGUES = {
    "twins at one table": twins(TRIO),
    "twins in a gauntlet": twins([(0, 1, 2), (0, 1, 3), (0, 1, 4)]),
    "equal on the whole": equal_on_the_whole(),
    "the same in every set": [
        SetBlock(lineup, np.tile(np.array([1, 1, -2]) / 3, (40, 1)))
        for lineup in combinations(range(4), 3)
    ],
    "worked": worked_league()[1],
}


def jolted(blocks: Sequence[SetBlock], seed: int, shuffle: bool = True) -> list[SetBlock]:
    """The same sets in another order, each number with other last bits."""
    chance = np.random.default_rng(seed)
    found = []
    for block in blocks:
        stakes = chance.permutation(block.stakes) if shuffle else block.stakes
        bits = chance.integers(-2, 3, size=stakes.shape) * np.finfo(float).eps
        found.append(SetBlock(block.bots, stakes * (1 + bits)))
    return [found[place] for place in chance.permutation(len(found))] if shuffle else found


def leaves(value: object, path: str = "") -> dict[str, object]:
    """The numbers and words in a document by the path to them, and how many parts others have."""
    if not isinstance(value, dict | tuple):
        return {path: value}
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    parts = {at: it for key, each in inner for at, it in leaves(each, f"{path}/{key}").items()}
    return {path: len(value), **parts}


@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("seed", range(8))
def test_standings_and_analyses_are_the_same_for_other_last_bits(name: str, seed: int) -> None:
    """Words, counts and what is None are; numbers may differ in their tenth digit."""
    blocks, others = LEAGUES[name], jolted(LEAGUES[name], seed)
    assert table(others, "abcde") == table(blocks, "abcde")
    for estimate in (means, strengths):
        one, other = (estimate(league_sets(each, 5)) for each in (blocks, others))
        assert rank_ranges(one) == rank_ranges(other)
    made, again = (
        leaves(msgspec.to_builtins(analysis(whole(each), "abcde")))
        for each in (blocks, jolted(blocks, seed, shuffle=False))
    )
    assert again == {
        at: pytest.approx(it, rel=1e-9, abs=1e-9, nan_ok=True) if isinstance(it, float) else it
        for at, it in made.items()
    }


@pytest.mark.parametrize("gap", [0.0, 1 / 3])
def test_the_sequential_test_sees_no_spread_in_last_bits(gap: float) -> None:
    bits = np.random.default_rng(1).integers(-2, 3, SAME) * np.finfo(float).eps
    decision, plain = (decide(each, Hypotheses()) for each in (gap + bits, np.full(SAME, gap)))
    assert (decision.verdict, decision.sets) == (plain.verdict, plain.sets)
    assert decision.llr == pytest.approx(plain.llr)
    assert decision.identical is (gap == 0)


DOCS = Path(__file__).parents[2] / "docs"


def page(*names: str) -> str:
    """Some pages with plain signs, each run of spaces and line ends as one space."""
    text = "\n".join((DOCS / name).read_text(encoding="utf-8") for name in names)
    return " ".join(text.replace("\N{MINUS SIGN}", "-").split())


def test_the_worked_example_is_right() -> None:
    text = page("statistics.md", "decisions/22-degrees-of-freedom.md")
    rows = re.findall(r"\| \d+ \| (-?\d\S*) \| (-?\d\S*) \| (-?\d\S*) \|", text)
    stakes = np.array(rows, np.float64)
    league = league_sets([SetBlock((0, 1, 2), stakes)], 3)
    estimate = means(league)
    mean, half = float(estimate.values[0]), present(plus_minus(estimate, 0))
    deviation, gaps = stakes[:, 0].std(ddof=1), stakes[:, 0] - stakes[:, 1]
    met = present(crosstable(league, "ABC", estimate)[0].met)
    elos = zip(map(present, ratings(league)), "ABC", strict=True)
    sentences = [
        f"A's mean is {mean:.3f}",
        f"a standard deviation of {deviation:.3f}",
        f"an error of {deviation / np.sqrt(10):.3f}",
        f"Student's t is {t_quantile(9, 0.975):.3f}",
        f"= {half:.3f}.",
        f"interval is {mean - half:.3f} to {mean + half:+.3f}",
        f"the gap is {met.stakes_per_deal:.3f} ± {met.pm:.3f}",
        f"is {met.los:.1%}".replace("%", " %"),
        f"`{met.stakes_per_deal:+.2f}±{met.pm:.2f}`",
        f"in {(gaps > 0).sum()} sets and less in {(gaps < 0).sum()}",
        *(f"{each.elo:.0f} ± {each.pm:.0f} for {bot}" for each, bot in elos),
    ]
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert stakes.shape == (10, 3)
    assert not stakes.sum(axis=1).round(9).any()
    assert rank_ranges(estimate) == [(1, 3)] * 3
