"""The worked example of `docs/statistics.md` is what the arena computes."""

import re
from pathlib import Path

import numpy as np
import pytest

from arena.stats.elo import ratings
from arena.stats.head_to_head import crosstable
from arena.stats.ranks import rank_ranges
from arena.stats.sets import SetBlock, t_quantile
from arena.stats.strengths import means, plus_minus

PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")


def test_the_worked_example_is_right() -> None:
    rows = re.findall(r"^\| \d+ \| (\S+) \| (\S+) \| (\S+) \|$", PAGE, re.MULTILINE)
    stakes = np.array(rows, np.float64)
    assert stakes.shape == (10, 3)
    assert stakes.sum(axis=1) == pytest.approx(0)
    block = SetBlock((0, 1, 2), stakes)
    estimate = means([block], 3)
    half = plus_minus(estimate, 0)
    quantile = t_quantile([block])
    assert half is not None
    assert quantile is not None
    mean = float(estimate.values[0])
    deviation = stakes[:, 0].std(ddof=1)
    said = PAGE.replace("\N{MINUS SIGN}", "-")
    assert f"A's mean is {mean:.3f}" in said
    assert f"a standard deviation of {deviation:.3f}" in said
    assert f"an error of {deviation / np.sqrt(10):.3f}" in said
    assert f"Student's t is {quantile[0]:.3f}" in said
    assert f"= {half:.3f}." in said
    assert f"interval is {mean - half:.3f} to {mean + half:+.3f}" in said
    [pair, *_] = crosstable([block], "ABC", estimate)
    assert pair.met is not None
    assert pair.met.plus_minus is not None
    assert pair.met.los is not None
    assert f"the gap is {pair.met.stakes:.3f} ± {pair.met.plus_minus:.3f}" in said
    assert f"is {pair.met.los:.1%}".replace("%", " %") in said
    assert f"`{pair.met.stakes:+.2f}±{pair.met.plus_minus:.2f}`" in said
    assert rank_ranges(estimate) == [(1, 3)] * 3
    gaps = stakes[:, 0] - stakes[:, 1]
    assert f"in {(gaps > 0).sum()} sets and less in {(gaps < 0).sum()}" in said
    elos = [f"{each.elo:.0f} ± {each.plus_minus:.0f}" for each in ratings([block], 3).each if each]
    for elo, bot in zip(elos, "ABC", strict=True):
        assert f"{elo} for {bot}" in " ".join(said.split())
