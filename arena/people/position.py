"""A deal as a seat knows it, made from the seat's own lines and from nothing else.

Until the deal is over, other hands hold no more than the cards that they are going to lay: a
review asks nothing else of them (`arena.review.worlds`).
"""

from collections.abc import Mapping, Sequence

import msgspec

from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskBlind,
    AskDiscard,
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
from arena.review.decisions import Decision, answers_to, given_by, request_kind
from arena.review.worlds import Worlds, known
from arena.zole import play
from arena.zole.cards import DECK, INDEX, Cards, mask, members
from arena.zole.deal import Deal
from arena.zole.rules import Rules
from arena.zole.state import Choose, Discard, Play, Say, SayBlind, State


class DealTold(msgspec.Struct, frozen=True):
    """A deal as a seat was told of it: requests, each with the last reply to it, and the end."""

    rules: Rules
    dealt: Dealt
    said: tuple[tuple[AnyRequest | DealEnd, AnyReply | None], ...]

    @property
    def last(self) -> AnyRequest | DealEnd:
        """The open request, or the end."""
        return self.said[-1][0]


def deal_told(
    lines: Sequence[bytes], replies: Mapping[int, AnyReply] | None = None, number: int | None = None
) -> DealTold | None:
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
    return None if rules is None or dealt is None else DealTold(rules, dealt, tuple(said))


def decisions_told(told: DealTold) -> tuple[Decision, ...]:
    """The seat's questions in a deal, with the answers that were carried out.

    Nothing is given to one that is open, or that the seat failed.
    """
    deal, discards = _cards(told)
    past = [play.start(told.rules, deal)]
    found: list[Decision] = []
    for asked, reply in told.said:
        past += _states(past[-1], asked.events, discards)
        if any(isinstance(it, FaultSeen) and it.seat == told.dealt.seat for it in asked.events):
            found[-1:] = [msgspec.structs.replace(each, given="") for each in found[-1:]]
        if isinstance(asked, DealEnd):
            break
        if past[-1].phase == "discard" and not isinstance(asked, AskDiscard):
            past.append(play.apply(past[-1], Discard(discards)))
        kind, given = request_kind(asked), "" if reply is None else given_by(reply)
        decision = Decision(
            deal=asked.deal,
            step=asked.id,
            seat=told.dealt.seat,
            kind=kind,
            answers=answers_to(past[-1], kind, given),
            given=given,
            past=tuple(past),
            pools=told.dealt.pools,
        )
        found.append(decision)
    return tuple(found)


def open_decision(told: DealTold) -> Decision:
    """The decision at the open request, as if the first legal answer were given.

    Its last state is one that fits what the seat knows, as any other would.
    """
    made = decisions_told(told)[-1]
    [world] = Worlds(known(made.past, made.seat)).sample(1, "any")
    past = (*made.past[:-1], world)
    return msgspec.structs.replace(made, past=past, given=made.answers[0])


# The cards of a deal as far as they are known, and those laid aside; any hidden cards in place of
# the talon that nobody has seen.
def _cards(told: DealTold) -> tuple[Deal, Cards]:
    last, me = told.last, told.dealt.seat
    if isinstance(last, DealEnd):
        shown = tuple(mask(INDEX[card] for card in hand) for hand in last.result.hands)
        first, second = (INDEX[card] for card in last.result.talon)
        discards = mask(INDEX[card] for card in last.result.discards)
        return Deal(told.dealt.dealer, shown, (first, second)), discards
    hands, turned = [0] * told.rules.players, []
    for event in (event for each, _ in told.said for event in each.events):
        match event:
            case CardPlayed("talon", card):
                turned.append(INDEX[card])
            case CardPlayed(int(seat), card):
                hands[seat] |= 1 << INDEX[card]
    hands[me] |= 0 if isinstance(last, AskBlind) else mask(INDEX[card] for card in last.hand)
    took = next((each for each, _ in told.said if isinstance(each, AskDiscard)), None)
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
    return Deal(told.dealt.dealer, tuple(hands), (first, second)), discards


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
