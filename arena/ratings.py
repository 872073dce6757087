"""Ratings over sets: stakes per deal, pairwise Bradley-Terry, and errors clustered by deal."""

from collections.abc import Sequence
from math import log

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components
from scipy.special import stdtrit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ELO = 400 / log(10)
"""Elo points in one unit of log odds: a rating of 400 more wins ten times as often."""

MEAN = 1500.0
FEWEST = 10
"""Sets below which no interval is given."""


class SetBlock(msgspec.Struct, frozen=True):
    """Sets of one lineup.

    `bots` are places in the field; `stakes`, sets by bots, is each bot's mean stakes over the games
    it played in the set.
    """

    bots: tuple[int, ...]
    stakes: Floats


class Rating(msgspec.Struct, frozen=True):
    """A bot's Elo and the half width of its 95 % interval.

    `bound` is set where results are so one-sided that the likelihood has no maximum: the Elo is
    then what half a set the other way would have given, and there is no interval. `>`: the bot lost
    nothing to some that it beat, `<`: the other way round, `~`: both.
    """

    elo: float
    plus_minus: float | None
    bound: str | None = None


def t_quantile(blocks: Sequence[SetBlock]) -> tuple[float, float] | None:
    """Student's 97.5 % point with G - T degrees and the factor G / (G - T), or None.

    G sets (each on a deal of its own), T lineups.
    """
    groups = sum(len(block.stakes) for block in blocks)
    free = groups - len({block.bots for block in blocks})
    return (float(stdtrit(free, 0.975)), groups / free) if free > 0 else None


def mean_stakes(
    blocks: Sequence[SetBlock], bots: int
) -> list[tuple[float, tuple[float, float] | None] | None]:
    """Each bot's mean stakes per deal and their 95 % interval; None for a bot without sets.

    The schedule is fixed and the deals are the chance in it, so the spread is that of the sets of
    each lineup around the lineup's own mean.
    """
    by_bot: list[list[Floats]] = [[] for _ in range(bots)]
    for lineup in sorted({block.bots for block in blocks}):
        sets = np.concatenate([block.stakes for block in blocks if block.bots == lineup])
        for column, bot in enumerate(lineup):
            by_bot[bot].append(sets[:, column])
    quantile = t_quantile(blocks)
    result: list[tuple[float, tuple[float, float] | None] | None] = []
    for parts in by_bot:
        if not parts:
            result.append(None)
            continue
        values = np.concatenate(parts)
        mean = float(values.mean())
        interval = None
        if quantile is not None and len(values) >= FEWEST:
            squares = sum(float(np.sum((part - part.mean()) ** 2)) for part in parts)
            spread = float(np.sqrt(quantile[1] * squares)) / len(values)
            interval = (mean - quantile[0] * spread, mean + quantile[0] * spread)
        result.append((mean, interval))
    return result


def elo(blocks: Sequence[SetBlock], bots: int) -> list[Rating | None]:
    """The rating of each bot, None for a bot without sets.

    A bot scores 1, 1/2 or 0 against another by the sign of the difference of their stakes over a
    set. Bots that never met, not even through others, are rated apart, each group around `MEAN`.
    """
    scores = _scores(blocks, bots)
    met = scores + scores.T > 0
    groups, group_of = connected_components(met, directed=False)
    ratings: list[Rating | None] = [None] * bots
    for group in range(groups):
        members = np.flatnonzero(group_of == group)
        if len(members) < 2:
            continue
        mine = [block for block in blocks if block.bots and block.bots[0] in set(members.tolist())]
        for bot, rating in zip(members, _rate(scores, members, mine), strict=True):
            ratings[int(bot)] = rating
    return ratings


def _scores(blocks: Sequence[SetBlock], bots: int) -> Floats:
    """`[i, j]`: what i scored against j over all sets."""
    scores = np.zeros((bots, bots))
    for block in blocks:
        for a, one in enumerate(block.bots):
            for b, other in enumerate(block.bots):
                if a != b:
                    gap = np.sign(_gap(block, a, b))
                    scores[one, other] += float(np.sum((gap + 1) / 2))
    return scores


