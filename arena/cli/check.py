"""The command that checks a bot before it meets other bots."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from arena.base.check_step import CheckStep
from arena.base.isolation_levels import IsolationLevel
from arena.base.words import count
from arena.bots.manifest import require_folder
from arena.cli.options import Number, isolation_option, json_option, print_json, say
from arena.league.file import rules_from
from arena.reports.check import show_lines, show_step, tell_clock, tell_isolation
from arena.sandbox.isolation import choose_isolation
from arena.tasks.check import Conditions, check_limits, more_time
from arena.tasks.check import check as steps_of


@click.command(epilog="Example:  arena check sample_bots/careful", no_args_is_help=True)
@click.argument("bot", type=click.Path(path_type=Path), metavar="BOT")
@click.option(
    "--rules",
    default="pagat",
    metavar="PRESET|FILE",
    show_default=True,
    help="What the bot must be able to play; other rules are tried for remarks.",
)
@click.option(
    "--move-s",
    type=Number(0, min_open=True),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="The time for an answer. Leagues usually give 60.",
)
@isolation_option
@json_option
def check(
    bot: Path, rules: str, move_s: float, level: IsolationLevel | None, as_json: bool
) -> None:
    """Put a bot through everything that a match can ask of it, step by step.

    BOT is a folder with a bot.toml. The check ends at the first step that fails, and shows its
    transcript and what the bot wrote to standard error. What the bot would not survive by other
    rules is a remark. A quick bot is checked in seconds; each step of a slow one plays what 20
    seconds allow. Exit 0 if it passes, 1 if a step fails.
    """
    require_folder(bot)
    played, apart = rules_from(rules), choose_isolation(level)
    tell_isolation(apart)
    limits = check_limits(move_s)
    hint = more_time(played, limits)
    tell_clock(limits, hint)
    steps = steps_of(bot, Conditions(played, limits, apart))
    done = show_steps(steps, as_json)
    passed = not any(step.failed for step in done)
    remarks = sum(not step.passed for step in done)
    if passed and not as_json:
        said = f"passed, {count(remarks, 'remark')}"
        say(said if remarks else f"passed all {count(len(done), 'step')}")
    sys.exit(0 if passed else 1)


def show_steps(steps: Iterable[CheckStep], as_json: bool) -> list[CheckStep]:
    """Show the steps of a check as they come, then the lines before a failure or a remark."""
    done: list[CheckStep] = []
    for step in steps:
        done.append(step)
        if not as_json:
            show_step(len(done), step)
    failed = [step for step in done if step.failed]
    if as_json:
        remarks = [each for each in done if not (each.passed or each.required)]
        told = [f"it would not survive {each.said}" for each in remarks]
        print_json({"passed": not failed, "steps": done, "remarks": told})
        return done
    for step in failed or done:
        if not step.passed:
            show_lines(step)
    return done
