"""Commands about the leagues that a site holds beside its own."""

from datetime import datetime
from pathlib import Path
from time import time
from zoneinfo import ZoneInfo

import click

from arena.base.errors import ArenaError, Mistake
from arena.cli.options import FILE, Whole, json_option, print_json, say
from arena.cli.serve_options import moment_in, moment_in_utc, opened_site, site_argument, zone_of

name_option = click.option(
    "--name", metavar="NAME", help="Its part of an address.  [default: the file's name]"
)


@click.command(
    epilog="Example:  arena serve hold site.toml cup.toml --best 16 --at 2026-12-08T18:00",
    no_args_is_help=True,
)
@site_argument
@click.argument("file", type=FILE, metavar="LEAGUE.toml")
@name_option
@click.option(
    "--at",
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]),
    help="When it begins, in the time zone of the site's league.  [default: now]",
)
@click.option("--best", type=Whole(2), metavar="N", help="Only the N that are best then.")
@json_option
def hold(
    site: Path,
    file: Path,
    name: str | None,
    at: datetime | None,
    best: int | None,
    as_json: bool,
) -> None:
    """Hold a league or a tournament among the bots of a site.

    LEAGUE.toml names no bots: those play that are in the field when it begins, each in the version
    of that moment; bots of a team count as those of one author. The site's own league rests
    meanwhile.
    """
    from arena.league.config import OpenConfig
    from arena.league.file import read_league
    from arena.site.holding import hold_league
    from arena.site.registry.held import HeldLeague

    with opened_site(site) as (found, registry):
        moment, zone = time(), ""
        if at is not None:
            config, _ = read_league(found.league, None)
            zone = config.time_zone if isinstance(config, OpenConfig) else "UTC"
            begins_at = at.replace(tzinfo=ZoneInfo(zone)).timestamp()
            if begins_at < moment:
                what = (
                    f"{at:%Y-%m-%d %H:%M} in {zone} is over: it was {moment_in_utc(begins_at)} UTC"
                )
                raise ArenaError(Mistake(what, "", "leave --at out to begin now"))
            moment = begins_at
        league = HeldLeague(name or file.stem, moment, best)
        hold_league(found, registry, league, file)
    if as_json:
        print_json(league)
        return
    begins = "begins as soon as the site plays"
    if at is not None:
        begins = f"begins {at:%Y-%m-%d %H:%M} in {zone}, {moment_in_utc(moment)} UTC"
    say(f"{league.name} {begins}", err=True)


@click.command(epilog="Example:  arena serve show site.toml spring.db", no_args_is_help=True)
@site_argument
@click.argument("record", type=FILE, metavar="RECORD.db")
@name_option
@json_option
def show(site: Path, record: Path, name: str | None, as_json: bool) -> None:
    """Show a league that was played elsewhere on a site, by its record, which is copied."""
    from arena.record.paths import record_path
    from arena.site.holding import show_record
    from arena.site.registry.held import HeldLeague

    with opened_site(site) as (found, registry):
        league = HeldLeague(name or record.stem, time(), None, "over")
        show_record(found, registry, league, record_path(record))
    if as_json:
        print_json(league)
        return
    say(f"shown: {found.address}/leagues/{league.name}", err=True)


@click.command(epilog="Example:  arena serve held site.toml", no_args_is_help=True)
@site_argument
@click.option("--remove", metavar="NAME", help="Hold or show this one no longer.")
@json_option
def held(site: Path, remove: str | None, as_json: bool) -> None:
    """List the leagues that a site holds or has held beside its own."""
    from arena.site.registry.held import drop_held, held_leagues

    with opened_site(site) as (found, registry):
        if remove is not None:
            drop_held(registry, remove)
            place = found.held_file(remove).parent
            say(f"{remove} is off the site; its files stay in {place}", err=True)
        leagues, zone = held_leagues(registry), zone_of(found)
    if as_json:
        print_json(leagues)
        return
    for each in leagues:
        why = f": {each.why}" if each.why else ""
        say(f"{moment_in(zone, each.at)}  {each.name}  {each.state}{why}")
