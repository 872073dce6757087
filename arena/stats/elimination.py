"""Strengths of a few bots among many, from sums that link each bot with few others.

The others are eliminated (the Schur complement of their rows), some at a time. That touches only
those that sat with them, or with one that was eliminated before: if bots go in the order in which
they left a league, no more than were there at the time. The meat of the sandwich covariance is
carried along: where bots G go and F stay, and K says what F takes over from G, it becomes
`M_FF - K M_GF - M_FG K' + K M_GG K'`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from arena.stats.floats import Floats, Ints
from arena.stats.sets import by_bot, by_pair
from arena.stats.strengths import informed, pulled, scattered
from arena.stats.sums import Sums

_AT_ONCE: Final = 50
"""The bots that go at a time: with more, matrix products are larger, but touch more in vain."""


class _Step(msgspec.Struct, frozen=True):
    """The bots that a step touches: the first `gone` of them go, the others stay.

    `begin` has the places in `bots` of those that stayed before. The step adds `lineups`, rows of
    the sums of each size of table, whose bots are at the places `seats`.
    """

    bots: Ints
    gone: int
    begin: Ints
    lineups: list[Ints]
    seats: list[Ints]


class Solution(msgspec.Struct, frozen=True):
    """The strength of every bot, and the covariance of those that are kept.

    The first bot kept of each part has strength 0 without variance. The covariance lacks the
    factor G / (G - T); between parts it is 0.
    """

    values: Floats
    covariance: Floats


def solution(found: Sequence[Sums], part: Ints, kept: Ints, gone: Ints) -> Solution:
    """Least squares as by `strengths`, with the covariance of the bots that are `kept`.

    `part` numbers the parts of all bots, -1 those without sets. All others are either kept, which
    at least one of each part must be, or `gone`, in the order in which they are eliminated. Any
    order gives the same; that in which bots left a league takes the least time.
    """
    steps = list(_steps(found, len(part), kept, gone))
    taken: list[Floats] = []
    alone: list[Floats] = []
    information, right = np.zeros((0, 0)), np.zeros(0)
    squares, sides = [informed(each) for each in found], [pulled(each) for each in found]
    for step in steps:
        information = _grown(step, information, squares)
        right = _placed(step, right)
        for seats, lineups, side in zip(step.seats, step.lineups, sides, strict=True):
            right += by_bot(seats, side[lineups], len(right))
        go, stay = slice(step.gone), slice(step.gone, None)
        both = np.column_stack([information[go, stay], right[go]])
        own: Floats = np.asarray(np.linalg.solve(information[go, go], both), np.float64)
        taken.append(own[:, :-1].T)
        alone.append(own[:, -1])
        right = right[stay] - taken[-1] @ right[go]
        information = information[stay, stay] - taken[-1] @ information[go, stay]
    known = _inverse(information, part[kept])
    values = np.where(part < 0, np.nan, 0.0)
    values[kept] = known @ right
    for step, lone, share in zip(steps[::-1], alone[::-1], taken[::-1], strict=True):
        values[step.bots[: step.gone]] = lone - share.T @ values[step.bots[step.gone :]]
    meat, squares = np.zeros((0, 0)), [scattered(each, values) for each in found]
    for step, share in zip(steps, taken, strict=True):
        meat = _grown(step, meat, squares)
        go, stay = slice(step.gone), slice(step.gone, None)
        half = share @ (meat[go, stay] - meat[go, go] @ share.T / 2)
        meat = meat[stay, stay] - half - half.T
    return Solution(values, known @ meat @ known)


def _steps(found: Sequence[Sums], bots: int, kept: Ints, gone: Ints) -> Iterator[_Step]:
    """The steps; in the last, nobody goes and the bots that are kept remain."""
    last = -(-len(gone) // _AT_ONCE)
    turn = np.full(bots, last)
    turn[gone] = np.arange(len(gone)) // _AT_ONCE
    rows: list[list[Ints]] = []
    for each in found:
        due = turn[each.bots].min(axis=1)
        order = np.argsort(due, kind="stable")
        rows.append(np.split(order, np.searchsorted(due[order], np.arange(1, last + 1))))
    place = np.zeros(bots, np.int64)
    stay = np.zeros(0, np.int64)
    for number in range(last + 1):
        lineups = [each[number] for each in rows]
        tables = [each.bots[chosen] for each, chosen in zip(found, lineups, strict=True)]
        go = gone[number * _AT_ONCE : (number + 1) * _AT_ONCE]
        touched = np.unique(np.concatenate([stay, *(table.ravel() for table in tables)]))
        before = stay
        stay = np.setdiff1d(touched, go, assume_unique=True) if number < last else kept
        members = np.concatenate([go, stay])
        place[members] = np.arange(len(members))
        seats = [place[table] for table in tables]
        yield _Step(members, len(go), place[before], lineups, seats)


def _grown(step: _Step, before: Floats, squares: Sequence[Floats]) -> Floats:
    """A matrix over the bots that stayed, grown to the step's bots and by its lineups' squares."""
    size = len(step.bots)
    whole = np.zeros((size, size))
    whole[np.ix_(step.begin, step.begin)] = before
    for seats, lineups, square in zip(step.seats, step.lineups, squares, strict=True):
        whole += by_pair(seats, square[lineups], size)
    return whole


def _placed(step: _Step, before: Floats) -> Floats:
    whole = np.zeros(len(step.bots))
    whole[step.begin] = before
    return whole


def _inverse(information: Floats, part: Ints) -> Floats:
    """The covariance of strengths relative to the first bot of each part, whose row is 0."""
    rest = np.setdiff1d(np.arange(len(part)), np.unique(part, return_index=True)[1])
    inverse = np.zeros_like(information)
    its = np.ix_(rest, rest)
    inverse[its] = np.linalg.inv(information[its])
    return inverse
