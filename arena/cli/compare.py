"""The command that tells whether a new version of a bot is better than the old one."""

import sys
from contextlib import closing
from pathlib import Path

import click

from arena.base.isolation_levels import IsolationLevel
from arena.cli.options import (
    FILE,
    Number,
    Whole,
    isolation_option,
    jobs_option,
    json_option,
    print_json,
    rules_option,
    seed_option,
)
from arena.engine.runner import Interrupted, run
from arena.engine.workers import Players, cores
from arena.reports.check import tell_isolation
from arena.reports.match import ComparisonProgress, show_comparison
from arena.stats.figures import Hypotheses
from arena.tasks.compare import ComparisonRequest, open_comparison

_RISK = Number(0, 0.5, min_open=True, max_open=True)


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
    help="A bot that sits with the two, in place of a second copy of one; several take turns.",
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
    """Is NEW better than OLD? Plays sets until a sequential test decides, or the sets run out.

    Each deal is played by NEW NEW OLD and NEW OLD OLD in all six seatings, or with --third by the
    trio. The same command again goes on where it was stopped. Exit 0 if NEW is better; 1 if that
    was not shown: NEW is not better by delta, or the test is undecided.
    """
    asked = ComparisonRequest(Hypotheses(delta, alpha, beta), max_sets, new, old, thirds, rules)
    with open_comparison(asked, record, seed, level) as comparison:
        tell_isolation(comparison.roster.isolation)
        with ComparisonProgress(comparison) as progress:
            progress.begin()
            try:
                with closing(Players(jobs or len(cores()))) as players:
                    for todo in comparison.runs():
                        for event in run(todo, players):
                            comparison.take(event)
                            progress.show(event)
            except Interrupted as stop:
                progress.interrupted()
                sys.exit(stop.code)
        result = comparison.result()
        if as_json:
            print_json(result)
        else:
            show_comparison(result)
        sys.exit(0 if comparison.decision.verdict == "better" else 1)
