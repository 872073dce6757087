"""Bots before they play, in a terminal: how they are kept apart, and the steps of a check."""

from typing import TYPE_CHECKING

from rich.text import Text

from arena.reports.terminal import console, show_lines, show_prose

if TYPE_CHECKING:
    from arena.base.check_step import CheckStep
    from arena.match.wire import Limits
    from arena.sandbox.isolation import Isolation
    from arena.tasks.doctor import Examination

_LONGEST = 1000  # characters of a line that are shown


def tell_isolation(isolation: "Isolation") -> None:
    """Print on standard error a warning if bots are kept apart less well than they could be."""
    if isolation.level != "bubblewrap":
        from arena.sandbox.isolation import HELD  # who shows the steps of a site loads no sandbox

        why = f" ({isolation.why})" if isolation.why else ""
        line = f"isolation {isolation.level}: {HELD[isolation.level]}{why}"
        show_prose(Text(line, "yellow"), console(stderr=True))


def show_examination(examination: "Examination") -> None:
    """Print the levels of isolation, the control groups, the clock, and the level used here."""
    from arena.sandbox.isolation import HELD

    for name, how in examination.levels.items():
        show_prose(f"{name}: {how}")
    show_prose(f"memory by control groups: {examination.groups}")
    clock = examination.clock or "a bot is not charged for waiting for its core"
    show_prose(f"clock: {clock}")
    if examination.level is None:
        show_lines("Bots can be played here only with --isolation none.")
    else:
        level = examination.level
        show_prose(f"Bots play at the level {level} ({HELD[level]}).")


def tell_clock(limits: "Limits", more_time: str) -> None:
    """Print the bot's time on standard error, and how it gets more."""
    if more_time:
        line = f"{limits.move_s:g} s an answer, {limits.start_s:g} s to start; {more_time}"
        show_prose(Text(line, "dim"), console(stderr=True))


def show_step(number: int, step: "CheckStep") -> None:
    """Print a step: number, verdict, name and finding, or a remark; and a build's output."""
    verdict, said = Text("ok    ", "green"), f"{step.name}: {step.said}"
    if step.failed:
        verdict = Text("FAILED", "bold red")
    elif not step.passed:
        verdict, said = Text("remark", "yellow"), f"it would not survive {step.said}"
    first, *more = said.split("\n")
    show_prose(Text.assemble(f"{number:2d} ", verdict, f" {first}"), hanging=10)
    show_lines(*more)


def show_transcript(step: "CheckStep") -> None:
    """Print the lines before a failure or remark, and the bot's standard error."""
    lines = [
        f"{line[:_LONGEST]}… ({len(line)} characters)" if len(line) > _LONGEST else line
        for line in step.show
    ]
    if lines:
        show_lines("", f"The last lines of {step.name} (> to the bot, < from it):", *lines)
    if step.stderr:
        show_lines("", "What it wrote to standard error:", *step.stderr.splitlines())
