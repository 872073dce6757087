"""Advice for a person, from a review of the seat's lines; nothing more is known."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from arena.base.errors import MachineError
from arena.base.refusals import Missing, Refusal
from arena.match.log import answer_from
from arena.match.wire import AnyReply
from arena.people.position import deal_told, finished_decisions, open_decision
from arena.people.reasons import EVEN, avoids_tricks, reasons
from arena.people.suggestion import Suggestion
from arena.reports.language import Saying
from arena.review.decisions import OFFER_WORD, Decision
from arena.zole.cards import (
    INDEX,
    NAMES,
    POINTS,
    SUIT_OF,
    TRUMPS,
    Cards,
    mask,
    members,
    points,
    winner,
)

if TYPE_CHECKING:
    from arena.review.solver import Solver
    from arena.review.verdict import Verdict

HINT_WORLDS: Final = 40
REVIEW_WORLDS: Final = 40
"""The most worlds in which answers are compared, while a person waits."""


class NoAdvice(Refusal):
    """There is no advice; says why."""

    status = 501


def hint(lines: Sequence[bytes]) -> Suggestion:
    """The best answer to the last request by a review. Raises `NoAdvice`."""
    from arena.review.verdict import verdict

    told = deal_told(lines)
    if told is None or not told.asked:
        raise NoAdvice("nothing is asked")
    solver = _able()
    try:
        decision = open_decision(told)
        decision = msgspec.structs.replace(decision, given=usual_answer(decision))
    except LookupError as error:
        raise NoAdvice(str(error)) from None
    request = told.asked[-1].request
    if len(decision.answers) == 1:
        return Suggestion(answer_from(decision.given, request), (Saying("why-only"),))
    found = verdict(solver, decision, _DRAW, HINT_WORLDS)
    worth = {each.answer: each.known for each in found.answers}
    if worth[found.best] - worth[decision.given] < EVEN:
        found = msgspec.structs.replace(found, best=decision.given)
    return Suggestion(answer_from(found.best, request), reasons(decision, found))


def usual_answer(decision: Decision) -> str:
    """The answer to suggest where none is better: it plays on, and keeps what is strong."""
    if decision.kind == "discard":
        held = decision.state.hands[decision.seat]
        return min(decision.answers, key=lambda pair: _price(held, pair))
    if decision.kind != "play":
        return "no" if "no" in decision.answers else decision.given
    cards = [INDEX[each] for each in decision.answers if each != OFFER_WORD]
    trick = decision.state.trick
    if avoids_tricks(decision.state, decision.seat):
        below = [card for card in cards if trick and winner((*trick, card)) < len(trick)]
        return NAMES[min(below) if below else max(cards)]
    return NAMES[min(cards, key=lambda card: (TRUMPS >> card & 1, POINTS[card], -card))]


def _price(held: Cards, pair: str) -> tuple[int, int, int]:
    """What laying two cards aside costs: trumps, then suits still held, then points not saved."""
    laid = mask(INDEX[each] for each in pair.split("."))
    suits = {SUIT_OF[card] for card in members(held & ~laid)}
    return (laid & TRUMPS).bit_count(), len(suits), -points(laid)


def verdicts(
    lines: Sequence[bytes], replies: Mapping[int, AnyReply], deal: int
) -> tuple["Verdict", ...]:
    """The verdicts on the seat's decisions in a finished deal. Raises `Refusal`.

    They are as on the replay page; `step` is the request's number.
    """
    from arena.review.verdict import verdict

    told = deal_told(lines, deal)
    if told is None or told.result is None:
        raise Missing("this deal is not over, or not of this match")
    solver = _able()
    asked = finished_decisions(told, replies)
    return tuple(verdict(solver, each, _DRAW, REVIEW_WORLDS) for each in asked)


_DRAW: Final = "a person"
"""The key by which worlds are drawn, so that a position always has the same."""


def _able() -> "Solver":
    """The solver of this process. Raises `NoAdvice` if there is none."""
    from arena.review.solver import solver_here

    try:
        return solver_here()
    except MachineError as error:
        first = error.mistakes[0]
        raise NoAdvice(first.what, first.remedy) from None
