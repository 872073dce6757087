"""A match for the page that replays it: what was dealt and done, and not what follows from it."""

from itertools import chain
from typing import Any

import msgspec

from arena.match.replay import SeenDeal, SeenMatch
from arena.match.wire import AnyEvent, CardPlayed, TrickTaken
from arena.zole.cards import INDEX, mask, points, winner


def essentials(match: SeenMatch) -> dict[str, Any]:
    """The match as plain values, without what `layout.ts` and `match.ts` of the page find again.

    Those are tables after each request, cards played as they were answered, who took a trick, and
    hands once more at the end. Seconds keep two digits, as many as are shown.
    """
    told: dict[str, Any] = msgspec.to_builtins(match)
    for deal, seen in zip(told["deals"], match.deals, strict=True):
        begin = deal.pop("begin")
        deal |= {"hands": begin["hands"], "talon": begin["talon"], "sees": begin["sees"]}
        del deal["result"]["hands"], deal["result"]["talon"]
        taken = _Taken(seen)
        for moment, each in zip(deal["moments"], seen.moments, strict=True):
            del moment["id"]
            sees = moment.pop("board").get("sees")
            if sees is not None:
                moment["sees"] = sees
            if each.seconds is not None:
                moment["seconds"] = float(f"{each.seconds:.2g}")
            kept = [event for event in each.events if not taken.follows(event)]
            if each.fault is None and kept[:1] == [CardPlayed(each.seat, each.answer or "")]:
                kept = kept[1:]
            del moment["events"]
            if kept:
                moment["events"] = msgspec.to_builtins(kept)
    return told


class _Taken:
    """The tricks of a deal, by the cards that were laid.

    Where the talon plays along, who takes a trick is left in: cards do not tell where it begins.
    """

    def __init__(self, deal: SeenDeal) -> None:
        self._laid: list[CardPlayed] = []
        self._tricks = 0
        events = chain(deal.first, *(moment.events for moment in deal.moments))
        self._talon_plays = any(
            isinstance(each, CardPlayed) and each.seat == "talon" for each in events
        )

    def follows(self, event: AnyEvent) -> bool:
        """Whether an event, the next of its deal, tells of a trick what its cards tell."""
        if isinstance(event, CardPlayed):
            self._laid.append(event)
        if not isinstance(event, TrickTaken) or self._talon_plays:
            return False
        laid, self._laid, self._tricks = self._laid, [], self._tricks + 1
        cards = tuple(INDEX[each.card] for each in laid)
        return event == TrickTaken(self._tricks, laid[winner(cards)].seat, points(mask(cards)))
