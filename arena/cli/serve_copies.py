"""Commands that keep a site safe over the years: backup, restore."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.words import count
from arena.cli.options import FILE, json_option, print_json, say
from arena.cli.serve_options import site_argument

if TYPE_CHECKING:
    from arena.site.backup import SiteBackup


@click.command(
    epilog="Example:  arena serve backup site.toml /backups/monday", no_args_is_help=True
)
@site_argument
@click.argument("place", type=FILE, metavar="FOLDER")
@json_option
def backup(site: Path, place: Path, as_json: bool) -> None:
    """Copy a running site into a new folder.

    That is accounts, uploads that wait, the leagues and their bots. It holds the seeds that are
    still secret, so only you may read it. What was published is made anew from the record.
    """
    from arena.site.backup import back_up
    from arena.site.config import read_site

    _tell(back_up(read_site(site), place), "copied", as_json)


@click.command(
    epilog="Example:  arena serve restore /backups/monday /srv/zole", no_args_is_help=True
)
@click.argument("place", type=FILE, metavar="BACKUP")
@click.argument("folder", type=FILE, metavar="FOLDER")
@json_option
def restore(place: Path, folder: Path, as_json: bool) -> None:
    """Make the site of a backup in a new folder.

    All of it is opened and checked. What a newer arena made is refused.
    """
    from arena.site import backup

    _tell(backup.restore(place, folder), "restored", as_json)


def _tell(done: "SiteBackup", what: str, as_json: bool) -> None:
    if as_json:
        print_json(done)
        return
    parts = (
        count(done.accounts, "account"),
        count(done.uploads, "waiting upload"),
        count(done.matches, "match"),
        count(done.bots, "bot"),
    )
    say(f"{done.folder}: {', '.join(parts)} {what} and checked")
