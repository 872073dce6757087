"""The command that writes a league's pages."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.harmless import harmless
from arena.base.words import count
from arena.cli.options import FILE, private_option, say, until_end, write_file, writing

if TYPE_CHECKING:
    from arena.base.language import Saying
    from arena.league.played import Traveller
    from arena.record.hands import DealLine
    from arena.record.matches import StoredMatch
    from arena.record.store import Store

DEALS_SHOWN = 3
"""The number of deals with a page of their own: those that bots played most differently."""

_LIST = "written.json"
"""The file in a folder of pages with the names and hashes of those that a report wrote."""

_MOST_BYTES = 8_000_000
"""The size of the replay pages of a few matches beyond which no further one is written."""


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
def report(league: Path, out: Path | None, replays: str, language: str, private: bool) -> None:
    """Write a league's pages from its record: standings, crosstable, a page for each bot, matches.

    They are the pages of a site, and need no network: the standings are in FILE, the others in a
    folder beside it, with replay pages, the deals that bots played most differently and the details
    of faults; those that an earlier report wrote there are removed. Commands on the pages are for
    LEAGUE's folder.

    Of an open league, matches that its publish = "..." keeps back have no replay without --private.
    """
    from arena.base.language import languages_with
    from arena.record.exported import open_matches
    from arena.record.hands import list_deals
    from arena.record.publishing import everything, may_show
    from arena.record.traveller import Travellers
    from arena.reports.highlights import highlights
    from arena.site.publish.whole import FIRST_FAULTS

    languages = languages_with("league")
    if language not in languages:
        what, known = f"there is no language {language} here", f"choose {', '.join(languages)}"
        raise ArenaError(Mistake(what, "--language", known))
    matches = until_end(open_matches(league))
    store = matches.league()
    store.hold()
    out = out or store.path.with_suffix(".html")
    if out.is_dir():
        raise ArenaError(Mistake("this is a folder", str(out), "name a file"))
    shows = everything if private else may_show(store.terms(), store.fold())
    shown = {each.match: each for each in matches.outlines() if shows(each.bots, each.first)}
    faults = (each for each in store.faulty(FIRST_FAULTS) if each[0] in shown)
    why = highlights(list(shown.values()), store.faults(), faults)
    written = Folder(store, league, out, language, private)
    none = replays == "none"
    listed = () if none else list_deals(store, league.name, DEALS_SHOWN, shows).lines
    apart = [each for each in listed if each.spread]
    deals = {(it.lineup, it.deal): store.matches_with(it.deal)[it.lineup] for it in apart}
    sheets = Travellers(store.terms(), deals, league.name)

    def write(match: "StoredMatch") -> None:
        written.write_replay(match)
        sheets.see(match)

    match replays:
        case "few":
            for number in why:
                if written.size < _MOST_BYTES:
                    write(matches.find(number))
        case "faults":
            for each in matches.with_faults():
                if each.number in shown:
                    write(each)
        case "all":
            for each in matches.read():
                if each.number in shown:
                    write(each)
    for number in sheets.left:
        sheets.see(matches.find(number))
    written.write_pages(why, list(zip(apart, sheets.sheets(), strict=True)))
    if gone := written.remove_old():
        say(f"removed: {count(gone, 'page')} of an earlier report", err=True)
    told = count(written.pages, "page")
    if written.replays:
        told = count(written.replays, "replay")
        told += f" and {count(len(apart), 'deal')}" if apart else ""
    say(f"written: {told} in {written.folder}, {written.size / 1e6:.1f} MB", err=True)


class Folder:
    """The pages of a league in a folder beside the one with its standings.

    `pages` are counted, and the `replays` among them; `size` is that of all files in bytes.
    """

    def __init__(
        self, store: "Store", league: Path, page: Path, language: str, private: bool
    ) -> None:
        from arena.reports.page import Link, relative_address
        from arena.site.record_pages import RecordPages

        self.folder = page.with_suffix(".pages")
        self.size = self.pages = self.replays = 0
        self._drawn = RecordPages(store, league.name, page.name, self.folder.name, language)
        self._page, self._league, self._private = page, league.name, private
        self._written: dict[str, str] = {}
        self._back = Link("the league", relative_address("..", page.name))

    def write_replay(self, match: "StoredMatch") -> None:
        """Write a match's page, and a file about its faults.

        Raises `ArenaError` if the folder cannot be written to.
        """
        from rich.text import Text

        from arena.base.language import ENGLISH, Language
        from arena.match.projection import public
        from arena.record.faults import bundles
        from arena.record.matches import seen
        from arena.reports.faults import bundle_lines
        from arena.reports.page import commands_note, replay_page

        found = seen(match)
        kept = list(bundles(match, found, self._league, self._private))
        lines = [
            f"{harmless(line.plain)}\n" for one in kept for line in (*bundle_lines(one), Text())
        ]
        replay, faults = self._drawn.add_replay(match.number, bool(kept))
        self._write(replay, replay_page(found if self._private else public(found), self._back))
        if faults is not None:
            note = Language(ENGLISH).said(commands_note(self._league))
            self._write(faults, f"{note}\n\n{''.join(lines)}")
        self.replays += 1

    def write_pages(
        self,
        why: "dict[int, tuple[Saying, ...]]",
        deals: "list[tuple[DealLine, Traveller]]",
    ) -> None:
        """Write the league's pages, which lead to the replays written so far.

        `why` has reasons to look at matches, by number; `deals` are those to have a page of their
        own. Raises `ArenaError` if they cannot be written.
        """
        (_, standings), *others = self._drawn.draw(why, deals, self._private)
        write_file(self._page, standings)
        for file, text in others:
            self._write(Path(file).name, text)

    def remove_old(self) -> int:
        """Remove files in the folder that only an earlier report wrote; return how many were pages.

        The folder's list of written files has their hashes: a file that is not on it, or not as it
        was written, is another's and stays.
        """
        import msgspec

        listed = self.folder / _LIST
        gone = 0
        with writing(listed):
            for name, content in _earlier(listed).items():
                page = self.folder / Path(name).name
                if name in self._written or not page.is_file():
                    continue
                if _hash(page.read_bytes()) == content:
                    page.unlink()
                    gone += page.suffix == ".html"
            listed.write_bytes(msgspec.json.format(msgspec.json.encode(self._written), indent=1))
        return gone

    def _write(self, name: str, text: str) -> None:
        data, path = text.encode(), self.folder / name
        with writing(path):
            self.folder.mkdir(exist_ok=True)
            path.write_bytes(data)
        self._written[name] = _hash(data)
        self.size += len(data)
        self.pages += name.endswith(".html")


def _earlier(listed: Path) -> dict[str, str]:
    """The hashes of the files that a report wrote before, by name; none if the list is damaged."""
    import msgspec

    try:
        return msgspec.json.decode(listed.read_bytes(), type=dict[str, str])
    except (FileNotFoundError, ValueError):
        return {}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
