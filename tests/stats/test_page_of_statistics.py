"""The worked examples of decisions 22 and 24 are what the arena computes."""

import re
from pathlib import Path

import numpy as np
import pytest

from arena.stats.analysis import crosstable
from arena.stats.elo import ratings
from arena.stats.figures import RUN, Hypotheses
from arena.stats.intervals import t_quantile
from arena.stats.sets import SetBlock, league_sets
from arena.stats.sprt import decide
from arena.stats.standings import rank_ranges
from arena.stats.strengths import means, plus_minus

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "statistics.md").read_text(encoding="utf-8")
EXAMPLE = (DOCS / "decisions" / "22-degrees-of-freedom.md").read_text(encoding="utf-8")
COMPARISON = (DOCS / "decisions" / "24-sequential-test.md").read_text(encoding="utf-8")


def test_the_worked_example_is_right() -> None:
    rows = re.findall(r"^\| \d+ \| (\S+) \| (\S+) \| (\S+) \|$", EXAMPLE, re.MULTILINE)
    stakes = np.array(rows, np.float64)
    assert stakes.shape == (10, 3)
    assert stakes.sum(axis=1) == pytest.approx(0)
    block = SetBlock((0, 1, 2), stakes)
    estimate = means(league_sets([block], 3))
    half = plus_minus(estimate, 0)
    assert half is not None
    mean = float(estimate.values[0])
    deviation = stakes[:, 0].std(ddof=1)
    said = (PAGE + EXAMPLE).replace("\N{MINUS SIGN}", "-")
    assert f"A's mean is {mean:.3f}" in said
    assert f"a standard deviation of {deviation:.3f}" in said
    assert f"an error of {deviation / np.sqrt(10):.3f}" in said
    assert f"Student's t is {t_quantile(9, 0.975):.3f}" in said
    assert f"= {half:.3f}." in said
    assert f"interval is {mean - half:.3f} to {mean + half:+.3f}" in said
    [pair, *_] = crosstable(league_sets([block], 3), "ABC", estimate)
    assert pair.met is not None
    assert pair.met.plus_minus is not None
    assert pair.met.los is not None
    assert f"the gap is {pair.met.stakes:.3f} ± {pair.met.plus_minus:.3f}" in said
    assert f"is {pair.met.los:.1%}".replace("%", " %") in said
    assert f"`{pair.met.stakes:+.2f}±{pair.met.plus_minus:.2f}`" in said
    assert rank_ranges(estimate) == [(1, 3)] * 3
    gaps = stakes[:, 0] - stakes[:, 1]
    assert f"in {(gaps > 0).sum()} sets and less in {(gaps < 0).sum()}" in said
    elos = [
        f"{each.elo:.0f} ± {each.plus_minus:.0f}"
        for each in ratings(league_sets([block], 3))
        if each
    ]
    for elo, bot in zip(elos, "ABC", strict=True):
        assert f"{elo} for {bot}" in " ".join(said.split())


def test_the_worked_comparison_is_right() -> None:
    said = " ".join(COMPARISON.replace("\N{MINUS SIGN}", "-").split())
    listed = re.search(r"mean gaps of ([-0-9., ]+) and ([-0-9.]+)\. Their", said)
    assert listed is not None
    runs = np.array([*listed[1].split(", "), listed[2]], np.float64)
    assert runs.shape == (10,)
    squares = ((runs - runs.mean()) ** 2).sum()
    decision = decide(np.repeat(runs, RUN), Hypotheses())
    assert (decision.verdict, decision.doubt) == ("undecided", "rare gaps")
    assert f"Their mean is {runs.mean():.3f}" in said
    assert f"add up to {squares:.3f}; the imagined run adds 1, so {squares + 1:.3f}" in said
    variance = (squares + 1) / 9
    cubes = ((runs - runs.mean()) ** 3).sum()
    assert f"that is {variance:.3f}, the variance of a run" in said
    assert f"(0.400 - 0.05) / {variance:.3f} = {decision.llr:.2f}. (The cubes" in said
    assert f"add up to {cubes:.3f}, so the term" in said
    assert f" {cubes:.3f} / 3 = {(0.1 / variance) ** 3 * cubes / 3:.3f}.) It is" in said
    assert f"it would be {10 * 0.1 * 0.35 / (squares / 9):.2f}" in said
    more = np.array([*runs, 0.5, 0.5, 0.5])
    decided = decide(np.repeat(more, RUN), Hypotheses())
    assert (decided.verdict, decided.sets) == ("better", 130)
    assert decided.ci95 is not None
    variance = (((more - more.mean()) ** 2).sum() + 1) / 12
    assert f"the mean is {more.mean():.3f}, the variance of a run {variance:.3f}" in said
    assert f"the ratio {decided.llr:.2f}" in said
    assert f"by {decided.ci95[0]:.3f} to {decided.ci95[1]:.3f} stakes" in said
