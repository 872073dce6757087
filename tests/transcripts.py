"""Whole deals line by line: how the golden transcripts in `protocol/transcripts` are made.

An entry is what the arena wrote to a seat, what a seat wrote, or how a seat failed to write.
"""

from collections.abc import Callable

import msgspec

from arena.messages import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    BidReply,
    DiscardReply,
    FaultKind,
    FromBot,
    OfferReply,
    PlayReply,
    SurrenderReply,
    decode,
    reply_to,
)
from arena.procedure import Failed, MatchPlan
from arena.schedule import league_deals
from arena.zole.rules import preset
from tests.scripted import drive, plan_of

Line = dict[str, object]
Answerer = Callable[[AnyRequest], AnyReply | Failed]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a transcript; exactly one of `to` and `by` is given."""

    to: int | None = None
    by: int | None = msgspec.field(default=None, name="from")
    line: Line | None = None
    fails: FaultKind | None = None


def plan_for(deal: int) -> MatchPlan:
    """A match of one deal of a practice league, its number choosing the cards."""
    return plan_of(deals=league_deals(preset(), "1", ("a", "b", "c"), deal, 1))


def record(plan: MatchPlan, seats: list[Answerer]) -> list[Entry]:
    """Play a match of scripted seats and note every line."""
    entries: list[Entry] = []
    for seat, what in drive(plan, lambda seat, request: seats[seat](request)).exchange:
        if isinstance(what, Failed):
            entries.append(Entry(by=seat, fails=what.kind))
        elif isinstance(what, FromBot):
            entries.append(Entry(by=seat, line=as_line(what)))
        else:
            entries.append(Entry(to=seat, line=as_line(what)))
    return entries


def play_back(plan: MatchPlan, entries: list[Entry]) -> list[Entry]:
    """Play a transcript's own answers and note every line again."""
    said = [entry for entry in entries if entry.by is not None][plan.rules.players :]
    answers = iter(said)

    def answer(request: AnyRequest) -> AnyReply | Failed:
        entry = next(answers)
        if entry.fails is not None:
            return Failed(entry.fails, "scripted")
        return reply_to(request, decode(msgspec.json.encode(entry.line)))

    return record(plan, [answer] * plan.rules.players)


def as_line(message: object) -> Line:
    """A message as the JSON object it is, what an answer need not say left out."""
    line: Line = msgspec.json.decode(msgspec.json.encode(message))
    if isinstance(message, FromBot):
        needless: Line = {"offer": False, "tables": 1}
        line = {key: value for key, value in line.items() if value not in (None, needless.get(key))}
    return line


def simple(bid_from: int = 5) -> Answerer:
    """A seat that bids the ordinary game on some number of trumps, and plays what comes first."""

    def answer(request: AnyRequest) -> AnyReply:
        match request:
            case AskBid():
                trumps = sum(card[0] in "QJ" or card[1] == "D" for card in request.hand)
                return BidReply(id=request.id, bid="ordinary" if trumps >= bid_from else "pass")
            case AskDiscard():
                return DiscardReply(id=request.id, cards=(request.hand[-2], request.hand[-1]))
            case AskPlay():
                return PlayReply(id=request.id, card=request.legal[0])
            case AskSurrender():
                return SurrenderReply(id=request.id, surrender=False)
            case AskOffer():
                return OfferReply(id=request.id, accept=False)
        raise AssertionError(request)

    return answer


def except_at(kind: type[AnyRequest], answer: Answerer, otherwise: Answerer) -> Answerer:
    """A seat that answers one kind of request in its own way."""
    return lambda request: (answer if isinstance(request, kind) else otherwise)(request)


def illegal_card(request: AnyRequest) -> AnyReply:
    """The first card of the deck that is not in the hand."""
    assert isinstance(request, AskPlay)
    card = "QC" if "QC" not in request.hand else "QS" if "QS" not in request.hand else "QH"
    return PlayReply(id=request.id, card=card)


def solo(request: AnyRequest) -> AnyReply:
    return BidReply(id=request.id, bid="solo")


def surrender(request: AnyRequest) -> AnyReply:
    return SurrenderReply(id=request.id, surrender=True)


def offer(request: AnyRequest) -> AnyReply:
    assert isinstance(request, AskPlay)
    if request.may_offer:
        return PlayReply(id=request.id, offer=True)
    return PlayReply(id=request.id, card=request.legal[0])


TRANSCRIPTS: dict[str, tuple[int, list[Answerer]]] = {
    "ordinary_win": (0, [simple(), simple(), simple()]),
    "solo": (3, [except_at(AskBid, solo, simple(9)), *[simple(9)] * 2]),
    "all_pass": (2, [simple(9)] * 3),
    "illegal_card": (3, [except_at(AskPlay, illegal_card, simple()), simple(), simple()]),
    "timeout": (
        4,
        [except_at(AskPlay, lambda _: Failed("timeout", "scripted"), simple()), simple(), simple()],
    ),
    "crash": (
        5,
        [except_at(AskPlay, lambda _: Failed("exited", "scripted"), simple()), simple(), simple()],
    ),
    "surrender": (0, [except_at(AskSurrender, surrender, simple(4)), simple(9), simple(9)]),
    "refused_offer": (12, [simple(4), except_at(AskPlay, offer, simple(9)), simple(9)]),
}
"""Each transcript's deal and seats."""


def transcript(name: str) -> bytes:
    """The content of a golden transcript."""
    deal, seats = TRANSCRIPTS[name]
    lines = [msgspec.json.encode(entry) for entry in record(plan_for(deal), seats)]
    return b"\n".join(lines) + b"\n"
