"""The command that shows the ledger of an open league."""

from pathlib import Path

import click

from arena.cli.options import FILE, json_option, print_json, say
from arena.cli.records import open_record
from arena.record.publishing import public_ledger


@click.command(epilog="Example:  arena ledger leagues/ladder.toml --json", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def ledger(league: Path, as_json: bool) -> None:
    """Show the ledger of an open league: its commitment, its last line, and its secret at the end.

    The deals of an order come from the season's secret and the hash of the order's own line. The
    secret's SHA-256 is written down before anything else, the secret itself when the season is
    over. Publish the hash of the last line now and then: it shows whether any line before was
    changed. With --json every line is shown; arena protocol deals says how to check them.
    """
    found = public_ledger(open_record(league))
    if as_json:
        print_json(found)
        return
    say(f"committed  {found.commitment}")
    if found.secret:
        say(f"secret     {found.secret}")
    if found.practice:
        say("This league is for practice: its secret is the seed that was given.")
    say(f"line {found.lines[-1].number}: {found.hash}")
