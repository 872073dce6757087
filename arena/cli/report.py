"""The command that writes a league's page."""

from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.cli.options import FILE, private_option, write_file, writing


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
    help="Also write and link replay pages: of matches with faults, or of all.",
)
@private_option
def report(league: Path, out: Path | None, replays: str, private: bool) -> None:
    """Write a league's page: standings, crosstable, figures, times and faults, from its record.

    It is one file that opens from disk and needs no network. Replay pages and the details of faults
    go into a folder beside it.
    """
    from urllib.parse import quote

    from rich.text import Text

    from arena.match.projection import public
    from arena.record.faults import bundles
    from arena.record.matches import Matches, seen
    from arena.reports.faults import bundle_lines
    from arena.reports.league_page import Pages, league_page
    from arena.reports.page import replay_page

    matches = Matches(league)
    store = matches.league()
    out = out or store.path.with_suffix(".html")
    if out.is_dir():
        raise ArenaError(Mistake("this is a folder", str(out), "name a file"))
    folder = out.with_suffix(".replays")
    pages: dict[int, Pages] = {}
    chosen = matches.read() if replays == "all" else matches.with_faults()
    for match in chosen if replays != "none" else ():
        found = seen(match)
        kept = list(bundles(match, found, str(league), private))
        page, text = folder / f"{match.number}.html", folder / f"{match.number}.txt"
        with writing(page):
            folder.mkdir(exist_ok=True)
            page.write_text(replay_page(found if private else public(found)), encoding="utf-8")
            if kept:
                lines = (f"{line.plain}\n" for one in kept for line in (*bundle_lines(one), Text()))
                text.write_text("".join(lines), encoding="utf-8")
        pages[match.number] = Pages(
            quote(f"{folder.name}/{page.name}"),
            quote(f"{folder.name}/{text.name}") if kept else None,
            {one.deal: one.ply for one in kept},
        )
    write_file(out, league_page(store, pages, private))
