"""Commands about bots and this machine: check, match, compare, rerun, doctor."""

import re
import sys
from collections.abc import Iterable
from contextlib import closing
from itertools import chain
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
    answer_time_option,
    find_seat,
    from_zero,
    isolation_option,
    jobs_option,
    json_option,
    match_argument,
    no_timeout_option,
    print_json,
    print_result,
    record_argument,
    record_option,
    rules_option,
    say,
    seed_option,
)
from arena.engine.builds import prepare
from arena.engine.workers import Players, cores
from arena.league.file import rules_from
from arena.record.matches import find_match
from arena.record.store import Store
from arena.reports.bots import (
    show_answers,
    show_clock,
    show_comparison,
    show_match,
    show_rerun,
    show_sandbox_report,
    show_step,
    show_transcript,
    warn_about_isolation,
)
from arena.reports.progress import ComparisonProgress, MatchProgress
from arena.sandbox.isolation import choose_isolation
from arena.tasks.check import Conditions, check_limits, more_time
from arena.tasks.check import check as steps_of
from arena.tasks.doctor import examine
from arena.tasks.match import MatchRequest, open_match, play_seatings
from arena.tasks.match_results import match_result, totals, troubles
from arena.tasks.rerun import Answers, RerunRequest, copied_program
from arena.tasks.rerun import rerun as run_again
from arena.zole.rules import DEFAULT

_RISK = Number(0, 0.5, min_open=True, max_open=True)

_DRAWN = re.compile("[0-9a-f]{64}")
_MOST_DIGITS = 4000


# A whole number, or the 64 hexadecimal digits that the arena draws if none is given
class _Seed(click.ParamType[int | str]):
    name = "seed"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        if _DRAWN.fullmatch(value):
            return value
        if not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS):
            self.fail(f"{value!r} is not a whole number, nor a seed that a match has printed")
        return int(value)


