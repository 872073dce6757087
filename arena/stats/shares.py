"""Means over the games of complete sets that match a description."""

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from arena.stats.blocks import Block
from arena.stats.figures import Proportion, Share
from arena.stats.floats import Flags, Floats, Ints, cleared
from arena.stats.sets import FEWEST
from arena.stats.significance import half_width, t_point, wilson


class SeatGames(msgspec.Struct, frozen=True):
    """Every seat in every game of blocks that were seated alike: blocks, seatings, deals, seats.

    `dealer`, `declarer` and `contract` (numbers as in `Played`) have a last axis of 1; `bots` are
    blocks by bots of a lineup, `lineup` numbers the lineups, `sits` is seatings by seats by bots.
    """

    payments: Ints
    dealer: Ints
    declarer: Ints
    contract: Ints
    bots: Ints
    lineup: Ints
    sits: Floats
    session: int

    @property
    def declares(self) -> Flags:
        """Whether each seat is the declarer's."""
        return np.asarray(self.declarer == np.arange(self.payments.shape[3]))


Chosen = Callable[[SeatGames], Flags]
Worth = Callable[[SeatGames], Ints | Flags]


def seat_games(blocks: Sequence[Block]) -> list[SeatGames]:
    """The seats of all complete sets."""
    alike: dict[tuple[bytes, tuple[int, ...]], list[Block]] = {}
    numbers: dict[tuple[int, ...], int] = {}
    for block in blocks:
        if block.stakes is not None and block.games is not None and block.deals:
            numbers.setdefault(block.stakes.bots, len(numbers))
            pattern = block.games.columns.tobytes(), block.games.payments.shape
            alike.setdefault(pattern, []).append(block)
    found: list[SeatGames] = []
    for group in alike.values():
        games = [block.games for block in group if block.games is not None]
        bots = [block.stakes.bots for block in group if block.stakes is not None]
        courses = np.stack([each.courses for each in games]).astype(np.int64)
        found.append(
            SeatGames(
                np.stack([each.payments for each in games]).astype(np.int64),
                courses[..., 0:1],
                courses[..., 1:2],
                courses[..., 2:3],
                np.array(bots, np.int64),
                np.array([numbers[each] for each in bots], np.int64),
                np.eye(len(bots[0]))[games[0].columns],
                games[0].session,
            )
        )
    return found


def shares(found: Sequence[SeatGames], bots: int, chosen: Chosen, worth: Worth) -> list[Share]:
    """The mean worth of the chosen seats for each bot of the field; the last is for all together.

    A ratio of sums over sets; the error is that of its linear part, clustered by set around the
    means of lineups, times G / (G - T), with Student's t of G - T degrees.
    """
    ratios = _ratios(found, bots, chosen, worth)
    return [Share(each.value, _half(each), each.of) for each in ratios]


def proportions(
    found: Sequence[SeatGames], bots: int, chosen: Chosen, holds: Callable[[SeatGames], Flags]
) -> list[Proportion]:
    """The share of the chosen seats for which something holds, for each bot and for all together.

    Value and error are those of `shares`. The interval is Wilson's with the same Student's t, for
    as many independent seats as would have that error; where none or all hold and there is no
    error to go by, for as many as there are sets with a chosen seat.
    """
    ratios = _ratios(found, bots, chosen, holds)
    return [Proportion(each.value, _half(each), each.of, _within(each)) for each in ratios]


class _Ratio(msgspec.Struct, frozen=True):
    """A mean over `of` seats in `sets` sets; its variance has `free` degrees, if it has any."""

    value: float | None
    variance: float | None
    of: int
    sets: int
    free: float


def _half(ratio: _Ratio) -> float | None:
    return None if ratio.variance is None else half_width(ratio.free, ratio.variance)


def _within(ratio: _Ratio) -> tuple[float, float] | None:
    """The interval of a share that is within 0 to 1."""
    value, variance = ratio.value, ratio.variance
    if value is None or variance is None:
        return None
    spread = value * (1 - value)
    if spread and not variance:
        return value, value
    number = spread / variance if variance and spread else float(ratio.sets)
    return wilson(value, number, t_point(ratio.free, 0.975))


def _ratios(
    found: Sequence[SeatGames], bots: int, chosen: Chosen, worth: Worth
) -> Iterator[_Ratio]:
    lineups = 1 + max((int(each.lineup.max()) for each in found), default=-1)
    sums = np.zeros((lineups, bots + 1, 7))
    for each in found:
        pick = chosen(each)
        counts = _by_set(each, pick)
        values = _by_set(each, np.where(pick, worth(each), 0))
        ones = np.ones_like(counts)
        terms = (
            ones,
            values,
            counts,
            values * values,
            values * counts,
            counts * counts,
            counts > 0,
        )
        everybody = np.full((len(each.bots), 1), bots)
        places = np.concatenate([each.bots, everybody], axis=1)
        for number, term in enumerate(terms):
            np.add.at(sums[:, :, number], (each.lineup[:, None], places), term.sum(axis=1))
    sets = sums[:, :, 0]
    groups = float(sets[:, bots].sum())
    free = groups - lineups
    total = sums.sum(axis=0)
    ratio = total[:, 1] / np.maximum(total[:, 2], 1)
    squares = (
        _centred(sums, 3, 1, 1)
        - 2 * ratio * _centred(sums, 4, 1, 2)
        + ratio**2 * _centred(sums, 5, 2, 2)
    )
    squares = cleared(squares, total[:, 3] + ratio**2 * total[:, 5])
    for bot in range(bots + 1):
        count, variance = int(total[bot, 2]), None
        if free > 0 and total[bot, 0] >= FEWEST and count >= FEWEST:
            variance = max(float(squares[bot]), 0.0) * groups / free / count**2
        value = float(ratio[bot]) if count else None
        yield _Ratio(value, variance, count, int(total[bot, 6]), free)


def _by_set(each: SeatGames, values: Ints | Flags) -> Floats:
    """Sums by block, set and bot of the lineup, and of all its bots."""
    by_deal = np.tensordot(values.astype(np.float64), each.sits, axes=((1, 3), (0, 1)))
    by_set = by_deal.reshape(len(by_deal), -1, each.session, by_deal.shape[2]).sum(axis=2)
    return np.concatenate([by_set, by_set.sum(axis=2, keepdims=True)], axis=2)


def _centred(sums: Floats, product: int, one: int, other: int) -> Floats:
    """By bot, the sum of products of two tallies around their means in each lineup."""
    sets = np.maximum(sums[:, :, 0], 1)
    inside = sums[:, :, product] - sums[:, :, one] * sums[:, :, other] / sets
    return np.asarray(inside.sum(axis=0), np.float64)
