"""The sequential test errs as rarely as it says, looks in order, and says what it does not know."""

from math import log

import numpy as np
import pytest

from arena.stats.figures import RUN, Hypotheses
from arena.stats.intervals import MIN_SETS, PRIOR, anytime_half_width
from arena.stats.sets import Floats
from arena.stats.sprt import (
    RARE,
    SAME,
    SprtVerdict,
    decide,
    first_look,
)
from benchmarks.compare import SETTINGS, errors

USUAL = Hypotheses()
MOST = 10_000
RUNS = 400


def normal(chance: np.random.Generator, gap: float) -> Floats:
    return np.asarray(chance.normal(gap, 1.2, MOST))


def share(
    make: object, gap: float, verdict: SprtVerdict, hypotheses: Hypotheses = USUAL, runs: int = RUNS
) -> float:
    assert callable(make)
    chance = np.random.default_rng(20)
    return sum(decide(make(chance, gap), hypotheses).verdict == verdict for _ in range(runs)) / runs


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


def test_a_worse_bot_is_hardly_ever_called_better() -> None:
    assert share(normal, -0.10, "better") <= 0.005
    assert share(normal, -0.10, "not better") >= 0.995


def test_other_risks_hold_as_well() -> None:
    strict = Hypotheses(delta=0.2, alpha=0.01, beta=0.2)
    assert share(normal, 0.0, "better", strict) <= 0.02
    assert share(normal, 0.2, "better", strict) >= 0.75


def test_the_bounds_are_walds() -> None:
    assert list(USUAL.bounds) == pytest.approx([-2.944, 2.944], abs=5e-4)
    assert list(Hypotheses(alpha=0.01, beta=0.2).bounds) == pytest.approx(
        [log(0.2 / 0.99), log(80)]
    )


def test_the_ratio_is_the_one_written_down() -> None:
    gaps = np.random.default_rng(3).normal(0.05, 1.0, 130)
    for runs in (MIN_SETS, 12, 13):
        means = gaps[: runs * RUN].reshape(runs, RUN).mean(axis=1)
        apart = means - means.mean()
        step = 0.10 / (((apart**2).sum() + RARE**2) / (runs - 1))
        wanted = runs * step * (means.mean() - 0.05) + step**3 * (apart**3).sum() / 3
        assert decide(gaps[: runs * RUN], USUAL).llr == pytest.approx(wanted)
    assert decide(gaps[: (MIN_SETS - 1) * RUN], USUAL).llr is None


def test_what_thirds_do_to_both_is_no_spread() -> None:
    """Runs are compared with those at their own table, and looked at when all tables have one."""
    chance = np.random.default_rng(3)
    gaps = chance.normal(0.05, 1.0, 240)
    far = gaps + np.tile([2.0, -1.0, -1.0], 80)
    assert decide(far, USUAL, RUN, 3).llr == pytest.approx(decide(gaps, USUAL, RUN, 3).llr)
    assert decide(far, USUAL, RUN, 3).sets == 240
    assert decide(far[:-1], USUAL, RUN, 3).sets == 210


@pytest.mark.parametrize("tables", [1, 2, 3, 12])
def test_nothing_is_decided_before_the_first_look(tables: int) -> None:
    first = first_look(RUN, tables)
    gaps = np.random.default_rng(1).normal(5, 1, first)
    assert decide(gaps, Hypotheses(), RUN, tables).llr is not None
    assert decide(gaps[:-1], Hypotheses(), RUN, tables).llr is None


def test_the_first_look_that_is_out_of_bounds_decides_whatever_comes_after() -> None:
    gaps = np.random.default_rng(4).normal(0.5, 1.0, 400)
    decision = decide(gaps, USUAL)
    assert decision.verdict == "better"
    assert MIN_SETS * RUN <= decision.sets < 400
    assert decide(gaps[: decision.sets], USUAL) == decision
    assert decide(gaps[: decision.sets - 1], USUAL).verdict == "undecided"
    worse_later = np.concatenate([gaps[: decision.sets], np.full(500, -3.0)])
    assert decide(worse_later, USUAL) == decision


