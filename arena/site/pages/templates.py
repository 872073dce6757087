"""Draws the templates of a league's pages in a language, for a site or for files."""

import hashlib
import mimetypes
import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import factorial
from pathlib import Path
from typing import Final

import jinja2
import msgspec
from markupsafe import Markup

from arena import __version__
from arena.base.harmless import harmless_lines
from arena.base.words import deal_number
from arena.league.ledger import moment
from arena.reports import tables
from arena.reports.language import SUITS, Language, Phrase, languages_with
from arena.reports.page_parts import (
    drawn_deck,
    page_part,
    page_policy,
    read_card,
    relative_address,
)
from arena.reports.sentences import about_rule, company_text, place, remarks_on_deal
from arena.reports.tables import Table, in_print, ranks
from arena.site.pages import words
from arena.site.pages.emblem import emblem
from arena.site.pages.markdown import rendered

# The folder of the pages' templates, styles and scripts.
HERE: Final = Path(__file__).parent


def site_policy(tables: str = "") -> str:
    """Return the content security policy of pages that a site draws.

    Their forms may lead to `tables` of another origin as well.
    """
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        " img-src 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none';"
        f" form-action 'self' {tables}"
    ).rstrip()


class StaticFile(msgspec.Struct, frozen=True):
    """A file that pages fetch.

    Its `address` has a hash of its content, so a cache is never stale.
    """

    address: str
    kind: str
    content: bytes


@cache
def static_files() -> Mapping[str, StaticFile]:
    """Return the files that pages fetch, by their names."""
    contents = {name: _read(name) for name in ("site.css", "site.js", "tv.js", "icon.svg")}
    contents["site.css"] = page_part("style.css") + page_part("card.css") + contents["site.css"]
    return {name: _static_file(name, text.encode()) for name, text in contents.items()}


def _static_file(name: str, content: bytes) -> StaticFile:
    stem, _, ending = name.rpartition(".")
    kind = mimetypes.types_map.get(f".{ending}", "text/plain")
    named = f"/static/{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
    return StaticFile(
        named, kind if kind.startswith("image") else f"{kind}; charset=utf-8", content
    )


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


# The languages of the site's pages, English first.
PAGE_LANGUAGES: Final = languages_with("league")

# Those of the page with the rules of Zole, and of tables.
ALL_LANGUAGES: Final = languages_with("zole")


class Place(msgspec.Struct, frozen=True):
    """A place that every page of a site leads to: its message, and its own pages, the first first.

    Pages are paths with the messages that name them; those `under` some paths are its pages, too.
    """

    message: str
    pages: tuple[tuple[str, str], ...]
    under: tuple[str, ...] = ()

    def has(self, path: str) -> bool:
        """Return whether a page is one of this place's."""
        own = (*self.under, *(page for page, _ in self.pages))
        return any(path == each or path.startswith(f"{each}/") for each in own)


PLACES: Final = (
    Place("page-play", (("/play", "page-play"),)),
    Place("page-watch", (("/tv", "page-deals"), ("/matches", "page-matches")), ("/deals",)),
    Place(
        "page-standings",
        (
            ("/standings", "page-table"),
            ("/crosstable", "page-crosstable"),
            ("/ledger", "page-ledger"),
            ("/about", "page-about"),
        ),
        ("/bots",),
    ),
    Place("page-learn", (("/zole", "page-in-short"), ("/rules", "page-rules"))),
    Place(
        "page-build",
        (("/start", "page-begin"), ("/start/guide", "page-guide"), ("/me", "page-own-bots")),
        ("/join", "/login"),
    ),
)
"""The five places of a site."""