@click.command(
    epilog="Example:  arena match sample_bots/careful sample_bots/random sample_bots/lazy",
    no_args_is_help=True,
)
@click.argument("bots", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="BOT...")
@rules_option
@click.option("--deals", default="20", metavar="N|FILE", show_default=True)
@click.option(
    "--seatings",
    type=click.Choice(["all", "one"]),
    default="all",
    show_default=True,
    help="Every seating of each deal, or only the order given.",
)
@record_option
@click.option(
    "--seed",
    type=_Seed(),
    metavar="N",
    help="A seed of yours, or one that a match printed: bots of the same names get its deals.",
)
@jobs_option
@click.option(
    "--move-s",
    type=Number(0, min_open=True),
    metavar="SECONDS",
    help="The time for an answer.  [default: that of the rules, 60]",
)
@no_timeout_option
@isolation_option
@json_option
def match(
    bots: tuple[Path, ...],
    rules: str,
    deals: str,
    seatings: str,
    record: Path | None,
    seed: int | str | None,
    jobs: int | None,
    move_s: float | None,
    no_timeout: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Play bots against each other.

    Nothing is kept without --record.

    Each BOT is a folder with a bot.toml. Two bots mirror: A A B and A B B, in all seatings. Exit 1
    if any bot was at fault.
    """
    apart = choose_isolation(level)
    warn_about_isolation(apart)
    asked = MatchRequest(
        players=bots,
        rules=rules,
        deals=deals,
        seed=seed,
        all_seatings=seatings == "all",
        timed=not no_timeout,
        move_s=move_s,
        record=record,
    )
    with open_match(asked, apart) as opened:
        with MatchProgress(opened) as progress:
            play_seatings(opened, jobs or len(cores()), progress.show)
        played = opened.results()
        found = troubles(opened, played, rules)
        if as_json:
            print_json(match_result(opened, played, found))
        else:
            show_match(opened, totals(opened, played), found)
    sys.exit(1 if found else 0)


@click.command(
    epilog="Example:  arena compare mybot mybot-before --third sample_bots/careful",
    no_args_is_help=True,
)
@click.argument("new", type=FILE, metavar="NEW")
@click.argument("old", type=FILE, metavar="OLD")
@click.option(
    "--delta",
    type=Number(0, min_open=True),
    default=0.10,
    show_default=True,
    help="How many stakes a deal NEW should be better by.",
)
@click.option(
    "--alpha",
    type=_RISK,
    default=0.05,
    show_default=True,
    help="The risk of calling NEW better although it is not.",
)
@click.option(
    "--beta",
    type=_RISK,
    default=0.05,
    show_default=True,
    help="The risk of not finding NEW better although it is, by delta.",
)
@click.option(
    "--max-sets",
    type=Whole(20),
    default=10_000,
    show_default=True,
    help="Stop undecided after N sets, in whole runs; a later command may ask for more.",
)
@click.option(
    "--third",
    "thirds",
    multiple=True,
    type=FILE,
    metavar="BOT",
    help="A bot that sits with the two, instead of a second copy of one; several take turns.",
)
@rules_option
@click.option(
    "--record",
    type=FILE,
    metavar="FILE.db",
    help="The file of its record.  [default: compare-NEW-OLD-….db here]",
)
@seed_option
@jobs_option
@isolation_option
@json_option
def compare(
    new: Path,
    old: Path,
    delta: float,
    alpha: float,
    beta: float,
    max_sets: int,
    thirds: tuple[Path, ...],
    rules: str,
    record: Path | None,
    seed: int | None,
    jobs: int | None,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Test whether NEW is better than OLD.

    Plays sets until a sequential test decides, or the sets run out. Each deal is played by NEW NEW
    OLD and NEW OLD OLD in all six seatings, or with --third by the trio. Run the same command to
    continue. Exit 0 if NEW is better; 1 if that was not shown: NEW is not better by delta, or the
    test is undecided.
    """
    from arena.stats.figures import Hypotheses  # a match needs none of it
    from arena.tasks.compare import ComparisonRequest, open_comparison

    asked = ComparisonRequest(Hypotheses(delta, alpha, beta), max_sets, new, old, thirds, rules)
    with open_comparison(asked, record, seed, level) as comparison:
        warn_about_isolation(comparison.roster.isolation)
        with (
            ComparisonProgress(comparison) as progress,
            closing(Players(jobs or len(cores()))) as players,
        ):
            for event in comparison.play(players):
                progress.show(event)
        print_result(as_json, comparison.result(), show_comparison)
    sys.exit(0 if comparison.decision.verdict == "better" else 1)


@click.command(epilog="Example:  arena check sample_bots/careful", no_args_is_help=True)
@click.argument("bot", type=click.Path(path_type=Path), metavar="BOT")
@click.option(
    "--rules",
    default="pagat",
    metavar="PRESET|FILE",
    show_default=True,
    help="What the bot must be able to play; other rules are tried for remarks.",
)
@answer_time_option
@click.option(
    "--only", multiple=True, metavar="STEP", help="Carry out this step alone, and what it needs."
)
@isolation_option
@json_option
def check(
    bot: Path,
    rules: str,
    move_s: float,
    only: tuple[str, ...],
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Test a bot with everything that a match can ask.

    BOT is a folder with a bot.toml. The check ends at the first step that fails, and shows its
    transcript, what the bot wrote to standard error, and the commands that repeat it; its games are
    kept in BOT/check.db. Failures by other rules are a remark. A quick bot is
    checked in seconds; each step of a slow one plays what 20 seconds allow. Exit 0 if it passes, 1
    if a step fails.
    """
    require_folder(bot)
    played, apart = rules_from(rules), choose_isolation(level)
    warn_about_isolation(apart)
    limits = check_limits(move_s)
    show_clock(limits, more_time(played, limits))
    command = check_command(bot, rules, move_s, level)
    steps = steps_of(bot, Conditions(played, limits, apart, command=command), only)
    done = show_steps(steps, as_json)
    failed, remarks = any(step.failed for step in done), sum(not step.passed for step in done)
    if not failed and not as_json:
        passed = f"passed all {count(len(done), 'step')}"
        say(f"passed, {count(remarks, 'remark')}" if remarks else passed)
    sys.exit(1 if failed else 0)


def check_command(
    bot: Path, rules: str, move_s: float, level: IsolationLevel | None
) -> tuple[str, ...]:
    """The words of a command that checks a bot like this."""
    options = {"--rules": rules, "--move-s": f"{move_s:g}", "--isolation": level}
    usual = {"--rules": DEFAULT, "--move-s": "2", "--isolation": None}
    asked = [(name, str(each)) for name, each in options.items() if each != usual[name]]
    return ("arena", "check", str(bot), *chain.from_iterable(asked))


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
        told = [f"{each.name}: {each.finding}" for each in remarks]
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
@record_argument
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
@click.option(
    "--deal", type=Whole(1), callback=from_zero, metavar="N", help="The lines of this deal alone."
)
@click.option("--every", is_flag=True, help="After a difference, continue with the logged answer.")
@click.option("--lines", is_flag=True, help="Show every line written to the bot.")
@click.option("--wait", is_flag=True, help="Wait for Enter before request N, to attach a debugger.")
@click.option(
    "--trust", is_flag=True, help="With --isolation none: run what the record names; it is yours."
)
@no_timeout_option
@isolation_option
@json_option
def rerun(
    store: Store,
    match: int | None,
    place: str,
    bot: Path | None,
    until: int | None,
    deal: int | None,
    every: bool,
    lines: bool,
    wait: bool,
    trust: bool,
    no_timeout: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Send a bot the lines of a stored match again.

    Stops at the first difference, or at the seat's request N. Exit 0 if all answers were as logged,
    1 if one was not. To debug: --until N --wait --no-timeout names the process to attach to.
    """
    if wait and until is None:
        raise ArenaError(Mistake("--wait needs --until"))
    stored = find_match(store, match)
    seat = find_seat(stored.bots, place)
    apart = choose_isolation(level)
    warn_about_isolation(apart)
    if bot is not None:
        program = prepare(read_bot(bot), apart)
    else:
        program = copied_program(store, stored, seat, trust or apart.level != "none")
    say(f"{program.name} is fed the lines of seat {seat} ({stored.bots[seat]})", err=True)
    wanted = RerunRequest(stored, seat, program, apart, until, every, not no_timeout, deal)
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
    print_result(as_json, document, show_rerun, answers, program.name, stderr)
    sys.exit(1 if different else 0)


@click.command(epilog="Example:  arena doctor")
@isolation_option
@json_option
def doctor(level: IsolationLevel | None, as_json: bool) -> None:
    """Show which levels of isolation work on this machine.

    Exit 0 if bots can be played here as they should be, 3 if something is missing.
    """
    report = examine(level)
    print_result(as_json, report, show_sandbox_report)
    sys.exit(0 if report.sound else 3)
