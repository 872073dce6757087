"""Commands by which a site's organiser tells all who look at it something."""

from pathlib import Path

import click

from arena.cli.options import FILE, Whole, json_option, print_json, say
from arena.cli.serve_options import moment_in, opened_site, site_argument, zone_of


@click.command(
    epilog="Example:  arena serve announce site.toml 'Uploads end on Friday'", no_args_is_help=True
)
@site_argument
@click.argument("title", metavar="TITLE")
@click.option("--text", "file", type=FILE, metavar="FILE.md", help="What more to say, in Markdown.")
@json_option
def announce(site: Path, title: str, file: Path | None, as_json: bool) -> None:
    """Announce something: on the first page and on the page about the site."""
    from arena.base.files import read_text
    from arena.site.registry import announcements as registry_announcements

    text = "" if file is None else read_text(file, 1 << 20)
    with opened_site(site) as (found, registry):
        made = registry_announcements.announce(registry, title, text)
    if as_json:
        print_json(made)
    else:
        say(f"announced: {found.address}/about#announcement-{made.number}", err=True)


@click.command(epilog="Example:  arena serve announced site.toml", no_args_is_help=True)
@site_argument
@click.option("--remove", type=Whole(1), metavar="N", help="Take an announcement back.")
@json_option
def announced(site: Path, remove: int | None, as_json: bool) -> None:
    """List what was announced, the newest first."""
    from arena.site.registry import announcements as registry_announcements

    with opened_site(site) as (served, registry):
        if remove is not None:
            registry_announcements.remove_announcement(registry, remove)
            say(f"announcement {remove} is taken back", err=True)
        found, zone = registry_announcements.announcements(registry), zone_of(served)
    if as_json:
        print_json(found)
        return
    for each in found:
        say(f"{each.number:>4}  {moment_in(zone, each.at)}  {each.title}")
