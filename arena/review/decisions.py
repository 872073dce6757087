"""The decisions of a match, read from its log: the question, the legal answers and the one given.

A decision is an answer that a seat gave and that was carried out, if the rules left it another.
Answers that were refused are none, nor is the arena's play in a seat's place after a fault.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, assert_never

import msgspec

from arena.match.commands import PlayedDeal, Said
from arena.match.log import YES_NO, answer_text
from arena.match.wire import AnyReply, AnyRequest, Dealt, DiscardReply
from arena.zole import play
from arena.zole.cards import INDEX, NAMES, mask, names
from arena.zole.deal import Seat
from arena.zole.scoring import Pools
from arena.zole.state import Action, Choose, Discard, Play, Say, SayBlind, State

DecisionKind = Literal["blind", "bid", "talon", "discard", "play", "surrender", "offer"]
"""The kind of a question: the type of the request."""

OFFER_WORD = "offer"
"""A defender's answer instead of a card: it offers its side's surrender."""


class GivenAnswer(msgspec.Struct, frozen=True):
    """A question to a seat and the answer given, in words of the log.

    `step` is the number of the answer in its deal, from 0.
    """

    deal: int
    step: int
    seat: Seat
    kind: DecisionKind
    given: str


class Decision(GivenAnswer, frozen=True):
    """An answer with its alternatives.

    `answers` are all answers that the rules allowed, cards of a discard from the strongest; an
    offer is among them only if it was made. `past` are the states of the deal, from its start to
    the question; `pools` lay on the table before the deal. `request` counts the requests to the
    seat in the match from 1.
    """

    answers: tuple[str, ...]
    past: tuple[State, ...]
    pools: Pools
    request: int = 0

    @property
    def state(self) -> State:
        """The state in which the question was asked."""
        return self.past[-1]


def decisions(deals: Iterable[PlayedDeal]) -> Iterator[Decision]:
    """The decisions of a match's deals as they were played."""
    requests: Counter[Seat] = Counter()
    for deal in deals:
        dealt = deal.events[0]
        assert isinstance(dealt, Dealt)
        past: list[State] = []
        for number, step in enumerate(deal.asked):
            state, outcome, request = step.state, step.outcome, step.question.request
            if not past or state is not past[-1]:
                past.append(state)
            requests[request.seat] += 1
            if isinstance(outcome, Said):
                kind, given = request_kind(request), given_by(outcome.reply)
                answers = answers_to(state, kind, given)
                if len(answers) > 1 and given in answers:
                    yield Decision(
                        deal=deal.number,
                        step=number,
                        seat=request.seat,
                        kind=kind,
                        given=given,
                        answers=answers,
                        past=tuple(past),
                        pools=dealt.pools,
                        request=requests[request.seat],
                    )


def action_text(action: Action) -> str:
    """The word of an action's answer in a log."""
    match action:
        case Play(card):
            return NAMES[card]
        case Say(bid):
            return bid
        case Discard(cards):
            return ".".join(names(cards))
        case Choose(choice):
            return choice
        case SayBlind(blind):
            return YES_NO[blind]
        case _:
            assert_never(action)


def request_kind(request: AnyRequest) -> DecisionKind:
    return request.__struct_config__.tag  # type: ignore[return-value]


def given_by(reply: AnyReply) -> str:
    """The word of a reply, cards of a discard from the strongest."""
    if isinstance(reply, DiscardReply) and all(card in INDEX for card in reply.cards):
        return ".".join(names(mask(INDEX[card] for card in reply.cards)))
    return answer_text(reply)


def answers_to(state: State, kind: DecisionKind, given: str) -> tuple[str, ...]:
    """The answers that the rules allowed; an offer is among them if it was `given`."""
    if kind in ("surrender", "offer"):
        return tuple(YES_NO[said] for said in (False, True))
    cards = tuple(map(action_text, play.legal(state)))
    return (*cards, OFFER_WORD) if given == OFFER_WORD and play.may_offer(state) else cards
