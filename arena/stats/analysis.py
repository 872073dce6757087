"""Everything computed from the sets of a league apart from its standings."""

from collections.abc import Collection, Mapping, Sequence

import msgspec
import numpy as np

from arena.stats.company import companies
from arena.stats.elo import ratings
from arena.stats.figures import Comparisons
from arena.stats.floats import Floats
from arena.stats.pairs import crosstable
from arena.stats.roles import roles, seat_table
from arena.stats.sets import Block, league_sets, sets_among
from arena.stats.strengths import means, strengths

Numbers = tuple[float | None, ...]


class Estimate(msgspec.Struct, frozen=True):
    """One number for each bot and their covariance, row by row, in the order of `Analysis.bots`.

    None where there is no estimate: no sets, only a bound, bots that were never compared.
    """

    values: Numbers
    covariance: tuple[Numbers, ...]


class Analysis(Comparisons, frozen=True, kw_only=True):
    """All figures of a league besides its standings.

    `bots` name the rows of all else, `parts` the groups of them that met. `groups` (G) counts sets,
    `tables` (T) lineups. The covariances of `stakes` and `strengths` are in stakes per
    deal squared, that of `elo` in Elo squared, all with their corrections. `points` names the one
    of the first two that orders the table and gives the gaps of `pairs` by all sets.
    """

    parts: tuple[tuple[str, ...], ...]
    points: str
    groups: int
    tables: int
    stakes: Estimate
    strengths: Estimate
    elo: Estimate


def analysis(
    blocks: Sequence[Block],
    everyone: Sequence[str],
    session: int = 1,
    among: Collection[str] | None = None,
    authors: Mapping[str, str] = {},
) -> Analysis:
    """The analysis of some blocks of a field; `session` is the number of deals of a set.

    If it is `among` some bots only, it uses the sets in which these met each other and leaves out
    everything that compares the others. A bot without one of the `authors` is its own.
    """
    sets = [block.stakes for block in blocks if block.stakes is not None]
    bots = everyone
    if among is not None:
        places = [place for place, bot in enumerate(everyone) if bot in among]
        bots, sets = [everyone[place] for place in places], sets_among(sets, places)
    league = league_sets(sets, len(bots))
    plain, adjusted, rated = means(league), strengths(league), ratings(league)
    elos = [np.nan if each is None or each.bound else each.elo for each in rated.by_bot]
    shown = {*bots, None}
    return Analysis(
        bots=tuple(bots),
        parts=tuple(tuple(bots[bot] for bot in part) for part in league.parts),
        points="stakes" if league.is_equal else "strengths",
        groups=int(league.groups.sum()),
        tables=int(league.tables.sum()),
        stakes=_estimate(plain.values, plain.covariance),
        strengths=_estimate(adjusted.values, adjusted.covariance),
        elo=_estimate(np.array(elos, np.float64), rated.covariance),
        pairs=crosstable(league, bots, plain if league.is_equal else adjusted, session),
        roles=tuple(each for each in roles(blocks, everyone) if each.bot in shown),
        seats=tuple(each for each in seat_table(blocks, everyone) if each.bot in shown),
        company=companies(league, [authors.get(bot, bot) for bot in bots]),
    )


def _estimate(values: Floats, covariance: Floats) -> Estimate:
    return Estimate(_numbers(values), tuple(map(_numbers, covariance)))


def _numbers(values: Floats) -> Numbers:
    """The values to twelve decimals, None for nan."""
    return tuple(None if value != value else round(float(value), 12) + 0.0 for value in values)
