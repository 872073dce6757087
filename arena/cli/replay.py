"""Commands that show what was played: replay, review, faults; deal and deals."""

import shlex
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.words import count
from arena.cli.options import (
    FILE,
    Whole,
    find_seat,
    from_zero,
    jobs_option,
    json_option,
    match_argument,
    print_json,
    print_result,
    private_option,
    record_argument,
    write_file,
)
from arena.league.config import TournamentConfig
from arena.match.projection import public, seen_by
from arena.record.deals import (
    DealLines,
    HandLines,
    deal_command,
    find_tables,
    list_deals,
    list_hands,
    seating_with_cards,
    traveller,
)
from arena.record.faults import bundles
from arena.record.matches import check_bot, find_match, seen, stored_matches
from arena.record.reviews import Reviews, reviews_of, reviews_path
from arena.record.store import Store
from arena.reports.page import page_review, replay_page
from arena.reports.played import (
    show_bundles,
    show_deal,
    show_deals,
    show_faults,
    show_matches,
    show_traveller,
)
from arena.reports.terminal import show_lines
from arena.review.verdict import WORLDS


@click.command(
    epilog="Example:  arena replay leagues/spring.toml 17 --seat 1", no_args_is_help=True
)
@record_argument
@match_argument
@click.option(
    "--deal",
    type=Whole(1),
    callback=from_zero,
    metavar="N",
    help="Only this deal.",
)
@click.option("--seat", metavar="S|BOT", help="Hide what seat S, or the bot's, could not know.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that opens in a browser.")
@click.option("--review", is_flag=True, help="The page says what each answer was worth.")
@private_option
@json_option
def replay(
    store: Store,
    match: int | None,
    deal: int | None,
    seat: str | None,
    html: Path | None,
    review: bool,
    private: bool,
    as_json: bool,
) -> None:
    """Show a stored match step by step, or list all.

    The match is verified first: if its log was changed, the command names the place. The page and
    --json include what is private to the bots only on request.
    """
    if review and html is None:
        remedy = "add --html FILE; arena review prints what was found"
        raise ArenaError(Mistake("a review is shown on a page", "--review", remedy))
    if seat is not None and (html is not None or as_json):
        what = "a page or document would not hide anything"
        remedy = "export LEAGUE logs MATCH --view seat:S writes what a seat was sent"
        raise ArenaError(Mistake(what, "--seat", remedy))
    if match is None and html is None and len(listed := list(store.outlines())) != 1:
        print_result(as_json, listed, show_matches)
        return
    stored = find_match(store, match)
    found = seen(stored)
    place = None if seat is None else find_seat(found.bots, seat)
    if deal is not None and deal >= len(found.deals):
        raise ArenaError(Mistake(f"the match has {count(len(found.deals), 'deal')}", "--deal"))
    shown = found
    if deal is not None:
        shown = msgspec.structs.replace(found, deals=(found.deals[deal],))
    if html is not None:
        command = shlex.join(("arena", "review", store.path.name, str(stored.number)))
        kept = reviews_of(stored, store.path) if review else {}
        reviewed = page_review(shown, kept, command) if review else None
        write_file(html, replay_page(shown if private else public(shown), review=reviewed))
    elif as_json:
        print_json(shown if private else public(shown))
    else:
        given = shown if place is None else seen_by(shown, place)
        for each in given.deals:
            show_deal(given, each)


@click.command(epilog="Example:  arena faults leagues/spring.toml 17", no_args_is_help=True)
@record_argument
@match_argument
@click.option("--bot", metavar="NAME", help="Only this bot's faults.")
@json_option
def faults(store: Store, match: int | None, bot: str | None, as_json: bool) -> None:
    """List the faults of a league, or of one match.

    A fault keeps the last lines to and from the bot, the time it took, the end of its stderr, and
    the command that feeds a bot the same lines again.
    """
    if bot is not None:
        check_bot(bot, store.terms().bots, "--bot")
    chosen = [find_match(store, match)] if match is not None else stored_matches(store, faulty=True)
    found = [
        bundle
        for each in chosen
        for bundle in bundles(each, str(store.path))
        if bot in (None, bundle.bot)
    ]
    print_result(as_json, found, show_faults if match is None else show_bundles)


