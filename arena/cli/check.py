"""The command that checks a bot before it meets other bots."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import isolation_option, json_option, print_json

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel


@click.command(epilog="Example:  arena check sample_bots/careful", no_args_is_help=True)
@click.argument("bot", type=click.Path(path_type=Path), metavar="BOT")
@click.option(
    "--move-s",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="The time for a move.",
)
@isolation_option
@json_option
def check(bot: Path, move_s: float, level: "IsolationLevel | None", as_json: bool) -> None:
    """Put a bot through everything that a match can ask of it, step by step.

    BOT is a folder with a bot.toml. The check ends at the first step that fails, and shows its
    transcript and what the bot wrote to standard error. Exit 0 if all pass, 1 if one fails.
    """
    from arena.reports.check import show_failure, show_step
    from arena.reports.isolation import tell_isolation
    from arena.sandbox.isolation import choose_isolation
    from arena.tasks.check import CheckStep
    from arena.tasks.check import check as steps_of

    apart = choose_isolation(level)
    tell_isolation(apart)
    steps: list[CheckStep] = []
    for step in steps_of(bot, move_s, apart):
        steps.append(step)
        if not as_json:
            show_step(len(steps), step)
    if as_json:
        print_json({"passed": steps[-1].passed, "steps": steps})
    elif not steps[-1].passed:
        show_failure(steps[-1])
    sys.exit(0 if steps[-1].passed else 1)
