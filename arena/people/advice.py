"""Advice for a person, and why: from a review of the seat's lines; nothing more is known."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Final

import msgspec

from arena.base.errors import MachineError
from arena.base.refusals import Missing, Refusal
from arena.match.log import answer_from
from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskBlind,
    AskDiscard,
    AskSurrender,
    BidMade,
    BlindSaid,
    CardPlayed,
    DealEnd,
    Dealt,
    FaultSeen,
    Hello,
    Offered,
    Request,
    Surrendered,
    TalonChosen,
    message_in,
)
from arena.people.reasons import alike, by_custom, reasons
from arena.reports.language import Phrase
from arena.review.decisions import Decision, answers_to, given_by, request_kind
from arena.review.worlds import Worlds, known
from arena.zole import play
from arena.zole.cards import (
    DECK,
    INDEX,
    Cards,
    mask,
    members,
)
from arena.zole.deal import Deal
from arena.zole.rules import Rules
from arena.zole.state import Choose, Discard, Play, Say, SayBlind, State

if TYPE_CHECKING:
    from arena.review.solver import Solver
    from arena.review.verdict import Verdict

# The most worlds in which answers are compared: a person waits about a second for the dearest.
_WORLDS: Final = 100
_WORLDS_OF_PLAY: Final = 400

_DRAW: Final = "a person"  # the key by which worlds are drawn: a position always has the same
_ONE_AT_A_TIME: Final = Lock()  # the solver is for one thread


@cache
def advises() -> bool:
    """Whether this Python has what hints and reviews need: the extra `review`."""
    return find_spec("wasmtime") is not None


class NoAdvice(Refusal, status=501):
    """There is no advice; the text gives the reason."""


def hint(lines: Sequence[bytes]) -> tuple[AnyReply, tuple[Phrase, ...]]:
    """The best answer to the last request by a review, and why. Raises `NoAdvice`.

    Of the values in a reason, those that are not whole numbers are stakes.
    """
    told = seat_deal(lines)
    if told is None or isinstance(told.last, DealEnd):
        raise NoAdvice("nothing is asked")
    solver = _able()
    decision = open_decision(told)
    custom = by_custom(decision)
    decision = msgspec.structs.replace(decision, given=custom[0])
    if len(decision.answers) == 1:
        return answer_from(decision.given, told.last), (Phrase("why-only"),)
    found = _judged(solver, decision, custom)
    return answer_from(found.best, told.last), reasons(decision, found)


# The verdict on a decision, whose best answer is the usual one of those that are as good.
def _judged(solver: "Solver", decision: Decision, custom: Sequence[str]) -> "Verdict":
    from arena.review.verdict import verdict

    most = _WORLDS_OF_PLAY if decision.kind == "play" else _WORLDS
    with _ONE_AT_A_TIME:
        found = verdict(solver, decision, _DRAW, most, whole=True)
    equal = {found.best, *alike(found)}
    best = next(each for each in custom if each in equal)
    return msgspec.structs.replace(found, best=best, loss=found.loss * (best != found.given))


def answer_for(lines: Sequence[bytes]) -> AnyReply:
    """An answer to the last request, for a person who is away: the best, or one without a review.

    It does not concede for somebody else. Raises `NoAdvice` where nothing is asked.
    """
    told = seat_deal(lines)
    if told is None or isinstance(told.last, DealEnd):
        raise NoAdvice("nothing is asked")
    if not isinstance(told.last, AskSurrender):
        with suppress(NoAdvice):
            return hint(lines)[0]
    return answer_from(by_custom(open_decision(told))[0], told.last)


def verdicts(
    lines: Sequence[bytes], replies: Mapping[int, AnyReply], deal: int
) -> "tuple[tuple[Verdict, tuple[Phrase, ...]], ...]":
    """The verdicts on the seat's decisions in a finished deal, and why the best answers are good.

    Raises `Refusal`.

    They are as a hint judges: of several best answers the usual one is named. `step` is the
    request's number.
    """
    told = seat_deal(lines, replies, deal)
    if told is None or not isinstance(told.last, DealEnd):
        raise Missing("this deal is not over, or not of this match")
    solver = _able()
    judged = (
        (each, _judged(solver, each, by_custom(each)))
        for each in seat_decisions(told)
        if len(each.answers) > 1 and each.given in each.answers
    )
    return tuple((found, reasons(each, found, each.given)) for each, found in judged)


# The solver of this process. Raises `NoAdvice` if there is none.
def _able() -> "Solver":
    from arena.review.solver import solver_here

    try:
        return solver_here()
    except MachineError as error:
        first = error.mistakes[0]
        raise NoAdvice(first.what, first.remedy) from None


class SeatDeal(msgspec.Struct, frozen=True):
    """A deal as it was sent to a seat: requests, each with the last reply to it, and the end."""

    rules: Rules
    dealt: Dealt
    exchanges: tuple[tuple[AnyRequest | DealEnd, AnyReply | None], ...]

    @property
    def last(self) -> AnyRequest | DealEnd:
        """The open request, or the end."""
        return self.exchanges[-1][0]


def seat_deal(
    lines: Sequence[bytes], replies: Mapping[int, AnyReply] | None = None, number: int | None = None
) -> SeatDeal | None:
    """A deal of the last match from a seat's lines, or the last deal; None if the lines lack it.

    Replies are by the number of the line after which they were given; one that was refused is
    followed by another.
    """
    rules: Rules | None = None
    dealt: Dealt | None = None
    said: list[tuple[AnyRequest | DealEnd, AnyReply | None]] = []
    for line, message in enumerate(map(message_in, lines), 1):
        if isinstance(message, Hello):
            rules, dealt = message.rules, None
        elif isinstance(message, Request | DealEnd) and number in (None, message.deal):
            if message.events and isinstance(message.events[0], Dealt):
                dealt, said = message.events[0], []
            said.append((message, None))
        if said and replies and line in replies:
            said[-1] = said[-1][0], replies[line]
    return None if rules is None or dealt is None else SeatDeal(rules, dealt, tuple(said))


def seat_decisions(sent: SeatDeal) -> tuple[Decision, ...]:
    """The seat's questions in a deal, with the answers that were carried out.

    Nothing is given to one that is open, or that the seat failed.
    """
    deal, discards = _cards(sent)
    past = [play.start(sent.rules, deal)]
    found: list[Decision] = []
    for asked, reply in sent.exchanges:
        past += _states(past[-1], asked.events, discards)
        if any(isinstance(it, FaultSeen) and it.seat == sent.dealt.seat for it in asked.events):
            found[-1:] = [msgspec.structs.replace(each, given="") for each in found[-1:]]
        if isinstance(asked, DealEnd):
            break
        if past[-1].phase == "discard" and not isinstance(asked, AskDiscard):
            past.append(play.apply(past[-1], Discard(discards)))
        kind, given = request_kind(asked), "" if reply is None else given_by(reply)
        decision = Decision(
            deal=asked.deal,
            step=asked.id,
            seat=sent.dealt.seat,
            kind=kind,
            answers=answers_to(past[-1], kind, given),
            given=given,
            past=tuple(past),
            pools=sent.dealt.pools,
        )
        found.append(decision)
    return tuple(found)


def open_decision(sent: SeatDeal) -> Decision:
    """The decision at the open request, as if the first legal answer were given.

    Its last state is one that fits what the seat knows, as any other would.
    """
    made = seat_decisions(sent)[-1]
    [world] = Worlds(known(made.past, made.seat)).sample(1, "any")
    past = (*made.past[:-1], world)
    return msgspec.structs.replace(made, past=past, given=made.answers[0])


def deal_of(lines: Sequence[bytes], number: int) -> Deal:
    """A deal that is over, from a seat's lines. Raises `Missing` if they have none."""
    told = seat_deal(lines, None, number)
    if told is None or not told.exchanges or not isinstance(told.last, DealEnd):
        raise Missing("this deal is not over, or not of this match")
    return _cards(told)[0]


