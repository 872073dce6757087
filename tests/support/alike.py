"""Two matches that a viewer cannot tell apart up to a moment: hidden cards and words differ.

At a random moment of a match, the cards hidden from a viewer are redealt among their places, and
everybody repeats what the viewer could see. What the others keep to themselves (notes, refused
answers, why they failed, their time) changes, and so does everything after the moment.
"""

import random
from collections.abc import Callable

import msgspec

from arena.match.commands import Failed, MatchPlan, Outcome, PlayedDeal, Question, Said
from arena.match.log import LogWriter
from arena.match.logged import Replayed, play_again
from arena.match.match import Match, play_through
from arena.match.record import MatchRecord
from arena.match.replay import SeenDeal, seen_deal
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskDiscard,
    AskPlay,
    AskTalon,
    BidReply,
    DiscardReply,
    FaultSeen,
    PlayReply,
    Refused,
    TalonReply,
)
from arena.record.matches import ReplayedMatch
from arena.zole import view
from arena.zole.cards import NAMES, Cards, mask, members
from arena.zole.deal import Deal, Seat, from_deck, shuffled
from arena.zole.rules import Rules
from arena.zole.state import State
from tests.support.chance import by_chance
from tests.support.scripted import ASKS_ALL, plan_of

BOTS = ("anna", "bruno", "cilda", "dace", "edgars")
CANARY = "canary of "
"""What every bot's private words begin with, before its name."""


class Impossible(Exception):
    """In the new deal somebody could not have done what it did."""


NO_SEAT = -1
"""A viewer that has no seat at the table."""


class Place(msgspec.Struct, frozen=True):
    """A moment of a match, after `ply` answers of a deal, and who looks."""

    deal: int
    ply: int
    viewer: Seat


class Alike(msgspec.Struct, frozen=True):
    """Two matches that a viewer cannot tell apart at a place, and whether cards are dealt anew."""

    plans: tuple[MatchPlan, MatchPlan]
    logs: tuple[bytes, bytes]
    place: Place
    redealt: bool

    def matches(self) -> list[ReplayedMatch]:
        """Both matches, played again."""
        return [stored(plan, log) for plan, log in zip(self.plans, self.logs, strict=True)]


class Step(msgspec.Struct, frozen=True):
    """A question, what came of it, and whether that was an answer that the rules do not allow."""

    question: Question
    outcome: Outcome
    wrong: bool


Answer = Callable[[int, Question], Step]
"""What comes of the match's question of a number."""


def alike(rules: Rules, seed: int, public: bool = False) -> Alike | None:
    """Two such matches of two deals; None where the new one could not go as the first."""
    dice = random.Random(seed)
    deals = [_deal(rules, dice, number) for number in range(2)]
    plan = plan_of(rules, deals)
    steps, log = played(plan, lambda _, question: mixed(dice, question))
    again = play_again(plan, log)
    lengths = [len(game.steps) for game in again.deals]
    deal = dice.randrange(len(lengths))
    ply = dice.randrange(lengths[deal] + 1)
    viewer = NO_SEAT if public else dice.randrange(rules.players)
    past = sum(lengths[:deal]) + ply
    state = again.deals[deal].states[ply]
    others = [*deals[:deal], redealt(state, viewer, dice)]
    others += [_deal(rules, dice, number) for number in range(deal + 1, len(deals))]
    other_plan = msgspec.structs.replace(plan, deals=others)

    def answer(number: int, question: Question) -> Step:
        if number >= past:
            return mixed(dice, question)
        return repeated(dice, question, steps[number], viewer, steps[number:past])

    try:
        _, other_log = played(other_plan, answer)
    except Impossible:
        return None
    if told(again, deal, ply) != told(play_again(other_plan, other_log), deal, ply):
        return None
    place = Place(deal, ply, viewer)
    return Alike((plan, other_plan), (log, other_log), place, others[deal] != deals[deal])


def stored(plan: MatchPlan, log: bytes) -> ReplayedMatch:
    """A match of a league, whose bots have written to stderr, too."""
    again = play_again(plan, log)
    players = plan.rules.players
    said = tuple(f"{CANARY}{bot} on stderr\n" for bot in BOTS[:players])
    results = again.match.results()
    record = MatchRecord(results=results, log=log, stderr=said, isolation="none")
    return ReplayedMatch(
        *msgspec.structs.astuple(again),
        league="L",
        number=7,
        bots=BOTS[:players],
        first=0,
        record=record,
    )


def played(plan: MatchPlan, answer: Answer) -> tuple[list[Step], bytes]:
    """A match in order: every question with what came of it, and the log."""
    steps: list[Step] = []
    match, log = Match(plan, in_order=True), LogWriter()

    def answered(question: Question) -> Outcome:
        steps.append(answer(len(steps), question))
        return steps[-1].outcome

    readies = (ASKS_ALL,) * plan.rules.players
    log.start(readies)
    for command in play_through(match, readies, answered):
        if isinstance(command, PlayedDeal):
            log.deal(command)
    return steps, log.close()


