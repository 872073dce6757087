"""A decision of a reviewed deal as people are shown it: where it was, and what was better."""

import msgspec

from arena.review.decisions import Decision, DecisionKind
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
from arena.review.verdict import Valued, Verdict
from arena.zole.cards import NAMES, names
from arena.zole.deal import Deal
from arena.zole.state import Game


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
    """A decision that lost stakes, and a better answer.

    `hand` and `trick_so_far` are cards; `mistake` names its kind if it is a clear one. `request`
    counts the requests to the seat in the match from 1.
    """

    match: int
    deal: int
    step: int
    seat: int
    bot: str
    request: int
    kind: DecisionKind
    phase: DecisionPhase
    role: DecisionRole | None
    contract: Game | None
    trick: int | None
    hand: tuple[str, ...]
    trick_so_far: tuple[str, ...]
    given: Valued
    best: Valued
    loss: float
    error: float
    open_loss: float
    worlds: int
    exact: bool
    mistake: MistakeKind | None


def costly_moment(deal: DealFindings, decision: Decision, verdict: Verdict) -> CostlyMoment:
    """A decision as people are shown it."""
    state = decision.state
    answers = {each.answer: each for each in verdict.answers}
    return CostlyMoment(
        match=deal.match,
        deal=deal.deal,
        step=verdict.step,
        seat=verdict.seat,
        bot=deal.bots[verdict.seat],
        request=deal.requests[verdict.step],
        kind=verdict.kind,
        phase=phase_of(verdict),
        role=role_of(verdict),
        contract=verdict.contract,
        trick=verdict.trick,
        hand=names(state.hands[verdict.seat]),
        trick_so_far=tuple(NAMES[card] for card in state.trick),
        given=answers[verdict.given],
        best=answers[verdict.best],
        loss=verdict.loss,
        error=verdict.error,
        open_loss=verdict.open_loss,
        worlds=verdict.worlds,
        exact=verdict.exact,
        mistake=mistake_in(decision, verdict) if is_clear(verdict) else None,
    )
