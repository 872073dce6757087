"""Reduces a match to what a viewer may see.

`at` removes what had not happened yet, `seen_by` what a seat could not know,
`keep_private_text_of` what only authors may read: notes, stderr and the details of faults;
`essentials` removes what the replay page computes again. Every view of a match shows the result
and hides nothing itself.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from arena.match.commands import FAULT_WORDS, Failed, Said
from arena.match.log import LoggedFailure
from arena.match.logged import Answered
from arena.match.replay import HIDDEN, Layout, Moment, SeenDeal, SeenMatch
from arena.match.wire import CardPlayed, FaultKind, Ready, Refused, ToBot, TrickTaken
from arena.zole.deal import Seat
from arena.zole.view import Sight


def seen_by(match: SeenMatch, seat: Seat) -> SeenMatch:
    """The match as a seat may see it: at each moment the cards it knew then, and its own words."""
    match = keep_private_text_of(match, (seat,))
    deals = tuple(_deal_seen_by(deal, seat) for deal in match.deals)
    return msgspec.structs.replace(match, deals=deals)


def keep_private_text_of(match: SeenMatch, seats: Collection[Seat]) -> SeenMatch:
    """The match with notes, stderr and details of faults of only some seats' bots."""
    deals = tuple(
        msgspec.structs.replace(
            deal,
            moments=tuple(
                moment if moment.seat in seats else _without_words(moment)
                for moment in deal.moments
            ),
        )
        for deal in match.deals
    )
    kept = [said if seat in seats else "" for seat, said in enumerate(match.stderr)]
    return msgspec.structs.replace(match, deals=deals, stderr=tuple(kept) if any(kept) else ())


def public(match: SeenMatch) -> SeenMatch:
    """The match without anything private to its bots."""
    return keep_private_text_of(match, ())


def essentials(match: SeenMatch) -> dict[str, Any]:
    """The match as plain values, without what `layout.ts` and `match.ts` of the page find again.

    Those are tables after each request, cards played as they were answered, who took a trick, and
    hands once more at the end. Where the talon plays along, who takes a trick is left in: cards do
    not show where it begins. Seconds keep two digits, as many as are shown.
    """
    told: dict[str, Any] = msgspec.to_builtins(match)
    for deal, seen in zip(told["deals"], match.deals, strict=True):
        begin = deal.pop("begin")
        deal |= {"hands": begin["hands"], "talon": begin["talon"], "sees": begin["sees"]}
        del deal["result"]["hands"], deal["result"]["talon"]
        events = [event for moment in seen.moments for event in moment.events]
        talon_plays = any(isinstance(it, CardPlayed) and it.seat == "talon" for it in events)
        for moment, each in zip(deal["moments"], seen.moments, strict=True):
            sees = moment.pop("board").get("sees")
            if sees is not None:
                moment["sees"] = sees
            if each.seconds is not None:
                moment["seconds"] = float(f"{each.seconds:.2g}")
            kept = [it for it in each.events if talon_plays or not isinstance(it, TrickTaken)]
            if each.fault is None and kept[:1] == [CardPlayed(each.seat, each.answer or "")]:
                kept = kept[1:]
            del moment["id"], moment["events"]
            if kept:
                moment["events"] = msgspec.to_builtins(kept)
    return told


def plain(kind: FaultKind) -> LoggedFailure:
    """A failure in the arena's own words."""
    return LoggedFailure(kind, FAULT_WORDS[kind])


def exchange_without_words(line: ToBot, came: Answered) -> tuple[ToBot, Answered]:
    """A line to a bot and its answer, without words for its author alone."""
    if isinstance(line, Refused):
        line = msgspec.structs.replace(line, detail=FAULT_WORDS[line.fault])
    match came:
        case None | Ready():
            return line, came
        case Failed(kind):
            return line, msgspec.structs.replace(came, detail=FAULT_WORDS[kind], stderr="")
    return line, Said(msgspec.structs.replace(came.reply, note=None), us=0)


def _without_words(moment: Moment) -> Moment:
    return msgspec.structs.replace(
        moment,
        note=None,
        stderr="",
        fault=moment.fault and plain(moment.fault.kind),
        refused=moment.refused and plain(moment.refused.kind),
    )


def _deal_seen_by(deal: SeenDeal, seat: Seat) -> SeenDeal:
    """A seat that sits out is sent nothing before the deal is over, and then how it went."""
    sees = deal.begin.sees
    begin = _covered(deal.begin, sees[seat])
    if seat not in deal.active and deal.result is None:
        deal = msgspec.structs.replace(deal, first=(), moments=())
    moments: list[Moment] = []
    for moment in deal.moments:
        sees = moment.board.sees or sees
        board = _covered(moment.board, sees[seat])
        if moment.seat != seat:
            answer = moment.answer if moment.told is None else moment.told
            moment = msgspec.structs.replace(
                moment, answer=answer, seconds=None, told=None, refused=None
            )
        moments.append(msgspec.structs.replace(moment, board=board))
    return msgspec.structs.replace(deal, begin=begin, moments=tuple(moments))


def _covered(layout: Layout, sight: Sight) -> Layout:
    """The layout with every card face down except those that a viewer sees."""
    hands = tuple(
        hand if seat in sight.hands else _face_down(hand) for seat, hand in enumerate(layout.hands)
    )
    talon = ".".join(
        card if place in sight.talon else HIDDEN
        for place, card in enumerate(layout.talon.split("."))
    )
    discards = layout.discards if sight.discards else _face_down(layout.discards)
    return msgspec.structs.replace(layout, hands=hands, talon=talon, discards=discards, sees=())


def _face_down(cards: str) -> str:
    return ".".join(HIDDEN for _ in cards.split(".")) if cards else ""
