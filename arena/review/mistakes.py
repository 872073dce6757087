"""Judgements of a verdict: a clear mistake, bad luck or neither, and a name for its kind."""

from typing import Final, Literal

from arena.review.decisions import Decision
from arena.review.verdict import Verdict
from arena.zole.cards import INDEX, POINTS, TRUMPS, winner
from arena.zole.state import State

DecisionPhase = Literal["bid", "discard", "lead", "second hand", "third hand", "giving up"]
DecisionRole = Literal["declarer", "defender", "table"]
MistakeKind = Literal[
    "too bold",
    "too timid",
    "another contract",
    "discard",
    "trumps not drawn",
    "lead",
    "points kept from the partner",
    "points for the declarer",
    "card",
    "giving up",
]

CLEAR: Final = 0.5
"""The fewest stakes that a clear mistake loses; it also loses more than two standard errors."""

BLUNDER: Final = 1.0
"""The fewest stakes that a blunder loses with open hands."""

_SURE: Final = 2.0
_NONE: Final = ("pass", "no")
"""Answers of the auction that declare nothing."""


def sure_loss(verdict: Verdict) -> float:
    """The stakes that a decision lost almost surely: the loss less two standard errors."""
    return verdict.loss - _SURE * verdict.error


def is_clear(verdict: Verdict) -> bool:
    """Whether a decision was a clear mistake by what its seat knew."""
    return verdict.loss >= CLEAR and sure_loss(verdict) > 0


def is_blunder(verdict: Verdict) -> bool:
    """Whether a decision was a blunder if all cards had been seen."""
    return verdict.open_loss >= BLUNDER


def is_sound(verdict: Verdict) -> bool:
    """Whether no answer was better on average over the deals possible for the seat."""
    return verdict.given == verdict.best


def phase_of(verdict: Verdict) -> DecisionPhase:
    """The phase of a decision; for a card, by how many lay before it, the talon's included."""
    match verdict.kind, verdict.place:
        case "blind" | "bid" | "talon", _:
            return "bid"
        case "discard", _:
            return "discard"
        case "surrender" | "offer", _:
            return "giving up"
        case _, 1:
            return "lead"
        case _, 2:
            return "second hand"
    return "third hand"


def role_of(verdict: Verdict) -> DecisionRole | None:
    """The role of a seat in a decision; None before there is a contract."""
    if phase_of(verdict) == "bid":
        return None
    if verdict.declarer is None:
        return "table"
    return "declarer" if verdict.declarer == verdict.seat else "defender"


def mistake_in(decision: Decision, verdict: Verdict) -> MistakeKind:
    """The kind of a mistake: the first whose definition in docs/review.md fits."""
    given, best = verdict.given, verdict.best
    match phase_of(verdict):
        case "bid" if verdict.kind == "talon" or not {given, best} & {*_NONE}:
            return "another contract"
        case "bid":
            return "too timid" if given in _NONE else "too bold"
        case "discard":
            return "discard"
        case "giving up":
            return "giving up"
    if given not in INDEX or best not in INDEX:
        return "giving up"  # an offer instead of a card
    return _in_play(decision.state, decision.seat, INDEX[given], INDEX[best])


def _in_play(state: State, seat: int, given: int, best: int) -> MistakeKind:
    if not state.trick:
        trumps = [TRUMPS >> card & 1 for card in (given, best)]
        return "trumps not drawn" if seat == state.declarer and trumps == [0, 1] else "lead"
    last = len(state.trick) == len(state.order) - 1
    if state.declarer is None or seat == state.declarer or not last:
        return "card"
    takers = {state.order[winner((*state.trick, card))] for card in (given, best)}
    more = POINTS[best] - POINTS[given]
    if more > 0 and not takers & {seat, state.declarer}:
        return "points kept from the partner"
    return "points for the declarer" if more < 0 and takers == {state.declarer} else "card"
