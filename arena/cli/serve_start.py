"""The command that starts a site."""

import sys
from pathlib import Path
from pkgutil import resolve_name

import click

from arena.cli.options import check_web_server
from arena.cli.serve_options import site_argument
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

    found = read_site(site)
    make_folders(found)
    if only in PROCESSES:
        with living(found, only, watched) as life:
            work_on(found, life, resolve_name(PROCESSES[only]))
        return
    names = names_of(found, only)
    if WEB in names:
        check_web_server()
    with ready(found, only) as listener:
        starts = [
            Start(name, (sys.executable, *_CHILD, "--only", name, str(site)))
            for name in names
            if name != WEB
        ]
        if listener is not None:
            number, web = listener.fileno(), (sys.executable, "-m", "arena.site.web")
            asked = {"site": str(site), "listener": number}
            starts.insert(0, Start(WEB, web, asked, (number,)))
        code = supervise(found, starts, f"unit-{only}" if only else "site")
    sys.exit(code)
