"""Results of different bots with the same hand: a seat's cards in one deal of one lineup.

A set deals each hand to every bot of its lineup equally often. Stakes are each bot's mean over its
games with the hand. Seats that sit out hold no cards and are left out, as are void sets and those
not yet complete.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from arena.stats.figures import HandGap, HandSpread
from arena.stats.sets import Block, Flags, Floats, Ints, round_noise
from arena.zole.deal import active_seats


def hand_spreads(blocks: Sequence[Block], most: int | None = None) -> tuple[HandSpread, ...]:
    """A line for each deal, the largest spread first; at most `most`."""
    every = _hands(blocks)
    spreads = [np.where(each.held, np.ptp(each.stakes, axis=0), -1.0) for each in every]
    lines: list[HandSpread] = []
    for number, deal in _smallest([-each.max(axis=1) for each in spreads], most):
        block, seat = every[number].block, int(spreads[number][deal].argmax())
        stakes = every[number].stakes[:, deal, seat]
        worst, best = int(stakes.argmin()), int(stakes.argmax())
        made, most_made = round_noise(float(stakes[worst])), round_noise(float(stakes[best]))
        spread = round_noise(float(spreads[number][deal, seat]))
        names = block.lineup[worst], made, block.lineup[best], most_made
        lines.append(HandSpread(block.lineup, block.first + deal, seat, *names, spread))
    return tuple(lines)


def hand_gaps(
    blocks: Sequence[Block], bot: str, most: int | None = None, best: bool = False
) -> tuple[int, tuple[HandGap, ...]]:
    """The number of a bot's hands, and the `most` with which it lost most against the others.

    If `best`, those with which it gained most.
    """
    every = _hands([each for each in blocks if bot in each.lineup])
    keys: list[Floats] = []
    others: list[Floats] = []
    for each in every:
        own = each.block.lineup.index(bot)
        others.append(np.delete(each.stakes, own, axis=0).mean(axis=0))
        gap = each.stakes[own] - others[-1]
        keys.append(np.where(each.held, -gap if best else gap, np.inf).ravel())
    lines: list[HandGap] = []
    for number, place in _smallest(keys, most):
        if np.isinf(keys[number][place]):
            break  # hands without cards come last
        each, block = every[number], every[number].block
        deal, seat = divmod(place, each.held.shape[1])
        own, rest = block.lineup.index(bot), len(block.lineup) - 1
        declared = each.declared[:, deal, seat]
        made, theirs = float(each.stakes[own, deal, seat]), float(others[number][deal, seat])
        stakes = round_noise(made), round_noise(theirs), round_noise(made - theirs)
        mine = each.games, int(declared[own])
        their = each.games * rest, int(declared.sum() - declared[own])
        lines.append(HandGap(block.lineup, block.first + deal, seat, *stakes, *mine, *their))
    return sum(int(each.held.sum()) for each in every), tuple(lines)


class _Hands(msgspec.Struct, frozen=True):
    """The hands of a block.

    `stakes` are means and `declared` counts of games, bots of the lineup by deals by seats; `held`,
    deals by seats, marks the seats that hold cards; each bot played each hand in `games` games.
    """

    block: Block
    stakes: Floats
    declared: Ints
    held: Flags
    games: int


def _hands(blocks: Iterable[Block]) -> list[_Hands]:
    found: list[_Hands] = []
    for block in blocks:
        if (games := block.games) is not None:
            players = games.columns.shape[1]
            sits = np.eye(len(block.lineup))[games.columns]  # seatings by seats by bots
            count = len(games.columns) // len(block.lineup)
            declares = games.courses[..., 1:2] == np.arange(players)
            plays = np.zeros((players, players), bool)
            for dealer in range(players):
                plays[dealer, list(active_seats(players, dealer))] = True
            stakes = np.einsum("gds,gsb->bds", games.payments, sits) / count
            declared = np.einsum("gds,gsb->bds", declares, sits).astype(np.int64)
            found.append(_Hands(block, stakes, declared, plays[games.courses[0, :, 0]], count))
    return found


def _smallest(keys: Sequence[Floats], most: int | None) -> Iterator[tuple[int, int]]:
    """The places of the smallest keys, in their order: the array's number, and the index in it.

    Keys that are equal but for noise stay in order of place.
    """
    ends = np.cumsum([len(each) for each in keys])
    every = np.concatenate([np.zeros(0), *keys])
    for place in np.argsort(np.round(every, 9), kind="stable")[:most].tolist():
        number = int(np.searchsorted(ends, place, "right"))
        yield number, place - int(ends[number]) + len(keys[number])
