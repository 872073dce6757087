"""Why a step of a check failed, with the last lines between the bot and the arena before that."""

import json
from collections.abc import Iterator

import msgspec

from arena.match.commands import Failed
from arena.match.logged import Answered
from arena.match.wire import AnyReply, Ready, ToBot

LINES_SHOWN = 6
"""Lines of a transcript shown before a failure."""


class CheckFailed(Exception):
    """The bot failed a step: why, the last lines before that, and what it wrote to stderr."""

    def __init__(self, why: str, show: tuple[str, ...] = (), stderr: str = "") -> None:
        super().__init__(why)
        self.why, self.show, self.stderr = why, show, stderr


def last_lines(lines: Iterator[tuple[ToBot, Answered]]) -> tuple[str, ...]:
    """The last lines up to the first failure, as `> to the bot` and `< from it`."""
    shown: list[str] = []
    for line, answer in lines:
        shown.append("> " + msgspec.json.encode(line).decode())
        if isinstance(answer, Failed):
            shown.append(f"! {answer.kind}: {answer.detail}")
            break
        if answer is not None:
            shown.append("< " + answer_line(answer))
    return tuple(shown[-LINES_SHOWN:])


def answer_line(answer: Ready | AnyReply) -> str:
    """An answer as a line of JSON, its type and id first, without fields that say nothing."""
    fields = {key: value for key, value in msgspec.to_builtins(answer).items() if value is not None}
    front = {key: fields.pop(key) for key in ("type", "id") if key in fields}
    return json.dumps({**front, **fields}, separators=(",", ":"))
