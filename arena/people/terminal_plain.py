"""A person plays line by line: for screen readers, for pipes, for terminals that cannot draw."""

from collections import deque
from collections.abc import Callable, Iterable

from rich.console import Console
from rich.text import Text

from arena.people.terminal_lines import Lines
from arena.people.terminal_news import (
    Conversation,
    Hint,
    Line,
    Stopped,
    Stream,
    Typed,
    news,
)

Say = Callable[[Iterable[str]], None]


async def play_in_lines(conversation: Conversation, out: Console) -> bool:
    """Play a match by printed and typed lines; return whether it came to its end.

    What is typed ahead answers the questions that follow. The end of the input leaves the match as
    soon as something is asked.
    """
    told = Lines()
    gone = False

    def say(lines: Iterable[str]) -> None:
        nonlocal gone
        try:
            for line in lines:
                out.print(Text(line), soft_wrap=True)
        except SystemExit:  # this is how rich says that the reader of a pipe has left
            gone = True

    async with news(conversation, _lines_in) as stream:
        typed: deque[str | None] = deque()
        while not (told.over or gone):
            match await stream.next(float("inf")):
                case Line(None) | Stopped():
                    break
                case Line(line) if line is not None:
                    say(told.hear(line))
                    if told.ready is not None:
                        await stream.send(told.ready)
                        told.ready = None
                case Typed(text):
                    typed.append(text)
                case Hint(reply):
                    say([told.hinted(reply)])
                case _:
                    pass
            if not await _answered(told, typed, stream, say):
                break
    if not told.over:
        say(["You have left the match."])
    return told.over


async def _answered(told: Lines, typed: deque[str | None], stream: Stream, say: Say) -> bool:
    """Take what was typed as answers while something is asked; return whether the person stays."""
    while told.asked is not None and typed:
        text = typed.popleft()
        if text is None:
            return False
        said, act = told.enter(text)
        say(said)
        if act == "leave":
            return False
        if act == "hint":
            stream.ask_for_hint()
        elif act is not None:
            await stream.send(act)
    return True


def _lines_in(text: str) -> tuple[list[str], str]:
    """The lines of what was typed, and the beginning of one whose end is still to come."""
    *lines, begun = text.split("\n")
    return lines, begun
