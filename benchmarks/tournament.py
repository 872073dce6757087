"""How often the truly best bot wins a tournament, beside a league in which it plays as many deals.

Strengths are drawn for each simulated field from a normal distribution. A bot's result of a round
of 24 deals is its strength and chance, as spread as it was in a tournament of 30 sample bots; a
sixth of its variance is luck of the cards, which a league's sets take out.
"""

from typing import Final

import numpy as np

from arena.league.format import TournamentFormat
from arena.stats.room import winners_of
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
                points = TournamentFormat().points
                winners = winners_of(strengths, ERROR, rounds, DEALS, points, True, random)
                error = ERROR * np.sqrt((1 - LUCK) / rounds)
                found = strengths + error * random.standard_normal(strengths.shape)
                shares = ((winners == best).mean(), (found.argmax(axis=1) == best).mean())
                what = (
                    f"the best of {bots} bots, strengths spread by {spread}, wins {rounds} rounds"
                )
                yield Row(what, ("{:.0%}; a league of as many deals {:.0%}".format(*shares),))
