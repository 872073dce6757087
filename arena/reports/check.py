"""The steps of a check as lines in a terminal."""

from typing import TYPE_CHECKING

from rich.text import Text

from arena.reports.terminal import console

if TYPE_CHECKING:
    from arena.tasks.check import CheckStep


def show_step(number: int, step: "CheckStep") -> None:
    """One line: number, verdict, name and what was seen."""
    verdict = Text("ok    ", style="green") if step.passed else Text("FAILED", style="bold red")
    line = Text.assemble(f"{number:2d} ", verdict, f" {step.name}: {step.said}")
    console().print(line, soft_wrap=True)


def show_failure(step: "CheckStep") -> None:
    """The lines before a failure, and what the bot wrote to standard error."""
    out = console()
    if step.show:
        out.print(Text("\nThe last lines (> to the bot, < from it):"))
        for line in step.show:
            out.print(Text(line), soft_wrap=True)
    if step.stderr:
        out.print(Text("\nWhat it wrote to standard error:"))
        out.print(Text(step.stderr.rstrip()), soft_wrap=True)
