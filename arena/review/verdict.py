"""Verdicts on decisions, by what the seat knew and with all cards open.

The worlds of a decision are divided in two halves. The answer that is best on average in one half
is compared with the answer given in the other half, for an answer that is chosen and measured in
the same worlds looks better than it is. The average of this both ways round is the loss: without
bias, so that a single one may be below zero. If there are so few worlds that all were looked at,
the loss is exact.

Most of the 45 discards are soon seen to be worse, and their values differ by chance more than
those of other answers. So a few are chosen in some worlds, and compared in others as above.
"""

from collections.abc import Sequence
from math import ceil, sqrt

import msgspec

from arena.review.decisions import Decision, DecisionKind
from arena.review.values import OpenHands, answer_values
from arena.review.worlds import Worlds, known
from arena.zole.deal import Seat
from arena.zole.state import Game, State

WORLDS = 60
"""The most worlds of a decision, unless another number is asked for."""

_FEWEST = 4

_SHORTLIST = 4
"""The number of discards that are compared, besides the one given."""


class Valued(msgspec.Struct, frozen=True):
    """An answer and its worth in stakes: on average over the worlds, and with open hands."""

    answer: str
    known: float
    open: float


class Verdict(msgspec.Struct, frozen=True):
    """The worth of a decision's answers, in stakes to the seat.

    A discard that is soon seen to be worse is known from fewer `worlds`, and never `best`.

    `best` has the highest average, and is the answer `given` if none is better. `loss` is what
    the seat could expect to lose by its answer and `error` the standard error of that; `open_loss`
    is what it lost in the deal as it was, if all played on with open hands. If `exact`, the
    worlds were all that there are. `trick` and `place` in it count from 1; they are None before
    the play, and there is no `place` if no card was asked for.
    """

    deal: int
    step: int
    seat: Seat
    kind: DecisionKind
    contract: Game | None
    declarer: Seat | None
    trick: int | None
    place: int | None
    answers: tuple[Valued, ...]
    given: str
    best: str
    loss: float
    error: float
    open_loss: float
    worlds: int
    exact: bool


def verdict(solver: OpenHands, decision: Decision, key: str, most: int = WORLDS) -> Verdict:
    """The verdict on a decision, which does not depend on any other.

    The `key` names the match and must not depend on hidden cards; the same key gives the same
    worlds. `most` is the number of worlds for the decisions whose worlds cost least.
    """
    state, seat, answers = decision.state, decision.seat, decision.answers
    worlds = Worlds(known(decision.past, seat))
    chosen_in = _worlds(0.1, most) if decision.kind == "discard" else 0
    count = chosen_in + worlds_for(decision, most)
    sample = worlds.sample(count, f"{key}\n{decision.deal}\n{decision.step}")
    exact = worlds.placings <= count
    if exact:
        chosen_in = 0

    def valued(some: tuple[str, ...], world: State) -> tuple[float, ...]:
        return answer_values(solver, world, seat, decision.kind, some, decision.pools)

    first = [valued(answers, world) for world in sample[:chosen_in]]
    places = _promising(first, answers.index(decision.given)) if first else range(len(answers))
    shortlist = tuple(answers[at] for at in places)
    rows = [valued(shortlist, world) for world in sample[chosen_in:]]
    truth = valued(answers, state)
    given = shortlist.index(decision.given)
    best = _best(rows, given)
    if exact:
        loss, error = _advantage(rows, best, given)[0], 0.0
    else:
        loss, error = _crossed(rows[::2], rows[1::2], given)
    means = dict(zip(answers, _means(first or rows), strict=True))
    means |= zip(shortlist, _means(rows), strict=True)
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
            Valued(answer, means[answer], stakes)
            for answer, stakes in zip(answers, truth, strict=True)
        ),
        given=decision.given,
        best=shortlist[best],
        loss=loss,
        error=error,
        open_loss=max(truth) - truth[answers.index(decision.given)],
        worlds=len(rows),
        exact=exact,
    )


def worlds_for(decision: Decision, most: int) -> int:
    """The number of worlds in which answers are compared: fewer if each costs more."""
    tricks = decision.state.completed
    if decision.kind == "discard":
        share = 0.5
    elif decision.kind == "blind":
        share = 0.125
    else:
        share = 0.25 if tricks == 0 else 0.5 if tricks == 1 else 1
    return _worlds(share, most)


def _worlds(share: float, most: int) -> int:
    return max(_FEWEST, ceil(share * most))


def _promising(rows: Sequence[Sequence[float]], given: int) -> Sequence[int]:
    """The places of the answers with the highest means, in order, and of the one given."""
    means = _means(rows)
    most = sorted(range(len(means)), key=lambda at: -means[at])[:_SHORTLIST]
    return sorted({*most, given})


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _best(rows: Sequence[Sequence[float]], given: int) -> int:
    """The answer with the highest sum; of several, the one given, or else the first."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    return given if sums[given] == max(sums) else sums.index(max(sums))


def _crossed(
    one: Sequence[Sequence[float]], other: Sequence[Sequence[float]], given: int
) -> tuple[float, float]:
    """The mean gain of each half's best answer in the other half, and its standard error.

    Halves that agree on the best answer err independently. If they do not, chance has a hand in
    both choices, and the errors are added as if they were one.
    """
    best, other_best = _best(one, given), _best(other, given)
    first, first_error = _advantage(other, best, given)
    second, second_error = _advantage(one, other_best, given)
    if best == other_best:
        error = sqrt(first_error**2 + second_error**2)
    else:
        error = first_error + second_error
    return (first + second) / 2, error / 2


def _advantage(rows: Sequence[Sequence[float]], best: int, given: int) -> tuple[float, float]:
    """The mean of the difference in worth of two answers, and its standard error."""
    gains = [row[best] - row[given] for row in rows]
    count = len(gains)
    mean = sum(gains) / count
    squares = sum((gain - mean) ** 2 for gain in gains)
    return mean, sqrt(squares / max(1, count - 1) / count)