def test_nothing_is_decided_before_there_are_ten_runs() -> None:
    gaps = np.tile([4.0, 3.0, 5.0, 4.5, 3.5], 20)
    before = decide(gaps[:-1], USUAL)
    assert (before.verdict, before.sets, before.llr, before.doubt) == (
        ("undecided", 90, None, "few runs")
    )
    assert before.more_sets == RUN
    assert decide(gaps[:RUN], USUAL).more_sets is None
    decided = decide(gaps, USUAL)
    assert (decided.verdict, decided.sets, decided.doubt) == ("better", 100, None)


def test_small_gaps_that_are_nearly_all_the_same_do_not_decide_soon() -> None:
    """That a large one is missing is likely where it comes in three sets of a hundred."""
    gaps = np.tile([0.15, 0.05], 200)
    early = decide(gaps[:150], USUAL)
    assert (early.verdict, early.doubt) == ("undecided", "rare gaps")
    assert decide(gaps[:150] - 0.10, USUAL).doubt == "rare gaps"
    assert decide(gaps, USUAL).verdict == "better"


def test_gaps_of_which_a_few_are_far_out_do_not_decide() -> None:
    gaps = np.full(600, 0.5)
    gaps[::200] = -15.0
    skew = decide(gaps, USUAL)
    assert (skew.verdict, skew.doubt) == ("undecided", "skew")
    assert skew.llr is not None
    assert skew.llr > USUAL.bounds[1]


def test_one_won_set_among_equal_ones_does_not_decide_that_a_bot_is_not_better() -> None:
    gaps = np.zeros(MIN_SETS * RUN)
    gaps[7] = 0.5
    assert decide(gaps, USUAL).verdict == "undecided"


def test_bots_that_never_differ_are_called_identical_and_not_better() -> None:
    so_far = decide(np.zeros(SAME - 1), USUAL)
    assert (so_far.verdict, so_far.identical, so_far.more_sets) == ("undecided", True, None)
    for sets in (SAME, SAME + 5):
        at_last = decide(np.zeros(sets), USUAL)
        assert (at_last.verdict, at_last.identical, at_last.sets) == ("not better", True, SAME)


def test_a_difference_that_comes_late_is_still_looked_at() -> None:
    gaps = np.zeros(SAME)
    gaps[-1] = 3.0
    decision = decide(gaps, USUAL)
    assert not decision.identical
    assert decision.verdict == "undecided"


def test_the_interval_is_one_for_all_looks() -> None:
    gaps = np.random.default_rng(5).normal(0.02, 1.0, 300)
    decision = decide(gaps, USUAL)
    assert decision.ci95 is not None
    means = gaps.reshape(30, RUN).mean(axis=1)
    variance = (((means - means.mean()) ** 2).sum() + RARE**2) / 29 / 30
    half = anytime_half_width(30, variance, PRIOR / RUN)
    assert half is not None
    assert list(decision.ci95) == pytest.approx([gaps.mean() - half, gaps.mean() + half])
    assert decide(gaps[:90], USUAL).ci95 is None


def test_no_sets_have_no_gap() -> None:
    nothing = decide(np.zeros(0), USUAL)
    assert (nothing.verdict, nothing.sets, nothing.gap) == ("undecided", 0, None)
    assert not nothing.identical


@pytest.mark.parametrize("gap", [-0.05, 0.05, 0.15])
def test_the_sets_foretold_are_about_those_it_takes(gap: float) -> None:
    chance = np.random.default_rng(6)
    begun = gap + np.repeat(np.tile([0.31, -0.31], 10), RUN)
    foretold = decide(begun, USUAL).more_sets
    assert foretold is not None
    taken = [
        decide(np.concatenate([begun, chance.normal(gap, 1.0, 20_000)]), USUAL).sets - len(begun)
        for _ in range(300)
    ]
    assert foretold == pytest.approx(np.mean(taken), rel=0.2)
