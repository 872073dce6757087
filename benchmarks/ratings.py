"""Seconds to rate 20 bots over 57,000 sets, beside statsmodels with the same sets in one run.

Both find the strengths in stakes per deal and the Elo, each with its errors clustered by deal;
they are compared before they are timed. statsmodels is given its tables ready made.
"""

from collections.abc import Callable
from itertools import combinations
from time import perf_counter

import numpy as np
import statsmodels.api as sm

from arena.stats.elo import ELO, MEAN, ratings
from arena.stats.intervals import t_quantile
from arena.stats.sets import Block, Floats, SetBlock, league_sets
from arena.stats.standings import standings
from arena.stats.strengths import strengths
from benchmarks.figures import Row, Rows, Run, low, ratio

BOTS, SETS = 20, 50


def measure(run: Run) -> Rows:
    """Rate in turn, round by round."""
    blocks = league()
    tables = designs(blocks)
    agree(blocks, tables)
    ours: list[float] = []
    theirs: list[float] = []
    whole: list[float] = []
    for _ in range(run.rounds):
        ours.append(
            seconds(
                lambda: (strengths(league_sets(blocks, BOTS)), ratings(league_sets(blocks, BOTS)))
            )
        )
        theirs.append(seconds(lambda: by_statsmodels(tables)))
        whole.append(seconds(lambda: ranked(blocks)))
    sets = sum(len(block.stakes) for block in blocks)
    what = f"strengths and Elo of {BOTS} bots over {sets:,} sets, relative to statsmodels"
    yield Row(what, (f"{ratio(ours, theirs)}; {low(ours):.2f} s",))
    yield Row("whole standings of these", (f"{low(whole):.2f} s",))


def league() -> list[SetBlock]:
    """Every trio of bots of rising strength over `SETS` deals."""
    chance = np.random.default_rng(1)
    blocks = []
    for lineup in combinations(range(BOTS), 3):
        raw = chance.normal(scale=1.2, size=(SETS, 3)) + np.array(lineup) * 0.03
        stakes = np.round((raw - raw.mean(axis=1, keepdims=True)) * 2) / 2
        stakes[:, 2] = -stakes[:, 0] - stakes[:, 1]
        blocks.append(SetBlock(lineup, stakes))
    return blocks


Tables = tuple[Floats, Floats, Floats, Floats, Floats]
"""Design and values of the strengths, design and values of Elo, and the set of each row.

Both have three rows a set: the bots' stakes, and the results of the pairs.
"""


def designs(blocks: list[SetBlock]) -> Tables:
    """What statsmodels is given, all parameters but the last bot's."""
    [stack] = league_sets(blocks, BOTS).stacks
    sets = len(stack.stakes)
    one_hot = np.repeat(np.eye(BOTS)[stack.bots], stack.counts, axis=0)
    seats = one_hot - one_hot.mean(axis=1, keepdims=True)
    stakes = stack.stakes - stack.stakes.mean(axis=1, keepdims=True)
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    pairs = one_hot[:, first] - one_hot[:, second]
    gaps = np.round(stack.stakes[:, first] - stack.stakes[:, second], 9)
    free = np.vstack([np.eye(BOTS - 1), -np.ones(BOTS - 1)])
    return (
        seats.reshape(3 * sets, BOTS) @ free,
        stakes.ravel(),
        pairs.reshape(3 * sets, BOTS) @ free,
        ((np.sign(gaps) + 1) / 2).ravel(),
        np.repeat(np.arange(sets), 3).astype(np.float64),
    )


def by_statsmodels(tables: Tables) -> tuple[Floats, Floats, Floats, Floats]:
    """Strengths and Elo of all bots but the last, each with its covariance, uncorrected."""
    seats, stakes, pairs, scores, sets = tables
    clusters = {"groups": sets, "use_correction": False}
    points = sm.OLS(stakes, seats).fit(cov_type="cluster", cov_kwds=clusters)
    odds = sm.GLM(scores, pairs, family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds=clusters, tol=1e-13
    )
    return points.params, points.cov_params(), ELO * odds.params, ELO**2 * odds.cov_params()


def agree(blocks: list[SetBlock], tables: Tables) -> None:
    """Both find the same; else comparing their speed would mean nothing."""
    points, points_covariance, elo, elo_covariance = by_statsmodels(tables)
    results = 2 * sum(len(block.stakes) for block in blocks)
    factor = results / (results - BOTS + 1)
    estimate, rated = strengths(league_sets(blocks, BOTS)), ratings(league_sets(blocks, BOTS))
    values = np.array([rating.elo - MEAN for rating in rated if rating])
    np.testing.assert_allclose(estimate.values[:-1], points, atol=1e-10)
    np.testing.assert_allclose(estimate.covariance[:-1, :-1], factor * points_covariance)
    np.testing.assert_allclose(values[:-1], elo, atol=1e-6)
    halves = [rating.pm for rating in rated[:-1] if rating]
    t = t_quantile(sum(len(block.stakes) for block in blocks) - BOTS, 0.975)
    errors = np.sqrt(factor * np.diagonal(elo_covariance))
    np.testing.assert_allclose(np.array(halves, np.float64), t * errors, rtol=1e-6)


def ranked(blocks: list[SetBlock]) -> None:
    """The standings of the same sets, with ranks and both estimates."""
    names = [f"bot {number:02d}" for number in range(BOTS)]
    standings(
        [
            Block(tuple(names[bot] for bot in block.bots), 0, SETS, 6, SETS, block, None, {})
            for block in blocks
        ],
        names,
        {},
    )


def seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began
