"""The command that writes a league's pages."""

from pathlib import Path

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.words import count
from arena.cli.options import FILE, private_option, say
from arena.cli.records import open_record
from arena.reports.language import languages_with
from arena.site.report import Replays, write_report


@click.command(
    epilog="Example:  arena report leagues/spring.toml --replays all", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--out", type=FILE, metavar="FILE", help="[default: spring.html by spring.toml]")
@click.option(
    "--replays",
    type=click.Choice(["none", "few", "faults", "all"]),
    default="few",
    show_default=True,
    help="Which matches to write replay pages for: a few (the most frequent faults, the largest"
    " swings, the last), those with faults, all, or none.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="TAG",
    help="The language of the pages: en or lv. A replay is in its reader's.",
)
@private_option
def report(league: Path, out: Path | None, replays: Replays, language: str, private: bool) -> None:
    """Write a league's pages from its record: standings, crosstable, a page for each bot, matches.

    They are the pages of a site, and need no network: the standings are in FILE, the others in a
    folder beside it, with replay pages, the deals that bots played most differently and the details
    of faults; those that an earlier report wrote there are removed. Commands on the pages are for
    LEAGUE's folder.

    Of an open league, matches that its publish = "..." keeps back have no replay without --private.
    """
    languages = languages_with("league")
    if language not in languages:
        what, known = f"there is no language {language} here", f"choose {', '.join(languages)}"
        raise ArenaError(Mistake(what, "--language", known))
    store = open_record(league)
    out = out or store.path.with_suffix(".html")
    if out.is_dir():
        raise ArenaError(Mistake("this is a folder", str(out), "name a file"))
    made = write_report(store, league, out, replays, language, private)
    say(f"written: {out}", err=True)
    if made.removed:
        say(f"removed: {count(made.removed, 'page')} of an earlier report", err=True)
    told = count(made.pages, "page")
    if made.replays:
        told = count(made.replays, "replay")
        told += f" and {count(made.deals, 'deal')}" if made.deals else ""
    say(f"written: {told} in {made.folder}, {made.size / 1e6:.1f} MB", err=True)
