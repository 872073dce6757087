"""Results of different bots with the same hand: a seat's cards in one deal of one lineup.

A set deals each hand to every bot of its lineup equally often. Stakes are each bot's mean over its
games with the hand. Seats that sit out hold no cards and are left out, as are void sets and those
not yet complete.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from arena.stats.figures import HandGap, HandSpread, Lineup
from arena.stats.floats import Flags, Floats, Ints, round_noise
from arena.stats.sets import Block, Games
from arena.zole.deal import active_seats


class HandGaps(msgspec.Struct, frozen=True):
    """The hands with a bot's largest gaps, and how many `hands` were compared in all."""

    bot: str
    hands: int
    gaps: tuple[HandGap, ...]


def hand_spreads(blocks: Sequence[Block], most: int | None = None) -> tuple[HandSpread, ...]:
    """A line for each deal, the largest spread first; at most `most`."""
    found = list(_played(blocks))
    spreads = [
        np.where(each.held, each.stakes.max(axis=0) - each.stakes.min(axis=0), -1.0)
        for each in found
    ]
    order = _first([-each.max(axis=1) for each in spreads], most)
    result: list[HandSpread] = []
    for number, deal in order:
        hands = found[number]
        seat = int(spreads[number][deal].argmax())
        stakes = hands.stakes[:, deal, seat]
        worst, best = int(stakes.argmin()), int(stakes.argmax())
        result.append(
            HandSpread(
                hands.lineup,
                hands.first + deal,
                seat,
                hands.lineup[worst],
                round_noise(float(stakes[worst])),
                hands.lineup[best],
                round_noise(float(stakes[best])),
                round_noise(float(spreads[number][deal, seat])),
            )
        )
    return tuple(result)


def hand_gaps(
    blocks: Sequence[Block], bot: str, most: int | None = None, best: bool = False
) -> HandGaps:
    """A bot's hands, beginning with its largest losses against the others, or its gains if `best`.

    `most` limits how many are given; all are counted.
    """
    found = [each for each in _played(blocks) if bot in each.lineup]
    gaps = [each.stakes[each.lineup.index(bot)] - _others(each, bot) for each in found]
    sign = -1.0 if best else 1.0
    keys = [
        np.where(each.held, sign * gap, np.inf).ravel()
        for each, gap in zip(found, gaps, strict=True)
    ]
    result: list[HandGap] = []
    for number, place in _first(keys, most):
        each = found[number]
        deal, seat = divmod(place, each.held.shape[1])
        if not each.held[deal, seat]:
            break  # hands without cards come last
        own = each.lineup.index(bot)
        declared = each.declared[:, deal, seat]
        result.append(
            HandGap(
                each.lineup,
                each.first + deal,
                seat,
                round_noise(float(each.stakes[own, deal, seat])),
                round_noise(float(each.stakes[own, deal, seat] - gaps[number][deal, seat])),
                round_noise(float(gaps[number][deal, seat])),
                each.games,
                int(declared[own]),
                each.games * (len(each.lineup) - 1),
                int(declared.sum() - declared[own]),
            )
        )
    return HandGaps(bot, sum(int(each.held.sum()) for each in found), tuple(result))


class _Hands(msgspec.Struct, frozen=True):
    """The hands of a run of deals.

    `stakes` are means and `declared` counts of games, bots of the lineup by deals by seats; `held`,
    deals by seats, marks the seats that hold cards; each bot played each hand in `games` games.
    """

    lineup: Lineup
    first: int
    stakes: Floats
    declared: Ints
    held: Flags
    games: int


def _played(blocks: Iterable[Block]) -> Iterator[_Hands]:
    for block in blocks:
        if block.games is not None:
            yield _hands(block, block.games)


def _hands(block: Block, games: Games) -> _Hands:
    players = games.columns.shape[1]
    sits = np.eye(len(block.lineup))[games.columns]  # seatings by seats by bots
    count = len(games.columns) // len(block.lineup)
    declares = games.courses[..., 1:2] == np.arange(players)
    plays = np.zeros((players, players), bool)
    for dealer in range(players):
        plays[dealer, list(active_seats(players, dealer))] = True
    return _Hands(
        block.lineup,
        block.first,
        np.einsum("gds,gsb->bds", games.payments, sits) / count,
        np.einsum("gds,gsb->bds", declares, sits).astype(np.int64),
        plays[games.courses[0, :, 0]],
        count,
    )


def _others(each: _Hands, bot: str) -> Floats:
    """The mean of the other bots' stakes, deals by seats."""
    own = each.lineup.index(bot)
    return np.asarray(np.delete(each.stakes, own, axis=0).mean(axis=0), np.float64)


def _first(keys: Sequence[Floats], most: int | None) -> Iterator[tuple[int, int]]:
    """The places of the smallest keys, in their order: the array's number, and the index in it.

    Keys that are equal up to dust stay in order of place.
    """
    if not keys:
        return
    lengths = [len(each) for each in keys]
    ends = np.cumsum(lengths)
    order = np.argsort(np.round(np.concatenate(keys), 9), kind="stable")[:most]
    for place in order.tolist():
        number = int(np.searchsorted(ends, place, "right"))
        yield number, place - int(ends[number] - lengths[number])
