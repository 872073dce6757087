"""The table that most shrinks a field's variances for its cost, found among the likeliest ones."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import msgspec
import numpy as np

from arena.league.information import Known
from arena.stats.floats import Flags, Floats, Ints

_WIDTH: Final = 12
"""The number of bots, and later of incomplete tables, that the search keeps at each step."""


class Candidates(msgspec.Struct, frozen=True):
    """The bots that may be drawn, by their places; among equal tables that of earlier bots wins.

    Any two bots of a table `meet`, by their places, and at least one of it is among the `first`;
    `costs` (of a match with the bot, above 0) are by place.
    """

    able: Sequence[int]
    first: Sequence[int]
    meet: Flags
    costs: Floats
    players: int
    deals: int


def best_table(known: Known, bots: Candidates) -> tuple[int, ...] | None:
    """The best table, by places; None if there is none.

    Tables are filled seat by seat, and only the best are kept at each step: a field of five hundred
    has twenty million tables, and most hold nobody who needs an order.
    """
    able = np.array(bots.able, np.int64)
    if not len(able):
        return None
    cheapest = float(bots.costs[able].min())
    needs = rounded(known.needs(bots.deals)[bots.first] / bots.costs[bots.first])
    likely = np.argsort(-needs, kind="stable")[:_WIDTH]
    tables: list[tuple[int, ...]] = [(bots.first[place],) for place in likely]
    for seats in range(2, bots.players + 1):
        more = np.array([_worth(known, bots, able, table, cheapest) for table in tables])
        found: dict[tuple[int, ...], tuple[int, ...]] = {}
        for each in np.argsort(-more, axis=None, kind="stable"):
            row, column = divmod(int(each), len(able))
            if more[row, column] <= 0 or len(found) == (_WIDTH if seats < bots.players else 1):
                break
            table = (*tables[row], int(able[column]))
            found.setdefault(tuple(sorted(table)), table)
        tables = list(found.values())
        if not tables:
            return None
    return tables[0]


def worth(known: Known, bots: Candidates, table: Sequence[int]) -> float:
    """The gain of a full table for its cost; 0 if its bots may not meet."""
    [*others, last] = table
    if not all(bots.meet[pair] for pair in combinations(table, 2)):
        return 0.0
    if not set(table) <= set(bots.able):
        return 0.0
    if not set(table) & set(bots.first):
        return 0.0
    return float(known.gains_with(others, bots.deals)[last] / bots.costs[list(table)].sum())


def rounded(values: Floats) -> Floats:
    """The values rounded to some seven digits, so that no machine's last bits decide."""
    return values.astype(np.float32).astype(np.float64)


def _worth(
    known: Known, bots: Candidates, able: Ints, table: tuple[int, ...], cheapest: float
) -> Floats:
    """The gain for its cost of a table with each other bot; below 0 if that bot may not join.

    Seats that stay empty cost as much as the cheapest bot.
    """
    empty = bots.players - len(table) - 1
    cost = bots.costs[list(table)].sum() + empty * cheapest + bots.costs[able]
    gains = rounded(known.gains_with(table, bots.deals)[able] / cost)
    for place in table:
        gains[~bots.meet[place, able]] = -1.0
    return gains
