"""A traveller as a page: one file that opens from disk, with links to replays."""

from collections.abc import Mapping

from markupsafe import Markup

from arena.base.harmless import harmless_lines
from arena.base.words import in_words
from arena.league.played import Traveller
from arena.reports.look import SUITS, page_part, page_words, policy, read_card
from arena.reports.page import Link, commands_note
from arena.reports.traveller import place, points_text, remarks_on_deal, stakes_text


def traveller_page(
    sheet: Traveller, links: Mapping[int, str], league: str, back: Link | None = None
) -> str:
    """The whole page. `links` are the addresses of replays by the number of the match.

    Commands name the `league` by its file.
    """
    words = page_words()
    words.globals |= {each.__name__: each for each in (in_words, place, points_text, stakes_text)}
    style = page_part("style.css") + page_part("traveller_page.css")
    page: str = words.get_template("traveller_page.html").render(
        sheet=sheet,
        links=links,
        back=back,
        commands=commands_note(league),
        remarks=list(remarks_on_deal(sheet)),
        forfeited=any(line.forfeited and line.declarer is not None for line in sheet.lines),
        discards=any(line.discards for line in sheet.lines),
        policy=policy(style),
        style=Markup(style),
        suits=SUITS,
        read=read_card,
    )
    return harmless_lines(page)
