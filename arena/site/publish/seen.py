"""Keeps what was seen of each bot's matches: the last ones, the last faults, and answer times."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from arena.site.documents.bot import BotFault
from arena.site.documents.play import MatchDocument, MatchLine
from arena.stats.figures import Times

LAST: Final = 20
"""The number of a bot's matches, and of its faults, that are shown."""

_BINS: Final = 480
"""Bins of answer times, 60 to a factor of ten from a microsecond on: 4 % each."""


class Clocks:
    """The answer times of one bot, as counts in bins; a quantile is right to 4 %."""

    def __init__(self, counts: Mapping[int, int] = {}, most: int = 0) -> None:
        self._counts = np.zeros(_BINS, np.int64)
        for place, count in counts.items():
            self._counts[place] = count
        self.most = most

    @property
    def counts(self) -> dict[int, int]:
        """The number of answers in each bin that has some."""
        return {int(place): int(self._counts[place]) for place in np.flatnonzero(self._counts)}

    def add(self, microseconds: Sequence[int]) -> None:
        """Count some answers."""
        if microseconds:
            taken = np.maximum(np.array(microseconds, np.float64), 1.0)
            place = np.minimum((60 * np.log10(taken)).astype(np.int64), _BINS - 1)
            self._counts += np.bincount(place, minlength=_BINS)
            self.most = max(self.most, *microseconds)

    def times(self, bot: str) -> Times | None:
        """Return the times as those of a bot; None without any."""
        total = int(self._counts.sum())
        if not total:
            return None
        below = np.cumsum(self._counts)
        middle, late = (
            float(10 ** ((np.searchsorted(below, share * total) + 0.5) / 60 - 6))
            for share in (0.5, 0.95)
        )
        return Times(bot, total, float(f"{middle:.2g}"), float(f"{late:.2g}"), self.most / 1e6)


class KeptMatches(msgspec.Struct, frozen=True):
    """The stored part of `SeenMatches`, from which a publisher that begins again goes on."""

    matches: tuple[MatchLine, ...] = ()
    faults: tuple[BotFault, ...] = ()
    counts: dict[int, int] = {}
    most: int = 0
    isolation: str = ""


class SeenMatches:
    """One bot's last matches, its last faults, and its answer times."""

    def __init__(self, kept: KeptMatches) -> None:
        self.matches: deque[MatchLine] = deque(kept.matches, LAST)
        self.faults: deque[BotFault] = deque(kept.faults, LAST)
        self.clocks = Clocks(kept.counts, kept.most)
        self.isolation = kept.isolation

    def note(
        self, line: MatchLine, seat: int, document: MatchDocument, times: Sequence[int]
    ) -> None:
        """Note a match, with the microseconds of the bot's answers there."""
        self.matches.append(line)
        self.isolation = line.isolation
        self.clocks.add(times)
        for number, deal in enumerate(document.deals):
            if deal.fault is not None and deal.fault.seat == seat:
                fault = BotFault(
                    match=line.match,
                    number=number,
                    order=line.order,
                    deal=deal.deal,
                    kind=deal.fault.fault,
                    shown=line.shown,
                )
                self.faults.append(fault)

    def kept(self) -> KeptMatches:
        """Return it as it is kept."""
        clocks = self.clocks
        return KeptMatches(
            tuple(self.matches), tuple(self.faults), clocks.counts, clocks.most, self.isolation
        )
