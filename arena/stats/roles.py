"""The actions and stakes of bots as declarers, as defenders, at the table, and by seat."""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from arena.stats.figures import HANDS, Interval, Proportion, Role, SeatLine, Share
from arena.stats.intervals import MIN_SETS, half_width, t_quantile, wilson
from arena.stats.sets import Block, Flags, Floats, Ints, zero_small
from arena.zole.deal import active_seats
from arena.zole.state import GAMES

_TABLE = GAMES.index("table")
_DECLARED = tuple(contract for contract in GAMES if contract not in ("table", "thrown_in"))


def roles(blocks: Sequence[Block], names: Sequence[str]) -> tuple[Role, ...]:
    """One line for each bot in the order of the field, then everybody's; none without sets."""
    seats, bots = _seats(blocks), len(names)
    declares = [_proportion(it) for it in _means(seats, bots, _plays, _declares)]
    wins = [_proportion(it) for it in _means(seats, bots, _declares, lambda it: it.payments > 0)]
    columns = (
        _stakes(seats, bots, _declares),
        _stakes(seats, bots, lambda it: _plays(it) & (it.declarer >= 0) & ~_declares(it)),
        _stakes(seats, bots, lambda it: _plays(it) & (it.contract == _TABLE)),
        _stakes(seats, bots, lambda it: ~_plays(it)),
    )
    contracts: dict[str, list[Share]] = {
        name: _declared(seats, bots, GAMES.index(name)) for name in _DECLARED
    }
    lines: list[Role] = []
    for number, bot in enumerate((*names, None)):
        if declares[number].of:
            declarer, defender, table, out = (column[number] for column in columns)
            counts = {name: each[number].of for name, each in contracts.items() if each[number].of}
            shown = declares[number], wins[number], declarer, defender, table, out
            lines.append(Role(bot, *shown, counts, contracts["solo"][number]))
    return tuple(lines)


def seat_table(blocks: Sequence[Block], names: Sequence[str]) -> tuple[SeatLine, ...]:
    """One line for each bot in the order of the field, then everybody's; none without sets."""
    seats = _seats(blocks)
    columns = [_at_hand(seats, len(names), hand) for hand in (*range(len(HANDS)), -1)]
    lines = [SeatLine(*each) for each in zip((*names, None), *columns, strict=True)]
    return tuple(each for each in lines if each.forehand.of + each.middlehand.of + each.rearhand.of)


class _Seats(msgspec.Struct, frozen=True):
    """Every seat in every game of blocks that were seated alike: blocks, seatings, deals, seats.

    `dealer`, `declarer` and `contract` (numbers as in `Played`) have a last axis of 1; `hand` is a
    seat's place in `HANDS`, -1 if it sits out. `bots` are blocks by bots of a lineup, `lineup`
    numbers the lineups, `sits` is seatings by seats by bots.
    """

    payments: Ints
    declarer: Ints
    contract: Ints
    hand: Ints
    bots: Ints
    lineup: Ints
    sits: Floats
    session: int


class _Mean(msgspec.Struct, frozen=True):
    """A mean over `of` seats in `sets` sets; its variance has `free` degrees, if it has any."""

    value: float | None
    variance: float | None
    of: int
    sets: int
    free: int


_Chosen = Callable[[_Seats], Flags]


def _seats(blocks: Sequence[Block]) -> list[_Seats]:
    alike: dict[tuple[bytes, tuple[int, ...]], list[Block]] = {}
    numbers: dict[tuple[int, ...], int] = {}
    for block in blocks:
        if block.stakes is not None and block.games is not None and block.deals:
            numbers.setdefault(block.stakes.bots, len(numbers))
            pattern = block.games.columns.tobytes(), block.games.payments.shape
            alike.setdefault(pattern, []).append(block)
    stacked: list[_Seats] = []
    for group in alike.values():
        games = [block.games for block in group if block.games is not None]
        bots = [block.stakes.bots for block in group if block.stakes is not None]
        payments = np.stack([each.payments for each in games]).astype(np.int64)
        courses = np.stack([each.courses for each in games]).astype(np.int64)
        players = payments.shape[3]
        hands = np.full((players, players), -1, np.int64)
        for dealer in range(players):
            hands[dealer, list(active_seats(players, dealer))] = range(len(HANDS))
        stacked.append(
            _Seats(
                payments,
                courses[..., 1:2],
                courses[..., 2:3],
                hands[courses[..., 0]],
                np.array(bots, np.int64),
                np.array([numbers[each] for each in bots], np.int64),
                np.eye(len(bots[0]))[games[0].columns],
                games[0].session,
            )
        )
    return stacked


