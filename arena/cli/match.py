"""The command that plays bots outside any league."""

import re
import sys
from pathlib import Path

import click

from arena.base.isolation_levels import IsolationLevel
from arena.cli.options import (
    FILE,
    Number,
    isolation_option,
    jobs_option,
    json_option,
    no_timeout_option,
    print_json,
    rules_option,
    say,
)
from arena.engine.runner import Interrupted
from arena.engine.workers import cores
from arena.reports.check import tell_isolation
from arena.reports.match import MatchProgress, show_match, show_troubles
from arena.sandbox.isolation import choose_isolation
from arena.tasks.match import MatchRequest, open_match, play_seatings
from arena.tasks.match_results import is_tie, match_result, totals, troubles

_DRAWN = re.compile("[0-9a-f]{64}")
_MOST_DIGITS = 4000


class _Seed(click.ParamType[int | str]):
    """A whole number, or the 64 hexadecimal digits that the arena draws if none is given."""

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
        try:
            with MatchProgress(opened, bots[0]) as progress:
                play_seatings(opened, jobs or len(cores()), progress.show)
        except Interrupted as stop:
            kept = "the same command goes on" if record else "without a --record nothing is kept"
            say(f"stopped; {kept}", err=True)
            sys.exit(stop.code)
        played = opened.results()
        found = troubles(opened, played, rules)
        if as_json:
            print_json(match_result(opened, played, found))
        else:
            show_match(opened, totals(opened, played))
            show_troubles(found)
    good = not found
    if check_tie:
        tied = is_tie(opened, played)
        say("an exact tie" if tied else "no tie: the results differ", err=True)
        good = good and tied
    sys.exit(0 if good else 1)
