"""The sequential test errs as rarely as it says, looks in order, and says what it does not know."""

from math import log

import numpy as np
import pytest

from arena.stats.figures import RUN, Hypotheses
from arena.stats.intervals import MIN_SETS, PRIOR, anytime_half_width
from arena.stats.sets import Floats
from arena.stats.sprt import RARE, SAME, decide, first_look
from benchmarks.compare import SETTINGS, errors
from tests.support.present import present

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
