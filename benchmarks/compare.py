"""How often `arena compare` errs: its own test, on gaps from models, without bots or processes.

A comparison has 10,000 sets at most. In each setting `TIMES` are made of equal bots and as many of
bots `delta` apart, from the seeds [number of the setting, 0] and [number of the setting, 1].
"""

from collections.abc import Callable
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from arena.stats.figures import RUN, Hypotheses
from arena.stats.sets import Floats
from arena.stats.sprt import decide
from benchmarks.figures import Row, Rows, Run

SETS: Final = 10_000
TIMES: Final = 4000
USUAL: Final = Hypotheses()

FIXED: Final = (2 * 1.6449 / USUAL.delta) ** 2
"""Sets of a test of fixed size with the same risks, for each unit of variance."""

STEPS: Final = np.array([0, 0, 0, 0, 3, -3, 6, -6, 9, -9, 18, -18, 54, -27, -27]) / 9
"""Gaps like those of real sets: often none, mostly little, rarely much, skewed, in whole ninths."""

Gaps = Callable[[np.random.Generator, float], Floats]
"""The gaps of a comparison, set by set, of bots that are this many stakes apart on average."""


class Errors(NamedTuple):
    """The shares of comparisons that went as named, and the mean number of their sets.

    `held` is of the intervals at the stop, for the gap of which fewer held it.
    """

    false_alarms: float
    found: float
    held: float
    sets: float


def measure(run: Run) -> Rows:
    """A row for each setting, whose errors are the standard errors of the simulation."""
    del run
    for what, gaps in (SETTINGS | BEYOND).items():
        found = errors(what, TIMES)
        shares = (found.false_alarms, found.found, found.held)
        wrong, right, held = (f"{p:.3f} ± {sqrt(p * (1 - p) / TIMES):.3f}" for p in shares)
        sets = gaps(np.random.default_rng(0), 0.0)
        runs = sets.reshape(-1, RUN, TABLES.get(what, 1)).mean(axis=1)
        fixed = FIXED * RUN * runs.var(axis=0).mean()
        yield Row(
            f"compare, {what}",
            (
                f"false alarms {wrong}, better bots found {right}, intervals that hold {held};"
                f" {found.sets:.0f} sets, {found.sets / fixed:.2f} of a fixed size",
            ),
        )


def errors(what: str, times: int) -> Errors:
    """The errors of this many comparisons of equal bots, and of as many of better ones."""
    settings = SETTINGS | BEYOND
    number, gaps = list(settings).index(what), settings[what]
    better, held, sets = [0, 0], [0, 0], 0
    for which, gap in enumerate((0.0, USUAL.delta)):
        chance = np.random.default_rng([number, which])
        for _ in range(times):
            decision = decide(gaps(chance, gap), USUAL, tables=TABLES.get(what, 1))
            better[which] += decision.verdict == "better"
            low, high = decision.ci95 or (np.nan, np.nan)
            held[which] += low <= gap <= high
            sets += decision.sets
    return Errors(better[0] / times, better[1] / times, min(held) / times, sets / times / 2)


def normal(spread: float) -> Gaps:
    """Sets that spread by this many stakes, after the normal distribution."""
    return lambda chance, gap: chance.normal(gap, spread, SETS)


def like_real(chance: np.random.Generator, gap: float) -> Floats:
    """Sets that differ as real ones do."""
    return np.asarray(chance.choice(STEPS, SETS) - STEPS.mean() + gap)


def nearly_identical(share: float) -> Gaps:
    """Sets that are equal, but for a share in which the better bot wins all that it wins."""

    def gaps(chance: np.random.Generator, gap: float) -> Floats:
        luck = chance.normal(gap / share, 1.6, SETS)
        return np.where(chance.random(SETS) < share, luck, 0.0)

    return gaps


def in_tens(alike: float) -> Gaps:
    """Sets of which those of one ten hang together, with so much correlation."""

    def gaps(chance: np.random.Generator, gap: float) -> Floats:
        shared = np.repeat(chance.normal(0, sqrt(alike), SETS // 10), 10)
        return np.asarray(gap + 1.2 * (shared + sqrt(1 - alike) * chance.normal(size=SETS)))

    return gaps


def rare(share: float, size: float, spread: float) -> Gaps:
    """Sets of which a share has one large gap, and the rest, which makes up for it, spreads."""

    def gaps(chance: np.random.Generator, gap: float) -> Floats:
        rest = chance.normal(-share * size / (1 - share), spread, SETS)
        return gap + np.where(chance.random(SETS) < share, size, rest)

    return gaps


def rare_in_tens(chance: np.random.Generator, gap: float) -> Floats:
    """Rare gaps of which there are more in some tens: a correlation of 0.1 of their coming."""
    often = np.repeat(chance.beta(0.03 * 9, 0.97 * 9, SETS // 10), 10)
    rest = chance.normal(0.075 / 0.97, 0.2, SETS)
    return gap + np.where(chance.random(SETS) < often, -2.5, rest)


def thirds(alike: float) -> Gaps:
    """Two third bots in turn: with one the new bot is far better, with the other far worse.

    The sets of ten with the same one hang together, with so much correlation.
    """

    def gaps(chance: np.random.Generator, gap: float) -> Floats:
        by_table = in_tens(alike)(chance, gap).reshape(-1, 2, 10).swapaxes(1, 2)
        return np.asarray(by_table.ravel() + np.tile([0.835, -0.835], SETS // 2))

    return gaps


SETTINGS: Final[dict[str, Gaps]] = {
    "normal, spread 1.2": normal(1.2),
    "normal, spread 1.6": normal(1.6),
    "normal, spread 0.5": normal(0.5),
    "like real sets": like_real,
    "5 % of sets differ": nearly_identical(0.05),
    "10 % of sets differ": nearly_identical(0.10),
    "20 % of sets differ": nearly_identical(0.20),
    "strong thirds in turn": thirds(0.0),
    "strong thirds in turn, correlation 0.1 in tens": thirds(0.1),
    "correlation 0.1 in tens": in_tens(0.1),
    "correlation 0.3 in tens": in_tens(0.3),
    "3 % of -2.5, rest spreads by 0.1": rare(0.03, -2.5, 0.1),
    "3 % of -2.5, rest spreads by 0.3": rare(0.03, -2.5, 0.3),
    "3 % of -2.5, rest spreads by 1.2": rare(0.03, -2.5, 1.2),
    "3 % of +2.5, rest spreads by 0.3": rare(0.03, 2.5, 0.3),
    "3 % of -2.5 that hang together in tens": rare_in_tens,
    "2 % of -4, rest spreads by 0.3": rare(0.02, -4, 0.3),
    "3 % of -5, rest spreads by 0.3": rare(0.03, -5, 0.3),
    "1 % of -7, rest spreads by 0.3": rare(0.01, -7, 0.3),
    "1 % of +7, rest spreads by 0.3": rare(0.01, 7, 0.3),
}

TABLES: Final = {what: 2 for what in SETTINGS if "thirds" in what}

BEYOND: Final[dict[str, Gaps]] = {
    "10 % of -5, rest spreads by 0.6": rare(0.10, -5, 0.6),
    "2 % of -7, rest spreads by 0.6": rare(0.02, -7, 0.6),
    "1 % of -10, rest spreads by 0.1": rare(0.01, -10, 0.1),
    "3 % of -10, rest spreads by 0.6": rare(0.03, -10, 0.6),
    "1 % of -15, rest spreads by 0.3": rare(0.01, -15, 0.3),
}
"""Settings in which the test may err more often than is promised."""
