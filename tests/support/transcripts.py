"""Whole deals line by line: how the golden transcripts in `protocol/transcripts` are made.

An entry is what the arena wrote to a seat, what a seat wrote, or how a seat failed to write.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, repeat

import msgspec

from arena.league.schedule import league_deals
from arena.match.commands import Failed, MatchPlan
from arena.match.log import answer_from
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    FaultKind,
    FromBot,
    Ready,
    decode,
    reply_to,
)
from arena.zole.cards import NAMES
from arena.zole.rules import preset
from tests.support.scripted import ASKS_ALL, drive, plan_of

Line = dict[str, object]
Answerer = Callable[[AnyRequest], AnyReply | Failed]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a transcript; exactly one of `to` and `by` is given."""

    to: int | None = None
    by: int | None = msgspec.field(default=None, name="from")
    line: Line | None = None
    fails: FaultKind | None = None


class Script(msgspec.Struct, frozen=True):
    """A deal of a practice league, its number choosing the cards, and how each seat plays it.

    `unready` is the seat that does not greet, if one does not.
    """

    deal: int
    seats: tuple[Answerer, ...]
    rules: str = "pagat"
    unready: int | None = None

    def plan(self) -> MatchPlan:
        """The match."""
        rules = preset(self.rules, {"players": len(self.seats)})
        names = tuple("abcde"[: rules.players])
        return plan_of(rules, league_deals(rules, "1", names, self.deal, 1))

    def ready(self) -> tuple[Ready | Failed, ...]:
        """How each seat greets."""
        late = Failed("unready", "scripted")
        return tuple(late if seat == self.unready else ASKS_ALL for seat in range(len(self.seats)))


def record(
    plan: MatchPlan, seats: Sequence[Answerer], ready: tuple[Ready | Failed, ...]
) -> list[Entry]:
    """Play a match of scripted seats and note every line."""

    def entry(seat: int, what: object) -> Entry:
        if isinstance(what, Failed):
            return Entry(by=seat, fails=what.kind)
        line = as_line(what)
        return Entry(by=seat, line=line) if isinstance(what, FromBot) else Entry(to=seat, line=line)

    exchange = drive(plan, lambda seat, request: seats[seat](request), ready).exchange
    return [entry(seat, what) for seat, what in exchange]


def play_back(script: Script, entries: list[Entry]) -> list[Entry]:
    """Play a transcript's own answers and note every line again."""
    plan = script.plan()
    said = [entry for entry in entries if entry.by is not None][plan.rules.players :]
    answers = iter(said)

    def answer(request: AnyRequest) -> AnyReply | Failed:
        entry = next(answers)
        if entry.fails is not None:
            return Failed(entry.fails, "scripted")
        return reply_to(request, decode(msgspec.json.encode(entry.line)))

    return record(plan, [answer] * plan.rules.players, script.ready())


def as_line(message: object) -> Line:
    """A message as the JSON object it is, what an answer need not say left out."""
    line: Line = msgspec.json.decode(msgspec.json.encode(message))
    if isinstance(message, FromBot):
        needless: Line = {"offer": False, "tables": 1}
        line = {key: value for key, value in line.items() if value not in (None, needless.get(key))}
    return line


def simple_reply(bid_from: int, request: AnyRequest) -> AnyReply:
    """Bids the ordinary game on some number of trumps, and plays what comes first."""
    match request:
        case AskBid():
            trumps = sum(card[0] in "QJ" or card[1] == "D" for card in request.hand)
            bids = trumps >= bid_from and "ordinary" in request.legal
            word = "ordinary" if bids else "pass"
        case AskTalon():
            word = "take"
        case AskDiscard():
            word = ".".join(request.hand[-2:])
        case AskPlay():
            word = request.legal[0]
        case _:
            word = "no"
    return answer_from(word, request)


def simple(bid_from: int = 5) -> Answerer:
    """A seat that plays so."""
    return partial(simple_reply, bid_from)


def except_at(kind: type[AnyRequest], answer: Answerer | str, otherwise: Answerer) -> Answerer:
    """A seat that answers one kind of request in its own way, or with a word of the log."""

    def own(request: AnyRequest) -> AnyReply | Failed:
        return answer_from(answer, request) if isinstance(answer, str) else answer(request)

    return lambda request: (own if isinstance(request, kind) else otherwise)(request)


def illegal_card(request: AnyRequest) -> AnyReply:
    """The first card of the deck that is not in the hand."""
    assert isinstance(request, AskPlay)
    return answer_from(next(card for card in NAMES if card not in request.hand), request)


def offer(request: AnyRequest) -> AnyReply:
    assert isinstance(request, AskPlay)
    return answer_from("offer" if request.may_offer else request.legal[0], request)


def slip() -> Answerer:
    """A seat that plays a card it does not hold, once, and then does as it should."""
    answers = chain([illegal_card], repeat(simple()))
    return lambda request: next(answers)(request)


def failing(kind: FaultKind) -> tuple[Answerer, ...]:
    """Three seats of which the first fails at its first card."""
    return (except_at(AskPlay, lambda _: Failed(kind, "scripted"), simple()), simple(), simple())


def transcripts() -> dict[str, Script]:
    """Each golden transcript's script, made anew: some seats remember what they have done."""
    never, offering = simple(9), except_at(AskPlay, offer, simple(9))
    return {
        "ordinary_win": Script(0, (simple(),) * 3),
        "solo": Script(3, (except_at(AskBid, "solo", never), never, never)),
        "all_pass": Script(2, (never,) * 3),
        "surrender": Script(0, (except_at(AskSurrender, "yes", simple(4)), never, never)),
        "refused_offer": Script(12, (simple(4), offering, never)),
        "accepted_offer": Script(12, (except_at(AskOffer, "yes", simple(4)), offering, never)),
        "blind": Script(0, (except_at(AskBlind, "yes", simple(4)),) * 3, "lzsf"),
        "talon_taken": Script(0, (simple(4),) * 3, "lzsf"),
        "talon_given": Script(0, (except_at(AskTalon, "give", simple(4)),) * 3, "lzsf"),
        "four_at_the_table": Script(0, (simple(),) * 4),
        "corrected": Script(
            3, (except_at(AskPlay, slip(), simple()), simple(), simple()), "piedalies"
        ),
        "illegal_card": Script(3, (except_at(AskPlay, illegal_card, simple()), simple(), simple())),
        "malformed": Script(3, failing("malformed")),
        "timeout": Script(4, failing("timeout")),
        "crash": Script(5, failing("exited")),
        "flooded": Script(3, failing("flooded")),
        "resource": Script(3, failing("resource")),
        "unready": Script(
            3, (simple(), lambda _: Failed("unready", "scripted"), simple()), unready=1
        ),
    }


TRANSCRIPTS = tuple(transcripts())


def transcript(name: str) -> bytes:
    """The content of a golden transcript."""
    script = transcripts()[name]
    entries = record(script.plan(), script.seats, script.ready())
    return b"\n".join(map(msgspec.json.encode, entries)) + b"\n"
