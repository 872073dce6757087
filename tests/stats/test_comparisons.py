"""Two bots compared: the crosstable, common sets, and the sequential test."""

from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

import msgspec
import numpy as np
import pytest
from msgspec.structs import astuple

from arena.stats.analysis import companies, crosstable, identical_pairs
from arena.stats.figures import RUN, Company, Gap, HeadToHead, Hypotheses, from_other_side
from arena.stats.intervals import MIN_SETS, PRIOR, anytime_half_width
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.sprt import RARE, SAME, decide, first_look
from arena.stats.strengths import means, strengths
from benchmarks.compare import SETTINGS, errors
from tests.support.present import present
from tests.support.worked import simulated

TRIOS = list(combinations(range(4), 3))
SPREAD = 1.6
"""Of a bot's stakes a deal in a set, about that of sample bots."""


def pairs(blocks: Sequence[SetBlock], bots: str) -> dict[str, HeadToHead]:
    """The crosstable by the names of the two, with plain means for the league's gaps."""
    league = league_sets(blocks, len(bots))
    found = crosstable(league, bots, means(league), session=5)
    return {pair.bot + pair.other: pair for pair in found}


@pytest.mark.parametrize(
    ("true", "tables", "sets", "free"),
    [([0.3, -0.3, 0.0], [(0, 1, 2)], 40, 39), ([0.5, -0.5, 0.0, 0.0], TRIOS, 25, 48)],
    ids=["one table", "two tables in common of four"],
)
def test_a_gap_is_the_paired_test_of_common_sets_and_that_of_the_league_counts_all(
    true: list[float], tables: list[tuple[int, ...]], sets: int, free: int
) -> None:
    """Student's test of one sample, by SciPy; the spread is that around the mean of each table."""
    from scipy.special import stdtr, stdtrit  # which take a second to import

    blocks = simulated(2, true, tables, sets)
    apart = [each.stakes[:, 0] - each.stakes[:, 1] for each in blocks if {0, 1} <= {*each.bots}]
    gaps, residuals = np.concatenate(apart), np.concatenate([each - each.mean() for each in apart])
    error = sqrt((residuals**2).sum() / len(gaps) / free)
    pair = pairs(blocks, "abcd"[: len(true)])["ab"]
    assert (pair.sets, pair.deals) == (len(gaps), 5 * len(gaps))
    wanted = (gaps.mean(), stdtrit(free, 0.975) * error, stdtr(free, gaps.mean() / error))
    assert astuple(present(pair.met)) == pytest.approx(wanted)
    assert (astuple(present(pair.league)) == pytest.approx(wanted)) is (len(tables) == 1)


def test_a_league_gap_is_not_made_of_two_separate_intervals() -> None:
    """What one wins the other loses: two bots' errors go against each other."""
    blocks = simulated(3, [0.0, 0.0], [(0, 1)], 60)
    alone = 2.0009954 * sqrt(means(league_sets(blocks, 2)).covariance[0, 0])
    assert present(pairs(blocks, "ab")["ab"].league).pm == pytest.approx(2 * alone)


def test_bots_that_made_the_same_in_every_set_are_identical_on_so_many_deals() -> None:
    luck = np.random.default_rng(4).normal(size=12)
    block = SetBlock((0, 1, 2), np.stack([luck, luck, -2 * luck], axis=1))
    found = pairs([block], "abc")
    assert [name for name, pair in found.items() if pair.identical] == ["ab"]
    assert (found["ab"].deals, present(found["ab"].met).los) == (60, None)
    apart = [block, SetBlock((0, 1), np.array([[1.0, -1.0]]))]
    same = [identical_pairs(league_sets(blocks, 3)) for blocks in ([block], apart, [])]
    assert same == [[(0, 1, 12)], [], []]


def test_bots_that_never_sat_together_are_compared_through_others_only() -> None:
    league = league_sets(simulated(5, [1.0, 0.0, -1.0], [(0, 1), (1, 2)], 30), 4)
    found = {pair.bot + pair.other: pair for pair in crosstable(league, "abcd", strengths(league))}
    assert found["ac"].met is None
    assert present(found["ac"].league).stakes_per_deal > 1
    assert (found["ad"].met, found["ad"].league, found["ad"].identical) == (None, None, False)


