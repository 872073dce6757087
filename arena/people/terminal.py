"""A person plays line by line, in a terminal or over a pipe."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from rich.text import Text

from arena.people.terminal_lines import Teller
from arena.people.terminal_news import Hint, LineCame, NewsStream, OwnSeat, Stopped, Typed, news
from arena.reports.language import Language
from arena.reports.terminal import console, in_colours

Speak = Callable[[Iterable[str]], None]


async def play_in_terminal(
    conversation: OwnSeat, tag: str, plain: bool, names: Sequence[str] = ()
) -> bool:
    """Play a match in a language on standard input and output; return whether it came to its end.

    False means that the person has left: by a word, a signal, the end of the input, or because the
    terminal is gone. Lines typed ahead answer the questions that follow. Cards are written as
    `10♦` if they can be drawn, and in words with `plain` and everywhere else. `names`, by seat, are
    told at the beginning.
    """
    out = console()
    drawn = not plain and out.is_terminal and not out.is_dumb_terminal and sys.stdin.isatty()
    language = Language(tag, short_cards=drawn)
    told = Teller(language, names)
    gone = False

    def say(lines: Iterable[str]) -> None:
        nonlocal gone
        try:
            for line in lines:
                out.print(in_colours(line) if drawn else Text(line), soft_wrap=not drawn)
        except SystemExit:  # rich exits like this when the reader of a pipe has left
            gone = True

    async with news(conversation) as stream:
        typed: deque[str | None] = deque()
        while not (told.over or gone):
            match await stream.next():
                case LineCame(None) | Stopped():
                    break
                case LineCame(line) if line is not None:
                    say(told.hear(line))
                    if told.due is not None:
                        await stream.send(told.due)
                        told.due = None
                case Typed(text):
                    typed.append(text)
                case Hint(suggestion):
                    say([told.hinted(suggestion)])
            if not await _answered(told, typed, stream, say):
                break
    if not told.over:
        say([language.say("you-have-left")])
    return told.over


async def _answered(told: Teller, typed: deque[str | None], stream: NewsStream, say: Speak) -> bool:
    """Take typed lines as answers while something is asked; return whether the person stays."""
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