# The cards of a deal as far as they are known, and those laid aside; any hidden cards instead of
# the talon that nobody has seen.
def _cards(sent: SeatDeal) -> tuple[Deal, Cards]:
    last, me = sent.last, sent.dealt.seat
    if isinstance(last, DealEnd):
        shown = tuple(mask(INDEX[card] for card in hand) for hand in last.result.hands)
        first, second = (INDEX[card] for card in last.result.talon)
        discards = mask(INDEX[card] for card in last.result.discards)
        return Deal(sent.dealt.dealer, shown, (first, second)), discards
    hands, turned = [0] * sent.rules.players, []
    for event in (event for each, _ in sent.exchanges for event in each.events):
        match event:
            case CardPlayed("talon", card):
                turned.append(INDEX[card])
            case CardPlayed(int(seat), card):
                hands[seat] |= 1 << INDEX[card]
    hands[me] |= 0 if isinstance(last, AskBlind) else mask(INDEX[card] for card in last.hand)
    took = next((each for each, _ in sent.exchanges if isinstance(each, AskDiscard)), None)
    if took is not None:
        first, second = (INDEX[card] for card in took.talon)
        ten = mask(INDEX[card] for card in took.hand)
        discards, hands[me] = ten & ~hands[me], ten & ~mask((first, second))
    else:
        hidden = DECK & ~mask(turned)
        for hand in hands:
            hidden &= ~hand
        first, second = (*turned, *members(hidden))[:2]
        discards = mask((first, second))
    return Deal(sent.dealt.dealer, tuple(hands), (first, second)), discards


# The states that some events lead to.
def _states(state: State, events: Sequence[AnyEvent], discards: Cards) -> list[State]:
    found = [state]
    for event in events:
        laid = isinstance(event, CardPlayed | Offered | Surrendered)
        if laid and found[-1].phase == "discard":
            found.append(play.apply(found[-1], Discard(discards)))
        match event:
            case BlindSaid(_, blind):
                found.append(play.apply(found[-1], SayBlind(blind)))
            case BidMade(_, bid):
                found.append(play.apply(found[-1], Say(bid)))
            case TalonChosen(_, choice):
                found.append(play.apply(found[-1], Choose(choice)))
            case CardPlayed(seat, card) if seat != "talon":
                found.append(play.apply(found[-1], Play(INDEX[card])))
            case Offered(_, accepted):
                found.append(play.offer(found[-1], accepted))
            case Surrendered():
                found.append(play.surrender(found[-1]))
    return found[1:]
