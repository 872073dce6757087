"""The command that feeds a bot its logged lines again."""

import sys
from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.bots.manifest import read_bot
from arena.cli.options import (
    FILE,
    Whole,
    find_seat,
    isolation_option,
    json_option,
    match_argument,
    no_timeout_option,
    print_json,
    say,
)
from arena.cli.records import open_record
from arena.engine.builds import prepare
from arena.record.matches import find_match
from arena.reports.check import tell_isolation
from arena.reports.faults import show_answers, show_rerun, tell_sitter
from arena.sandbox.isolation import choose_isolation
from arena.tasks.rerun import Answers, Wanted, copied_program
from arena.tasks.rerun import rerun as run_again


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
    if as_json:
        print_json({"answers": answers, "different": different})
    else:
        show_rerun(wanted, answers, stderr)
    sys.exit(1 if different else 0)
