"""Commands for an author's next change: save, test, watch, history, tune."""

import shlex
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.words import count
from arena.bots.manifest import read_bot, require_folder
from arena.cli.bots import check_command
from arena.cli.options import (
    FILE,
    Whole,
    answer_time_option,
    from_zero,
    isolation_option,
    jobs_option,
    json_option,
    match_argument,
    print_json,
    print_result,
    record_argument,
    rules_option,
    say,
    write_file,
)
from arena.engine.workers import Players, cores
from arena.league.file import rules_from
from arena.record.matches import find_match
from arena.record.positions import add_position, folder_of, position_of
from arena.record.store import Store
from arena.reports.bots import (
    show_clock,
    show_step,
    show_tested,
    show_transcript,
    warn_about_isolation,
)
from arena.sandbox.isolation import choose_isolation
from arena.tasks.check import Conditions, check_limits, more_time
from arena.tasks.positions import TestedPosition, test_positions


@click.command(
    epilog="Example:  arena save leagues/spring.toml 17 --deal 3 --ply 12 --expect 7D",
    no_args_is_help=True,
)
@record_argument
@match_argument
@click.option("--deal", type=Whole(1), callback=from_zero, required=True, metavar="N")
@click.option("--ply", type=Whole(1), required=True, metavar="M", help="As a replay counts.")
@click.option(
    "--expect",
    default="",
    metavar="ANSWER",
    help="What is right: 7D, '7D 8D', AC.TC, solo, 'not KD', legal.  [default: another answer]",
)
@click.option("--bot", type=FILE, metavar="FOLDER", help="The bot to test; it keeps the position.")
def save(
    store: Store, match: int | None, deal: int, ply: int, expect: str, bot: Path | None
) -> None:
    """Save a position of a stored match as a test of its bot.

    A line is added to positions.jsonl in the bot's folder; arena test asks them all. A card is
    written as in 7D, two to be laid aside as in AC.TC; a bid, offer, take, give, yes and no as they
    are. Of several words any is right; with "not" in front, none is.
    """
    stored = find_match(store, match)
    if deal >= len(stored.deals):
        raise ArenaError(Mistake(f"the match has {count(len(stored.deals), 'deal')}", "--deal"))
    place = f"{store.path.name} match {stored.number}, deal {deal + 1}, ply {ply}"
    position = position_of(stored, deal, ply, expect, place)
    folder = bot or folder_of(store.path, store.terms(), stored.bots[position.seat])
    require_folder(folder)
    asked, own = stored.bots[position.seat], read_bot(folder).name
    if bot is not None and asked != own:
        say(f"note: {asked} was asked there, not {own}, which is to do better", err=True)
    number = add_position(folder, position)
    told = f"expects {position.expect}, {position.given or 'nothing'} was answered"
    say(f"position {number}: {told}; arena test {shlex.quote(str(folder))} asks it")


@click.command(epilog="Example:  arena test mybot", no_args_is_help=True)
@click.argument("bot", type=FILE, metavar="BOT")
@isolation_option
@json_option
def test(bot: Path, level: IsolationLevel | None, as_json: bool) -> None:
    """Ask a bot the positions that were saved for it.

    Each is asked of a fresh process, which gets the deal's lines up to the position. Exit 0 if all
    answers are as expected, 1 if one is not.
    """
    require_folder(bot)
    apart = choose_isolation(level)
    warn_about_isolation(apart)
    done: list[TestedPosition] = []
    for each in test_positions(bot, apart):
        done.append(each)
        if not as_json:
            show_tested(each)
    wrong = sum(not each.right for each in done)
    if as_json:
        print_json({"positions": done, "wrong": wrong})
    else:
        say(f"{len(done) - wrong} of {count(len(done), 'position')} as expected")
    sys.exit(1 if wrong else 0)


