"""The guided first deals: how `arena/viewer/src/play/lessons.json` is made.

Three stacked deals are played by the arena's own engine, each card by a script, from the seat of
the newcomer, who is forehand. What the seat was sent is kept, and where the coach says what. The
newcomer answers only where the coach asks; what follows another question joins the next line.
"""

from itertools import chain
from typing import Final, Literal

import msgspec

from arena.match.commands import Failed
from arena.match.log import answer_from
from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskBid,
    AskDiscard,
    CardPlayed,
    ContractMade,
    DealEnd,
    Hello,
    Limits,
    Ready,
    Request,
    ToBot,
    TrickTaken,
)
from arena.zole.cards import INDEX, mask, points
from arena.zole.deal import Seat, read_deal
from arena.zole.rules import preset
from tests.support.scripted import Driven, drive, plan_of

Moment = int | Literal["bid", "discard", "end"]
Line = dict[str, object]
Asked = Request | DealEnd

NEWCOMER: Final[Seat] = 0


class Beat(msgspec.Struct, frozen=True):
    """What the coach says at a moment: after so many cards, at a question, or at a deal's end.

    It points at cards or at parts of the table, and may show all trumps in their order. Where it
    asks for an `answer`, `instead` has what it says to others, and by "" to all that are not named.
    """

    at: Moment
    message: str
    points: str = ""
    answer: str = ""
    instead: dict[str, str] = {}
    trumps: bool = False


class Lesson(msgspec.Struct, frozen=True):
    """A deal: as it is dealt, what seats bid, what is laid aside, the tricks, and the coach."""

    deal: str
    bids: str
    aside: str
    tricks: tuple[str, ...]
    coach: tuple[Beat, ...]


LESSONS: Final = (
    # All pass. What is a trump, who takes a trick, what may be played; few tricks are wanted.
    Lesson(
        "2|QD.9D.8D.7D.AS.9S.AH.KH|QS.JC.AD.TD.KD.TS.TH.TC|QH.JS.JH.JD.9H.KC.9C.KS|QC.AC",
        "pass pass pass",
        "",
        (
            "9S TS KS",
            "TH 9H KH",
            "TC 9C AS",
            "KD JD 9D",
            "KC AH TD",
            "AD JS 8D",
            "JH 7D JC",
            "QS QH QD",
        ),
        (
            Beat("bid", "coach-welcome", "hand talon"),
            Beat("bid", "coach-trick"),
            Beat(0, "coach-passed", "left right"),
            Beat(0, "coach-trumps", "QD 9D 8D 7D", trumps=True),
            Beat(0, "coach-suits"),
            Beat(
                0,
                "coach-lead-low",
                "9S",
                "9S",
                {
                    "": "coach-suit-first",
                    "AS": "coach-no-ace",
                    "AH": "coach-no-ace",
                    "KH": "coach-lead-lower",
                },
            ),
            Beat(3, "coach-highest", "TS"),
            Beat(5, "coach-follow", "TH KH", "KH", {"": "coach-ace-wins"}),
            Beat(
                8,
                "coach-void",
                "AS",
                "AS",
                {"": "coach-trump-takes", "AH": "coach-other-ace"},
            ),
            Beat(9, "coach-off-suit", "TC"),
            Beat(
                11,
                "coach-trump-led",
                "9D",
                "9D",
                {"": "coach-lower-later", "QD": "coach-queen-takes"},
            ),
            Beat(12, "coach-rest", "JD"),
            Beat(15, "coach-trumped", "TD"),
            Beat(24, "coach-queens", "QS"),
            Beat("end", "coach-end-few"),
            Beat("end", "coach-end-tie"),
        ),
    ),
    # A defender: the points of cards, what is given to a partner, what is taken from the declarer.
    Lesson(
        "2|JH.TD.9D.8D.7D.AC.9C.9H|QS.QH.JC.AD.AS.TS.AH.TH|QC.QD.JS.JD.TC.KS.9S.KH|KD.KC",
        "pass ordinary",
        "TS.TH",
        (
            "AC KC TC",
            "9H AH KH",
            "QH QC TD",
            "KS JH AS",
            "9D JC QD",
            "9S 9C KD",
            "AD JD 7D",
            "JS 8D QS",
        ),
        (
            Beat("bid", "coach-pass", "bid", "pass", {"": "coach-too-weak"}),
            Beat(0, "coach-partners", "left"),
            Beat(0, "coach-exchanged", "left right"),
            Beat(0, "coach-points"),
            Beat(0, "coach-sides", "score"),
            Beat(0, "coach-plus", "score"),
            Beat(0, "coach-lead-ace", "AC", "AC", {"": "coach-why-ace"}),
            Beat(3, "coach-partner-gave", "AC TC"),
            Beat(
                3,
                "coach-lead-nothing",
                "9H",
                "9H",
                {"": "coach-why-nothing", "9C": "coach-other-nine"},
            ),
            Beat(6, "coach-had-ace", "AH"),
            Beat(8, "coach-give", "QC TD", "TD", {"": "coach-partner-has-it"}),
            Beat(
                10,
                "coach-take",
                "JH",
                "JH",
                {"": "coach-jack-safer", "9C": "coach-trump-it"},
            ),
            Beat(12, "coach-took", "JH AS"),
            Beat(15, "coach-defended", "score"),
            Beat("end", "coach-end-defended"),
            Beat("end", "coach-end-worse"),
        ),
    ),
    # The declarer: what is worth a bid, the talon, what is laid aside, how trumps are drawn.
    Lesson(
        "2|QC.QS.AD.8D.7D.AS.9C.TH|QH.JS.JD.KD.TS.AC.AH.9H|QD.JC.JH.TD.KS.9S.TC.KC|9D.KH",
        "ordinary",
        "TH.KH",
        (
            "QC KD TD",
            "QS JD JH",
            "AS TS KS",
            "9C AC KC",
            "AH JC 7D",
            "QD 8D JS",
            "9S 9D QH",
            "9H TC AD",
        ),
        (
            Beat("bid", "coach-strong", "QC QS AD 8D 7D AS"),
            Beat("bid", "coach-talon", "talon"),
            Beat(
                "bid",
                "coach-bid",
                "bid",
                "ordinary",
                {"pass": "coach-too-strong", "solo": "coach-no-solo"},
            ),
            Beat("discard", "coach-discard", "TH KH", "TH.KH", {"": "coach-why-hearts"}),
            Beat(0, "coach-draw", "QC", "QC", {"": "coach-why-draw", "QS": "coach-highest-first"}),
            Beat(3, "coach-draw-again", "QS", "QS", {"": "coach-why-again"}),
            Beat(6, "coach-cash", "AS", "AS", {"": "coach-why-cash"}),
            Beat(9, "coach-made", "score"),
            Beat("end", "coach-end-made"),
            Beat("end", "coach-end-zole"),
            Beat("end", "coach-end-more"),
        ),
    ),
)


