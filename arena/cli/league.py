"""Commands about a league: play it, verify its record."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.words import deal_name
from arena.cli.executors import cluster_option, read_executor
from arena.cli.options import (
    FILE,
    Whole,
    isolation_option,
    jobs_option,
    json_option,
    no_timeout_option,
    open_record,
    print_json,
    say,
    seed_option,
)

if TYPE_CHECKING:
    from arena.base.isolation_levels import IsolationLevel
    from arena.cli.executors import ExecutorOf
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.open_league import OpenLeague


@click.command(epilog="Example:  arena league leagues/spring.toml --jobs 2", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@seed_option
@jobs_option
@click.option(
    "--begin", is_flag=True, help="Create the record and the bots' copies, but play nothing."
)
@cluster_option
@click.option(
    "--orders",
    type=Whole(1),
    metavar="N",
    help="In an open league, stop after N orders, of six matches each.",
)
@no_timeout_option
@isolation_option
@json_option
def league(
    file: Path,
    seed: int | None,
    jobs: int | None,
    begin: bool,
    cluster: str | None,
    orders: int | None,
    no_timeout: bool,
    level: "IsolationLevel | None",
    as_json: bool,
) -> None:
    """Play a league: begin it, or go on with what is missing.

    Everything is kept in one file beside the league's: spring.toml has spring.db. Stop it whenever
    you like; the same command goes on. Bots or deals may be added to the league's file later.
    An open league plays on until it is stopped, and sees bots that are submitted or withdrawn.
    """
    from arena.tasks.opening import open_league

    executor_of = read_executor(jobs, cluster)
    with open_league(file, seed, level, orders) as opened:
        play_league(opened, executor_of, not no_timeout, as_json, begin)


def play_league(
    league: "ClosedLeague | OpenLeague",
    executor_of: "ExecutorOf",
    timed: bool,
    as_json: bool,
    begin: bool = False,
) -> None:
    """Play a league until it is over or stopped, or only `begin` it. Raises `MachineError`."""
    from contextlib import closing

    from arena.engine.runner import Interrupted, run
    from arena.reports.isolation import tell_isolation
    from arena.reports.progress import progress_of

    tell_isolation(league.roster.isolation)
    with progress_of(league, plays=not begin) as progress:
        if begin:
            progress.created()
        else:
            progress.begin()
        league.say = progress.say
        league.begin()
        try:
            if not begin:
                with closing(executor_of(league.roster, progress.say)) as executor:
                    for jobs in league.runs(timed):
                        for event in run(jobs, executor):
                            league.take(event)
                            progress.show(event)
        except Interrupted as stop:
            progress.interrupted(shlex.join(["arena", *sys.argv[1:]]))
            sys.exit(stop.code)
    from arena.record.summary import summarize
    from arena.reports.standings import show_summary

    result = summarize(league.store)
    if as_json:
        print_json(result)
    else:
        show_summary(result, league.store)


@click.command(epilog="Example:  arena verify leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def verify(league: Path, as_json: bool) -> None:
    """Replay every stored match by the rules and compare. Exit 1 if one differs.

    Of an open league, the ledger is checked too: its chain of hashes, its season's secret,
    and every draw, which is made again from what was stored before it.
    """
    from arena.record.audit import ledger_flaws
    from arena.record.matches import verify_all

    store = open_record(league)
    seeded, count = bool(store.facts().seeds), 0
    wrong: list[dict[str, str | int]] = []
    for number, spec, problem in verify_all(store):
        count += 1
        if problem is not None:
            name = f"{', '.join(spec.seats)} from {deal_name(spec.first)}"
            wrong.append({"number": number, "match": name, "problem": problem})
    ledger = list(ledger_flaws(store))
    if as_json:
        print_json({"matches": count, "seeded": seeded, "wrong": wrong, "ledger": ledger})
    else:
        for flaw in ledger:
            say(f"{store.path}: {flaw}")
        for each in wrong:
            say(f"{store.path}: match {each['number']} ({each['match']}): {each['problem']}")
        say(f"{count - len(wrong)} of {count} matches replay to what is stored")
        if not seeded:
            say("none was compared with a seed: this record has logs, without that of their league")
    sys.exit(1 if wrong or ledger else 0)
