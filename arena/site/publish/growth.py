"""Where each bot stood as its tables came in: its strength at some moments of the past."""

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
"""A moment is kept at so many tables of a bot, and again at so many times as many: all of them
together take a few times as long to work out as the last one.
"""


class Past(msgspec.Struct, frozen=True):
    """The moments of one bot, and up to which of its tables they were looked for."""

    moments: tuple[PastMoment, ...] = ()
    tables: int = 0


class PlayedSoFar(msgspec.Struct, frozen=True):
    """What was played by now: all bots in the order of their numbers, orders, and when these were
    written; when each bot came and when it left, if it did. Moments are seconds since 1970.
    """

    bots: Sequence[str]
    blocks: Sequence[Block]
    ats: Sequence[float]
    came: Mapping[str, float]
    left: Mapping[str, float]

    def field(self, at: float) -> set[str]:
        """The bots that played at a moment."""
        left = {bot for bot, when in self.left.items() if when <= at}
        return {bot for bot, when in self.came.items() if when <= at} - left


def grown(known: Mapping[str, Past], played: PlayedSoFar) -> dict[str, Past]:
    """The past of each bot, which goes on from where it is known."""
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
