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
from arena.stats.figures import RUN, Hypotheses, Standing
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


def ranks_of(found: Sequence[Standing]) -> list[tuple[str, int | None]]:
    return [(line.bot, line.rank) for line in found]


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


def test_equal_schedules_are_ordered_by_plain_means() -> None:
    found = table(simulated(1, [0.0, 2.0, -2.0, 1.0], TRIOS, 40), "abcd")
    stakes = [line.stakes_per_deal or 0 for line in found]
    assert ranks_of(found) == [("b", 1), ("d", 2), ("a", 3), ("c", 4)]
    assert stakes == sorted(stakes, reverse=True)


def test_unequal_schedules_are_ordered_by_strength() -> None:
    blocks = simulated(4, [0.2, 0.6, 2.5, -2.5], [(0, 1, 3), (1, 2, 3)], 400)
    _, b, a, _ = table(blocks, "abcd")
    assert (b.bot, a.bot, b.rank, a.rank) == ("b", "a", 2, 3)
    assert (a.stakes_per_deal or 0) > (b.stakes_per_deal or 0)
    assert (a.strength or 0) < (b.strength or 0)


def test_groups_that_never_met_are_ranked_apart_the_largest_first() -> None:
    found = table(simulated(2, [0.0] * 6, [(4, 5), (0, 1, 2)], 20), "abcdef")
    places = [(line.part, line.rank) for line in found]
    assert places[:5] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    assert {line.bot for line in found[:3]} == set("abc")
    last = found[5]
    assert (last.bot, last.part, last.ranks, last.stakes_per_deal) == ("d", None, None, None)


def test_in_an_open_league_bots_without_an_interval_stand_behind_the_others() -> None:
    true = [0.0, 1.0, -1.0, 9.0]
    met = simulated(5, true, TRIO, 200) + simulated(6, true, [(0, 1, 3)], 3)
    found = table(met, "abcd", field="abcd")
    assert ranks_of(found) == [("b", 1), ("a", 2), ("c", 3), ("d", 4)]
    assert (found[3].strength or 0) > (found[0].strength or 0)
    assert [line.anytime_ci95 is None for line in found] == [False, False, False, True]


def test_without_sets_there_are_names_only() -> None:
    found = table([], "ab")
    numbers = [
        (line.stakes_per_deal, line.elo, line.ranks, line.strength, line.ci95) for line in found
    ]
    assert [(line.bot, line.sets) for line in found] == [("a", 0), ("b", 0)]
    assert numbers == [(None,) * 5] * 2
    assert found[0].faults == {"illegal": 2}


def test_bots_that_did_exactly_as_well_share_a_rank() -> None:
    assert ranks_of(table(equal_on_the_whole())) == [("a", 1), ("b", 1), ("c", 3)]


def test_a_bot_that_lost_everything_has_a_bound_not_a_number() -> None:
    last = table(simulated(5, [0.0, 0.0, -90.0], TRIO, 20))[-1]
    assert (last.bot, last.elo_bound, last.elo_pm) == ("c", "<", None)


def test_void_sets_and_disqualifications_are_counted_apart() -> None:
    void = Block(("a", "b", "c"), 20, 5, 6, 5, None, None, {"a": 2})
    blocks = whole(simulated(6, [0.0] * 3, TRIO, 20))
    found = {line.bot: line for line in standings([*blocks, void], "abc", {})}
    counts = [(found[bot].sets, found[bot].void_sets, found[bot].disqualified) for bot in "abc"]
    assert counts == [(20, 5, 2), (20, 5, 0), (20, 5, 0)]


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
    blocks = simulated(2, true, tables, sets)
    assert rank_ranges(strengths(league_sets(blocks, len(true)))) == ranks


def test_bots_without_a_degree_of_freedom_do_not_blur_the_ranks_of_others() -> None:
    """Sixteen tests in place of one would: twenty trios that met once each are not tested."""
    sure = np.array([1.0] * 15 + [-1.0] * 5)
    pair = SetBlock((6, 7), np.stack([sure, -sure], axis=1))
    once = simulated(5, [0.0] * 6, list(combinations(range(6), 3)), 1)
    assert rank_ranges(means(league_sets([pair, *once], 8))) == [(1, 6)] * 6 + [(1, 1), (2, 2)]


@pytest.mark.parametrize(("won", "ranks"), [(1.0, [(1, 1), (2, 2)]), (0.0, [(1, 2), (1, 2)])])
def test_a_difference_that_is_the_same_in_every_set_is_certain(
    won: float, ranks: list[tuple[int, int]]
) -> None:
    block = SetBlock((0, 1), np.array([[won, -won]] * 20))
    assert rank_ranges(means(league_sets([block], 2))) == ranks