class Templates:
    """The templates in a language. `known` are further values that all of them know."""

    def __init__(self, title: str, language: str, known: Mapping[str, object]) -> None:
        self._jinja = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        say = words.PageWords(Language(language))
        self._jinja.filters["path"] = words.path
        self._jinja.globals |= {
            "title": title,
            "places": (),
            "menu": (),
            "language": language,
            "league": None,
            "numbers": None,
            "here": "",
            "every": 0,
            "again": "",
            "suits": tuple(SUITS.values()),
            "drawn_deck": lambda whole: Markup(drawn_deck(whole)),
            "version": __version__,
            "read": partial(read_card, say.language),
            "so_far": tables.SO_FAR,
            "at_end": tables.AT_END,
            "seat_columns": tables.SEAT_COLUMNS,
            "company_columns": tables.COMPANY_COLUMNS,
            "at": moment,
            "to": self.to,
            "link": self.link,
            "listed": say.language.listed,
            **known,
        }
        functions: tuple[Callable[..., object], ...] = (
            *(say.say, say.said, say.figure, say.printed_signed, say.printed_half),
            *(say.heading, say.cell, say.printed_faults, say.stakes, say.number, say.seconds),
            *(say.how_long, say.time, say.deals_text, say.deal_name),
            *(say.script_words, words.percent, words.replay_path, words.bdi, words.english),
            *(words.shade, words.around, words.table_axis, words.style_of, ranks, emblem),
            *(deal_number, place, remarks_on_deal, company_text, about_rule),
            *(tables.standing_columns, tables.role_columns, tables.ranking_columns),
            *(in_print, factorial, Table),
        )
        self._jinja.globals |= {each.__name__: each for each in functions}

    def draw(self, template: str, **values: object) -> str:
        """Return a page.

        It is that of the path `here`, and asked for again each `every` seconds, never for 0, as the
        answer to a form at the path `again`.
        """
        return harmless_lines(self._jinja.get_template(template).render(values))

    def to(self, path: str) -> str | None:
        """Return the address of a page by its path on a site; None if there is no such page."""
        return path

    def link(self, path: str, text: str, kind: str = "", label: str = "") -> Markup:
        """Return a link with a class and a label, or its text if there is no such page."""
        marks = Markup(' class="{}"').format(kind) if kind else ""
        address = self.to(path)
        if address is None:
            return Markup("<span{}>{}</span>").format(marks, text)
        told = Markup(' aria-label="{}"').format(label) if label else ""
        return Markup('<a href="{}"{}{}>{}</a>').format(address, marks, told, text)


def site_templates(title: str, address: str, language: str, tables: str | None = "") -> Templates:
    """Return the templates as the site at an address draws them.

    `tables` is the origin of guests' tables, empty for the page's own; None where there are none.
    """
    return Templates(
        title,
        language,
        {
            "address": address,
            "static": {name: each.address for name, each in static_files().items()},
            "live": True,
            "tables_at": tables,
            "places": PLACES,
            "foot": (),
            "languages": tuple(map(Language, PAGE_LANGUAGES)),
            "all_languages": tuple(map(Language, ALL_LANGUAGES)),
            "rendered": rendered,
        },
    )


class FolderTemplates(Templates):
    """Draws pages for a folder, with style and script in each: they need no network.

    They link only to `files`, which have the paths of a site as keys. `here` is the file that is
    being drawn; `foot` stands below every page.
    """

    def __init__(
        self,
        title: str,
        files: Mapping[str, str],
        here: str,
        language: str,
        menu: Sequence[tuple[str, str]] = (),
        foot: Sequence[Phrase] = (),
    ) -> None:
        self._files = files
        self.here: str = here
        style, script = (static_files()[name].content.decode() for name in ("site.css", "site.js"))
        known = {
            "live": False,
            "menu": menu,
            "foot": foot,
            "policy": page_policy(style, script),
            "style": Markup(style),
            "script": Markup(script),
        }
        super().__init__(title, language, known)

    def to(self, path: str) -> str | None:
        """Return the address of a page from the one that is being drawn; None if it has no file."""
        page, mark, place = path.partition("#")
        if page not in self._files:
            return None
        found = posixpath.relpath(self._files[page], posixpath.dirname(self.here) or ".")
        return f"{relative_address(found)}{mark}{place}"
