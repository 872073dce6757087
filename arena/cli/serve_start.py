"""The command that starts a site."""

import sys
from pathlib import Path
from pkgutil import resolve_name

import click

from arena import __version__
from arena.cli.options import check_web_server, say
from arena.cli.serve_options import opened_site, site_argument
from arena.site.processes import PROCESSES, WEB, make_folders, names_of

_CHILD = ("-m", "arena", "serve", "--watched")


@click.command(hidden=True, epilog="Example:  arena serve site.toml", no_args_is_help=True)
@site_argument
@click.option(
    "--only",
    type=click.Choice((WEB, "player", *PROCESSES)),
    help="Run only this part, as a unit of its own: web, intake, tables or player.",
)
@click.option(
    "--watched", is_flag=True, hidden=True, help="End when standard input does: for children."
)
def start(site: Path, only: str | None, watched: bool) -> None:
    """Start a site: its web server, the intake of bots, and the league, which is played on.

    It runs until it is stopped, and restarts any part of it that dies. All of it can be killed at
    any moment; the same command goes on.
    """
    from arena.site.config import read_site
    from arena.site.disk import work_on
    from arena.site.life import living
    from arena.site.readiness import ready
    from arena.site.supervisor import Start, supervise
    from arena.site.upgrade import become_other

    found = read_site(site)
    make_folders(found)
    if only in PROCESSES:
        with living(found, only, watched) as life:
            work_on(found, life, resolve_name(PROCESSES[only]))
        return
    names = names_of(found, only)
    if WEB in names:
        check_web_server()
    with ready(found, only) as listeners:
        numbers = tuple(each.fileno() for each in listeners)
        web = (sys.executable, "-m", "arena.site.web")
        starts = [
            Start(WEB, web, {"site": str(site), "listeners": numbers}, numbers)
            if name == WEB
            else Start(name, (sys.executable, *_CHILD, "--only", name, str(site)))
            for name in names
        ]
        code = supervise(found, starts, f"unit-{only}" if only else "site")
        if code is None:
            become_other(found, listeners)
    sys.exit(code)


@click.command(epilog="Example:  arena serve upgrade site.toml", no_args_is_help=True)
@site_argument
def upgrade(site: Path) -> None:
    """Have this arena go on with a site that another one runs.

    Matches under way are finished, or played again; who asks for a page meanwhile waits for some
    seconds. Guests' tables end. Nothing is done if this arena cannot open what the site keeps.
    """
    from arena.record.paths import record_path
    from arena.record.store import Store
    from arena.site import upgrade as site_upgrade

    check_web_server()
    with opened_site(site) as (found, _):
        if record_path(found.league).exists():
            Store.open(record_path(found.league)).close()
        site_upgrade.upgrade(found)
    say(f"arena {__version__} goes on with the site", err=True)
