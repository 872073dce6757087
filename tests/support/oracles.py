"""Strengths and Elo by statsmodels and choix, from the same sets.

Both take seconds to import, so only the tests that use them do.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from arena.stats.elo import ELO
from arena.stats.sets import Floats, SetBlock


def strengths(blocks: Sequence[SetBlock], bots: int) -> tuple[Floats, Floats]:
    """Values and covariance by ordinary least squares, clustered by set, Σθ = 0."""
    import statsmodels.api as sm

    rows, values, clusters = [], [], []
    cluster = 0
    for block in blocks:
        for stakes in block.stakes:
            for column, bot in enumerate(block.bots):
                row = np.zeros(bots)
                row[list(block.bots)] -= 1 / len(block.bots)
                row[bot] += 1
                rows.append(row)
                values.append(stakes[column] - stakes.mean())
                clusters.append(cluster)
            cluster += 1
    free = _free(bots)
    fit = sm.OLS(np.array(values), np.array(rows) @ free).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.array(clusters), "use_correction": False},
    )
    return free @ fit.params, _corrected(free @ fit.cov_params() @ free.T, blocks)


def elo(blocks: Sequence[SetBlock], bots: int) -> tuple[Floats, Floats]:
    """Elo around 0 and its covariance by a binomial model, clustered by set."""
    import statsmodels.api as sm

    rows, values, clusters = [], [], []
    cluster = 0
    for block in blocks:
        for stakes in block.stakes:
            for a, b in combinations(range(len(block.bots)), 2):
                row = np.zeros(bots)
                row[[block.bots[a], block.bots[b]]] = 1, -1
                rows.append(row)
                values.append((np.sign(round(stakes[a] - stakes[b], 9)) + 1) / 2)
                clusters.append(cluster)
            cluster += 1
    free = _free(bots)
    model = sm.GLM(np.array(values), np.array(rows) @ free, family=sm.families.Binomial())
    fit = model.fit(
        cov_type="cluster",
        cov_kwds={"groups": np.array(clusters), "use_correction": False},
        tol=1e-13,
        maxiter=200,
    )
    covariance = ELO**2 * free @ fit.cov_params() @ free.T
    return ELO * free @ fit.params, _corrected(covariance, blocks)


def choix_elo(blocks: Sequence[SetBlock], bots: int) -> Floats:
    """Elo around 0 by choix, which counts scores only."""
    import choix

    scores = np.zeros((bots, bots))
    for block in blocks:
        for a, one in enumerate(block.bots):
            for b, other in enumerate(block.bots):
                gaps = np.round(block.stakes[:, a] - block.stakes[:, b], 9)
                scores[one, other] += 0.0 if a == b else ((np.sign(gaps) + 1) / 2).sum()
    found = choix.ilsr_pairwise_dense(scores, max_iter=10000, tol=1e-11)
    return np.asarray(ELO * (found - found.mean()), np.float64)


def _free(bots: int) -> Floats:
    """All parameters, of sum zero, from all but the last."""
    return np.vstack([np.eye(bots - 1), -np.ones(bots - 1)])


def _corrected(covariance: Floats, blocks: Sequence[SetBlock]) -> Floats:
    """With a factor for the fitted parameters instead of that of statsmodels: N / (N - n + 1)."""
    results = sum(len(block.stakes) * (len(block.bots) - 1) for block in blocks)
    return np.asarray(covariance * results / (results - len(covariance) + 1), np.float64)
