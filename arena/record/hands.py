"""Finds the deals and hands of a record where the same cards brought the most different stakes.

Only the stored results are read, no log.
"""

from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from arena.record.matches import check_bot
from arena.record.publishing import MayShow, everything
from arena.record.store import Store
from arena.stats.figures import HandGap, HandSpread, Lineup
from arena.stats.hands import hand_gaps, hand_spreads
from arena.stats.sets import Block

_Hand = tuple[Lineup, int, int]
"""A lineup, the league's number of a deal, and a seat."""


class DealLines(msgspec.Struct, frozen=True):
    """The deals shown, the largest spread first, of `deals` in all; `void` more are left out."""

    deals: int
    void: int
    lines: tuple[HandSpread, ...]


class HandLine(HandGap, frozen=True, kw_only=True):
    """A bot's gap with a hand, and its faults there by kind."""

    faults: dict[str, int]


class HandLines(msgspec.Struct, frozen=True):
    """The bot's hands that are shown, the largest gap first, of `hands` in all.

    The hands of `void` deals are left out.
    """

    bot: str
    hands: int
    void: int
    lines: tuple[HandLine, ...]


def list_deals(store: Store, most: int, shows: MayShow = everything) -> DealLines:
    """Return the `most` deals with the largest spreads, among those that `shows` allows."""
    blocks = [block for block in store.blocks() if shows(block.lineup)]
    return _deal_lines(blocks, hand_spreads(blocks, most))


def list_tables(store: Store, deal: int, lineups: Collection[Lineup]) -> DealLines:
    """Return one deal of the league as played by each of some lineups, the largest spread first."""
    blocks = [
        block
        for block in store.blocks()
        if block.lineup in lineups and block.first <= deal < block.first + block.deals
    ]
    return _deal_lines(blocks, [each for each in hand_spreads(blocks) if each.deal == deal])


def list_hands(store: Store, bot: str, most: int, best: bool) -> HandLines:
    """Return a bot's worst hands, or its best. Raises `ArenaError` if no bot has this name."""
    check_bot(bot, store.terms().bots, str(store.path))
    blocks = [block for block in store.blocks() if bot in block.lineup]
    hands, gaps = hand_gaps(blocks, bot, most, best)
    faults = _faults(store, bot)
    lines = tuple(
        HandLine(
            **msgspec.structs.asdict(each),
            faults=faults.get((each.lineup, each.deal, each.seat), {}),
        )
        for each in gaps
    )
    return HandLines(bot, hands, _void(blocks), lines)


def _deal_lines(blocks: Sequence[Block], spreads: Sequence[HandSpread]) -> DealLines:
    deals = sum(block.deals for block in blocks if block.games is not None)
    return DealLines(deals, _void(blocks), tuple(spreads))


def _void(blocks: Sequence[Block]) -> int:
    return sum(block.deals for block in blocks if block.games is None)


def _faults(store: Store, bot: str) -> dict[_Hand, Counter[str]]:
    count: dict[_Hand, Counter[str]] = {}
    for match in store.played():
        for entry in match.faults:
            seat, kind = entry.fault.seat, entry.fault.kind
            if match.seats[seat] == bot:
                hand = match.lineup, match.first + entry.deal, seat
                count.setdefault(hand, Counter())[kind] += 1
    return count
