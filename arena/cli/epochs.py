"""The command that shows the ledger of an open league."""

from pathlib import Path

import click

from arena.base.words import count
from arena.cli.options import FILE, json_option, print_json, say, until_end


@click.command(epilog="Example:  arena epochs leagues/ladder.toml --json", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def epochs(league: Path, as_json: bool) -> None:
    """Show the epochs of an open league: what was committed to, and the secrets revealed so far.

    Each epoch's deals come from a secret and the field at its start. The secret's SHA-256 is
    written down before that field can be known, the secret itself after the epoch. Publish the hash
    of the last line now and then: it shows whether any line before was changed.
    With --json every line of the ledger is shown; arena protocol deals says how to check them.
    """
    from arena.record.epochs import public_ledger
    from arena.record.paths import record_path
    from arena.record.store import Store

    found = public_ledger(until_end(Store.open(record_path(league))))
    if as_json:
        print_json(found)
        return
    for each in found.epochs:
        orders = count(each.orders, "order")
        begun = f"begun {each.begun_at}, {orders}" if each.begun_at else "still to begin"
        say(f"epoch {each.epoch}: {begun}")
        say(f"  committed  {each.committed_at}  {each.commitment}")
        if each.field:
            say(f"  field      {each.begun_at}  {each.field}")
        if each.secret:
            say(f"  secret     {each.revealed_at}  {each.secret}")
    if found.practice:
        say("This league is for practice: its secrets follow from the seed that was given.")
    say(f"line {found.lines[-1].number}: {found.hash}")