def test_a_pair_can_be_read_from_the_other_side_and_nine_sets_have_no_interval() -> None:
    pair = pairs(simulated(7, [0.4, 0.0], [(0, 1)], 20), "ab")["ab"]
    met, league = (
        Gap(-gap.stakes_per_deal, gap.pm, 1 - present(gap.los))
        for gap in (present(pair.met), present(pair.league))
    )
    turned = msgspec.structs.replace(pair, bot="b", other="a", met=met, league=league)
    assert from_other_side(pair) == turned
    few = present(pairs(simulated(6, [0.0, 0.0], [(0, 1)], 9), "ab")["ab"].met)
    assert (few.pm, few.los) == (None, None)


def ladder(
    seed: int, authors: int, orders: int, style: float = 0.0, thrown: float = 0.0
) -> list[SetBlock]:
    """Orders of ten sets by lot; the bots of honest authors suit each other by `style`.

    Bot 0 loses this share of its deals to bot 1: two stakes, of which the third bot gets a quarter.
    """
    chance = np.random.default_rng(seed)
    strength = chance.normal(scale=0.5, size=authors)
    suits = chance.normal(scale=style, size=(authors, authors))
    suits = (suits - suits.T) / np.sqrt(2)
    blocks = []
    for _ in range(orders):
        lineup = np.sort(chance.choice(authors, 3, replace=False))
        mean = strength[lineup] + suits[np.ix_(lineup, lineup)].sum(axis=1) / 3
        stakes: Floats = mean + chance.normal(scale=SPREAD, size=(10, 3))
        if lineup[0] == 0 and lineup[1] == 1:
            stakes[chance.random(10) < thrown] += -2.0, 1.5, 0.5
        stakes -= stakes.mean(axis=1, keepdims=True)
        blocks.append(SetBlock(tuple(map(int, lineup)), stakes))
    return blocks


def company(blocks: list[SetBlock], authors: Sequence[str]) -> tuple[Company, ...]:
    return companies(league_sets(blocks, len(authors)), authors)


def flagged(blocks: list[SetBlock], authors: Sequence[str]) -> list[str]:
    return [each.giver + each.taker for each in company(blocks, authors) if each.improbable]


def at_any_look(blocks: list[SetBlock], authors: str, every: int) -> list[str]:
    """The pairs flagged at a look after every `every` orders."""
    looks = range(every, len(blocks) + 1, every)
    return [pair for look in looks for pair in flagged(blocks[:look], authors)]


def test_an_author_who_throws_deals_to_a_friend_is_flagged_by_all_bots_of_both_together() -> None:
    """At last every other order is played by the helper's second bot: neither would be flagged."""
    blocks = ladder(3, 12, 320, thrown=1.0)
    assert flagged(blocks, "abcdefghijkl") == ["ab"]
    first = company(blocks, "abcdefghijkl")[0]
    assert 2 < first.stakes_per_deal < 3.5
    assert present(first.pm) < first.stakes_per_deal
    for number, block in enumerate(blocks):
        if block.bots[0] == 0 and number % 2:
            blocks[number] = SetBlock((*block.bots[1:], 12), block.stakes[:, [1, 2, 0]])
    assert flagged(blocks, "abcdefghijkla") == ["ab"]
    assert company([SetBlock((0, 12), np.ones((20, 2)))], "abcdefghijkla") == ()


@pytest.mark.parametrize("style", [0.0, 0.3])
def test_honest_authors_are_not_flagged(style: float) -> None:
    assert at_any_look(ladder(2, 8, 400, style), "abcdefgh", 40) == []


def test_every_pair_that_met_is_listed_and_few_sets_are_no_evidence() -> None:
    lost = SetBlock((0, 1, 2), np.array([[-8.0, 8.0, 0.0]] * 9))
    found = company([lost, SetBlock((0, 2, 3), np.zeros((9, 3)))], "abcde")
    assert {"".join(sorted(each.giver + each.taker)) for each in found} == {
        *("ab", "ac", "bc", "ad", "cd")
    }
    assert [each for each in found if each.chance < 1] == []
    assert [each for each in found if each.sets < 10 and each.pm is not None] == []
    assert company([], "abc") == ()


