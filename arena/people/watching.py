"""The view of a person's table for watchers: events told to all, and a deal once it is over.

It is made from the person's lines and is never ahead of them: the person knows all of it.
"""

from typing import Any

import msgspec

from arena.base.words import deal_name
from arena.match.wire import AnyEvent, AnyRequest, Bye, DealEnd, Dealt, Hello, message_in
from arena.people.heard import Heard, begun, ended, happened
from arena.people.terminal_words import (
    card_words,
    cards_of,
    event_words,
    pools_words,
    result_words,
    short_name,
    totals_words,
)


class Watching:
    """The lines of one seat, turned into those for watchers."""

    def __init__(self) -> None:
        self._heard: Heard | None = None

    def hear(self, line: bytes) -> bytes | None:
        """The line for watchers in place of a line to the seat; None if there is none.

        Each is an object of JSON with `type` (`hello`, `told`, `deal_end`, `bye`) and `words`:
        sentences. `told` and `deal_end` have the deal's number and its `events`, as all seats are
        told them; `deal_end` has the `result`, as the protocol has it.
        """
        match message_in(line):
            case Hello() as hello:
                self._heard = begun(hello)
                return _line("hello", (), rules=hello.rules, players=hello.players)
            case DealEnd() as end:
                words = [each for event in end.events for each in self._told(event)]
                self._heard = ended(self._now(), end)
                words += self._ended(end)
                return _line(
                    "deal_end", words, deal=end.deal, events=_events(end.events), result=end.result
                )
            case Bye():
                return _line("bye", ("The match is over.",))
            case said if isinstance(said, AnyRequest) and said.events:
                words = [each for event in said.events for each in self._told(event)]
                return _line("told", words, deal=said.deal, events=_events(said.events))
        return None

    def _now(self) -> Heard:
        assert self._heard is not None
        return self._heard

    def _told(self, event: AnyEvent) -> list[str]:
        """The sentences of an event, after which `_heard` includes it."""
        heard = self._now()
        self._heard = msgspec.structs.replace(happened(heard, event), seat=None)
        if isinstance(event, Dealt):
            pools = pools_words(self._heard, event.pools)
            said = f"{deal_name(event.deal).capitalize()}: seat {event.dealer} deals."
            return [f"{said} {pools}" if pools else said]
        words = event_words(heard, event, short_name)
        return [words] if words else []

    def _ended(self, end: DealEnd) -> list[str]:
        heard = self._now()
        hands = [
            f"{whose.capitalize()}: {card_words(cards, short_name)}."
            for whose, cards in cards_of(heard, end.result)
        ]
        return [*result_words(heard, end.result), *hands, totals_words(heard)]


def _events(events: tuple[AnyEvent, ...]) -> list[Any]:
    """Events as all seats are told them: without the seat of the reader, which a new deal tells."""
    found: list[Any] = msgspec.to_builtins(events)
    for each in found:
        if each["event"] == "deal":
            del each["seat"]
    return found


def _line(kind: str, words: object, **more: object) -> bytes:
    return msgspec.json.encode({"type": kind, "words": words, **more})