@click.command(
    epilog="Example:  arena review leagues/spring.toml 17 --bot careful", no_args_is_help=True
)
@record_argument
@match_argument
@click.option("--bot", metavar="NAME", help="Only this bot's decisions: a third of the time.")
@click.option(
    "--worst",
    type=Whole(0),
    default=20,
    show_default=True,
    metavar="N",
    help="How many of the costliest moments to list.",
)
@click.option(
    "--worlds",
    type=Whole(8),
    metavar="N",
    help="The most deals of the hidden cards to value a decision in.  [default: 60]",
)
@click.option("--open", "openly", is_flag=True, help="List what moments cost with open hands, too.")
@jobs_option
@json_option
def review(
    store: Store,
    match: int | None,
    bot: str | None,
    worst: int,
    worlds: int | None,
    openly: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Value every legal answer of every decision.

    By what the seat knew, over sampled deals of the hidden cards, and with open hands. Takes about
    a second a deal. What was reviewed is kept in a file next to the record, and the same command
    continues where it was stopped. Needs the extra review. A diagnosis, never a rating:
    see docs/review.md.
    """
    from arena.base.run_events import Completed  # no other command here plays or counts anything
    from arena.engine.runner import run
    from arena.engine.workers import LocalExecutor, cores
    from arena.reports.review import ReviewProgress, show_review
    from arena.tasks.review import ReviewRequest, deals_to_review, missing, review_deal, sum_up

    if match is not None:
        find_match(store, match)
    if bot is not None:
        check_bot(bot, store.terms().bots, "--bot")
    asked = ReviewRequest(None if match is None else (match,), bot, worlds or WORLDS)
    with closing(Reviews.open(reviews_path(store.path), create=True)) as kept:
        with ReviewProgress(deals_to_review(store, asked)) as progress:
            deals = missing(store, asked, kept, progress.skipped)
            workers = LocalExecutor([None] * (jobs or len(cores())), review_deal)
            with closing(workers) as executor:
                for event in run(((deal, deal) for deal in deals), executor):
                    if isinstance(event, Completed):
                        kept.keep(asked.worlds, zip(event.key.keys, event.result, strict=True))
                    progress.show(event)
            progress.over(kept.path)
        document = sum_up(store, asked, kept, str(store.path), worst)
    print_result(as_json, document, show_review, document, openly)
    if progress.failed:
        what = f"{count(progress.failed, 'deal')} could not be reviewed"
        raise MachineError(Mistake(what, str(store.path), "see the lines above"))


@click.command(
    epilog="Example:  arena deal leagues/spring.toml 17 bold careful lazy", no_args_is_help=True
)
@record_argument
@click.argument("number", type=Whole(1), callback=from_zero, metavar="N")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@json_option
def deal(store: Store, number: int, bots: tuple[str, ...], as_json: bool) -> None:
    """Show one deal in all its seatings.

    N is the league's number of the deal, from 1. A match of a later round begins at a higher one,
    and its replay counts from 1 again; each line names its own command. Every table of bots is
    dealt its own cards: BOTs choose the tables at which all of them sit. If several are left,
    their commands are listed. All tables of three of a tournament share a deal, and have one sheet;
    tables of four have another.
    """
    tables, terms, named = find_tables(store, number, bots), store.terms(), str(store.path)
    if len(tables) > 1 and not isinstance(terms.config, TournamentConfig):
        commands = [deal_command(named, number, lineup) for lineup in tables]
        print_result(as_json, [*tables], show_lines, "Each table has its own cards:", *commands)
        return
    sheets = []
    for lineup, numbers in tables.items():
        matches = (find_match(store, each) for each in sorted(numbers))
        seatings = [seating_with_cards(match, number, named) for match in matches]
        sheets.append(traveller(terms, lineup, number, seatings))
    document = sheets[0] if len(sheets) == 1 else sheets
    print_result(as_json, document, lambda _: [*map(show_traveller, sheets)])


@click.command(
    epilog="Example:  arena deals leagues/spring.toml --worst careful", no_args_is_help=True
)
@record_argument
@click.option("--worst", metavar="BOT", help="The hands on which this bot lost most.")
@click.option("--best", metavar="BOT", help="The hands on which this bot won most.")
@click.option("--most", type=Whole(1), default=20, show_default=True, help="How many to list.")
@json_option
def deals(store: Store, worst: str | None, best: str | None, most: int, as_json: bool) -> None:
    """List the deals that differed most, or a bot's worst hands.

    A deal is played in every seating, so each bot of a table holds each hand. --worst compares the
    bot's mean stakes with a hand with those of the others with the same hand in the same seat, and
    begins with the hand on which it lost most against them. arena deal shows everything that was
    played.
    """
    if worst is not None and best is not None:
        raise ArenaError(Mistake("either --worst or --best", "--best", "run it twice for both"))
    bot = worst or best
    if bot is None:
        found: DealLines | HandLines = list_deals(store, most)
    else:
        found = list_hands(store, bot, most, worst is None)
    print_result(as_json, found, show_deals, found, str(store.path))
