"""Two bots compared: the crosstable, common sets, and the sequential test."""

from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest

from arena.stats.analysis import companies, crosstable, identical_pairs
from arena.stats.figures import RUN, Company, HeadToHead, Hypotheses, from_other_side
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


def test_a_gap_at_one_table_is_the_paired_test() -> None:
    """Student's test of one sample, with 39 degrees of freedom; SciPy gives its chance."""
    from scipy.special import stdtr  # which takes a second to import

    [block] = simulated(1, [0.3, 0.0, -0.3], [(0, 1, 2)], 40)
    gaps = block.stakes[:, 0] - block.stakes[:, 1]
    error = gaps.std(ddof=1) / sqrt(40)
    pair = pairs([block], "abc")["ab"]
    met, league = present(pair.met), present(pair.league)
    assert (pair.sets, pair.deals) == (40, 200)
    assert met.stakes == pytest.approx(gaps.mean())
    assert met.plus_minus == pytest.approx(2.0226909 * error)
    assert [met.los, league.los] == pytest.approx([stdtr(39, gaps.mean() / error)] * 2)


def test_only_common_sets_count_for_the_gap_and_all_for_the_league() -> None:
    blocks = simulated(2, [0.5, 0.0, 0.0, -0.5], TRIOS, 25)
    apart = [
        block.stakes[:, block.bots.index(0)] - block.stakes[:, block.bots.index(3)]
        for block in blocks
        if {0, 3} <= set(block.bots)
    ]
    residuals = np.concatenate([each - each.mean() for each in apart])
    error = sqrt((residuals**2).sum() / 50**2 * 50 / 48)
    pair = pairs(blocks, "abcd")["ad"]
    met = present(pair.met)
    assert pair.sets == 50
    assert met.stakes == pytest.approx(np.concatenate(apart).mean())
    assert met.plus_minus == pytest.approx(2.0106348 * error)
    assert present(pair.league).stakes != pytest.approx(met.stakes)


def test_a_league_gap_is_not_made_of_two_separate_intervals() -> None:
    """What one wins the other loses: two bots' errors go against each other."""
    blocks = simulated(3, [0.0, 0.0], [(0, 1)], 60)
    alone = 2.0009954 * sqrt(means(league_sets(blocks, 2)).covariance[0, 0])
    assert present(pairs(blocks, "ab")["ab"].league).plus_minus == pytest.approx(2 * alone)


def test_bots_that_made_the_same_in_every_set_are_identical_on_so_many_deals() -> None:
    luck = np.random.default_rng(4).normal(size=12)
    block = SetBlock((0, 1, 2), np.stack([luck, luck, -2 * luck], axis=1))
    found = pairs([block], "abc")
    assert {name: pair.identical for name, pair in found.items()} == {
        "ab": True,
        "ac": False,
        "bc": False,
    }
    assert (found["ab"].deals, present(found["ab"].met).los) == (60, None)
    apart = SetBlock((0, 1), np.array([[1.0, -1.0]]))
    assert identical_pairs(league_sets([block], 3)) == [(0, 1, 12)]
    assert identical_pairs(league_sets([block, apart], 3)) == []
    assert identical_pairs(league_sets([], 3)) == []


def test_bots_that_never_sat_together_are_compared_through_others_only() -> None:
    league = league_sets(simulated(5, [1.0, 0.0, -1.0], [(0, 1), (1, 2)], 30), 4)
    found = {pair.bot + pair.other: pair for pair in crosstable(league, "abcd", strengths(league))}
    assert found["ac"].met is None
    assert present(found["ac"].league).stakes > 1
    assert (found["ad"].met, found["ad"].league, found["ad"].identical) == (None, None, False)


def test_nine_common_sets_have_no_interval() -> None:
    met = present(pairs(simulated(6, [0.0, 0.0], [(0, 1)], 9), "ab")["ab"].met)
    assert (met.plus_minus, met.los) == (None, None)


def test_a_pair_can_be_read_from_the_other_side() -> None:
    pair = pairs(simulated(7, [0.4, 0.0], [(0, 1)], 20), "ab")["ab"]
    back = from_other_side(pair)
    one, other = present(pair.met), present(back.met)
    assert (back.bot, back.other) == ("b", "a")
    assert (other.stakes, other.los) == (-one.stakes, 1 - present(one.los))
    assert from_other_side(back).bot == pair.bot


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


def test_an_author_who_throws_deals_to_a_friend_is_flagged() -> None:
    blocks = ladder(1, 12, 300, thrown=1.0)
    assert flagged(blocks, "abcdefghijkl") == ["ab"]
    first = company(blocks, "abcdefghijkl")[0]
    assert 2 < first.stakes < 3.5
    assert present(first.plus_minus) < first.stakes


@pytest.mark.parametrize("style", [0.0, 0.3])
def test_honest_authors_are_not_flagged(style: float) -> None:
    assert at_any_look(ladder(2, 8, 400, style), "abcdefgh", 40) == []


def test_the_bots_of_an_author_count_together() -> None:
    """Every other order is played by the helper's second bot: neither alone would be flagged."""
    blocks = ladder(3, 12, 320, thrown=1.0)
    for number, block in enumerate(blocks):
        if block.bots[0] == 0 and number % 2:
            blocks[number] = SetBlock((*block.bots[1:], 12), block.stakes[:, [1, 2, 0]])
    assert flagged(blocks, "abcdefghijkla") == ["ab"]
    assert company([SetBlock((0, 12), np.ones((20, 2)))], "abcdefghijkla") == ()


