"""The command that tells what a site does."""

import sys
from pathlib import Path

import click

from arena.cli.options import json_option, print_json
from arena.cli.serve_options import opened_site, site_argument


@click.command(epilog="Example:  arena serve status site.toml", no_args_is_help=True)
@site_argument
@json_option
def status(site: Path, as_json: bool) -> None:
    """Tell what a site does: its league, what waits, its processes, its disk.

    Exit 1 if a process has said nothing for two minutes, or there is too little room.
    """
    from arena.site.status import show_status, site_status

    with opened_site(site) as (found, registry):
        known = site_status(found, registry)
    if as_json:
        print_json(known)
    else:
        show_status(known)
    sys.exit(0 if known.is_well else 1)
