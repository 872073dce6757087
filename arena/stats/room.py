"""Strengths by a tournament, where every table of a round plays the same deals, and what it proves.

A bot makes as many stakes a deal as its strength is above the mean of its table, plus the luck of
the cards in its seat, which all tables of a round share, plus an error. Luck is taken out by the
mean of the seat over the tables of the round, as in duplicate bridge. It is a random effect: of the
mean, as much is taken as the spreads of luck and error make best, both estimated (generalised least
squares). Errors are taken to spread alike at all tables.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from arena.stats.floats import Floats, Ints
from arena.stats.significance import half_width

SIMULATED: Final = 2000
"""Tournaments simulated for `chance_of_the_best`: its error is 1 % of tournaments at most."""


class RoomTable(msgspec.Struct, frozen=True):
    """A table of a round: bots by seat, as places in the field, and what each made a deal."""

    round: int
    bots: tuple[int, ...]
    stakes: tuple[float, ...]


class RoomStrengths(msgspec.Struct, frozen=True):
    """Strengths in stakes per deal, relative to the mean of the field, with half of 95 % intervals.

    `error` is the standard deviation of what one bot makes a deal in a round at a table, luck of
    the cards included.
    """

    values: Floats
    half: Floats
    variance: Floats
    error: float


def room_strengths(
    tables: Sequence[RoomTable], bots: int, same_deals: bool
) -> RoomStrengths | None:
    """The strengths of all bots; None before the tables compare each of them with every other."""
    if not tables:
        return None
    sits, made = _results(tables, bots)
    free = len(made) - len(tables) - (bots - 1)
    plain = _fit(sits, made)
    if plain is None or free < 1:
        return None
    error = plain.squares / free
    found, spread = plain, error
    seats = [
        (each.round, len(each.bots), seat) for each in tables for seat in range(len(each.bots))
    ]
    shared = np.unique(np.array(seats), axis=0, return_inverse=True)[1].ravel()
    if same_deals:
        alike = np.bincount(shared)
        less = sum(size - 1 for number, size, seat in {*seats} if seat == 0)
        within = _fit(*_less_means(sits, made, shared, (alike > 1).astype(np.float64)))
        if within is not None and free > less and error > 0:
            spread = min(within.squares / (free - less), error)
            parts = 1 - np.sqrt(spread / (spread + alike * (error - spread)))
            found = _fit(*_less_means(sits, made, shared, parts)) or plain
            spread = found.squares / free
    variance = np.diag(found.inverse) * spread
    half = np.array([half_width(free, float(each)) for each in variance])
    return RoomStrengths(found.values, half, variance, float(np.sqrt(error)))


def chance_of_the_best(
    found: RoomStrengths, rounds: int, deals: int, points: Sequence[float], fours: bool
) -> float | None:
    """How often the truly best bot would win such a tournament; None if all bots look equal.

    True strengths are drawn anew for each of `SIMULATED` tournaments, from what the estimates leave
    open (normal, shrunk towards the mean by as much as they spread by chance). Neighbours in the
    standing meet, whether they met before or not. A tie at the top is shared out by lot.
    """
    spread = float(np.var(found.values, ddof=1) - found.variance.mean())
    if spread <= 0:
        return None
    kept = spread / (spread + found.variance)
    random = np.random.default_rng(1)
    drawn = random.standard_normal((SIMULATED, len(found.values)))
    strengths = found.values * kept + drawn * np.sqrt(kept * found.variance)
    winners = winners_of(strengths, found.error, rounds, deals, points, fours, random)
    return float((winners == strengths.argmax(axis=1)).mean())


def winners_of(
    strengths: Floats,
    error: float,
    rounds: int,
    deals: int,
    points: Sequence[float],
    fours: bool,
    random: np.random.Generator,
) -> Ints:
    """The winner of each simulated tournament; `strengths` are tournaments by bots."""
    number, bots = strengths.shape
    spare = bots % 3
    of_four = spare if fours and bots >= 4 * spare else 0
    sizes = [3] * ((bots - 4 * of_four) // 3) + [4] * of_four
    ends = np.cumsum(sizes).tolist()
    big, small = np.zeros((number, bots)), np.zeros((number, bots))
    every = np.arange(number)[:, None]
    for _ in range(rounds):
        order = np.lexsort((random.random((number, bots)), -small, -big))
        for size, end in zip(sizes, ends, strict=True):
            here = order[:, end - size : end]
            made = strengths[every, here] + error * random.standard_normal((number, size))
            made -= made.mean(axis=1, keepdims=True)
            place = (-made).argsort(axis=1).argsort(axis=1)
            big[every, here] += np.asarray(points)[place]
            small[every, here] += made * deals
        big[every, order[:, sum(sizes) :]] += points[1]
    return np.lexsort((random.random((number, bots)), -small, -big))[:, 0]


class _Fit(msgspec.Struct, frozen=True):
    """Least squares: estimates, the squares that they leave, the normal matrix inverted."""

    values: Floats
    squares: float
    inverse: Floats


def _results(tables: Sequence[RoomTable], bots: int) -> tuple[Floats, Floats]:
    """A row for each bot at each table, both relative to the table: who sat there, what it made."""
    table = np.repeat(np.arange(len(tables)), [len(each.bots) for each in tables])
    made = np.array([stakes for each in tables for stakes in each.stakes], np.float64)
    sits = np.zeros((len(made), bots))
    sits[np.arange(len(made)), [bot for each in tables for bot in each.bots]] = 1
    return _less_means(sits, made, table, np.ones(len(tables)))


def _less_means(sits: Floats, made: Floats, groups: Ints, parts: Floats) -> tuple[Floats, Floats]:
    """The rows less the mean of their group, or a part of it for each group."""
    rows = np.column_stack((sits, made))
    total = np.zeros((groups.max() + 1, rows.shape[1]))
    np.add.at(total, groups, rows)
    means = total / np.bincount(groups)[:, None] * parts[:, None]
    less = rows - means[groups]
    return less[:, :-1], less[:, -1]


def _fit(sits: Floats, made: Floats) -> _Fit | None:
    """The fit of strengths of mean 0; None if the rows leave more open than their mean."""
    values, _, rank, _ = np.linalg.lstsq(sits, made)
    if rank < sits.shape[1] - 1:
        return None
    left = made - sits @ values
    mean = np.full((len(values), len(values)), 1 / len(values))  # what the rows leave open
    inverse = np.linalg.inv(sits.T @ sits + mean) - mean
    return _Fit(values - values.mean(), float(left @ left), np.asarray(inverse, np.float64))