def test_every_pair_that_met_is_listed_and_few_sets_are_no_evidence() -> None:
    blocks = [
        SetBlock((0, 1, 2), np.array([[-8.0, 8.0, 0.0]] * 9)),
        SetBlock((0, 2, 3), np.zeros((9, 3))),
    ]
    found = company(blocks, "abcde")
    assert {"".join(sorted(each.giver + each.taker)) for each in found} == {
        *("ab", "ac", "bc", "ad", "cd")
    }
    assert {each.chance for each in found} == {1.0}
    assert all(each.plus_minus is None for each in found if each.sets < 10)
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
    assert least.stakes == pytest.approx(1.2 - 0.72)


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


@pytest.mark.parametrize(
    "what",
    ["normal, spread 1.2", "correlation 0.1 in tens", "3 % of -2.5, rest spreads by 0.1"],
)
def test_some_comparisons_err_as_rarely_as_they_say(what: str) -> None:
    erred = errors(what, 200)
    assert erred.false_alarms <= 0.08
    assert erred.found >= 0.90
    assert erred.held >= 0.94


@pytest.mark.slow
@pytest.mark.parametrize("what", SETTINGS)
def test_comparisons_err_as_rarely_as_they_say(what: str) -> None:
    erred = errors(what, 4000)
    assert erred.false_alarms <= 0.06
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


def test_the_bounds_are_walds() -> None:
    assert list(USUAL.bounds) == pytest.approx([-2.944, 2.944], abs=5e-4)
    assert list(STRICT.bounds) == pytest.approx([log(0.2 / 0.99), log(80)])


def test_the_ratio_is_the_one_written_down() -> None:
    gaps = normal(3, 0.05, 130)
    for runs in (MIN_SETS, 12, 13):
        means = gaps[: runs * RUN].reshape(runs, RUN).mean(axis=1)
        apart = means - means.mean()
        step = 0.10 / (((apart**2).sum() + RARE**2) / (runs - 1))
        wanted = runs * step * (means.mean() - 0.05) + step**3 * (apart**3).sum() / 3
        assert decide(gaps[: runs * RUN], USUAL).llr == pytest.approx(wanted)


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
    before, decided = decide(gaps[:-1], USUAL), decide(gaps, USUAL)
    assert (before.verdict, before.sets, before.llr) == ("undecided", 90, None)
    assert (before.doubt, before.more_sets, before.ci95) == ("few runs", RUN, None)
    assert decide(gaps[:RUN], USUAL).more_sets is None
    assert (decided.verdict, decided.sets, decided.doubt) == ("better", 100, None)


EVEN = np.tile([0.15, 0.05], 200)
"""Gaps that are nearly all the same: that a large one is missing is likely where it is rare."""

ONE_WON = np.zeros(MIN_SETS * RUN)
ONE_WON[7] = 0.5

FAR_OUT = np.full(600, 0.5)
FAR_OUT[::200] = -15.0


@pytest.mark.parametrize(
    ("gaps", "verdict", "doubt"),
    [
        (EVEN[:150], "undecided", "rare gaps"),
        (EVEN[:150] - 0.10, "undecided", "rare gaps"),
        (EVEN, "better", None),
        (ONE_WON, "undecided", "rare gaps"),
        (FAR_OUT, "undecided", "skew"),
    ],
    ids=["even", "even around 0", "even for long", "one won set", "far out"],
)
def test_gaps_that_hide_rare_ones_do_not_decide_soon(
    gaps: Floats, verdict: str, doubt: str | None
) -> None:
    decision = decide(gaps, USUAL)
    assert (decision.verdict, decision.doubt) == (verdict, doubt)


def test_skewed_gaps_do_not_decide_although_the_ratio_is_out_of_bounds() -> None:
    assert present(decide(FAR_OUT, USUAL).llr) > USUAL.bounds[1]


def test_bots_that_never_differ_are_called_identical_and_not_better() -> None:
    so_far = decide(np.zeros(SAME - 1), USUAL)
    assert (so_far.verdict, so_far.identical, so_far.more_sets) == ("undecided", True, None)
    for sets in (SAME, SAME + 5):
        at_last = decide(np.zeros(sets), USUAL)
        assert (at_last.verdict, at_last.identical, at_last.sets) == ("not better", True, SAME)


def test_a_difference_that_comes_late_is_still_looked_at() -> None:
    decision = decide(np.append(np.zeros(SAME - 1), 3.0), USUAL)
    assert (decision.verdict, decision.identical) == ("undecided", False)


def test_the_interval_is_one_for_all_looks() -> None:
    gaps = normal(5, 0.02, 300)
    means = gaps.reshape(30, RUN).mean(axis=1)
    variance = (((means - means.mean()) ** 2).sum() + RARE**2) / 29 / 30
    half = present(anytime_half_width(30, variance, PRIOR / RUN))
    found = present(decide(gaps, USUAL).ci95)
    assert list(found) == pytest.approx([gaps.mean() - half, gaps.mean() + half])


def test_no_sets_have_no_gap() -> None:
    nothing = decide(np.zeros(0), USUAL)
    assert (nothing.verdict, nothing.sets, nothing.gap) == ("undecided", 0, None)
    assert not nothing.identical


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
