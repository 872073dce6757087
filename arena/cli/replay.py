"""Commands that show what was played: replay, review, faults; deal and deals."""

import shlex
from contextlib import closing
from pathlib import Path

import click
import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.words import count, deal_name
from arena.cli.options import (
    FILE,
    Whole,
    find_seat,
    from_zero,
    json_option,
    match_argument,
    open_record,
    print_json,
    print_result,
    private_option,
    refuse_folder,
    say,
    write_file,
)
from arena.league.config import TournamentConfig
from arena.league.played import Traveller
from arena.match.projection import public, seen_by
from arena.record.deals import (
    find_tables,
    list_deals,
    list_hands,
    list_tables,
    seating_with_cards,
    traveller,
)
from arena.record.faults import Bundle, bundles
from arena.record.matches import check_bot, find_match, seen, stored_matches
from arena.record.reviews import Reviews, reviews_of, reviews_path
from arena.reports.deals import show_deals, show_hands, show_tables, show_traveller
from arena.reports.faults import folded, show_bundle, show_faults
from arena.reports.language import ENGLISH
from arena.reports.page import commands_note, replay_page
from arena.reports.page_review import page_review
from arena.reports.replay import show_deal, show_matches
from arena.review.verdict import WORLDS


@click.command(
    epilog="Example:  arena replay leagues/spring.toml 17 --seat 1", no_args_is_help=True
)
@click.argument("file", type=FILE, metavar="LEAGUE")
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
    file: Path,
    match: int | None,
    deal: int | None,
    seat: str | None,
    html: Path | None,
    review: bool,
    private: bool,
    as_json: bool,
) -> None:
    """Show a stored match step by step, or without MATCH the list of all.

    The match is verified first: if its log was changed, the command names the place. The page and
    --json include what is private to the bots only on request.
    """
    if review and html is None:
        remedy = "add --html FILE; arena review prints what was found"
        raise ArenaError(Mistake("a review is shown on a page", "--review", remedy))
    if seat is not None and (html is not None or as_json):
        what = "a page or document would not hide anything"
        remedy = "export LEAGUE logs MATCH --view seat:S writes what a seat was told"
        raise ArenaError(Mistake(what, "--seat", remedy))
    store = open_record(file)
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
        command = shlex.join(("arena", "review", file.name, str(stored.number)))
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
    print_result(as_json, found, show_faults if match is None else _show_bundles)


def _show_bundles(found: list[Bundle]) -> None:
    for bundle, more in folded(found, alike=True):
        show_bundle(bundle, more)
    if not found:
        say("no faults", err=True)


