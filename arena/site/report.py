"""Writes the pages of a whole record as files, with replays of matches that are worth a look."""

import hashlib
from pathlib import Path
from typing import Final, Literal

import msgspec
from rich.text import Text

from arena.base.files import write_whole, writing
from arena.base.harmless import harmless
from arena.league.played import Traveller
from arena.match.projection import public
from arena.record.deals import Seating, list_deals, seating_with_cards, traveller
from arena.record.faults import bundles
from arena.record.matches import ReplayedMatch, find_match, seen, stored_matches
from arena.record.publishing import everything, may_show
from arena.record.store import Store
from arena.reports.faults import bundle_lines
from arena.reports.language import ENGLISH, Language, Saying
from arena.reports.page import Link, commands_note, relative_address, replay_page
from arena.reports.sentences import highlights
from arena.site.record_pages import RecordPages
from arena.stats.figures import HandSpread

Replays = Literal["none", "few", "faults", "all"]
"""The matches that have replay pages: none, a few that are worth a look, those with faults, all."""

_DEALS: Final = 3
"""The number of deals with a page of their own: those that bots played most differently."""

_LIST: Final = "written.json"
"""The file in a folder of pages with the names and hashes of those that a report wrote."""

_MOST_BYTES: Final = 8_000_000
"""The size of the replay pages of a few matches beyond which no further one is written."""


class Written(msgspec.Struct, frozen=True):
    """What a report has written: its folder, the bytes, the pages, and which of them are special.

    `removed` are pages of an earlier report.
    """

    folder: Path
    size: int
    pages: int
    replays: int
    deals: int
    removed: int


def write_report(
    store: Store,
    league: Path,
    out: Path,
    replays: Replays,
    language: str,
    private: bool = False,
    of_site: bool = False,
) -> Written:
    """Write the standings to a file, and all other pages into a folder beside it.

    Commands on the pages are for the `league` file, unless they are part `of_site`. Without
    `private`, matches that the league keeps back have no replay. Raises `ArenaError`.
    """
    store.hold()
    shows = everything if private else may_show(store.terms().config, store.fold())
    shown = {each.match: each for each in store.outlines() if shows(each.bots)}
    faults = (each for each in store.each_fault() if each[0] in shown)
    why = highlights(list(shown.values()), store.faults(), faults)
    written = _Folder(store, league, out, language, private, of_site)
    none = replays == "none"
    listed = () if none else list_deals(store, _DEALS, shows).lines
    apart = [each for each in listed if each.spread]
    tables = [sorted(store.matches_with(it.deal)[it.lineup]) for it in apart]
    seatings: dict[tuple[int, int], Seating] = {}

    def see(match: ReplayedMatch) -> None:
        for each, numbers in zip(apart, tables, strict=True):
            if match.number in numbers:
                key = match.number, each.deal
                seatings[key] = seating_with_cards(match, each.deal, league.name)

    def write(match: ReplayedMatch) -> None:
        written.write_replay(match)
        see(match)

    match replays:
        case "few":
            for number in why:
                if written.size < _MOST_BYTES:
                    write(find_match(store, number))
        case "faults":
            for each in stored_matches(store, faulty=True):
                if each.number in shown:
                    write(each)
        case "all":
            for each in stored_matches(store):
                if each.number in shown:
                    write(each)
    sheets: list[tuple[HandSpread, Traveller]] = []
    for line, numbers in zip(apart, tables, strict=True):
        for number in numbers:
            if (number, line.deal) not in seatings:
                see(find_match(store, number))
        found = [seatings[number, line.deal] for number in numbers]
        sheets.append((line, traveller(store.terms(), line.lineup, line.deal, found)))
    written.write_pages(why, sheets)
    removed = written.remove_old()
    return Written(
        written.folder, written.size, written.pages, written.replays, len(apart), removed
    )


class _Folder:
    """The pages of a league in a folder beside the one with its standings.

    `pages` are counted, and the `replays` among them; `size` is that of all files in bytes.
    """

    def __init__(
        self,
        store: Store,
        league: Path,
        page: Path,
        language: str,
        private: bool,
        of_site: bool,
    ) -> None:
        self.folder = page.with_suffix(".pages")
        self.size = self.pages = self.replays = 0
        self._drawn = RecordPages(
            store, league.name, page.name, self.folder.name, language, of_site
        )
        self._page, self._league, self._private = page, league.name, private
        self._written: dict[str, str] = {}
        self._back = Link("the league", relative_address("..", page.name))

    def write_replay(self, match: ReplayedMatch) -> None:
        """Write a match's page, and a file about its faults.

        Raises `ArenaError` if the folder cannot be written to.
        """
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
        why: dict[int, tuple[Saying, ...]],
        deals: list[tuple[HandSpread, Traveller]],
    ) -> None:
        """Write the league's pages, which lead to the replays written so far.

        `why` has reasons to look at matches, by number; `deals` are those to have a page of their
        own. Raises `ArenaError` if they cannot be written.
        """
        (_, standings), *others = self._drawn.draw(why, deals, self._private)
        with writing(self._page):
            write_whole(self._page, standings.encode())
        for file, text in others:
            self._write(Path(file).name, text)

    def remove_old(self) -> int:
        """Remove files in the folder that only an earlier report wrote; return how many were pages.

        The folder's list of written files has their hashes: a file that is not on it, or not as it
        was written, is another's and stays.
        """
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
            write_whole(listed, msgspec.json.format(msgspec.json.encode(self._written), indent=1))
        return gone

    def _write(self, name: str, text: str) -> None:
        data, path = text.encode(), self.folder / name
        with writing(path):
            self.folder.mkdir(exist_ok=True)
            write_whole(path, data)
        self._written[name] = _hash(data)
        self.size += len(data)
        self.pages += name.endswith(".html")


def _earlier(listed: Path) -> dict[str, str]:
    """The hashes of the files that a report wrote before, by name; none if the list is damaged."""
    try:
        return msgspec.json.decode(listed.read_bytes(), type=dict[str, str])
    except (FileNotFoundError, ValueError):
        return {}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
