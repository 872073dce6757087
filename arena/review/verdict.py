"""Verdicts on decisions, by what the seat knew and with all cards open.

The worlds of a decision are divided in five parts. The answer that is best on average in four of
them is compared with the answer given in the fifth, for an answer that is chosen and measured in
the same worlds looks better than it is. The average of this, each part in its turn, is the loss:
without bias, so that a single one may be below zero. If there are so few worlds that all were
looked at, the loss is exact.

To choose is a race: after some worlds those answers are left out that are clearly worse than the
best, or can hardly be better than the one given. Where only one is left, no more worlds are asked
to choose. What a choice is worth is always measured in the whole of its part, however soon it was
made: nothing that is seen there can influence it.

Most of the 45 discards are soon seen to be worse, and their values differ by chance more than
those of other answers. So a few are found in some worlds, and compared in others as above.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, sqrt
from statistics import fmean
from typing import Final

import msgspec

from arena.review.decisions import Decision, GivenAnswer
from arena.review.values import OpenHands, answer_values
from arena.review.worlds import Worlds, known
from arena.zole.deal import Seat
from arena.zole.state import Game, State

WORLDS = 60
"""The most worlds of a decision, unless another number is asked for."""

PARTS: Final = 5
"""The parts of a decision's worlds; in each of them the choice of the others is measured."""

_FEW: Final = 3
"""With so many answers or fewer, the worth of each is measured in all worlds."""

_SHORTLIST: Final = 8
"""The number of discards that are compared, in addition to the one given."""

_LOOKS: Final = frozenset((3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 36, 42, 48))
"""After this many worlds answers may be left out of a race."""

_CLEAR: Final = 1.25
"""An answer is clearly worse if it is this many standard errors below."""

_AT_LEAST: Final = 1.0
"""What is added to the sum of squares of an error: a few worlds that are alike prove little."""

_SLIGHT: Final = 0.15
"""Stakes: an answer that is no better than the one given by more is left out."""


class Valued(msgspec.Struct, frozen=True, array_like=True):
    """An answer and its worth in stakes: on average over the worlds, and with open hands.

    `won` is the share of the worlds in which it is worth more than nothing. In JSON it is an array
    of the four.
    """

    answer: str
    known: float
    open: float
    won: float


class Verdict(GivenAnswer, frozen=True):
    """The worth of a decision's answers, in stakes to the seat.

    An answer that is soon seen to be worse is known from fewer `worlds`, and never `best`; but all
    are known from all worlds where there are few of them, as in the auction.

    `best` has the highest average, and is the answer `given` if none is better. `loss` is what
    the seat could expect to lose by its answer and `error` the standard error of that; `open_loss`
    is what it lost in the deal as it was, if all played on with open hands. If `exact`, the
    worlds were all there are. `trick` and `place` in it count from 1; they are None before
    the play, and there is no `place` if no card was asked for.
    """

    contract: Game | None
    declarer: Seat | None
    trick: int | None
    place: int | None
    answers: tuple[Valued, ...]
    best: str
    loss: float
    error: float
    open_loss: float
    worlds: int
    exact: bool


def verdict(
    solver: OpenHands, decision: Decision, key: str, most: int = WORLDS, whole: bool = False
) -> Verdict:
    """The verdict on a decision, which does not depend on any other.

    The `key` names the match and must not depend on hidden cards; the same key gives the same
    worlds. `most` is the number of worlds for the decisions whose worlds cost least. If `whole`,
    its answers are those that were found in the first worlds, and all are known from all others:
    only so may they be compared with each other. Then the declarer has laid no trumps aside, too,
    if that can be: people do not.
    """
    state, seat, answers = decision.state, decision.seat, decision.answers
    fitting = (Worlds(known(decision.past, seat, usual)) for usual in (whole, False))
    worlds = next(each for each in fitting if each.placings)
    found_in = ceil(0.05 * most) if decision.kind == "discard" else 0
    count = found_in + worlds_for(decision, most)
    sample = worlds.sample(count, f"{key}\n{decision.deal}\n{decision.step}")
    exact = worlds.placings <= count

    def valued(some: tuple[str, ...], world: State) -> tuple[float, ...]:
        return answer_values(solver, world, seat, decision.kind, some, decision.pools)

    given = answers.index(decision.given)
    first = [] if exact else [valued(answers, world) for world in sample[:found_in]]
    table = _Values(answers, sample[len(first) :], valued)
    runners = _promising(first, given) if first else tuple(range(len(answers)))
    every = range(len(table.sample))
    chosen: list[int] = []
    shortlist = list(runners)
    if not exact:
        chosen = [
            _chosen(table, [world for world in every if world % PARTS != part], runners, given)
            for part in range(PARTS)
        ]
        if not whole:
            shortlist = sorted({given, *chosen})
    best = given
    if len(shortlist) > 1:
        rows = [table.row(world, shortlist) for world in every]
        best = shortlist[_best(rows, shortlist.index(given))]
    if exact:
        loss, error = fmean(table.of(best)) - fmean(table.of(given)), 0.0
    else:
        loss, error = _measured(table, chosen, given)
    truth = valued(answers, state)
    if len(answers) <= _FEW:
        for world in every:
            table.row(world, range(len(answers)))
    worths = [table.of(answer) or [row[answer] for row in first] for answer in range(len(answers))]
    return Verdict(
        deal=decision.deal,
        step=decision.step,
        seat=seat,
        kind=decision.kind,
        contract=state.contract,
        declarer=state.declarer,
        trick=state.completed + 1 if state.phase == "play" else None,
        place=len(state.trick) + 1 if decision.kind == "play" else None,
        answers=tuple(
            Valued(
                answer=answers[each],
                known=fmean(worths[each]),
                open=truth[each],
                won=fmean(worth > 0 for worth in worths[each]),
            )
            for each in (shortlist if whole else range(len(answers)))
        ),
        given=decision.given,
        best=answers[best],
        loss=loss,
        error=error,
        open_loss=max(truth) - truth[given],
        worlds=len(table.of(given)),
        exact=exact,
    )


