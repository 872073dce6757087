"""Options that the organiser's commands about a site share."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
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
