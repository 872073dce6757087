"""Options that the organiser's commands about a site share."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import FILE

if TYPE_CHECKING:
    from arena.site.config import Site
    from arena.site.registry.file import Registry

site_argument = click.argument("site", type=FILE, metavar="SITE.toml")
why_option = click.option("--why", default="", metavar="TEXT", help="The reason, which is kept.")


@contextmanager
def opened_site(path: Path) -> "Iterator[tuple[Site, Registry]]":
    """The site of a file, and its registry. Raises `ArenaError`."""
    from arena.site.config import read_site
    from arena.site.registry.file import Registry

    site = read_site(path)
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        yield site, registry


def moment_in_utc(at: float) -> str:
    """Seconds since 1970 as a date and time in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def zone_of(site: "Site") -> tzinfo:
    """The time zone of a site's league by its file; UTC while that says none."""
    from arena.base.errors import ArenaError
    from arena.base.toml import TomlFile
    from arena.league.config import zone_named

    name: object = None
    with suppress(ArenaError):
        name = TomlFile(site.league).data.get("time_zone")
    return (zone_named(name) if isinstance(name, str) else None) or UTC


def moment_in(zone: tzinfo, at: float) -> str:
    """Seconds since 1970 as a date and time in a zone, which is named: 2026-12-01 18:00:00 EET."""
    return datetime.fromtimestamp(at, zone).strftime("%Y-%m-%d %H:%M:%S %Z")
