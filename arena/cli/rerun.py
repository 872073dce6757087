"""The command that feeds a bot its logged lines again."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import (
    FILE,
    Whole,
    find_seat,
    isolation_option,
    json_option,
    match_argument,
    no_timeout_option,
    open_record,
    print_json,
    say,
)

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel
    from arena.match.commands import Question
    from arena.tasks.rerun import Answers


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
@click.option(
    "--on", is_flag=True, help="Play on from there with all bots, to the end of the deal."
)
@click.option("--save", type=FILE, metavar="RECORD", help="With --on: store how it went on.")
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
    on: bool,
    save: Path | None,
    lines: bool,
    wait: bool,
    trust: bool,
    no_timeout: bool,
    level: "IsolationLevel | None",
    as_json: bool,
) -> None:
    """Feed a bot exactly the lines it got in a stored match, and compare its answers.

    Stops at the first difference, or at the seat's request N. Exit 0 if all answers were as logged,
    1 if one was not. To debug: --until N --wait --no-timeout names the process to attach to.
    """
    from arena.base.errors import ArenaError, Mistake
    from arena.bots.manifest import read_bot
    from arena.engine.builds import prepare
    from arena.record.export import continued, log_text
    from arena.record.matches import find_match
    from arena.record.pulled import keep_match, read_logs
    from arena.reports.isolation import tell_isolation
    from arena.reports.rerun import show_answers, show_rerun, tell_sitter
    from arena.sandbox.isolation import choose_isolation
    from arena.tasks.rerun import Wanted, copied_program
    from arena.tasks.rerun import rerun as run_again

    if (wait and until is None) or (save is not None and not on):
        what = "--wait needs --until" if wait else "--save needs --on"
        raise ArenaError(Mistake(what))
    store = open_record(file)
    stored = find_match(store, match)
    seat = find_seat(stored.bots, place)
    apart = choose_isolation(level)
    tell_isolation(apart)
    programs = [
        prepare(read_bot(bot), apart)
        if each == seat and bot is not None
        else copied_program(store, stored, each, trust or apart.level != "none")
        if each == seat or on
        else None
        for each in range(len(stored.bots))
    ]
    program = programs[seat]
    tell_sitter(stored.bots, seat, None if bot is None or program is None else program.name)
    wanted = Wanted(stored, seat, tuple(programs), apart, until, on, every, not no_timeout)
    answers: list[Answers] = []

    def told(each: "Answers") -> None:
        answers.append(each)
        if not as_json:
            show_answers(each, lines)

    def before(question: "Question", pid: int) -> None:
        if wait:
            say(f"process {pid} is about to get request {until}; Enter sends it", err=True)
            sys.stdin.readline()

    result = run_again(wanted, told, before)
    if until is not None and (not answers or answers[-1].number < until) and not result.different:
        what = f"the seat was asked {answers[-1].number if answers else 0} times in this match"
        raise ArenaError(Mistake(what, "--until"))
    if save is not None and result.game is not None:
        text = log_text(continued(stored, result.log), None, private=True)
        for each in read_logs(text.encode(), str(save)):
            keep_match(save, each)
        say(f"written: {save}", err=True)
    if as_json:
        print_json({"answers": answers, "different": result.different, "game": result.game})
    else:
        show_rerun(wanted, answers, result)
    sys.exit(1 if result.different else 0)
