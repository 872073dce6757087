"""Computes the strength of each bot at some moments of the past, as its tables came in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

import msgspec

from arena.site.documents.bot import PastMoment
from arena.stats.blocks import Block
from arena.stats.standings import standings

FIRST: Final = 2
STEP: Final = 1.4
"""A bot's strength is kept after `FIRST` tables, and again whenever its tables have grown by this
factor: all these moments together take a few times as long to compute as the last one.
"""


class Past(msgspec.Struct, frozen=True):
    """The moments of one bot, and the number of its tables among which they were looked for."""

    moments: tuple[PastMoment, ...] = ()
    tables: int = 0


class PlayedSoFar(msgspec.Struct, frozen=True):
    """All that was played so far: bots in the order of their numbers, and complete orders.

    `ats` are the moments at which the orders were written, `came` and `left` those at which bots
    did. Moments are seconds since 1970.
    """

    bots: Sequence[str]
    blocks: Sequence[Block]
    ats: Sequence[float]
    came: Mapping[str, float]
    left: Mapping[str, float]

    def field(self, at: float) -> set[str]:
        """Return the bots that played at a moment."""
        left = {bot for bot, when in self.left.items() if when <= at}
        return {bot for bot, when in self.came.items() if when <= at} - left


def grown(known: Mapping[str, Past], played: PlayedSoFar) -> dict[str, Past]:
    """Return the past of each bot, continued from what is known of it."""
    found = dict.fromkeys(played.bots, Past()) | dict(known)
    due = dict.fromkeys(played.bots, FIRST)
    tables: Counter[str] = Counter()
    for number, block in enumerate(played.blocks, 1):
        if block.stakes is None:
            continue
        tables.update(block.lineup)
        reached = [bot for bot in block.lineup if tables[bot] == due[bot]]
        for bot in reached:
            due[bot] = ceil(due[bot] * STEP)
        new = [bot for bot in reached if tables[bot] > found[bot].tables]
        if not new:
            continue
        at = played.ats[number - 1]
        table = standings(played.blocks[:number], played.bots, {}, played.field(at))
        rows = {row.bot: row for row in table}
        for bot in new:
            row, past = rows[bot], found[bot].moments
            if row.strength is not None:
                moment = PastMoment(
                    at=at, sets=row.sets, strength=row.strength, interval=row.anytime_ci95
                )
                past = (*past, moment)
            found[bot] = Past(past, tables[bot])
    return found