def test_ranks_at_all_times_leave_more_open_and_tell_clear_differences() -> None:
    near = strengths(league_sets(simulated(1, [0.4, 0.2, 0.0, -0.2, -0.4], FIVE, 40), 5))
    far = strengths(league_sets(simulated(2, [6.0, 3.0, 0.0, -3.0, -6.0], FIVE, 40), 5))
    for at_end, always in zip(rank_ranges(near), rank_ranges(near, anytime=True), strict=True):
        [low, high], [lowest, highest] = at_end or (1, 5), always or (1, 5)
        assert lowest <= low <= high <= highest
    assert rank_ranges(far, anytime=True) == [*EACH_ITS_OWN, (4, 4), (5, 5)]


def test_bots_that_never_met_are_not_compared_at_any_look() -> None:
    blocks = simulated(4, [6.0, 0.0, -6.0] * 2, TWO_PARTS, 50)
    one_set = [SetBlock((0, 1, 2), np.array([[1.0, 0.0, -1.0]]))]
    assert rank_ranges(strengths(league_sets(blocks, 6)), anytime=True) == EACH_ITS_OWN * 2
    assert anytime_plus_minus(strengths(league_sets(one_set, 3)), 0) is None


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


def alike(one: object, other: object) -> bool:
    """Equal, but for numbers in their tenth digit: words, counts, and what is None are the same."""
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other


@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("seed", range(8))
def test_standings_and_analyses_are_the_same_for_other_last_bits(name: str, seed: int) -> None:
    blocks, others = LEAGUES[name], jolted(LEAGUES[name], seed)
    assert table(others, "abcde") == table(blocks, "abcde")
    for estimate in (means, strengths):
        one, other = (estimate(league_sets(each, 5)) for each in (blocks, others))
        assert rank_ranges(one) == rank_ranges(other)
    made = [
        msgspec.to_builtins(analysis(whole(each), "abcde"))
        for each in (blocks, jolted(blocks, seed, shuffle=False))
    ]
    assert alike(*made)


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
    example = "decisions/22-degrees-of-freedom.md"
    table = (DOCS / example).read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| (\S+) \| (\S+) \| (\S+) \|$", table, re.MULTILINE)
    stakes = np.array(rows, np.float64)
    league = league_sets([SetBlock((0, 1, 2), stakes)], 3)
    estimate = means(league)
    mean, half = float(estimate.values[0]), present(plus_minus(estimate, 0))
    deviation, gaps = stakes[:, 0].std(ddof=1), stakes[:, 0] - stakes[:, 1]
    met = present(crosstable(league, "ABC", estimate)[0].met)
    los, width = present(met.los), present(met.plus_minus)
    elos = [present(each) for each in ratings(league)]
    sentences = [
        f"A's mean is {mean:.3f}",
        f"a standard deviation of {deviation:.3f}",
        f"an error of {deviation / np.sqrt(10):.3f}",
        f"Student's t is {t_quantile(9, 0.975):.3f}",
        f"= {half:.3f}.",
        f"interval is {mean - half:.3f} to {mean + half:+.3f}",
        f"the gap is {met.stakes:.3f} ± {width:.3f}",
        f"is {los:.1%}".replace("%", " %"),
        f"`{met.stakes:+.2f}±{width:.2f}`",
        f"in {(gaps > 0).sum()} sets and less in {(gaps < 0).sum()}",
        *(
            f"{each.elo:.0f} ± {each.plus_minus:.0f} for {bot}"
            for each, bot in zip(elos, "ABC", strict=True)
        ),
    ]
    text = page("statistics.md", example)
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert stakes.shape == (10, 3)
    assert not stakes.sum(axis=1).round(9).any()
    assert rank_ranges(estimate) == [(1, 3)] * 3


def test_the_worked_comparison_is_right() -> None:
    text = page("decisions/24-sequential-test.md")
    listed = present(re.search(r"mean gaps of ([-0-9., ]+) and ([-0-9.]+)\. Their", text))
    runs = np.array([*listed[1].split(", "), listed[2]], np.float64)
    more = np.array([*runs, 0.5, 0.5, 0.5])
    early, late = (decide(np.repeat(each, RUN), Hypotheses()) for each in (runs, more))
    squares, cubes = (((runs - runs.mean()) ** power).sum() for power in (2, 3))
    variance, later = (squares + 1) / 9, (((more - more.mean()) ** 2).sum() + 1) / 12
    low, high = present(late.ci95)
    sentences = [
        f"Their mean is {runs.mean():.3f}",
        f"add up to {squares:.3f}; the imagined run adds 1, so {squares + 1:.3f}",
        f"that is {variance:.3f}, the variance of a run",
        f"(0.400 - 0.05) / {variance:.3f} = {early.llr:.2f}. (The cubes",
        f"add up to {cubes:.3f}, so the term",
        f" {cubes:.3f} / 3 = {(0.1 / variance) ** 3 * cubes / 3:.3f}.) It is",
        f"it would be {10 * 0.1 * 0.35 / (squares / 9):.2f}",
        f"the mean is {more.mean():.3f}, the variance of a run {later:.3f}",
        f"the ratio {late.llr:.2f}",
        f"by {low:.3f} to {high:.3f} stakes",
    ]
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert (len(runs), early.verdict, early.doubt) == (10, "undecided", "rare gaps")
    assert (late.verdict, late.sets) == ("better", 130)
