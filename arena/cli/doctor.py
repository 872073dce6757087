"""The command that examines this machine."""

import sys

import click

from arena.base.isolation_levels import IsolationLevel
from arena.cli.options import isolation_option, json_option, print_json
from arena.reports.check import show_examination
from arena.tasks.doctor import examine


@click.command(epilog="Example:  arena doctor")
@isolation_option
@json_option
def doctor(level: IsolationLevel | None, as_json: bool) -> None:
    """Show which levels of isolation work on this machine, and what is missing for the others.

    Exit 0 if bots can be played here as they should be, 3 if something is missing.
    """
    examination = examine(level)
    if as_json:
        print_json(examination)
    else:
        show_examination(examination)
    sys.exit(0 if examination.sound else 3)
