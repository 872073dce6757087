"""A decision of a reviewed deal as people are shown it: where it was, and what was better."""

import msgspec

from arena.review.decisions import Decision
from arena.review.mistakes import (
    DecisionPhase,
    DecisionRole,
    MistakeKind,
    is_clear,
    mistake_in,
    phase_of,
    role_of,
)
from arena.review.turns import Findings, Turns
from arena.review.verdict import Verdict
from arena.zole.cards import NAMES, names
from arena.zole.deal import Deal


class DealFindings(msgspec.Struct, frozen=True):
    """A deal of a match with a review's findings on each seat's turns.

    `dealt` are its cards, the same wherever bots took turns with them. `requests` counts, by step,
    the requests to the seat in the match from 1; `payments` are by seat.
    """

    match: int
    deal: int
    dealt: Deal
    bots: tuple[str, ...]
    requests: tuple[int, ...]
    payments: tuple[int, ...]
    found: tuple[tuple[Turns, Findings], ...]


class CostlyMoment(msgspec.Struct, frozen=True):
    """A decision that lost stakes, with the verdict on it.

    `hand` and `trick_so_far` are cards; `mistake` names its kind if it is a clear one. `request`
    counts the requests to the seat in the match from 1. Of a decision about giving up, `bid` is
    the seat's own bid that led there; None if it declared nothing.
    """

    match: int
    bot: str
    request: int
    phase: DecisionPhase
    role: DecisionRole | None
    hand: tuple[str, ...]
    trick_so_far: tuple[str, ...]
    mistake: MistakeKind | None
    verdict: Verdict
    bid: str | None = None


def costly_moment(
    deal: DealFindings, turns: Turns, decision: Decision, verdict: Verdict
) -> CostlyMoment:
    """A decision of a seat's turns as people are shown it."""
    state = decision.state
    gives_up = mistake_in(decision, verdict) == "giving up"
    bids = [each.given for each in turns.decisions if each.kind == "bid" and each.given != "pass"]
    return CostlyMoment(
        match=deal.match,
        bot=deal.bots[verdict.seat],
        request=deal.requests[verdict.step],
        phase=phase_of(verdict),
        role=role_of(verdict),
        hand=names(state.hands[verdict.seat]),
        trick_so_far=tuple(NAMES[card] for card in state.trick),
        mistake=mistake_in(decision, verdict) if is_clear(verdict) else None,
        verdict=verdict,
        bid=bids[-1] if gives_up and bids and verdict.declarer == verdict.seat else None,
    )
