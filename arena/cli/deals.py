"""Commands that compare bots' results with the same cards: deal and deals."""

from pathlib import Path

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.words import deal_name
from arena.cli.options import (
    FILE,
    Whole,
    from_zero,
    json_option,
    open_record,
    print_result,
    refuse_folder,
    write_file,
)
from arena.league.config import TournamentConfig
from arena.league.played import Traveller
from arena.record.deals import (
    find_tables,
    list_deals,
    list_hands,
    list_tables,
    seating_with_cards,
    traveller,
)
from arena.record.matches import find_match
from arena.reports.deals import show_deals, show_hands, show_tables, show_traveller
from arena.reports.language import ENGLISH
from arena.reports.page import commands_note


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
