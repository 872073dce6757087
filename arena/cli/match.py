"""Commands that play bots outside any league: match and compare."""

import re
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
    no_timeout_option,
    print_json,
    print_result,
    rules_option,
    say,
    seed_option,
)
from arena.engine.workers import Players, cores
from arena.reports.check import tell_isolation
from arena.reports.match import (
    ComparisonProgress,
    MatchProgress,
    show_comparison,
    show_match,
    show_troubles,
)
from arena.sandbox.isolation import choose_isolation
from arena.tasks.match import MatchRequest, open_match, play_seatings
from arena.tasks.match_results import is_tie, match_result, totals, troubles

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
@click.option(
    "--record",
    type=FILE,
    metavar="FILE.db",
    help="Keep the match in this file, as a league is kept.",
)
@click.option("--check-tie", is_flag=True, help="Exit 1 unless all bots come out exactly equal.")
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
    check_tie: bool,
    seed: int | str | None,
    jobs: int | None,
    move_s: float | None,
    no_timeout: bool,
    level: IsolationLevel | None,
    as_json: bool,
) -> None:
    """Play bots against each other; nothing is kept unless there is a --record.

    Each BOT is a folder with a bot.toml. Two bots mirror: A A B and A B B, in all seatings. With
    --check-tie one bot is enough: it plays against its own copies. Exit 1 if any bot was at fault.
    """
    apart = choose_isolation(level)
    tell_isolation(apart)
    asked = MatchRequest(
        players=bots,
        rules=rules,
        deals=deals,
        seed=seed,
        all_seatings=seatings == "all",
        copies=check_tie,
        timed=not no_timeout,
        move_s=move_s,
        record=record,
    )
    with open_match(asked, apart) as opened:
        with MatchProgress(opened, bots[0]) as progress:
            play_seatings(opened, jobs or len(cores()), progress.show)
        played = opened.results()
        found = troubles(opened, played, rules)
        if as_json:
            print_json(match_result(opened, played, found))
        else:
            show_match(opened, totals(opened, played))
            show_troubles(found)
    tied = not check_tie or is_tie(opened, played)
    if check_tie:
        say("an exact tie" if tied else "no tie: the results differ", err=True)
    sys.exit(1 if found or not tied else 0)


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
    from arena.stats.figures import Hypotheses  # a match needs none of it
    from arena.tasks.compare import ComparisonRequest, open_comparison

    asked = ComparisonRequest(Hypotheses(delta, alpha, beta), max_sets, new, old, thirds, rules)
    with open_comparison(asked, record, seed, level) as comparison:
        tell_isolation(comparison.roster.isolation)
        with ComparisonProgress(comparison) as progress:
            progress.begin()
            with closing(Players(jobs or len(cores()))) as players:
                for event in comparison.play(players):
                    progress.show(event)
        print_result(as_json, comparison.result(), show_comparison)
    sys.exit(0 if comparison.decision.verdict == "better" else 1)
