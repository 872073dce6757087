"""The worked examples of decisions 22 and 24 are what the arena computes."""

import re
from pathlib import Path

import numpy as np

from arena.stats.analysis import crosstable
from arena.stats.elo import ratings
from arena.stats.figures import RUN, Hypotheses
from arena.stats.intervals import t_quantile
from arena.stats.sets import SetBlock, league_sets
from arena.stats.sprt import decide
from arena.stats.standings import rank_ranges
from arena.stats.strengths import means, plus_minus
from tests.support.present import present

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
