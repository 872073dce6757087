"""The view of a person's table for watchers: events told to all, and a deal once it is over.

It is made from the person's lines and is never ahead of them: the person knows all of it.
"""

from typing import Any

import msgspec

from arena.match.wire import AnyEvent, AnyRequest, Bye, DealEnd, Hello, message_in


def watched(line: bytes) -> bytes | None:
    """The line for watchers in place of a line to the seat; None if there is none.

    Each is an object of JSON with a `type`: `hello`, `told`, `deal_end`, `bye`. `told` and
    `deal_end` have the deal's number and its `events`, as all seats are told them; `deal_end` has
    the `result`, as the protocol has it.
    """
    match message_in(line):
        case Hello(rules=rules, players=players):
            return _line("hello", rules=rules, players=players)
        case DealEnd(deal=deal, events=events, result=result):
            return _line("deal_end", deal=deal, events=_events(events), result=result)
        case Bye():
            return _line("bye")
        case said if isinstance(said, AnyRequest) and said.events:
            return _line("told", deal=said.deal, events=_events(said.events))
    return None


def _events(events: tuple[AnyEvent, ...]) -> list[Any]:
    """Events as all seats are told them: without the seat of the reader, which a new deal tells."""
    found: list[Any] = msgspec.to_builtins(events)
    for each in found:
        if each["event"] == "deal":
            del each["seat"]
    return found


def _line(kind: str, **more: object) -> bytes:
    return msgspec.json.encode({"type": kind, **more})
