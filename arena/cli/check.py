"""Commands about one bot and this machine: check, rerun, doctor."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from arena.base.check_step import CheckStep
from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.words import count
from arena.bots.manifest import read_bot, require_folder
from arena.cli.options import (
    FILE,
    Number,
    Whole,
    find_seat,
    isolation_option,
    json_option,
    match_argument,
    no_timeout_option,
    open_record,
    print_json,
    print_result,
    say,
)
from arena.engine.builds import prepare
from arena.league.file import rules_from
from arena.record.matches import find_match
from arena.reports.check import (
    show_examination,
    show_step,
    show_transcript,
    tell_clock,
    tell_isolation,
)
from arena.reports.faults import show_answers, show_rerun, tell_sitter
from arena.sandbox.isolation import choose_isolation
from arena.tasks.check import Conditions, check_limits, more_time
from arena.tasks.check import check as steps_of
from arena.tasks.doctor import examine
from arena.tasks.rerun import Answers, Wanted, copied_program
from arena.tasks.rerun import rerun as run_again


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
    tell_clock(limits, more_time(played, limits))
    done = show_steps(steps_of(bot, Conditions(played, limits, apart)), as_json)
    failed, remarks = any(step.failed for step in done), sum(not step.passed for step in done)
    if not failed and not as_json:
        passed = f"passed all {count(len(done), 'step')}"
        say(f"passed, {count(remarks, 'remark')}" if remarks else passed)
    sys.exit(1 if failed else 0)


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
            show_transcript(step)
    return done


@click.command(
    epilog="Example:  arena rerun leagues/spring.toml 17 --seat 1 --bot ./mybot --until 14",
    no_args_is_help=True,
)
@click.argument("file", type=FILE, metavar="LEAGUE")
@match_argument
@click.option(
    "--seat",
    "place",
    required=True,
    metavar="S|BOT",
    help="The seat whose lines are fed, or the bot in it.",
)
@click.option("--bot", type=FILE, metavar="FOLDER", help="Another bot for that seat.")
@click.option("--until", type=Whole(1), metavar="N", help="Stop at the seat's N-th request.")
@click.option("--every", is_flag=True, help="After a difference, go on with the logged answer.")
@click.option("--lines", is_flag=True, help="Show every line written to the bot.")
@click.option("--wait", is_flag=True, help="Wait for Enter before request N, to attach a debugger.")
@click.option(
    "--trust", is_flag=True, help="With --isolation none: run what the record names; it is yours."
)
@no_timeout_option
@isolation_option
@json_option
def rerun(
    file: Path,
    match: int | None,
    place: str,
    bot: Path | None,
    until: int | None,
    every: bool,
    lines: bool,
    wait: bool,
    trust: bool,
    no_timeout: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Feed a bot exactly the lines it got in a stored match, and compare its answers.

    Stops at the first difference, or at the seat's request N. Exit 0 if all answers were as logged,
    1 if one was not. To debug: --until N --wait --no-timeout names the process to attach to.
    """
    if wait and until is None:
        raise ArenaError(Mistake("--wait needs --until"))
    store = open_record(file)
    stored = find_match(store, match)
    seat = find_seat(stored.bots, place)
    apart = choose_isolation(level)
    tell_isolation(apart)
    if bot is not None:
        program = prepare(read_bot(bot), apart)
    else:
        program = copied_program(store, stored, seat, trust or apart.level != "none")
    tell_sitter(stored.bots, seat, None if bot is None else program.name)
    wanted = Wanted(stored, seat, program, apart, until, every, not no_timeout)
    answers: list[Answers] = []

    def told(each: Answers) -> None:
        answers.append(each)
        if not as_json:
            show_answers(each, lines)

    def before(pid: int) -> None:
        if wait:
            say(f"process {pid} is about to get request {until}; Enter sends it", err=True)
            sys.stdin.readline()

    stderr = run_again(wanted, told, before)
    different = sum(not each.same for each in answers)
    if until is not None and answers[-1].number < until and not different:
        what = f"the seat was asked {answers[-1].number} times in this match"
        raise ArenaError(Mistake(what, "--until"))
    document = {"answers": answers, "different": different}
    print_result(as_json, document, show_rerun, wanted, answers, stderr)
    sys.exit(1 if different else 0)


@click.command(epilog="Example:  arena doctor")
@isolation_option
@json_option
def doctor(level: IsolationLevel | None, as_json: bool) -> None:
    """Show which levels of isolation work on this machine, and what is missing for the others.

    Exit 0 if bots can be played here as they should be, 3 if something is missing.
    """
    examination = examine(level)
    print_result(as_json, examination, show_examination)
    sys.exit(0 if examination.sound else 3)
