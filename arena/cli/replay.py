"""Commands that look at stored matches: replay and faults."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import (
    FILE,
    json_option,
    match_argument,
    print_json,
    private_option,
    write_file,
)

if TYPE_CHECKING:
    from arena.match.replay import SeenDeal


@click.command(
    epilog="Example:  arena replay leagues/spring.toml 17 --seat 1", no_args_is_help=True
)
@click.argument("file", type=FILE, metavar="LEAGUE|LOG")
@match_argument
@click.option(
    "--deal",
    type=click.IntRange(0),
    metavar="N",
    help="Begin at this deal, or print only this one.",
)
@click.option(
    "--seat", type=click.IntRange(0), metavar="S", help="Hide what seat S could not know."
)
@click.option(
    "--faults",
    is_flag=True,
    help="Only the deals with faults; in steps, begin at the first (f goes to the next).",
)
@click.option("--print", "whole", is_flag=True, help="Print all of it, even in a terminal.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that opens in a browser.")
@private_option
@json_option
def replay(
    file: Path,
    match: int | None,
    deal: int | None,
    seat: int | None,
    faults: bool,
    whole: bool,
    html: Path | None,
    private: bool,
    as_json: bool,
) -> None:
    """Look at a stored match: step by step in a terminal, otherwise printed as a whole.

    Without MATCH the matches are listed. The match is verified first: if its log was changed, the
    command names the place. The page and --json have what is private to the bots only on request.
    """
    import msgspec

    from arena.base.errors import ArenaError, Mistake
    from arena.match.projection import public, seen_by
    from arena.record.matches import Matches, seen
    from arena.reports.replay import show_deal, show_matches

    if seat is not None and (html is not None or as_json):
        what = "a page or document would not hide anything"
        remedy = "export LEAGUE logs MATCH --view seat:S writes what a seat was told"
        raise ArenaError(Mistake(what, "--seat", remedy))
    matches = Matches(file)
    if match is None and html is None and len(listed := matches.outlines()) != 1:
        if as_json:
            print_json(listed)
        else:
            show_matches(listed)
        return
    found = seen(matches.find(match))
    if seat is not None and seat >= len(found.bots):
        raise ArenaError(
            Mistake(f"there is no seat {seat}", "--seat", f"seats are 0 to {len(found.bots) - 1}")
        )
    if deal is not None and deal >= len(found.deals):
        raise ArenaError(Mistake(f"the match has {len(found.deals)} deals", "--deal"))
    if deal is not None or faults:
        chosen = found.deals if deal is None else (found.deals[deal],)
        chosen = tuple(each for each in chosen if not faults or _faulty(each))
        shown = msgspec.structs.replace(found, deals=chosen)
    else:
        shown = found
    if html is not None:
        from arena.reports.page import replay_page

        page = replay_page(shown if private else public(shown))
        write_file(html, page)
    elif as_json:
        print_json(shown if private else public(shown))
    elif sys.stdin.isatty() and sys.stdout.isatty() and not whole:
        from arena.reports.steps import walk

        walk(found, deal or 0, seat, faults)
    else:
        given = shown if seat is None else seen_by(shown, seat)
        for each in given.deals:
            show_deal(given, each)


def _faulty(deal: "SeenDeal") -> bool:
    return any(moment.fault for moment in deal.moments)


@click.command(epilog="Example:  arena faults leagues/spring.toml 17", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE|LOG")
@match_argument
@click.option("--bot", metavar="NAME", help="Only this bot's faults.")
@json_option
def faults(file: Path, match: int | None, bot: str | None, as_json: bool) -> None:
    """List the faults of a league, or show those of one match in full.

    A fault keeps the last lines to and from the bot, the time it took, the end of its stderr, and
    the command that feeds a bot the same lines again.
    """
    from arena.base.errors import ArenaError, Mistake
    from arena.record.faults import bundles
    from arena.record.matches import Matches, seen
    from arena.reports.faults import folded, show_bundle, show_faults

    matches = Matches(file)
    known = {name for each in matches.outlines() for name in each.bots}
    if bot is not None and bot not in known:
        what = f"no bot is called {bot} here"
        raise ArenaError(Mistake(what, "--bot", f"there are {', '.join(sorted(known))}"))
    chosen = [matches.find(match)] if match is not None else matches.with_faults()
    found = [
        bundle
        for each in chosen
        for bundle in bundles(each, seen(each), str(file))
        if bot in (None, bundle.bot)
    ]
    if as_json:
        print_json(found)
    elif match is None:
        show_faults(found)
    else:
        for bundle, more in folded(found):
            show_bundle(bundle, more)
        if not found:
            click.echo("no faults", err=True)
