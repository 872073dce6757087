"""Advice for a person, and why: from a review of the seat's lines; nothing more is known."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from arena.base.errors import MachineError
from arena.base.refusals import Missing, Refusal
from arena.match.log import answer_from
from arena.match.wire import AnyReply, DealEnd
from arena.people.position import deal_told, decisions_told, open_decision
from arena.reports.language import SUITS, Saying
from arena.review.decisions import OFFER_WORD, Decision
from arena.review.worlds import known
from arena.zole.cards import (
    BEATEN_BY,
    INDEX,
    NAMES,
    POINTS,
    SUIT_OF,
    TRUMPS,
    Card,
    Cards,
    mask,
    members,
    points,
    winner,
)
from arena.zole.deal import Seat
from arena.zole.state import State

if TYPE_CHECKING:
    from arena.review.solver import Solver
    from arena.review.verdict import Verdict

# The most worlds in which answers are compared, while a person waits.
HINT_WORLDS: Final = 40
REVIEW_WORLDS: Final = 40

EVEN: Final = 0.05  # stakes: answers whose values differ by less are told to be alike
_MANY_POINTS: Final = 14  # card points that are worth laying aside for themselves
_DRAW: Final = "a person"  # the key by which worlds are drawn: a position always has the same


class NoAdvice(Refusal, status=501):
    """There is no advice; says why."""


class Suggestion(msgspec.Struct, frozen=True):
    """An answer that a person may give, and why.

    Of the values in a reason, those that are not whole numbers are stakes.
    """

    answer: AnyReply
    why: tuple[Saying, ...] = ()


def hint(lines: Sequence[bytes]) -> Suggestion:
    """The best answer to the last request by a review. Raises `NoAdvice`."""
    from arena.review.verdict import verdict

    told = deal_told(lines)
    if told is None or isinstance(told.last, DealEnd):
        raise NoAdvice("nothing is asked")
    solver = _able()
    decision = open_decision(told)
    decision = msgspec.structs.replace(decision, given=usual_answer(decision))
    if len(decision.answers) == 1:
        return Suggestion(answer_from(decision.given, told.last), (Saying("why-only"),))
    found = verdict(solver, decision, _DRAW, HINT_WORLDS)
    worth = {each.answer: each.known for each in found.answers}
    if worth[found.best] - worth[decision.given] < EVEN:
        found = msgspec.structs.replace(found, best=decision.given)
    return Suggestion(answer_from(found.best, told.last), reasons(decision, found))


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


# What laying two cards aside costs: trumps, then suits still held, then points not saved.
def _price(held: Cards, pair: str) -> tuple[int, int, int]:
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

    told = deal_told(lines, replies, deal)
    if told is None or not isinstance(told.last, DealEnd):
        raise Missing("this deal is not over, or not of this match")
    solver = _able()
    asked = decisions_told(told)
    made = (each for each in asked if len(each.answers) > 1 and each.given in each.answers)
    return tuple(verdict(solver, each, _DRAW, REVIEW_WORLDS) for each in made)


# The solver of this process. Raises `NoAdvice` if there is none.
def _able() -> "Solver":
    from arena.review.solver import solver_here

    try:
        return solver_here()
    except MachineError as error:
        first = error.mistakes[0]
        raise NoAdvice(first.what, first.remedy) from None


def reasons(decision: Decision, found: "Verdict") -> tuple[Saying, ...]:
    """Why the best answer is good, in one or two sentences."""
    seen = known(decision.past, decision.seat)
    said: Iterator[Saying] = iter(())
    if decision.kind == "play" and found.best != OFFER_WORD:
        said = _of_card(decision, seen.hidden, INDEX[found.best])
    elif decision.kind == "discard":
        laid = mask(INDEX[card] for card in found.best.split("."))
        said = _of_discard(seen.table.hands[decision.seat], laid)
    return (*islice(said, 1), _of_values(found))


def avoids_tricks(state: State, seat: Seat) -> bool:
    """Whether a seat is better off without tricks."""
    return state.contract == "table" or (state.contract == "small_solo" and seat == state.declarer)


# What the best answer is worth, and the next best.
def _of_values(found: "Verdict") -> Saying:
    [best] = [each.known for each in found.answers if each.answer == found.best]
    after = max(each.known for each in found.answers if each.answer != found.best)
    if best - after < EVEN:
        return Saying("why-same")
    return Saying("why-worth", {"best": best, "next": after})


# What laying two cards aside is good for.
def _of_discard(hand: Cards, laid: Cards) -> Iterator[Saying]:
    for letter in "CSH":
        cards = SUIT_OF[INDEX[f"A{letter}"]]
        if hand & cards and not hand & cards & ~laid:
            yield Saying("why-void", {"suit": SUITS[letter]})
    if points(laid) >= _MANY_POINTS:
        yield Saying("why-safe", {"count": points(laid)})


# What playing a card is good for, if any of the `hidden` cards may still come.
def _of_card(decision: Decision, hidden: Cards, card: Card) -> Iterator[Saying]:
    state, seat = decision.state, decision.seat
    laid = (*state.trick, card)
    best = winner(laid)
    holds = len(laid) == len(state.order) or not hidden & BEATEN_BY[laid[best]]
    if avoids_tricks(state, seat):
        if best < len(state.trick):
            yield Saying("why-does-not-take")
    elif best == len(state.trick):
        if holds:
            count = points(mask(laid))
            yield Saying("why-takes", {"count": count}) if best else Saying("why-unbeatable")
    elif holds and POINTS[card] and state.declarer not in (seat, state.order[best]):
        yield Saying("why-partner-takes", {"count": POINTS[card]})
    elif POINTS[card] == min(POINTS[INDEX[each]] for each in decision.answers if each in INDEX):
        yield Saying("why-fewest-points")
