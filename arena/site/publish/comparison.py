"""Compares the bots of a field: their crosstable, roles, and best and worst hands.

It takes the longer the more was played, and so it is done beside all else.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from arena.site.documents.bot import Against, Hand, Mean, Roles
from arena.stats.blocks import Block
from arena.stats.field import sets_among
from arena.stats.figures import Gap, HeadToHead, Lineup, Role, SeatLine, Share
from arena.stats.hands import hand_gaps
from arena.stats.head_to_head import crosstable
from arena.stats.roles import roles, seat_table
from arena.stats.strengths import strengths

HANDS: Final = 5
HANDS_OF: Final = 500
"""Best and worst hands are looked for in so many of a bot's last tables."""


class FieldComparison:
    """What is computed of all bots of a field at once."""

    def __init__(
        self, blocks: Sequence[Block], bots: Sequence[str], field: Sequence[str], session: int
    ) -> None:
        place = {bot: number for number, bot in enumerate(bots)}
        counted = [block.stakes for block in blocks if block.stakes is not None]
        among = sets_among(counted, [place[bot] for bot in field])
        pairs = crosstable(among, field, strengths(among, len(field)), session)
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
            (bot, best): hand_gaps(list(found), bot, HANDS, best).gaps
            for bot, found in last.items()
            for best in (True, False)
        }
        self.identical = tuple(
            (pair.bot, pair.other) for pair in pairs if pair.identical and pair.sets
        )

    def against(self, bot: str, order: Sequence[str]) -> tuple[Against, ...]:
        """A bot's row of the crosstable."""
        row = self._pairs.get(bot, {})
        return tuple(_against(row[other], bot) for other in order if other in row)

    def roles(self, bot: str | None) -> Roles | None:
        """A bot's roles, or everybody's."""
        role, seats = self._roles.get(bot), self._seats.get(bot)
        return None if role is None or seats is None else _roles(role, seats)

    def hands(
        self, bot: str, best: bool, order_of: Callable[[Lineup, int], tuple[int, bool]]
    ) -> tuple[Hand, ...]:
        """The hands with which a bot made most, or lost most, against others with the same."""
        hands = []
        for gap in self._gaps.get((bot, best), ()):
            order, shown = order_of(gap.lineup, gap.deal)
            hands.append(
                Hand(
                    order=order,
                    deal=gap.deal,
                    seat=gap.seat,
                    bots=gap.lineup,
                    stakes=gap.stakes,
                    others=gap.others,
                    games=gap.games,
                    declared=gap.declared,
                    other_games=gap.other_games,
                    others_declared=gap.others_declared,
                    shown=shown,
                )
            )
        return tuple(hands)


def _against(pair: HeadToHead, bot: str) -> Against:
    turned = pair.bot != bot
    met, league = (_turned(gap, turned) for gap in (pair.met, pair.league))
    return Against(
        other=pair.bot if turned else pair.other,
        sets=pair.sets,
        deals=pair.deals,
        gap=None if met is None else met.stakes,
        half=None if met is None else met.plus_minus,
        sure=None if met is None else met.los,
        sure_by_all=None if league is None else league.los,
        identical=pair.identical,
    )


def _turned(gap: Gap | None, turned: bool) -> Gap | None:
    """A gap as the other bot sees it."""
    if gap is None or not turned:
        return gap
    los = None if gap.los is None else 1 - gap.los
    return msgspec.structs.replace(gap, stakes=-gap.stakes, los=los)


def _roles(role: Role, seats: SeatLine) -> Roles:
    return Roles(
        declares=mean_of(role.declares, role.declares.ci95),
        wins=mean_of(role.wins, role.wins.ci95),
        declarer=mean_of(role.declarer),
        defender=mean_of(role.defender),
        table=mean_of(role.table),
        forehand=mean_of(seats.forehand),
        middlehand=mean_of(seats.middlehand),
        rearhand=mean_of(seats.rearhand),
        contracts=role.contracts,
    )


def mean_of(share: Share, interval: tuple[float, float] | None = None) -> Mean:
    """A mean, or a share with its interval, as a page shows it."""
    return Mean(value=share.value, half=share.plus_minus, interval=interval, of=share.of)