def _gap(block: SetBlock, a: int, b: int) -> Floats:
    """The difference of two bots' stakes by set, with the dust of division taken off."""
    return np.round(block.stakes[:, a] - block.stakes[:, b], 9)


def _rate(scores: Floats, members: Ints, blocks: Sequence[SetBlock]) -> list[Rating]:
    """Ratings of bots that are connected by sets."""
    own = scores[np.ix_(members, members)]
    count, part = connected_components(own > 0, connection="strong")
    if count > 1:
        return _bounds(own, part)
    theta = _maximum(own)
    quantile = t_quantile(blocks)
    fewest = _sets_by_bot(members, blocks)
    errors = _errors(theta, members, blocks)
    return [
        Rating(
            MEAN + ELO * float(theta[i]),
            ELO * quantile[0] * float(np.sqrt(quantile[1] * errors[i, i]))
            if quantile is not None and fewest[i] >= FEWEST
            else None,
        )
        for i in range(len(members))
    ]


def _bounds(own: Floats, part: npt.NDArray[np.int32]) -> list[Rating]:
    """Ratings where some bots won everything against others: bounds, not estimates."""
    apart = part[:, None] != part[None, :]
    conceded = np.where(apart & (own.T > 0) & (own == 0), 0.5, 0.0)
    softened = own + conceded - conceded.T
    theta = _maximum(np.maximum(softened, 0.25 * (own + own.T > 0)))
    beaten = (apart & (own.T > 0)).any(axis=1)
    beats = (apart & (own > 0)).any(axis=1)
    ratings: list[Rating] = []
    for i in range(len(own)):
        sign = "~" if bool(beats[i]) is bool(beaten[i]) else ">" if beats[i] else "<"
        ratings.append(Rating(MEAN + ELO * float(theta[i]), None, sign))
    return ratings


def _maximum(own: Floats) -> Floats:
    """Newton's method on the log likelihood; the mean of the result is 0."""
    games = own + own.T
    theta = np.zeros(len(own))
    for _ in range(100):
        expected = _expected(theta)
        gradient = (own - games * expected).sum(axis=1)
        step = _inverse(_information(games, expected)) @ gradient
        theta += step * min(1.0, 2.0 / max(1e-300, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(theta - theta.mean(), np.float64)


def _expected(theta: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(theta[None, :] - theta[:, None])))


def _information(games: Floats, expected: Floats) -> Floats:
    weight = games * expected * expected.T
    information: Floats = np.diag(weight.sum(axis=1)) - weight
    return information


def _inverse(information: Floats) -> Floats:
    """The pseudo-inverse: ratings are known only up to a constant."""
    return np.asarray(np.linalg.pinv(information, rcond=1e-10, hermitian=True), np.float64)


def _errors(theta: Floats, members: Ints, blocks: Sequence[SetBlock]) -> Floats:
    """The sandwich covariance of the ratings, in log odds, clustered by set, uncorrected."""
    place = {int(bot): i for i, bot in enumerate(members)}
    expected = _expected(theta)
    games = np.zeros_like(expected)
    meat = np.zeros_like(expected)
    for block in blocks:
        where = [place[bot] for bot in block.bots]
        score = np.zeros((len(block.stakes), len(theta)))
        for a, one in enumerate(where):
            for b, other in enumerate(where):
                if a != b:
                    games[one, other] += len(block.stakes)
                    score[:, one] += (np.sign(_gap(block, a, b)) + 1) / 2 - expected[one, other]
        meat += score.T @ score
    bread = _inverse(_information(games, expected))
    covariance: Floats = np.asarray(bread @ meat @ bread, np.float64)
    return covariance


def _sets_by_bot(members: Ints, blocks: Sequence[SetBlock]) -> list[int]:
    return [sum(len(block.stakes) for block in blocks if int(bot) in block.bots) for bot in members]
