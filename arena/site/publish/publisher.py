"""The publisher: makes documents of what is public of a league's record, while the league plays.

It reads the record for moments only, each time what is new, and writes a version in one
transaction. To compare all bots takes longer the larger a league is, so each time there is a pause
several times as long.
"""

import time
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from arena.base.database import transaction
from arena.base.errors import ArenaError
from arena.base.files import read_text
from arena.base.words import NO_TABLE
from arena.record.store import Store
from arena.record.summary import summarize_fully
from arena.site import documents
from arena.site.config import DRAWING_ORDERS, Site
from arena.site.documents import ShownDeal, Television
from arena.site.process import SitePart
from arena.site.publish.league import compared_documents, live_documents
from arena.site.publish.matches import mixed, put_table, worth_watching
from arena.site.publish.state import RecordState, key_of
from arena.site.published import Published, Publisher, shown_leagues, unpublish
from arena.site.registry import Registry
from arena.site.registry.accounts import accounts
from arena.site.registry.bots import note_states
from arena.site.registry.organiser import announcements, pauses

# The bots are compared for at most 1 / `_SHARE` of the time.
_SHARE: Final = 10

# The number of deals that are shown one after another.
SHOWS: Final = 40

# The most bytes of the page of the organiser's own.
_MOST_BYTES: Final = 1 << 18

# The most matches that are taken into one version.
_AT_ONCE: Final = 120

# The key of the part that is published, which is for the publisher alone.
_MADE: Final = "made"


class PublishedPart(msgspec.Struct, frozen=True):
    """The part of a record that is published, up to a match and a line of the ledger.

    `sealed` is set if the season was over then: cards that it hid are shown.
    """

    record: str
    matches: int = 0
    lines: int = 0
    hash: str = ""
    sealed: bool = False
    shows: tuple[ShownDeal, ...] = ()


class LeaguePublisher:
    """The publisher of one record."""

    def __init__(self, site: Site, store: Store, registry: Registry, life: SitePart) -> None:
        self._site, self._store, self._registry, self._life = site, store, registry, life
        self._part = _published_part(site.published, store)
        self._to = Publisher(site.published)
        self._state = RecordState(store)
        self._looked: object = None
        self._above: dict[str, float] = {}
        self._teams: dict[str, str] = {}
        self._due, self._compare_at = True, 0.0

    def close(self) -> None:
        """Close the published file."""
        self._to.close()

    def look(self) -> bool:
        """Publish what is new; return whether there may be more at once."""
        said = self._about(), shown_leagues(self._site), self._waits()
        version = self._store.version(), self._registry.version(), said
        due = self._due and time.monotonic() >= self._compare_at
        more = self._part.matches < self._state.counts.last
        if version == self._looked and not due and not more:
            return False
        self._looked = version
        with transaction(self._store.sql, "BEGIN"):  # meanwhile bots join and matches are stored
            self._state.read()
            self._read_lines()
            self._put_matches()
            if due:
                self._compare()
            self._put_league(*said)
        self._to.put(_MADE, self._part)
        self._to.publish()
        self._life.beat(f"published {self._state.counts.stored} matches")
        return self._part.matches < self._state.counts.last

    # Publish new lines of the ledger, and note what they have about bots.
    def _read_lines(self) -> None:
        ledger = self._state.ledger
        lines = self._store.ledger(self._part.lines)
        for line in lines:
            self._to.add(documents.LEDGER, line.number, line)
        if lines or self._looked is None:
            note_states(self._registry, self._state.bot_states())
        teams = {each.name: each.team for each in accounts(self._registry)}
        self._due |= bool(lines) or teams != self._teams
        self._teams = teams
        sealed = ledger.secret is not None
        self._part = msgspec.structs.replace(
            self._part,
            lines=ledger.read,
            hash=ledger.hash,
            sealed=sealed,
            matches=self._part.matches if sealed == self._part.sealed else 0,
        )

    # Publish some of the matches that were not, and their tables again.
    def _put_matches(self) -> None:
        new = list(islice(self._store.outlines(self._part.matches), _AT_ONCE))
        shows = self._part.shows
        for key in dict.fromkeys(map(key_of, new)):
            deals = put_table(self._state, key, self._to, self._site.title, new[0].match)
            worth = [it for deal in deals if (it := worth_watching(deal, self._above)) is not None]
            if worth and key not in self._state.void:
                shows = (max(worth, key=lambda show: show.worth), *shows)[:SHOWS]
        self._to.put(documents.TELEVISION, Television(deals=mixed(shows)))
        if new:
            self._due = True
            self._part = msgspec.structs.replace(self._part, matches=new[-1].match, shows=shows)

    # Make the standings, and the pages of bots.
    def _compare(self) -> None:
        began, state = time.process_time(), self._state
        blocks = self._store.blocks(state.terms)
        found = summarize_fully(self._store, blocks)
        made = compared_documents(state, found, blocks, time.time(), self._teams)
        playing = [row for row in found.standings if not row.left]
        others = max(1, len(playing) - 1)
        self._above = {row.bot: (len(playing) - row.rank) / others for row in playing}
        for key, document in made.items():
            self._to.put(key, document)
        self._due = False
        self._compare_at = time.monotonic() + _SHARE * (time.process_time() - began)

    # Make what every page shows, and the page of tables; no table where it `waits`.
    def _put_league(
        self, text: str, leagues: tuple[documents.ShownLeague, ...], waits: str
    ) -> None:
        why = pauses(self._registry, "part").get(DRAWING_ORDERS)
        stopped = "" if why is None else why or "paused"
        said = announcements(self._registry)
        made = live_documents(self._state, time.time(), stopped, waits, next(iter(said), None))
        made[documents.ABOUT] = documents.AboutDocument(
            text=text, announcements=said, leagues=leagues
        )
        for key, document in made.items():
            self._to.put(key, document)

    # Return why the league can form no table, as it last reported; "" if it can.
    def _waits(self) -> str:
        doing = self._life.process.doing("league")
        return doing.partition(";")[0] if doing.startswith(NO_TABLE) else ""

    # Return the page of the organiser's own; "" if there is none, or none to be read.
    def _about(self) -> str:
        if self._site.about is not None:
            with suppress(ArenaError):
                return read_text(self._site.about, _MOST_BYTES)
        return ""


# Return the part of this record that is published at a path; of another one nothing stays.
def _published_part(path: Path, store: Store) -> PublishedPart:
    Publisher(path).close()  # takes back a version that was cut off by a kill
    with closing(Published(path)) as published:
        part = published.read(_MADE, PublishedPart)
    identity = store.facts().identity
    if part is not None:
        line = next(iter(store.ledger(part.lines - 1)), None)
        if part.record == identity and line is not None and line.hash == part.hash:
            return part
    unpublish(path)
    return PublishedPart(identity)