def mixed(dice: random.Random, question: Question) -> Step:
    """An answer by chance, often with a note; now and then a wrong one, or none."""
    words = private_words(dice, question.seat)
    if dice.random() < 0.02:
        return Step(question, Failed("timeout", words, 5, stderr=words), False)
    wrong = wrong_answer(dice, question.request) if dice.random() < 0.1 else None
    reply = wrong or by_chance(dice, question.request)
    if isinstance(question.request, AskBid) and wrong is None and dice.random() < 0.5:
        reply = BidReply(id=reply.id, bid="pass")  # else hardly ever all would pass
    if isinstance(question.request, AskPlay) and question.request.may_offer and not wrong:
        reply = PlayReply(id=reply.id, offer=True) if dice.random() < 0.2 else reply
    if dice.random() < 0.2:
        reply = msgspec.structs.replace(reply, note=words)
    return Step(question, Said(reply, 7, stderr=words), wrong is not None)


def private_words(dice: random.Random, seat: Seat) -> str:
    return f"{CANARY}{BOTS[seat]}: {dice.random()}"


def wrong_answer(dice: random.Random, request: AnyRequest) -> AnyReply | None:
    """An answer that the rules do not allow; None where they allow any."""
    number = request.id
    match request:
        case AskPlay():
            held = [card for card in request.hand if card not in request.legal]
            cards = held or [card for card in NAMES if card not in request.hand]
            return PlayReply(id=number, card=dice.choice(cards))
        case AskDiscard():
            first, second = dice.sample([card for card in NAMES if card not in request.hand], 2)
            return DiscardReply(id=number, cards=(first, second))
        case AskBid():
            return BidReply(id=number, bid=f"bid {dice.random():.6}")
        case AskTalon():
            return TalonReply(id=number, choice=f"burn {dice.random():.6}")
    return None


def repeated(
    dice: random.Random, question: Question, step: Step, viewer: Seat, rest: list[Step]
) -> Step:
    """What a seat did, as far as the viewer could see it. Raises `Impossible`."""
    if _kind(question) != _kind(step.question):
        raise Impossible
    if question.seat == viewer:
        return Step(question, step.outcome, step.wrong)
    words, us = private_words(dice, question.seat), dice.randrange(1_000_000)
    if isinstance(step.outcome, Failed):
        outcome = msgspec.structs.replace(step.outcome, detail=words, us=us, stderr=words)
        return Step(question, outcome, False)
    reply = step.outcome.reply
    if step.wrong:
        reply = wrong_answer(dice, question.request) or reply
    elif isinstance(question.request, AskDiscard):
        reply = hidden_discard(question.request, reply, rest)
    reply = msgspec.structs.replace(reply, note=None if dice.random() < 0.5 else words)
    return Step(question, Said(reply, us, stderr=words), step.wrong)


def hidden_discard(request: AskDiscard, before: AnyReply, rest: list[Step]) -> AnyReply:
    """The same discard if it can be, or two other cards that the seat does not play later."""
    assert isinstance(before, DiscardReply)
    if set(before.cards) <= set(request.hand):
        return before
    replies = [step.outcome.reply for step in rest if isinstance(step.outcome, Said)]
    laid = {reply.card for reply in replies if isinstance(reply, PlayReply)}
    first, second, *_ = (card for card in request.hand if card not in laid)
    return DiscardReply(id=request.id, cards=(first, second))


def redealt(state: State, viewer: Seat, dice: random.Random) -> Deal:
    """Another deal that looks the same to a viewer: hidden cards change places."""
    hidden = view.hidden(state, viewer)
    cards = list(members(hidden))
    dice.shuffle(cards)
    hands: list[Cards] = []
    for hand in state.deal.hands:
        free = (hand & hidden).bit_count()
        hands.append((hand & ~hidden) | mask(cards[:free]))
        cards = cards[free:]
    first, second = (cards.pop() if hidden >> card & 1 else card for card in state.deal.talon)
    return Deal(state.deal.dealer, tuple(hands), (first, second))


def told(again: Replayed, deal: int, ply: int) -> list[object]:
    """What happened before a moment in everybody's sight, why anybody faulted left aside."""
    found: list[SeenDeal] = list(map(seen_deal, again.deals))
    moments = [each.moments for each in found[:deal]] + [found[deal].moments[:ply]]
    return [
        (event.seat, event.fault) if isinstance(event, FaultSeen) else event
        for each in moments
        for moment in each
        for event in moment.events
    ]


def _deal(rules: Rules, dice: random.Random, number: int) -> Deal:
    return from_deck(shuffled(f"alike {dice.random()}"), rules, number % rules.players)


def _kind(question: Question) -> tuple[int, Seat, type, bool]:
    request = question.request
    return request.deal, question.seat, type(request), isinstance(question.line, Refused)