def worlds_for(decision: Decision, most: int) -> int:
    """The number of worlds in which answers are compared: fewer if each costs more."""
    share = {"discard": 0.5, "blind": 0.125}.get(decision.kind)
    if share is None:
        share = (0.25, 0.5, 1.0)[min(decision.state.completed, 2)]
    return max(PARTS, ceil(share * most))


class _Values:
    """The worth of answers in the worlds of a sample, as far as it was asked for. By places."""

    def __init__(
        self,
        answers: tuple[str, ...],
        sample: Sequence[State],
        valued: Callable[[tuple[str, ...], State], tuple[float, ...]],
    ) -> None:
        self.sample = sample
        self._answers = answers
        self._valued = valued
        self._known: list[dict[int, float]] = [{} for _ in sample]

    def row(self, world: int, some: Sequence[int]) -> Sequence[float]:
        """The worth of some answers in a world."""
        known = self._known[world]
        new = [each for each in some if each not in known]
        if new:
            asked = tuple(self._answers[each] for each in new)
            known.update(zip(new, self._valued(asked, self.sample[world]), strict=True))
        return [known[each] for each in some]

    def of(self, answer: int) -> list[float]:
        """The worth of an answer in those worlds in which it was asked for."""
        return [known[answer] for known in self._known if answer in known]


def _chosen(values: _Values, worlds: Sequence[int], answers: Sequence[int], given: int) -> int:
    """The best of some answers by a race in some worlds; if several, the one given or the first."""
    left = list(answers)
    rows: list[dict[int, float]] = []
    for world in worlds:
        asked = left if given in left else [*left, given]
        rows.append(dict(zip(asked, values.row(world, asked), strict=True)))
        count = len(rows)
        if count not in _LOOKS and count < len(worlds):
            continue
        sums = {each: sum(row[each] for row in rows) for each in left}
        best = max(left, key=lambda each: (sums[each], each == given, -each))
        if count < len(worlds):
            left = [
                each
                for each in left
                if each == best
                or (
                    _most(rows, each, best) >= 0
                    and (each == given or _most(rows, each, given) > _SLIGHT * count)
                )
            ]
        if len(left) == 1:
            break
    return best


def _most(rows: Sequence[Mapping[int, float]], one: int, other: int) -> float:
    """The most that one answer may be worth more than another, over all rows together.

    Sums of multiples of a half are exact, so that this is the same wherever it is computed.
    """
    gains = [row[one] - row[other] for row in rows]
    total = sum(gains)
    squares = len(gains) * sum(gain * gain for gain in gains) - total * total
    return total + _CLEAR * sqrt(squares / len(gains) + _AT_LEAST)


def _measured(values: _Values, chosen: Sequence[int], given: int) -> tuple[float, float]:
    """The mean gain of each part's choice in that part, and its standard error.

    Parts that agree on the best answer err independently. Where they do not, chance has a hand in
    the choices, and the errors are added as if they were one.
    """
    count = len(values.sample)
    loss = error = 0.0
    for best in sorted({*chosen} - {given}):
        gains = [
            one - other for one, other in (values.row(at, (best, given)) for at in range(count))
        ]
        own = [gain for world, gain in enumerate(gains) if chosen[world % PARTS] == best]
        loss += sum(own) / count
        error += _deviation(gains) * sqrt(len(own)) / count
    return loss, error


def _promising(rows: Sequence[Sequence[float]], given: int) -> tuple[int, ...]:
    """The places of the answers with the highest sums, in order, and of the one given."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    most = sorted(range(len(sums)), key=lambda at: -sums[at])[:_SHORTLIST]
    return tuple(sorted({*most, given}))


def _best(rows: Sequence[Sequence[float]], given: int) -> int:
    """The answer with the highest sum; of several, the one given, or else the first."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    return given if sums[given] == max(sums) else sums.index(max(sums))


def _deviation(values: Sequence[float]) -> float:
    mean = fmean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
