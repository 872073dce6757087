"""Commands that compare bots' results with the same cards: deal and deals."""

from pathlib import Path

import click
import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import writing
from arena.base.words import deal_name, deal_number
from arena.cli.options import FILE, DealNumber, Whole, json_option, print_json, write_file
from arena.cli.records import open_record
from arena.league.config import TournamentConfig
from arena.league.played import Traveller
from arena.match.projection import public
from arena.record.deals import (
    Seating,
    find_tables,
    list_deals,
    list_hands,
    list_tables,
    seating_with_cards,
    traveller,
)
from arena.record.matches import ReplayedMatch, find_match, seen
from arena.reports.deals import show_deals, show_hands, show_tables, show_traveller
from arena.reports.language import ENGLISH
from arena.reports.page import Link, commands_note, relative_address, replay_page

_MOST = 20


@click.command(
    epilog="Example:  arena deal leagues/spring.toml 17 bold careful lazy", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.argument("number", type=DealNumber(), metavar="N")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that opens in a browser.")
@click.option(
    "--replays", is_flag=True, help="With --html, also write a replay page for each line."
)
@json_option
def deal(
    league: Path,
    number: int,
    bots: tuple[str, ...],
    html: Path | None,
    replays: bool,
    as_json: bool,
) -> None:
    """Show one deal in all its seatings: who declared what, and what each bot made of the cards.

    N is the league's number of the deal, from 1, as arena replay LEAGUE lists them. A match of a
    later round begins at a higher one, and its replay counts from 1 again; each line names its own
    command. Every table of bots is dealt cards of its own: BOTs choose the tables at which all of
    them sit. If several are left, these are listed. All tables of three of a tournament share a
    deal, and have one sheet; tables of four have another.

    Lines of a page link to replay pages: to those that --replays writes, in a folder beside FILE,
    or to those of arena report if FILE lies beside the league's page.
    """
    if replays and html is None:
        raise ArenaError(Mistake("replay pages go with a page", "--replays", "add --html FILE"))
    if html is not None and html.is_dir():
        raise ArenaError(Mistake("this is a folder", str(html), "name a file"))
    store = open_record(league)
    tables, terms = find_tables(store, number, bots), store.terms()
    if len(tables) > 1 and html is not None:
        what = f"{len(tables)} tables have a {deal_name(number)}"
        raise ArenaError(Mistake(what, "--html", "name the bots of one"))
    if len(tables) > 1 and not isinstance(terms.config, TournamentConfig):
        found = list_tables(store, number, tables)
        if as_json:
            print_json(found)
        else:
            show_tables(found, str(league), number, tables)
        return
    named = str(league) if html is None else league.name
    sheets = []
    for lineup, numbers in tables.items():
        seatings: list[Seating] = []
        for each in sorted(numbers):
            match = find_match(store, each)
            seatings.append(seating_with_cards(match, number, named))
            if html is not None and replays:
                _write_replay(match, number - match.first, html)
        sheets.append(traveller(terms, lineup, number, seatings))
    if html is not None:
        [sheet] = sheets
        write_file(html, _page(sheet, _replay_files(sheet, store.path, html), html, named))
    elif as_json:
        print_json(sheets[0] if len(sheets) == 1 else sheets)
    else:
        for sheet in sheets:
            show_traveller(sheet)


@click.command(
    epilog="Example:  arena deals leagues/spring.toml --worst careful", no_args_is_help=True
)
@click.argument("league", type=FILE, metavar="LEAGUE")
@click.option("--worst", metavar="BOT", help="The hands on which this bot lost most.")
@click.option("--best", metavar="BOT", help="The hands on which this bot won most.")
@click.option("--most", type=Whole(1), default=_MOST, show_default=True, help="How many to list.")
@json_option
def deals(league: Path, worst: str | None, best: str | None, most: int, as_json: bool) -> None:
    """List the deals on which bots' stakes differed most, or one bot's worst hands.

    A deal is played in every seating, so each bot of a table holds each hand. --worst compares the
    bot's mean stakes with a hand with those of the others with the same hand in the same seat, and
    begins with the hand on which it lost most against them. arena deal shows all that was played.
    """
    if worst is not None and best is not None:
        raise ArenaError(Mistake("either --worst or --best", "--best", "run it twice for both"))
    store = open_record(league)
    bot = worst or best
    if bot is None:
        listed = list_deals(store, most)
        if as_json:
            print_json(listed)
        else:
            show_deals(listed, str(league))
        return
    found = list_hands(store, bot, most, worst is None)
    if as_json:
        print_json(found)
    else:
        show_hands(found, str(league), worst is None)


def _write_replay(match: ReplayedMatch, deal: int, html: Path) -> None:
    """Write the page of one game of a match, if it was played, beside a traveller's page."""
    found = seen(match)
    alone = msgspec.structs.replace(found, deals=found.deals[deal : deal + 1])
    if not alone.deals:
        return
    back = Link("the deal at all tables", relative_address("..", html.name))
    page = _replay_of(match.number, deal, html)
    with writing(page):
        page.parent.mkdir(exist_ok=True)
        page.write_text(replay_page(public(alone), back), encoding="utf-8")


def _replay_of(match: int, deal: int, html: Path) -> Path:
    """The replay page of one game alone, beside a traveller's page."""
    return html.with_suffix(".replays") / f"{match}-{deal_number(deal)}.html"


def _replay_files(sheet: Traveller, record: Path, html: Path) -> dict[str, str]:
    """The replay pages that exist for lines of a traveller's page, by their paths on a site."""
    of_report = html.with_name(f"{record.stem}.pages")
    found: dict[str, str] = {}
    for line in sheet.lines:
        for page in (of_report / f"{line.match}.html", _replay_of(line.match, line.deal, html)):
            if page.exists():
                found[f"/matches/{line.match}/replay"] = f"{page.parent.name}/{page.name}"
    return found


def _page(sheet: Traveller, replays: dict[str, str], html: Path, league: str) -> str:
    """A traveller's page, as a site has it."""
    from arena.site.documents import TravellerDocument  # most calls draw no page
    from arena.site.pages.templates import FolderTemplates

    found = TravellerDocument(**msgspec.structs.asdict(sheet), first=sheet.deal, deals=1)
    foot = [commands_note(league)]
    templates = FolderTemplates(sheet.league, replays, html.name, ENGLISH, foot=foot)
    return templates.draw("deal.html", deal=found)
