"""The actions and stakes of bots as declarers, as defenders and at the table."""

from collections.abc import Sequence

import numpy as np

from arena.stats.blocks import Block
from arena.stats.figures import HANDS, Role, SeatLine, Share
from arena.stats.floats import Flags, Ints
from arena.stats.shares import Chosen, SeatGames, proportions, seat_games, shares
from arena.zole.deal import active_seats
from arena.zole.state import GAMES

_TABLE = GAMES.index("table")
_DECLARED = tuple(contract for contract in GAMES if contract not in ("table", "thrown_in"))


def roles(blocks: Sequence[Block], names: Sequence[str]) -> tuple[Role, ...]:
    """One line for each bot in the order of the field, then everybody's; none without sets."""
    found = seat_games(blocks)

    def stakes(chosen: Chosen) -> list[Share]:
        return shares(found, len(names), chosen, _payments)

    def declared(number: int) -> list[Share]:
        return stakes(lambda each: each.declares & (each.contract == number))

    declares = proportions(found, len(names), _plays, _declares)
    wins = proportions(found, len(names), _declares, lambda each: each.payments > 0)
    columns = (
        stakes(_declares),
        stakes(lambda each: _plays(each) & (each.declarer >= 0) & ~each.declares),
        stakes(lambda each: _plays(each) & (each.contract == _TABLE)),
        stakes(lambda each: ~_plays(each)),
    )
    contracts: dict[str, list[Share]] = {name: declared(GAMES.index(name)) for name in _DECLARED}
    result: list[Role] = []
    for number, bot in enumerate((*names, None)):
        declarer, defender, table, out = (column[number] for column in columns)
        counts = {name: each[number].of for name, each in contracts.items() if each[number].of}
        if declares[number].of:
            shown = declares[number], wins[number]
            result.append(Role(bot, *shown, declarer, defender, table, out, counts))
    return tuple(result)


def seat_table(blocks: Sequence[Block], names: Sequence[str]) -> tuple[SeatLine, ...]:
    """One line for each bot in the order of the field, then everybody's; none without sets."""
    found = seat_games(blocks)

    def stakes(hand: int) -> list[Share]:
        return shares(found, len(names), lambda each: _hand(each) == hand, _payments)

    columns = [stakes(hand) for hand in (*range(len(HANDS)), -1)]
    result: list[SeatLine] = []
    for number, bot in enumerate((*names, None)):
        first, middle, rear, out = (column[number] for column in columns)
        if first.of + middle.of + rear.of:
            result.append(SeatLine(bot, first, middle, rear, out))
    return tuple(result)


def _declares(each: SeatGames) -> Flags:
    return each.declares


def _payments(each: SeatGames) -> Ints:
    return each.payments


def _hand(each: SeatGames) -> Ints:
    """Each seat's place in `HANDS`, -1 if it sits out."""
    players = each.payments.shape[3]
    table = np.full((players, players), -1, np.int64)
    for dealer in range(players):
        table[dealer, list(active_seats(players, dealer))] = range(len(HANDS))
    return np.asarray(table[each.dealer[..., 0]], np.int64)


def _plays(each: SeatGames) -> Flags:
    return np.asarray(_hand(each) >= 0)
