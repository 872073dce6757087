"""The command line: one file for each group of commands, nothing heavy imported before its use.

May import everything.
"""

import click

from arena import __version__
from arena.cli.check import check
from arena.cli.compare import compare
from arena.cli.doctor import doctor
from arena.cli.export import export
from arena.cli.league import league, verify
from arena.cli.match import match
from arena.cli.merge import merge
from arena.cli.new import init, new, protocol
from arena.cli.ratings import ratings
from arena.cli.replay import faults, replay
from arena.cli.report import report
from arena.cli.rerun import rerun
from arena.cli.rules import rules
from arena.cli.standings import standings
from arena.cli.submissions import submissions, submit, withdraw


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def arena() -> None:
    """An arena for bots that play Zole: matches, leagues, standings.

    Results go to standard output, everything else to standard error.
    """


for command in (
    init,
    new,
    protocol,
    check,
    match,
    compare,
    league,
    standings,
    ratings,
    verify,
    merge,
    replay,
    faults,
    rerun,
    export,
    report,
    submit,
    submissions,
    withdraw,
    rules,
    doctor,
):
    arena.add_command(command)
