"""Strengths and Elo by statsmodels and choix, from the same sets.

Both take seconds to import, so only the tests that use them do.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from arena.stats.elo import ELO
from arena.stats.sets import Floats, SetBlock


def around_the_mean(size: int) -> Floats:
    """What each at a table of a size made beyond the mean, as weights of their stakes."""
    return np.asarray(np.eye(size) - 1 / size, np.float64)


def of_pairs(size: int) -> Floats:
    """What one of each two at a table of a size made beyond the other."""
    return np.array([np.eye(size)[a] - np.eye(size)[b] for a, b in combinations(range(size), 2)])


def observed(
    blocks: Sequence[SetBlock], bots: int, contrasts: Callable[[int], Floats]
) -> tuple[Floats, Floats, np.ndarray]:
    """A row of weights by bot, what these add up to, and the set's number, of each contrast."""
    rows, values, sizes = list[Floats](), list[Floats](), list[int]()
    for block in blocks:
        contrast = contrasts(len(block.bots))
        row = np.zeros((len(contrast), bots))
        row[:, list(block.bots)] = contrast
        rows.append(np.tile(row, (len(block.stakes), 1)))
        values.append((block.stakes @ contrast.T).ravel())
        sizes += [len(contrast)] * len(block.stakes)
    return np.concatenate(rows), np.concatenate(values), np.repeat(np.arange(len(sizes)), sizes)


def strengths(blocks: Sequence[SetBlock], bots: int) -> tuple[Floats, Floats]:
    """Values and covariance by ordinary least squares, clustered by set, Σθ = 0."""
    import statsmodels.api as sm

    rows, values, clusters = observed(blocks, bots, around_the_mean)
    return _fitted(sm.OLS(values, rows @ _free(bots)), clusters, blocks, bots)


def elo(blocks: Sequence[SetBlock], bots: int) -> tuple[Floats, Floats]:
    """Elo around 0 and its covariance by a binomial model, clustered by set."""
    import statsmodels.api as sm

    rows, gaps, clusters = observed(blocks, bots, of_pairs)
    scores = (np.sign(gaps.round(9)) + 1) / 2
    model = sm.GLM(scores, rows @ _free(bots), family=sm.families.Binomial())
    values, covariance = _fitted(model, clusters, blocks, bots, tol=1e-13, maxiter=200)
    return ELO * values, ELO**2 * covariance


def choix_elo(blocks: Sequence[SetBlock], bots: int) -> Floats:
    """Elo around 0 by choix, which counts scores only."""
    import choix

    rows, gaps, _ = observed(blocks, bots, of_pairs)
    scores, won = np.zeros((bots, bots)), (np.sign(gaps.round(9)) + 1) / 2
    np.add.at(scores, (rows.argmax(axis=1), rows.argmin(axis=1)), won)
    np.add.at(scores, (rows.argmin(axis=1), rows.argmax(axis=1)), 1 - won)
    found = choix.ilsr_pairwise_dense(scores, max_iter=10000, tol=1e-11)
    return np.asarray(ELO * (found - found.mean()), np.float64)


def _free(bots: int) -> Floats:
    """All parameters, of sum zero, from all but the last."""
    return np.vstack([np.eye(bots - 1), -np.ones(bots - 1)])


def _fitted(
    model: Any, clusters: np.ndarray, blocks: Sequence[SetBlock], bots: int, **how: float
) -> tuple[Floats, Floats]:
    """With a factor for the fitted parameters instead of that of statsmodels: N / (N - n + 1)."""
    known = {"groups": clusters, "use_correction": False}
    fit = model.fit(cov_type="cluster", cov_kwds=known, **how)
    results = sum(len(block.stakes) * (len(block.bots) - 1) for block in blocks)
    free, factor = _free(bots), results / (results - bots + 1)
    return free @ fit.params, np.asarray(factor * free @ fit.cov_params() @ free.T, np.float64)
