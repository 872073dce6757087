"""Commands that keep a league's record safe over the years: backup, upgrade."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.words import count
from arena.cli.options import FILE, json_option, print_json, say

if TYPE_CHECKING:
    from arena.record.upgrade import Upgraded


@click.command(
    epilog="Example:  arena backup leagues/spring.toml /backups/spring-monday", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.argument("place", type=FILE, metavar="FOLDER")
@json_option
def backup(league: Path, place: Path, as_json: bool) -> None:
    """Copy a league into a new folder, even while it plays.

    FOLDER gets the record as it stands at one moment, its reviews, the league's file and the bots'
    copies, and its name once all is written and checked. It holds the seeds that are still secret,
    so only you may read it. Copied back to an empty folder, the league goes on from there.
    """
    from arena.record.backup import backup as copy_league

    done = copy_league(league, place)
    if as_json:
        print_json(done)
    else:
        said = f"{count(done.matches, 'match')} and {count(done.bots, 'bot')}"
        say(f"{done.folder}: {said} copied and checked")


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

    tell_upgrade(bring_up(record_path(league)), as_json)


def tell_upgrade(done: "Upgraded", as_json: bool) -> None:
    """Say what became of a record."""
    if as_json:
        print_json(done)
    elif done.kept is None:
        say(f"{done.record} has format {done.before} already", err=True)
    else:
        matches = count(done.matches, "match")
        say(f"{done.record} is brought up from format {done.before}; {matches} verified")
        say(f"the old record is kept as {done.kept}", err=True)
