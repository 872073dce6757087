"""A person plays in a terminal: on the whole screen, or line by line."""

import sys
from typing import Final

import trio
from rich.console import Console, Group
from rich.text import Text

from arena.people.terminal_face import Act, Face
from arena.people.terminal_news import (
    Conversation,
    Hint,
    Line,
    News,
    Stopped,
    Stream,
    Typed,
    news,
)
from arena.people.terminal_picture import farewell, picture
from arena.people.terminal_plain import play_in_lines
from arena.reports.keys import keys_in, without_echo
from arena.reports.terminal import console

PAUSE_S: Final = 0.6
"""How long each event is shown before the next."""

_TICK_S: Final = 1.0
"""How often the clock is drawn."""


async def play_in_terminal(
    conversation: Conversation, plain: bool, pause_s: float = PAUSE_S
) -> bool:
    """Play a match on the terminal; return whether it came to its end.

    False means that the person has left: by a key, by a signal, or since the terminal is gone. With
    `plain`, or where input or output is not a terminal that can draw, lines are printed and read.
    """
    out = console()
    if plain or not (sys.stdin.isatty() and out.file.isatty()) or out.is_dumb_terminal:
        return await play_in_lines(conversation, out)
    face = Face(pause_s)
    with without_echo(sys.stdin.fileno(), signals=False):
        await _play_on_screen(conversation, face, out)
    said = "The match is over." if face.over else "You have left the match."
    out.print(Text(f"{said} {farewell(face.table)}"), soft_wrap=True)
    return face.over


async def _play_on_screen(conversation: Conversation, face: Face, out: Console) -> None:
    async with news(conversation, keys_in) as stream:
        with out.screen(hide_cursor=True) as screen:
            heard_all = left = False
            while not (left or face.over or (heard_all and not face.waits)):
                now = trio.current_time()
                due = face.pass_time(now)
                if not stream.more:
                    screen.update(Group(*picture(face, out.width, out.height, now)))
                wait_s = _TICK_S if due is None else min(_TICK_S, max(0.0, due - now))
                piece = await stream.next(wait_s)
                heard_all = heard_all or piece == Line(None)
                left = await _take(piece, face, stream)


async def _take(piece: News | None, face: Face, stream: Stream) -> bool:
    """Let the face have a piece of news, and carry out what follows; return whether to leave."""
    act: Act | None = None
    match piece:
        case Stopped() | Typed(None):
            return True
        case Typed(key) if key is not None:
            act = face.press(key)
        case Line(line) if line is not None:
            greeting = face.hear(line, trio.current_time())
            if greeting is not None:
                await stream.send(greeting)
        case Hint(reply):
            face.hinted(reply)
        case _:
            pass
    if act == "hint":
        stream.ask_for_hint()
    elif act is not None and act != "leave":
        await stream.send(act)
    return act == "leave"