def test_gifts_are_what_strengths_leave_over() -> None:
    """All pairs meet beside all others; one gains 1.2 on another there and nowhere else."""
    noise = np.tile([[0.1, -0.1, 0.0], [-0.1, 0.1, 0.0]], (20, 1))
    blocks = [
        SetBlock(lineup, noise + (np.array([-0.6, 0.6, 0.0]) if lineup[:2] == (0, 1) else 0.0))
        for lineup in combinations(range(5), 3)
    ]
    least = company(blocks, "abcde")[0]
    assert (least.giver, least.taker, least.sets) == ("a", "b", 120)
    # 1.2 less what it adds to the strengths: of 0 and 1, -0.36 and +0.36 by least squares
    assert least.stakes_per_deal == pytest.approx(1.2 - 0.72)


@pytest.mark.slow  # hundreds of leagues
@pytest.mark.parametrize(("style", "thrown", "within"), [(0.1, 1.0, 600), (0.1, 1 / 3, 3000)])
def test_helpers_are_flagged_within_the_orders_that_are_documented(
    style: float, thrown: float, within: int
) -> None:
    for seed in range(20):
        assert "ab" in flagged(ladder(seed, 12, within, style, thrown), "abcdefghijkl"), seed


@pytest.mark.slow
def test_hardly_a_league_of_honest_authors_ever_has_a_pair_that_is_flagged() -> None:
    leagues = [ladder(seed, 6, 800, 0.2 * (seed % 3)) for seed in range(300)]
    assert sum(bool(at_any_look(blocks, "abcdef", 20)) for blocks in leagues) <= 3


USUAL = Hypotheses()
STRICT = Hypotheses(delta=0.2, alpha=0.01, beta=0.2)


def normal(seed: int, gap: float, sets: int, spread: float = 1.0) -> Floats:
    return np.random.default_rng(seed).normal(gap, spread, sets)


FEW = ["normal, spread 1.2", "correlation 0.1 in tens", "3 % of -2.5, rest spreads by 0.1"]


@pytest.mark.parametrize(
    ("what", "comparisons", "most"),
    [
        *((what, 200, 0.08) for what in FEW),
        *(pytest.param(what, 4000, 0.06, marks=pytest.mark.slow) for what in SETTINGS),
    ],
)
def test_comparisons_err_as_rarely_as_they_say(what: str, comparisons: int, most: float) -> None:
    erred = errors(what, comparisons)
    assert erred.false_alarms <= most
    assert erred.found >= 0.90
    assert erred.held >= 0.94


@pytest.mark.parametrize(
    ("hypotheses", "gap", "least", "most"),
    [(USUAL, -0.10, 0.0, 0.005), (STRICT, 0.0, 0.0, 0.02), (STRICT, 0.2, 0.75, 1.0)],
    ids=["a worse bot", "other risks, no gap", "other risks, a gap"],
)
def test_a_bot_is_called_better_as_often_as_the_risks_allow(
    hypotheses: Hypotheses, gap: float, least: float, most: float
) -> None:
    chance = np.random.default_rng(20)
    verdicts = [decide(chance.normal(gap, 1.2, 3_000), hypotheses).verdict for _ in range(400)]
    assert least <= verdicts.count("better") / 400 <= most
    assert verdicts.count("undecided") <= 2


def test_the_ratio_the_bounds_and_the_interval_for_all_looks_are_those_written_down() -> None:
    """Wald's bounds; Robbins' interval of the mean of a run."""
    assert list(USUAL.bounds) == pytest.approx([-2.944, 2.944], abs=5e-4)
    assert list(STRICT.bounds) == pytest.approx([log(0.2 / 0.99), log(80)])
    for runs in (MIN_SETS, 12, 13, 30):
        gaps = normal(3, 0.02, runs * RUN)
        means = gaps.reshape(runs, RUN).mean(axis=1)
        apart, found = means - means.mean(), decide(gaps, USUAL)
        variance = ((apart**2).sum() + RARE**2) / (runs - 1)
        step = 0.10 / variance
        wanted = runs * step * (means.mean() - 0.05) + step**3 * (apart**3).sum() / 3
        assert found.llr == pytest.approx(wanted)
        half = anytime_half_width(runs, variance / runs, PRIOR / RUN)
        ends = half and (gaps.mean() - half, gaps.mean() + half)
        assert found.ci95 == (ends and pytest.approx(ends))


