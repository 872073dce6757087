"""Commands that keep a record over the years: upgrade, backup."""

from pathlib import Path

import click

from arena.base.words import count
from arena.cli.options import FILE, json_option, print_json, say


@click.command(epilog="Example:  arena upgrade leagues/spring.toml", no_args_is_help=True)
@click.argument("league", type=FILE, metavar="LEAGUE")
@json_option
def upgrade(league: Path, as_json: bool) -> None:
    """Bring a record of an older format to the one that this arena writes.

    All of it is copied into a new file, whose matches are replayed by the rules before it takes the
    record's name. The old one stays beside it: spring.db of format 3 as spring.format-3.db. If it
    is stopped, run it again. To be read, a record needs no upgrade.
    """
    from arena.record.paths import record_path
    from arena.record.upgrade import upgrade as bring_up

    done = bring_up(record_path(league))
    if as_json:
        print_json(done)
    elif done.kept is None:
        say(f"{done.record} has format {done.before} already", err=True)
    else:
        matches = count(done.matches, "match")
        say(f"{done.record} is brought up from format {done.before}; {matches} verified")
        say(f"the old record is kept as {done.kept}", err=True)