def driven() -> Driven:
    """All lessons in one match. Fails where a script breaks the rules."""
    rules = preset()
    deals = [read_deal(each.deal, rules.players) for each in LESSONS]
    plan = msgspec.structs.replace(plan_of(rules, deals), limits=Limits(None, None, 65536))
    words = [
        chain(each.bids.split(), filter(None, [each.aside]), " ".join(each.tricks).split())
        for each in LESSONS
    ]

    def answer(_: Seat, request: AnyRequest) -> AnyReply | Failed:
        return answer_from(next(words[request.deal]), request)

    match = drive(plan, answer, Ready(1))
    assert not any(game.faults for game in match.games)
    return match


def played() -> list[ToBot]:
    """What the newcomer's seat is sent."""
    return driven().lines_to(NEWCOMER)


def lessons_file() -> bytes:
    """The greeting, and for each deal its lines to the newcomer and what the coach says."""
    hello, *lines = played()
    assert isinstance(hello, Hello)
    greeting = {"type": "hello", "rules": hello.rules, "limits": hello.limits, "players": 3}
    of_deals: list[list[Asked]] = [[] for _ in LESSONS]
    for line in lines:
        if isinstance(line, Request | DealEnd):
            of_deals[line.deal].append(line)
    deals = [_deal(*each) for each in zip(LESSONS, of_deals, strict=True)]
    return msgspec.json.format(msgspec.json.encode({"hello": greeting, "deals": deals})) + b"\n"


def _deal(lesson: Lesson, lines: list[Asked]) -> Line:
    """The lines at which the coach asks, and the last; each has what happened since."""
    answered = {beat.at for beat in lesson.coach if beat.answer} | {"end"}
    events: list[AnyEvent] = []
    kept, told = [], 0
    for line in lines:
        events += line.events
        if _moment(line, events) in answered:
            kept.append(msgspec.structs.replace(line, events=tuple(events[told:])))
            told = len(events)
    return {"lines": kept, "coach": [_beat(beat, lesson, events) for beat in lesson.coach]}


def _moment(line: Asked, events: list[AnyEvent]) -> Moment:
    match line:
        case AskBid():
            return "bid"
        case AskDiscard():
            return "discard"
        case DealEnd():
            return "end"
    return sum(isinstance(event, CardPlayed) for event in events)


def _beat(beat: Beat, lesson: Lesson, events: list[AnyEvent]) -> Line:
    """A beat after so many events, None for the end, with the points of the newcomer's side."""
    begun, contract = next(
        (number, event) for number, event in enumerate(events, 1) if isinstance(event, ContractMade)
    )
    at: int | None
    choice: Line
    match beat.at:
        case "bid":
            at, choice = 1, {"bid": beat.answer}
        case "discard":
            at, choice = begun, {"cards": beat.answer.split(".")}
        case "end":
            at, choice = None, {}
        case cards:  # a trick is an event, too
            at, choice = begun + cards + cards // 3, {"card": beat.answer}
    return {
        "at": at,
        "message": beat.message,
        "points": beat.points.split(),
        "count": _count(contract.declarer, lesson, events[:at]),
        **({"trumps": True} if beat.trumps else {}),
        **({"answer": choice, "instead": beat.instead} if beat.answer else {}),
    }


def _count(declarer: Seat | None, lesson: Lesson, events: list[AnyEvent]) -> int:
    """The points of the newcomer's side: its own alone, or all that are not the declarer's."""
    alone = declarer in (None, NEWCOMER)
    taken = [event for event in events if isinstance(event, TrickTaken)]
    own = sum(
        trick.points
        for trick in taken
        if (trick.winner == NEWCOMER if alone else trick.winner != declarer)
    )
    aside = lesson.aside.split(".") if declarer == NEWCOMER else []
    return own + points(mask(INDEX[card] for card in aside))