@click.command(
    epilog="Example:  arena review leagues/spring.toml 17 --bot careful", no_args_is_help=True
)
@click.argument("file", type=FILE, metavar="LEAGUE")
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
@click.option(
    "--jobs",
    type=Whole(1),
    metavar="N",
    help="Deals at a time, each on a core.  [default: all cores]",
)
@json_option
def review(
    file: Path,
    match: int | None,
    bot: str | None,
    worst: int,
    worlds: int | None,
    openly: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """What would have been better? Values every legal answer of every decision.

    By what the seat knew, over sampled deals of the hidden cards, and with open hands. Takes about
    a second a deal. What was reviewed is kept in a file beside the record, and the same command
    goes on where it was stopped. Needs the extra review. A diagnosis, never a rating:
    see docs/review.md.
    """
    from arena.base.run_events import Completed  # no other command here plays or counts anything
    from arena.engine.runner import run
    from arena.engine.workers import LocalExecutor, cores
    from arena.reports.review import ReviewProgress, show_review
    from arena.tasks.review import ReviewRequest, deals_to_review, missing, review_deal, sum_up

    store = open_record(file)
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
        document = sum_up(store, asked, kept, str(file), worst)
    print_result(as_json, document, show_review, document, openly)
    if progress.failed:
        what = f"{count(progress.failed, 'deal')} could not be reviewed"
        raise MachineError(Mistake(what, str(file), "the lines above say why"))


@click.command(
    epilog="Example:  arena deal leagues/spring.toml 17 bold careful lazy", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.argument("number", type=Whole(1), callback=from_zero, metavar="N")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that opens in a browser.")
@json_option
def deal(
    league: Path,
    number: int,
    bots: tuple[str, ...],
    html: Path | None,
    as_json: bool,
) -> None:
    """Show one deal in all its seatings: who declared what, and what each bot made of the cards.

    N is the league's number of the deal, from 1, as arena replay LEAGUE lists them. A match of a
    later round begins at a higher one, and its replay counts from 1 again; each line names its own
    command. Every table of bots is dealt cards of its own: BOTs choose the tables at which all of
    them sit. If several are left, these are listed. All tables of three of a tournament share a
    deal, and have one sheet; tables of four have another.

    Lines of a page link to the replays of arena report if FILE lies beside the league's page.
    """
    if html is not None:
        refuse_folder(html)
    store = open_record(league)
    tables, terms = find_tables(store, number, bots), store.terms()
    if len(tables) > 1 and html is not None:
        what = f"{len(tables)} tables have a {deal_name(number)}"
        raise ArenaError(Mistake(what, "--html", "name the bots of one"))
    if len(tables) > 1 and not isinstance(terms.config, TournamentConfig):
        found = list_tables(store, number, tables)
        print_result(as_json, found, show_tables, found, str(league), number, tables)
        return
    named = str(league) if html is None else league.name
    sheets = []
    for lineup, numbers in tables.items():
        matches = (find_match(store, each) for each in sorted(numbers))
        seatings = [seating_with_cards(match, number, named) for match in matches]
        sheets.append(traveller(terms, lineup, number, seatings))
    if html is not None:
        write_file(html, _page(sheets[0], html, store.path.stem, named))
    else:
        document = sheets[0] if len(sheets) == 1 else sheets
        print_result(as_json, document, lambda _: [*map(show_traveller, sheets)])


@click.command(
    epilog="Example:  arena deals leagues/spring.toml --worst careful", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--worst", metavar="BOT", help="The hands on which this bot lost most.")
@click.option("--best", metavar="BOT", help="The hands on which this bot won most.")
@click.option("--most", type=Whole(1), default=20, show_default=True, help="How many to list.")
@json_option
def deals(league: Path, worst: str | None, best: str | None, most: int, as_json: bool) -> None:
    """List the deals on which bots' stakes differed most, or one bot's worst hands.

    A deal is played in every seating, so each bot of a table holds each hand. --worst compares the
    bot's mean stakes with a hand with those of the others with the same hand in the same seat, and
    begins with the hand on which it lost most against them. arena deal shows all that was played.
    """
    if worst is not None and best is not None:
        raise ArenaError(Mistake("either --worst or --best", "--best", "run it twice for both"))
    store, bot = open_record(league), worst or best
    if bot is None:
        listed = list_deals(store, most)
        print_result(as_json, listed, show_deals, listed, str(league))
    else:
        found = list_hands(store, bot, most, worst is None)
        print_result(as_json, found, show_hands, found, str(league), worst is None)


def _page(sheet: Traveller, html: Path, record: str, league: str) -> str:
    from arena.site.documents import TravellerDocument  # most calls draw no page
    from arena.site.pages.templates import FolderTemplates

    folder = html.with_name(f"{record}.pages")
    replays = {
        f"/matches/{line.match}/replay": f"{folder.name}/{line.match}.html"
        for line in sheet.lines
        if (folder / f"{line.match}.html").exists()
    }
    found = TravellerDocument(**msgspec.structs.asdict(sheet), first=sheet.deal, deals=1)
    foot = [commands_note(league)]
    templates = FolderTemplates(sheet.league, replays, html.name, ENGLISH, foot=foot)
    return templates.draw("deal.html", deal=found)
