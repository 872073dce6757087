"""The steps of a check as lines in a terminal."""

from typing import TYPE_CHECKING

from rich.text import Text

from arena.base.harmless import harmless
from arena.reports.terminal import console, show_prose

if TYPE_CHECKING:
    from arena.base.check_step import CheckStep
    from arena.match.wire import Limits

_LONGEST = 1000
"""Characters of a line that are shown."""


def tell_clock(limits: "Limits", more_time: str) -> None:
    """Print the bot's time on standard error, and how it gets more."""
    if more_time:
        line = f"{limits.move_s:g} s an answer, {limits.start_s:g} s to start; {more_time}"
        show_prose(console(stderr=True), Text(line, "dim"))


def show_step(number: int, step: "CheckStep") -> None:
    """Print a step: number, verdict, name and finding, or a remark; and a build's output."""
    verdict, said = Text("ok    ", "green"), f"{step.name}: {step.said}"
    if not step.passed and step.required:
        verdict = Text("FAILED", "bold red")
    elif not step.passed:
        verdict, said = Text("remark", "yellow"), f"it would not survive {step.said}"
    first, *more = map(harmless, said.split("\n"))
    out = console()
    show_prose(out, Text.assemble(f"{number:2d} ", verdict, f" {first}"), hanging=10)
    for line in more:
        out.print(Text(line), soft_wrap=True)


def show_lines(step: "CheckStep") -> None:
    """Print the lines before a failure or remark, and the bot's standard error."""
    out = console()
    if step.show:
        out.print()
        out.print(Text(f"The last lines of {step.name} (> to the bot, < from it):"))
        for line in step.show:
            more = f"… ({len(line)} characters)" if len(line) > _LONGEST else ""
            out.print(Text(harmless(line[:_LONGEST]) + more), soft_wrap=True)
    if step.stderr:
        out.print()
        out.print(Text("What it wrote to standard error:"))
        for line in step.stderr.splitlines():
            out.print(Text(harmless(line)), soft_wrap=True)