@click.command(epilog="Example:  arena watch mybot", no_args_is_help=True)
@click.argument("bot", type=FILE, metavar="BOT")
@rules_option
@answer_time_option
@isolation_option
def watch(bot: Path, rules: str, move_s: float, level: IsolationLevel | None) -> None:
    """Test a bot at each save of its files, until Ctrl-C.

    Repeats what takes a moment: the request at which its last check failed, the quick steps of a
    check, and its positions.
    """
    from arena.tasks.watch import saves, test_once  # no other command waits for files

    require_folder(bot)
    played, apart, limits = rules_from(rules), choose_isolation(level), check_limits(move_s)
    warn_about_isolation(apart)
    show_clock(limits, more_time(played, limits))
    by = Conditions(played, limits, apart, command=check_command(bot, rules, move_s, level))
    for _ in saves(bot):
        began = monotonic()
        if sys.stdout.isatty():
            click.clear()
        bad = 0
        for number, each in enumerate(test_once(bot, by), 1):
            if isinstance(each, TestedPosition):
                show_tested(each)
                bad += not each.right
            else:
                show_step(number, each)
                bad += each.failed
                if not each.passed:
                    show_transcript(each)
        told = f"{count(bad, 'failure')}" if bad else "all as it should be"
        say(f"{told}, after {monotonic() - began:.1f} s; waiting for a change of {bot}")


@click.command(epilog="Example:  arena history mybot", no_args_is_help=True)
@click.argument("bot", type=FILE, metavar="BOT")
@click.argument("records", nargs=-1, type=FILE, metavar="[RECORD]...")
@json_option
def history(bot: Path, records: tuple[Path, ...], as_json: bool) -> None:
    """List the versions of a bot with what each made, from the records in this folder.

    A version is told by the hash of its content. Stakes are above the mean of the other bots, whom
    all records measure together.
    """
    from arena.reports.history import show_history  # which needs the tables of standings
    from arena.tasks.history import history as versions_of

    found = versions_of(bot, records or sorted(Path().glob("*.db")))
    print_result(as_json, {"versions": found}, show_history, found)


@click.command(epilog="Example:  arena tune mybot tune.toml", no_args_is_help=True)
@click.argument("bot", type=FILE, metavar="BOT")
@click.argument("file", type=FILE, metavar="FILE.toml")
@jobs_option
@isolation_option
@click.pass_context
def tune(
    ctx: click.Context, bot: Path, file: Path, jobs: int | None, level: IsolationLevel | None
) -> None:
    """Look for better parameters of a bot.

    The bot gets them as arguments NAME=VALUE. Each trial plays the same deals; the same command
    continues. At the end BOT-tuned has the best parameters, FILE.svg plots all trials, and
    arena compare tells by fresh deals whether it is better.
    """
    from arena.cli.bots import compare
    from arena.reports.tuning import plot, show_trial
    from arena.tasks.tune import Tuning, arguments, write_tuned

    require_folder(bot)
    apart = choose_isolation(level)
    warn_about_isolation(apart)
    tuning = Tuning(bot, file, apart)
    with closing(Players(jobs or len(cores()))) as players:
        for trial in tuning.play(players):
            show_trial(trial, tuning.asked.trials, tuning.best)
    write_file(file.with_suffix(".svg"), plot(tuning.trials))
    start, best = tuning.trials[0], tuning.best
    if best == start:
        say("no trial made more than the bot as it is; nothing was changed")
        return
    made = write_tuned(bot, best)
    thirds = tuple(file.parent / path for path in tuning.asked.against)
    say(f"{made.name} has {' '.join(arguments(best.parameters))}; by new deals, against {bot}:")
    others = (word for third in thirds for word in ("--third", str(third)))
    say(shlex.join(("arena", "compare", str(made), str(bot), *others)))
    ctx.invoke(
        compare, new=made, old=bot, delta=0.10, alpha=0.05, beta=0.05, max_sets=tuning.asked.sets,
        thirds=thirds, rules=tuning.asked.rules, record=None, seed=None, jobs=jobs, level=level,
        as_json=False,
    )  # fmt: skip
