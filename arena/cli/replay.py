"""Commands that look at stored matches: replay and faults."""

import shlex
import sys
from pathlib import Path

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.words import count
from arena.cli.options import (
    FILE,
    DealNumber,
    Whole,
    find_seat,
    json_option,
    match_argument,
    print_json,
    private_option,
    say,
    write_file,
)
from arena.cli.records import open_record
from arena.match.projection import public, seen_by
from arena.match.replay import SeenMatch
from arena.record.deals import ANY, DealFilter, find_deals
from arena.record.faults import bundles
from arena.record.matches import ReplayedMatch, check_bot, find_match, seen, stored_matches
from arena.record.reviews import reviews_of
from arena.record.store import Store
from arena.reports.faults import folded, show_bundle, show_faults
from arena.reports.page import replay_page
from arena.reports.page_review import PageReview, page_review
from arena.reports.replay import show_deal, show_found_deals, show_matches
from arena.zole.state import GAMES


@click.command(
    epilog="Example:  arena replay leagues/spring.toml 17 --seat 1", no_args_is_help=True
)
@click.argument("file", type=FILE, metavar="LEAGUE")
@match_argument
@click.option(
    "--deal",
    type=DealNumber(),
    metavar="N",
    help="Begin at this deal, or print only this one.",
)
@click.option("--seat", metavar="S|BOT", help="Hide what seat S, or the bot's, could not know.")
@click.option("--bot", metavar="NAME", help="Only the deals that this bot declared.")
@click.option("--contract", metavar="NAME", help="Only the deals of this contract.")
@click.option("--faults", is_flag=True, help="Only the deals with faults.")
@click.option(
    "--swing",
    type=Whole(1),
    metavar="N",
    help="Only the deals in which a bot won or lost N stakes or more.",
)
@click.option("--results", is_flag=True, help="List the matches with their stakes.")
@click.option("--print", "whole", is_flag=True, help="Print all of it, even in a terminal.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that opens in a browser.")
@click.option("--review", is_flag=True, help="The page says what each answer was worth.")
@private_option
@json_option
def replay(
    file: Path,
    match: int | None,
    deal: int | None,
    seat: str | None,
    bot: str | None,
    contract: str | None,
    faults: bool,
    swing: int | None,
    results: bool,
    whole: bool,
    html: Path | None,
    review: bool,
    private: bool,
    as_json: bool,
) -> None:
    """Look at a stored match: step by step in a terminal, otherwise printed as a whole.

    Without MATCH the matches are listed, or the deals that --bot, --contract, --faults and --swing
    find in them; with MATCH, these begin the steps at its first such deal, and print only such
    deals. The match is verified first: if its log was changed, the command names the place. The
    page and --json include what is private to the bots only on request.
    """
    if review and html is None:
        remedy = "add --html FILE; arena review prints what was found"
        raise ArenaError(Mistake("a review is shown on a page", "--review", remedy))
    if seat is not None and (html is not None or as_json):
        what = "a page or document would not hide anything"
        remedy = "export LEAGUE logs MATCH --view seat:S writes what a seat was told"
        raise ArenaError(Mistake(what, "--seat", remedy))
    store = open_record(file)
    if bot is not None:
        check_bot(bot, store.terms().bots, "--bot")
    if contract not in (None, *GAMES):
        what = f"no contract is called {contract}"
        raise ArenaError(Mistake(what, "--contract", f"there are {', '.join(GAMES)}"))
    wanted = DealFilter(bot=bot, contract=contract, faults=faults, swing=swing)
    if match is None and html is None and len(listed := list(store.outlines())) != 1:
        if wanted == ANY:
            if as_json:
                print_json(listed)
            else:
                show_matches(listed, results)
            return
        deals = list(find_deals(store, wanted))
        if as_json:
            print_json(deals)
        else:
            show_found_deals(deals)
        return
    stored = find_match(store, match)
    found = seen(stored)
    place = None if seat is None else find_seat(found.bots, seat)
    if deal is not None and deal >= len(found.deals):
        raise ArenaError(Mistake(f"the match has {count(len(found.deals), 'deal')}", "--deal"))
    chosen = found.deals if deal is None else (found.deals[deal],)
    if wanted != ANY:
        fitting = {each.deal for each in find_deals(store, wanted, stored.number)}
        chosen = tuple(each for each in chosen if each.deal in fitting)
    shown = msgspec.structs.replace(found, deals=chosen)
    if html is not None:
        reviewed = _review(store, stored, shown, file) if review else None
        write_file(html, replay_page(shown if private else public(shown), review=reviewed))
    elif as_json:
        print_json(shown if private else public(shown))
    elif sys.platform != "win32" and sys.stdin.isatty() and sys.stdout.isatty() and not whole:
        from arena.reports.steps import walk  # needs a Unix terminal

        begin = chosen[0].deal if chosen else deal or 0
        walk(found, begin, place, faults)
    else:
        given = shown if place is None else seen_by(shown, place)
        for each in given.deals:
            show_deal(given, each)


@click.command(epilog="Example:  arena faults leagues/spring.toml 17", no_args_is_help=True)
@click.argument("file", type=FILE, metavar="LEAGUE")
@match_argument
@click.option("--bot", metavar="NAME", help="Only this bot's faults.")
@json_option
def faults(file: Path, match: int | None, bot: str | None, as_json: bool) -> None:
    """List the faults of a league, or show those of one match in full.

    A fault keeps the last lines to and from the bot, the time it took, the end of its stderr, and
    the command that feeds a bot the same lines again.
    """
    store = open_record(file)
    if bot is not None:
        check_bot(bot, store.terms().bots, "--bot")
    chosen = [find_match(store, match)] if match is not None else stored_matches(store, faulty=True)
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
        for bundle, more in folded(found, alike=True):
            show_bundle(bundle, more)
        if not found:
            say("no faults", err=True)


def _review(store: Store, match: ReplayedMatch, shown: SeenMatch, file: Path) -> PageReview:
    """The kept reviews of a match for its page, with the command that makes the missing ones."""
    kept = reviews_of(match, store.path)
    command = shlex.join(("arena", "review", file.name, str(match.number)))
    return page_review(shown, kept, command)
