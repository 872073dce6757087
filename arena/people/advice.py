"""Advice for a person, and why: from a review of the seat's lines; nothing more is known."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Final

import msgspec

from arena.base.errors import MachineError
from arena.base.refusals import Missing, Refusal
from arena.match.log import YES_NO, answer_from
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
from arena.reports.language import SUITS, Phrase
from arena.review.decisions import OFFER_WORD, Decision, answers_to, given_by, request_kind
from arena.review.worlds import Worlds, known
from arena.zole import play
from arena.zole.cards import (
    BEATEN_BY,
    DECK,
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
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules
from arena.zole.state import Choose, Discard, Play, Say, SayBlind, State

if TYPE_CHECKING:
    from arena.review.solver import Solver
    from arena.review.verdict import Verdict

# The most worlds in which answers are compared, while a person waits.
_WORLDS: Final = 40

EVEN: Final = 0.05  # stakes: answers whose values differ by less count as equal
_MANY_POINTS: Final = 14  # card points that are worth laying aside for themselves
_HIGH: Final = 10  # card points from which a plain card is led to take the trick
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
    from arena.review.verdict import verdict

    told = seat_deal(lines)
    if told is None or isinstance(told.last, DealEnd):
        raise NoAdvice("nothing is asked")
    solver = _able()
    decision = open_decision(told)
    decision = msgspec.structs.replace(decision, given=usual_answer(decision))
    if len(decision.answers) == 1:
        return answer_from(decision.given, told.last), (Phrase("why-only"),)
    with _ONE_AT_A_TIME:
        found = verdict(solver, decision, _DRAW, _WORLDS)
    worth = {each.answer: each.known for each in found.answers}
    if worth[found.best] - worth[decision.given] < EVEN:
        found = msgspec.structs.replace(found, best=decision.given)
    return answer_from(found.best, told.last), reasons(decision, found)


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
    return answer_from(usual_answer(open_decision(told)), told.last)


def usual_answer(decision: Decision) -> str:
    """The answer to suggest where none is better: it plays on, and keeps what is strong."""
    if decision.kind == "discard":
        return decision.answers[-1]  # the weakest two
    if decision.kind != "play":
        return "no" if "no" in decision.answers else decision.given
    cards = [INDEX[each] for each in decision.answers if each != OFFER_WORD]
    if avoids_tricks(decision.state, decision.seat):
        trick = decision.state.trick
        losing = [card for card in cards if trick and winner((*trick, card)) < len(trick)]
        by_strength = sorted(losing, key=lambda card: BEATEN_BY[card].bit_count())
        return NAMES[by_strength[0] if losing else max(cards)]  # else the weakest
    return NAMES[min(cards, key=lambda card: (TRUMPS >> card & 1, POINTS[card], -card))]


class Reasoned(msgspec.Struct, frozen=True):
    """A verdict, and why its best answer is good."""

    verdict: "Verdict"
    why: tuple[Phrase, ...]


def verdicts(
    lines: Sequence[bytes], replies: Mapping[int, AnyReply], deal: int
) -> tuple[Reasoned, ...]:
    """The verdicts on the seat's decisions in a finished deal. Raises `Refusal`.

    They are as on the replay page; `step` is the request's number.
    """
    from arena.review.verdict import verdict

    told = seat_deal(lines, replies, deal)
    if told is None or not isinstance(told.last, DealEnd):
        raise Missing("this deal is not over, or not of this match")
    solver = _able()
    asked = seat_decisions(told)
    made = (each for each in asked if len(each.answers) > 1 and each.given in each.answers)
    judged: list[Reasoned] = []
    for each in made:
        with _ONE_AT_A_TIME:
            found = verdict(solver, each, _DRAW, _WORLDS)
        judged.append(Reasoned(found, reasons(each, found, each.given)))
    return tuple(judged)


# The solver of this process. Raises `NoAdvice` if there is none.
def _able() -> "Solver":
    from arena.review.solver import solver_here

    try:
        return solver_here()
    except MachineError as error:
        first = error.mistakes[0]
        raise NoAdvice(first.what, first.remedy) from None


def reasons(decision: Decision, found: "Verdict", given: str = "") -> tuple[Phrase, ...]:
    """Why the best answer is good: what holds for the one `given` as well is no reason."""
    alike = _alike(found)
    values = _of_values(decision.kind, found, alike)
    said: Iterable[Phrase] = ()
    hand = decision.state.hands[decision.seat]
    if values.message == "why-no-matter":
        return (values,)
    if decision.kind == "play":
        said = _of_play(decision, found, given, alike)
    elif decision.kind in ("blind", "bid", "talon"):
        said = [_of_hand(hand)]
    elif decision.kind == "discard":
        best, less = (
            tuple(_of_discard(hand, mask(INDEX[card] for card in answer.split(".") if card)))
            for answer in (found.best, "" if given == found.best else given)
        )
        said = (each for each in best if each not in less)
    return (*islice(said, 1), values)


def avoids_tricks(state: State, seat: Seat) -> bool:
    return state.contract == "table" or (state.contract == "small_solo" and seat == state.declarer)


# The other answers that are as good as the best, the best of them first.
def _alike(found: "Verdict") -> list[str]:
    [best] = [each.known for each in found.answers if each.answer == found.best]
    others = (each for each in found.answers if each.answer != found.best)
    order = sorted(others, key=lambda each: -each.known)
    return [each.answer for each in order if best - each.known < EVEN]


# What the best answer is worth beside the others. Of cards only the difference is told: to a
# defender all answers look good, since nothing is concluded from the declarer's bid.
def _of_values(kind: str, found: "Verdict", alike: Sequence[str]) -> Phrase:
    if alike and kind == "discard":
        return Phrase("why-same-cards")
    if alike and kind == "play" and len(alike) == len(found.answers) - 1:
        return Phrase("why-no-matter")
    if len(alike) > 1 and kind == "play":
        return Phrase("why-same-many", {"count": len(alike)})
    if alike and alike[0] in INDEX:
        return Phrase("why-same-card", {"card": alike[0]})
    if alike:
        return Phrase("why-same-word", {"word": alike[0]})
    best, after = sorted(found.answers, key=lambda each: -each.known)[:2]
    if kind in ("play", "discard"):
        return Phrase("why-better", {"ahead": best.known - after.known})
    return Phrase("why-worth", {"best": best.known, "word": after.answer, "next": after.known})


# What a hand that is bid on has.
def _of_hand(hand: Cards) -> Phrase:
    queens, aces = (mask(INDEX[rank + suit] for suit in "CSHD") for rank in "QA")
    held = {"trumps": hand & TRUMPS, "queens": hand & queens, "aces": hand & aces & ~TRUMPS}
    return Phrase("why-hand", {name: cards.bit_count() for name, cards in held.items()})


# What laying two cards aside is good for.
def _of_discard(hand: Cards, laid: Cards) -> Iterator[Phrase]:
    for suit in _voids(hand, laid):
        yield Phrase("why-void", {"suit": suit})
    if points(laid) >= _MANY_POINTS:
        yield Phrase("why-safe", {"count": points(laid)})


# The plain suits that a hand has lost once some of its cards are gone.
def _voids(hand: Cards, gone: Cards) -> Iterator[str]:
    for letter in "CSH":
        cards = SUIT_OF[INDEX[f"A{letter}"]] & hand
        if cards and not cards & ~gone:
            yield SUITS[letter]


# Why a card is better than the one given, which holds for those that are as good, too; and at last
# how it was found.
def _of_play(
    decision: Decision, found: "Verdict", given: str, alike: Sequence[str]
) -> Iterator[Phrase]:
    state, hidden = decision.state, known(decision.past, decision.seat).hidden
    best, less, *also = (
        tuple(_of_card(decision, hidden, INDEX[card])) if card in INDEX else ()
        for card in (found.best, "" if given == found.best else given, *alike)
    )
    alike_taken = {each.message for each in less} & {"why-takes", "why-unbeatable"}
    alike_drawn = given in INDEX and TRUMPS >> INDEX[given] & 1
    shared = {"why-takes-now": alike_taken, "why-draws-trumps": alike_drawn}
    common = [{each.message for each in said} for said in also]
    for each in best:
        everywhere = all(each.message in messages for messages in common)
        if everywhere and each not in less and not shared.get(each.message):
            yield each
    higher = BEATEN_BY[INDEX[found.best]] if found.best in INDEX else 0
    if given in INDEX and higher >> INDEX[given] & 1 and not avoids_tricks(state, decision.seat):
        yield Phrase("why-keeps-higher", {"card": given})
    if not alike:
        yield Phrase("why-tried", {"count": found.worlds})


# What playing a card is good for, if any of the `hidden` cards may still come.
def _of_card(decision: Decision, hidden: Cards, card: Card) -> Iterator[Phrase]:
    state, seat = decision.state, decision.seat
    laid = (*state.trick, card)
    best = winner(laid)
    complete = len(laid) == len(state.order)
    holds = complete or not hidden & BEATEN_BY[laid[best]]
    partners = best < len(state.trick) and state.declarer not in (seat, state.order[best])
    ours = holds and partners
    playable = mask(INDEX[each] for each in decision.answers if each in INDEX)
    voids = tuple(_voids(state.hands[seat], 1 << card)) if hidden & SUIT_OF[card] else ()
    others, worth = playable & ~(1 << card), [POINTS[each] for each in members(playable)]
    if avoids_tricks(state, seat):
        if best < len(state.trick):
            yield Phrase("why-does-not-take")
        elif not others & ~BEATEN_BY[card]:
            yield Phrase("why-weakest")
        elif TRUMPS >> card & 1 and not hidden & BEATEN_BY[card]:
            yield Phrase("why-in-any-case")
        elif all(BEATEN_BY[other] >> card & 1 for other in members(others)):
            yield Phrase("why-strongest")
        if not state.trick:
            yield from (Phrase("why-void-later", {"suit": suit}) for suit in voids)
        return
    if best == len(state.trick):
        if holds:
            takes = Phrase("why-takes", {"count": points(mask(laid)), "more": YES_NO[not complete]})
            yield takes if best else Phrase("why-unbeatable")
        elif best:
            yield Phrase("why-takes-now")
        elif TRUMPS >> card & 1 and seat == state.declarer:
            yield Phrase("why-draws-trumps")
        elif POINTS[card] >= _HIGH and not hidden & BEATEN_BY[card] & ~TRUMPS:
            yield Phrase("why-only-trumps")
    elif ours and POINTS[card]:
        yield Phrase("why-partner-takes", {"count": POINTS[card]})
    elif partners and POINTS[card]:
        yield Phrase("why-partner-so-far", {"count": POINTS[card]})
    elif not ours and POINTS[card] == min(worth) < max(worth):
        yield Phrase("why-fewest-points")
    if state.hands[seat] & TRUMPS:
        yield from (Phrase("why-void", {"suit": suit}) for suit in voids)
    if others & TRUMPS and not TRUMPS >> card & 1:
        yield Phrase("why-keeps-trumps")
    if not POINTS[card]:
        yield Phrase("why-no-points")


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
