"""The command about leagues that a site shows beside its own."""

from pathlib import Path

import click

from arena.cli.options import FILE, json_option, print_json, say
from arena.cli.serve_options import opened_site, site_argument


@click.command(epilog="Example:  arena serve show site.toml cup.toml", no_args_is_help=True)
@site_argument
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--name", metavar="NAME", help="Its part of an address.  [default: the file's name]")
@click.option("--hide", is_flag=True, help="Take its pages off the site.")
@json_option
def show(site: Path, league: Path, name: str | None, hide: bool, as_json: bool) -> None:
    """Show the pages of any league on a site.

    They are those of its record as it stands: show it again when more was played.
    """
    from arena.record.paths import record_path
    from arena.site.shown_leagues import hide_league, show_league

    name = name or league.stem
    with opened_site(site) as (found, registry):
        if hide:
            hide_league(found, registry, name)
            say(f"hidden: {name}", err=True)
            return
        shown = show_league(found, registry, record_path(league), name)
    if as_json:
        print_json(shown)
    else:
        say(f"shown: {found.address}/leagues/{name}/", err=True)
