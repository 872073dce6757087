"""The command that writes a league's page."""

from pathlib import Path

import click

from arena.cli.options import FILE, private_option, write_file


@click.command(
    epilog="Example:  arena report leagues/spring.toml --replays faults", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--out", type=FILE, metavar="FILE", help="[default: spring.html by spring.toml]")
@click.option(
    "--replays",
    type=click.Choice(["none", "faults", "all"]),
    default="none",
    show_default=True,
    help="Write the replay pages of matches with faults, or of all, and link them.",
)
@private_option
def report(league: Path, out: Path | None, replays: str, private: bool) -> None:
    """Write a league's page: standings, crosstable, figures, times and faults, from its record.

    One file that opens from disk and needs no network. Replay pages go into a folder beside it.
    """
    from arena.moments import public
    from arena.reports.league_page import league_page
    from arena.reports.page import replay_page
    from arena.store import record_path
    from arena.stored import Matches, seen

    record = record_path(league)
    matches = Matches(record)
    out = out or record.with_suffix(".html")
    folder = out.with_suffix(".replays")
    pages: dict[int, str] = {}
    for each in matches.listed() if replays != "none" else ():
        if replays == "all" or each.faults:
            folder.mkdir(exist_ok=True)
            found = seen(matches.find(each.match))
            page = folder / f"{each.match}.html"
            page.write_text(replay_page(found if private else public(found)), encoding="utf-8")
            pages[each.match] = f"{folder.name}/{page.name}"
    write_file(out, league_page(matches.league(), pages, private))
