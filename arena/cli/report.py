"""The command that writes a league's page."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.harmless import harmless
from arena.base.words import count
from arena.cli.options import FILE, private_option, say, until_end, write_file, writing

if TYPE_CHECKING:
    from arena.league.played import Traveller
    from arena.record.matches import StoredMatch
    from arena.reports.league_page import Pages


MOST_DEALS = 3
"""How many of the deals that bots played most differently have a page of their own."""

_LIST = "written.json"
"""The file in a folder of pages that lists what a report wrote there."""

MOST_BYTES = 8_000_000
"""How large the replay pages of a few matches may get before no further one is written."""


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
    help="Which matches to write replay pages of: a few (the most frequent faults, the largest"
    " swings, the last), those with faults, all, or none.",
)
@private_option
def report(league: Path, out: Path | None, replays: str, private: bool) -> None:
    """Write a league's page: standings, crosstable, figures, times and faults, from its record.

    It is one file that opens from disk and needs no network. Replay pages, those of the deals that
    bots played most differently, and the details of faults go into a folder beside it; those that
    an earlier report wrote there are removed. Commands on the pages are for LEAGUE's folder.

    Of an open league, matches that its publish = "..." keeps back have no replay without --private.
    """
    from arena.record.hands import list_deals
    from arena.record.matches import Matches
    from arena.record.publishing import everything, may_show
    from arena.record.traveller import Travellers
    from arena.reports.highlights import highlights
    from arena.reports.league_page import FIRST_FAULTS, league_page

    matches = until_end(Matches(league))
    store = matches.league()
    store.hold()
    out = out or store.path.with_suffix(".html")
    if out.is_dir():
        raise ArenaError(Mistake("this is a folder", str(out), "name a file"))
    shows = everything if private else may_show(store.terms(), store.fold())
    shown = {each.match: each for each in matches.outlines() if shows(each.bots, each.first)}
    faults = (each for each in store.faulty(FIRST_FAULTS) if each[0] in shown)
    why = highlights(list(shown.values()), store.faults(), faults)
    written = Replays(league, out, private)
    none = replays == "none"
    listed = () if none else list_deals(store, league.name, MOST_DEALS, shows).lines
    apart = [each for each in listed if each.spread]
    sheets = Travellers(store, [(each.lineup, each.deal) for each in apart], league.name)

    def write(match: "StoredMatch") -> None:
        written.write(match)
        sheets.see(match)

    match replays:
        case "few":
            for number in why:
                if written.size < MOST_BYTES:
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
    deals = [
        (each, written.write_deal(sheet))
        for each, sheet in zip(apart, sheets.sheets(), strict=True)
    ]
    write_file(out, league_page(store, league.name, written.pages, why, deals, private))
    if gone := written.remove_old():
        say(f"removed: {count(gone, 'page')} of an earlier report", err=True)
    if written.pages:
        told = count(len(written.pages), "replay")
        told += f" and {count(len(deals), 'deal')}" if deals else ""
        megabytes = f"{written.size / 1e6:.1f} MB"
        say(f"written: {told} in {written.folder}, {megabytes}", err=True)


class Replays:
    """The replay pages of some matches in a folder beside a league's page, and their faults.

    `pages` are by the numbers of matches, `size` is that of all of them in bytes.
    """

    def __init__(self, league: Path, page: Path, private: bool) -> None:
        from arena.reports.page import Link, relative_address

        self.folder = page.with_suffix(".replays")
        self.pages: dict[int, Pages] = {}
        self.size = 0
        self._league = league.name
        self._written: dict[str, str] = {}
        self._home = f"../{page.name}"
        self._back = Link("the league", relative_address("..", page.name))
        self._private = private

    def write(self, match: "StoredMatch") -> None:
        """Write a match. Raises `ArenaError` where the folder cannot be written to."""
        from rich.text import Text

        from arena.match.projection import public
        from arena.record.faults import bundles
        from arena.record.matches import seen
        from arena.reports.faults import bundle_lines
        from arena.reports.league_page import Pages
        from arena.reports.page import commands_note, relative_address, replay_page

        found = seen(match)
        kept = list(bundles(match, found, self._league, self._private))
        page, text = self.folder / f"{match.number}.html", self.folder / f"{match.number}.txt"
        document = replay_page(found if self._private else public(found), self._back)
        lines = [
            f"{harmless(line.plain)}\n" for one in kept for line in (*bundle_lines(one), Text())
        ]
        self._write(page, document)
        if kept:
            self._write(text, f"{commands_note(self._league)}\n\n{''.join(lines)}")
        self.pages[match.number] = Pages(
            relative_address(self.folder.name, page.name),
            relative_address(self.folder.name, text.name) if kept else None,
            {one.deal: one.ply for one in kept},
        )

    def write_deal(self, sheet: "Traveller") -> str:
        """Write a deal's page, linked to the replays written so far; return its address.

        Raises `ArenaError` where the folder cannot be written to.
        """
        import msgspec

        from arena.reports.page import commands_note, relative_address
        from arena.site.documents.play import TravellerDocument
        from arena.site.pages.folder import FolderDrawing

        files = {f"/matches/{match}/replay": f"{match}.html" for match in self.pages}
        name = f"deal-{sheet.lines[0].match}-{sheet.lines[0].deal}.html"
        note = commands_note(self._league)
        pages = FolderDrawing(sheet.league, {"/": self._home, **files}, name, foot=[note])
        found = TravellerDocument(**msgspec.structs.asdict(sheet), first=sheet.deal, deals=1)
        self._write(self.folder / name, pages.deal(None, found))
        return relative_address(self.folder.name, name)

    def remove_old(self) -> int:
        """Remove what only an earlier report wrote into the folder; count the pages.

        The folder's list of what was written, with hashes, tells: a file that is not on it, or not
        as it was written, is another's and stays.
        """
        import msgspec

        listed = self.folder / _LIST
        if not (self._written or listed.exists()):
            return 0
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

    def _write(self, path: Path, text: str) -> None:
        data = text.encode()
        with writing(path):
            self.folder.mkdir(exist_ok=True)
            path.write_bytes(data)
        self._written[path.name] = _hash(data)
        self.size += len(data)


def _earlier(listed: Path) -> dict[str, str]:
    """The hashes of the files that a report wrote before, by name; none if the list is damaged."""
    import msgspec

    try:
        return msgspec.json.decode(listed.read_bytes(), type=dict[str, str])
    except (FileNotFoundError, ValueError):
        return {}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