def test_what_thirds_do_to_both_is_no_spread() -> None:
    """Runs are compared with those at their own table, and looked at when all tables have one."""
    gaps = normal(3, 0.05, 240)
    far = gaps + np.tile([2.0, -1.0, -1.0], 80)
    whole = decide(far, USUAL, RUN, 3)
    assert whole.llr == pytest.approx(decide(gaps, USUAL, RUN, 3).llr)
    assert (whole.sets, decide(far[:-1], USUAL, RUN, 3).sets) == (240, 210)


@pytest.mark.parametrize("tables", [1, 2, 3, 12])
def test_nothing_is_decided_before_the_first_look(tables: int) -> None:
    gaps = normal(1, 5, first_look(RUN, tables))
    looked = [decide(each, USUAL, RUN, tables).llr is not None for each in (gaps, gaps[:-1])]
    assert looked == [True, False]


def test_the_first_look_that_is_out_of_bounds_decides_and_later_sets_change_nothing() -> None:
    gaps = normal(4, 0.5, 400)
    decision = decide(gaps, USUAL)
    worse_later = np.concatenate([gaps[: decision.sets], np.full(500, -3.0)])
    assert decision.verdict == "better"
    assert MIN_SETS * RUN <= decision.sets < 400
    assert decide(gaps[: decision.sets], USUAL) == decide(worse_later, USUAL) == decision
    assert decide(gaps[: decision.sets - 1], USUAL).verdict == "undecided"


def test_nothing_is_decided_before_there_are_ten_runs() -> None:
    gaps = np.tile([4.0, 3.0, 5.0, 4.5, 3.5], 20)
    looked = [decide(gaps[:sets], USUAL) for sets in (0, RUN, 99, 100)]
    assert [(it.verdict, it.sets, it.doubt, it.more_sets) for it in looked] == [
        ("undecided", 0, "few runs", None),
        ("undecided", 10, "few runs", None),
        ("undecided", 90, "few runs", RUN),
        ("better", 100, None, None),
    ]
    assert [it.llr is None for it in looked] == [it.ci95 is None for it in looked]
    assert [it.ci95 is None for it in looked] == [True, True, True, False]
    assert (looked[0].gap, looked[0].identical) == (None, False)


EVEN = np.tile([0.15, 0.05], 200)
"""Gaps that are nearly all the same: that a large one is missing is likely where it is rare."""

FAR_OUT = np.where(np.arange(600) % 200 == 0, -15.0, 0.5)
"""Skewed, although the ratio is out of bounds."""


@pytest.mark.parametrize(
    ("gaps", "told"),
    [
        (EVEN[:150], ("undecided", "rare gaps", False)),
        (EVEN[:150] - 0.10, ("undecided", "rare gaps", False)),
        (EVEN, ("better", None, True)),
        (
            np.where(np.arange(MIN_SETS * RUN) == 7, 0.5, 0.0),
            ("undecided", "rare gaps", False),
        ),
        (FAR_OUT, ("undecided", "skew", True)),
    ],
    ids=["even", "even around 0", "even for long", "one won set", "far out"],
)
def test_gaps_that_hide_rare_ones_do_not_decide_soon_whatever_the_ratio_is(
    gaps: Floats, told: tuple[str, str | None, bool]
) -> None:
    decision = decide(gaps, USUAL)
    assert (decision.verdict, decision.doubt, present(decision.llr) > USUAL.bounds[1]) == told


def test_bots_that_never_differ_are_called_identical_and_not_better() -> None:
    """A difference that comes late is still looked at."""
    late = np.append(np.zeros(SAME - 1), 3.0)
    looked = (decide(gaps, USUAL) for gaps in (late[:-1], np.zeros(SAME + 5), late))
    assert [(it.verdict, it.identical, it.sets, it.more_sets is None) for it in looked] == [
        ("undecided", True, SAME - RUN, True),
        ("not better", True, SAME, True),
        ("undecided", False, SAME, False),
    ]


@pytest.mark.parametrize("gap", [-0.05, 0.05, 0.15])
def test_the_sets_foretold_are_about_those_it_takes(gap: float) -> None:
    chance = np.random.default_rng(6)
    begun = gap + np.repeat(np.tile([0.31, -0.31], 10), RUN)
    ends = [
        decide(np.concatenate([begun, chance.normal(gap, 1.0, 5_000)]), USUAL).sets
        for _ in range(300)
    ]
    foretold = present(decide(begun, USUAL).more_sets)
    assert foretold == pytest.approx(np.mean(ends) - len(begun), rel=0.2)