def _means(
    stacked: Sequence[_Seats], bots: int, chosen: _Chosen, worth: Callable[[_Seats], Ints | Flags]
) -> list[_Mean]:
    """The mean worth of the chosen seats for each bot of the field; the last is for all together.

    A ratio of sums over sets; the variance is that of its linear part, clustered by set around the
    means of the T lineups, times G / (G - T), with G - T degrees for G sets.
    """
    lineups = 1 + max((int(each.lineup.max()) for each in stacked), default=-1)
    total, seats, squares = np.zeros(bots + 1), np.zeros(bots + 1), np.zeros(bots + 1)
    with_seats = np.zeros(bots + 1, np.int64)
    sets, offs = np.zeros((lineups, bots + 1)), np.zeros((lineups, bots + 1))
    sums: list[tuple[Ints, Ints, Floats, Floats]] = []
    for each in stacked:
        pick = chosen(each)
        counts, values = _by_set(each, pick), _by_set(each, np.where(pick, worth(each), 0))
        place = np.column_stack([each.bots, np.full(len(each.bots), bots)])
        np.add.at(total, place, values.sum(axis=1))
        np.add.at(seats, place, counts.sum(axis=1))
        np.add.at(with_seats, place, (counts > 0).sum(axis=1))
        np.add.at(sets, (each.lineup[:, None], place), counts.shape[1])
        sums.append((place, each.lineup, values, counts))
    ratio = total / np.maximum(seats, 1)
    size = np.zeros(bots + 1)
    for place, lineup, values, counts in sums:
        expected = ratio[place][:, None, :] * counts
        np.add.at(offs, (lineup[:, None], place), (values - expected).sum(axis=1))
        np.add.at(squares, place, ((values - expected) ** 2).sum(axis=1))
        np.add.at(size, place, (values**2 + expected**2).sum(axis=1))
    squares = zero_small(squares - (offs**2 / np.maximum(sets, 1)).sum(axis=0), size)
    groups = int(sets[:, bots].sum())
    free = groups - lineups
    means: list[_Mean] = []
    for bot in range(bots + 1):
        of, variance = int(seats[bot]), None
        if free > 0 and sets[:, bot].sum() >= MIN_SETS and of >= MIN_SETS:
            variance = max(float(squares[bot]), 0.0) * groups / free / of**2
        value = float(ratio[bot]) if of else None
        means.append(_Mean(value, variance, of, int(with_seats[bot]), free))
    return means


def _by_set(seats: _Seats, values: Ints | Flags) -> Floats:
    """Sums by block, set and bot of the lineup, and of all its bots."""
    by_deal = np.tensordot(values.astype(np.float64), seats.sits, axes=((1, 3), (0, 1)))
    by_set = by_deal.reshape(len(by_deal), -1, seats.session, by_deal.shape[2]).sum(axis=2)
    return np.concatenate([by_set, by_set.sum(axis=2, keepdims=True)], axis=2)


def _half(mean: _Mean) -> float | None:
    return None if mean.variance is None else half_width(mean.free, mean.variance)


def _proportion(mean: _Mean) -> Proportion:
    """A share with Wilson's interval, for as many independent seats as would have its error.

    Where none or all count and there is no error to go by, the number is that of the sets.
    """
    value, variance, interval = mean.value, mean.variance, None
    if value is not None and variance is not None:
        spread = value * (1 - value)
        number = spread / variance if variance and spread else float(mean.sets)
        interval = wilson(value, number, t_quantile(mean.free, 0.975))
        if spread and not variance:
            interval = Interval(value, value)
    return Proportion(value, _half(mean), mean.of, interval)


def _stakes(stacked: Sequence[_Seats], bots: int, chosen: _Chosen) -> list[Share]:
    means = _means(stacked, bots, chosen, lambda it: it.payments)
    return [Share(each.value, _half(each), each.of) for each in means]


def _declared(stacked: Sequence[_Seats], bots: int, contract: int) -> list[Share]:
    return _stakes(stacked, bots, lambda it: _declares(it) & (it.contract == contract))


def _at_hand(stacked: Sequence[_Seats], bots: int, hand: int) -> list[Share]:
    return _stakes(stacked, bots, lambda it: np.asarray(it.hand == hand))


def _declares(seats: _Seats) -> Flags:
    return np.asarray(seats.declarer == np.arange(seats.payments.shape[3]))


def _plays(seats: _Seats) -> Flags:
    return np.asarray(seats.hand >= 0)
