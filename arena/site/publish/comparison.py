"""Compares the bots of a field: their crosstable, roles, and best and worst hands.

The more was played, the longer it takes, so the publisher does it in a thread of its own.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from arena.record.summary import MANY
from arena.site.documents.bot import Hand
from arena.site.documents.league import CrosstableDocument
from arena.stats.analysis import companies, crosstable
from arena.stats.figures import HeadToHead, Lineup, Role, SeatLine, Times, from_other_side
from arena.stats.hands import hand_gaps
from arena.stats.roles import roles, seat_table
from arena.stats.sets import Block, league_sets, sets_among
from arena.stats.strengths import strengths

MOST: Final = 40
"""The most bots, and pairs of authors, on the page that compares all: the best, the improbable."""

HANDS_SHOWN: Final = 5
HANDS_OF: Final = 500
"""The number of a bot's last tables that are searched for its best and worst hands."""


class FieldComparison:
    """All that is computed of a whole field at once."""

    def __init__(
        self,
        blocks: Sequence[Block],
        bots: Sequence[str],
        field: Sequence[str],
        session: int,
        authors: Mapping[str, str],
    ) -> None:
        place = {bot: number for number, bot in enumerate(bots)}
        counted = [block.stakes for block in blocks if block.stakes is not None]
        among = league_sets(sets_among(counted, [place[bot] for bot in field]), len(field))
        pairs = crosstable(among, field, strengths(among), session)
        who, sets = field, among
        if len(bots) <= MANY:
            who, sets = bots, league_sets(counted, len(bots))
        self._company = companies(sets, [authors.get(bot, bot) for bot in who])
        self._pairs: dict[str, dict[str, HeadToHead]] = {bot: {} for bot in field}
        for pair in pairs:
            self._pairs[pair.bot][pair.other] = pair
            self._pairs[pair.other][pair.bot] = pair
        self._roles = {each.bot: each for each in roles(blocks, bots)}
        self._seats = {each.bot: each for each in seat_table(blocks, bots)}
        last: dict[str, deque[Block]] = {bot: deque(maxlen=HANDS_OF) for bot in bots}
        for block in blocks:
            for bot in block.lineup:
                last[bot].append(block)
        self._gaps = {
            (bot, best): hand_gaps(list(found), bot, HANDS_SHOWN, best)[1]
            for bot, found in last.items()
            for best in (True, False)
        }
        self._all = pairs
        self.identical = tuple(
            (pair.bot, pair.other) for pair in pairs if pair.identical and pair.sets
        )

    def crosstable(
        self, order: Sequence[str], at: float, times: Sequence[Times]
    ) -> CrosstableDocument:
        """Return the bots of the field compared, at most the first `MOST` in an order."""
        bots = [bot for bot in order if bot in self._pairs][:MOST]
        lines = (*bots, None)
        pairs = tuple(pair for pair in self._all if {pair.bot, pair.other} <= {*bots})
        return CrosstableDocument(
            at=at,
            bots=tuple(bots),
            pairs=pairs,
            roles=tuple(self._roles[each] for each in lines if each in self._roles),
            seats=tuple(self._seats[each] for each in lines if each in self._seats),
            times=tuple(each for each in times if each.bot in bots),
            company=self._company[:MOST],
        )

    def against(self, bot: str, order: Sequence[str]) -> tuple[HeadToHead, ...]:
        """Return a bot's row of the crosstable, in an order."""
        row = self._pairs.get(bot, {})
        found = (row[other] for other in order if other in row)
        return tuple(pair if pair.bot == bot else from_other_side(pair) for pair in found)

    def roles(self, bot: str) -> tuple[Role, ...]:
        """Return a bot's roles, and everybody's."""
        return tuple(self._roles[each] for each in (bot, None) if each in self._roles)

    def seats(self, bot: str) -> tuple[SeatLine, ...]:
        """Return a bot's stakes by its place, and everybody's."""
        return tuple(self._seats[each] for each in (bot, None) if each in self._seats)

    def hands(
        self, bot: str, best: bool, order_of: Callable[[Lineup, int], tuple[int, bool]]
    ) -> tuple[Hand, ...]:
        """Return the hands with which a bot made, or lost, most against others with the same."""
        hands = []
        for gap in self._gaps.get((bot, best), ()):
            order, shown = order_of(gap.lineup, gap.deal)
            hands.append(Hand(**msgspec.structs.asdict(gap), order=order, shown=shown))
        return tuple(hands)
