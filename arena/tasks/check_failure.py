"""The failure of a step of a check, with the last lines between the bot and the arena before it."""

from collections.abc import Iterator

from arena.engine.silence import ERRED, UNENDED, WAITS
from arena.match.commands import Failed
from arena.match.log import answer_line
from arena.match.logged import Answered
from arena.match.record import DealFault
from arena.match.wire import AnyRequest, FaultKind, Ready, ToBot, encode

LINES_SHOWN = 6
"""Lines of a transcript shown before a failure."""


class CheckFailed(Exception):
    """The bot failed a step: the reason, the last lines before that, and the bot's stderr.

    `late` says that the clock alone was against it, `starting` that it was not ready yet.
    """

    def __init__(
        self,
        why: str,
        show: tuple[str, ...] = (),
        stderr: str = "",
        kind: FaultKind | None = None,
    ) -> None:
        super().__init__(why)
        self.why, self.show, self.stderr = why, show, stderr
        for_ever = any(words in why for words in (WAITS, UNENDED, ERRED))
        self.late = kind in ("timeout", "unready") and not for_ever
        self.starting = kind == "unready"


def last_lines(
    lines: Iterator[tuple[ToBot, Answered]], sent: dict[int, str], entry: DealFault
) -> tuple[str, tuple[str, ...]]:
    """The last request to the bot in the deal of its fault, and the last lines up to that.

    The lines are `> to the bot`, `< from it`, and `! the fault`; `sent` has answers as they were
    sent, by number from 1.
    """
    shown: list[str] = []
    asked, upto, number, of_deal = "hello", 0, 0, True
    for line, answer in lines:
        shown.append("> " + encode(line).decode().rstrip("\n"))
        if answer is None:
            continue
        if isinstance(line, AnyRequest):
            of_deal = line.deal == entry.deal
            asked = str(line.__struct_config__.tag) if of_deal else asked
        number += not isinstance(answer, Ready)
        if not isinstance(answer, Failed):
            shown.append("< " + (sent.get(number) or answer_line(answer)))
        upto = len(shown) if of_deal else upto
    fault = entry.fault
    return asked, (*shown[:upto][-LINES_SHOWN:], f"! {fault.kind}: {fault.detail}")
