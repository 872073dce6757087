"""The command that copies a league: backup."""

from pathlib import Path

import click

from arena.base.words import count
from arena.cli.options import FILE, json_option, print_json, say
from arena.record.backup import backup as copy_league


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
    done = copy_league(league, place)
    if as_json:
        print_json(done)
    else:
        said = f"{count(done.matches, 'match')} and {count(done.bots, 'bot')}"
        say(f"{done.folder}: {said} copied and checked")
