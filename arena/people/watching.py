"""The view of a person's table for watchers: events told to all, and a deal once it is over.

It is made from the person's lines and is never ahead of them: the person knows all of it.
"""

from typing import Any, Final

import msgspec

from arena.base.language import ENGLISH, Language
from arena.match.wire import AnyEvent, AnyRequest, Bye, DealEnd, Hello, message_in
from arena.people.heard import Heard, begun, ended, happened
from arena.people.terminal_words import event_words, hands_words, result_words, totals_words

_ENGLISH: Final = Language(ENGLISH, short_cards=True)


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
                words = [self._told(event) for event in end.events]
                self._heard = ended(self._now(), end)
                words += self._ended(end)
                return _line(
                    "deal_end", words, deal=end.deal, events=_events(end.events), result=end.result
                )
            case Bye():
                return _line("bye", (_ENGLISH.say("match-over-plain"),))
            case said if isinstance(said, AnyRequest) and said.events:
                words = [self._told(event) for event in said.events]
                return _line("told", words, deal=said.deal, events=_events(said.events))
        return None

    def _now(self) -> Heard:
        assert self._heard is not None
        return self._heard

    def _told(self, event: AnyEvent) -> str:
        """The words for an event, after which `_heard` includes it."""
        self._heard = msgspec.structs.replace(happened(self._now(), event), seat=None)
        return event_words(_ENGLISH, self._heard, event)

    def _ended(self, end: DealEnd) -> list[str]:
        heard, result = self._now(), end.result
        return [
            *result_words(_ENGLISH, heard, result),
            *hands_words(_ENGLISH, heard, result),
            totals_words(_ENGLISH, heard),
        ]


def _events(events: tuple[AnyEvent, ...]) -> list[Any]:
    """Events as all seats are told them: without the seat of the reader, which a new deal tells."""
    found: list[Any] = msgspec.to_builtins(events)
    for each in found:
        if each["event"] == "deal":
            del each["seat"]
    return found


def _line(kind: str, words: object, **more: object) -> bytes:
    return msgspec.json.encode({"type": kind, "words": words, **more})
