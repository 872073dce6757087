"""How often the truly best bot wins a tournament, beside a league in which it plays as many deals.

Strengths are drawn for each simulated field from a normal distribution. A bot's result of a round
of 24 deals is its strength and chance, as spread as it was in a tournament of 30 sample bots; a
sixth of its variance is luck of the cards, which a league's sets take out.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from arena.league.config import TournamentConfig
from arena.stats.sets import Floats, Ints
from arena.zole.rules import preset
from benchmarks.figures import Row, Rows, Run

FIELDS: Final = 20_000
DEALS: Final = 24
ERROR: Final = 0.85
"""Standard deviation of a round's stakes a deal."""

LUCK: Final = 1 / 6
SPREADS: Final = (0.3, 1.0)
"""Standard deviations of strengths, in stakes a deal: much alike, and as different as samples."""


def measure(run: Run) -> Rows:
    """Simulate fields of both sizes over 6 to 8 rounds."""
    random = np.random.default_rng(run.rounds)
    for bots in (12, 60):
        for spread in SPREADS:
            for rounds in (6, 7, 8):
                strengths = spread * random.standard_normal((FIELDS, bots))
                best = strengths.argmax(axis=1)
                points = TournamentConfig(rules=preset()).points
                winners = winners_of(strengths, ERROR, rounds, DEALS, points, True, random)
                error = ERROR * np.sqrt((1 - LUCK) / rounds)
                found = strengths + error * random.standard_normal(strengths.shape)
                shares = ((winners == best).mean(), (found.argmax(axis=1) == best).mean())
                what = (
                    f"the best of {bots} bots, strengths spread by {spread}, wins {rounds} rounds"
                )
                yield Row(what, ("{:.0%}; a league of as many deals {:.0%}".format(*shares),))


def winners_of(
    strengths: Floats,
    error: float,
    rounds: int,
    deals: int,
    points: Sequence[float],
    fours: bool,
    random: np.random.Generator,
) -> Ints:
    """The winner of each simulated tournament; `strengths` are tournaments by bots.

    Neighbours in the standing meet, even if they have met before.
    """
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
