"""Reads the record of a league: one SQLite file that holds everything."""

from collections.abc import Iterator
from typing import Final

from arena.base.damage import tell_damage
from arena.league.field import Field
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.record import DealFault, MatchRecord
from arena.record.facts import (
    FIRST_AT,
    LAST_AT,
    Maker,
    check_facts,
    read_makers,
    read_seeds,
    read_terms,
)
from arena.record.ledger import RecordLedger
from arena.record.rows import (
    MATCH,
    OUTLINE,
    PLAYED,
    VoidMatch,
    decode_fault,
    decode_key,
    decode_match,
    decode_outline,
    decode_played,
    decode_void,
    encode_json,
)
from arena.record.submissions import Submission, decode_submission
from arena.record.values import decode_log, decode_names, decode_text
from arena.stats.blocks import Block, Played, complete_blocks
from arena.stats.figures import Lineup

_FAULTS: Final = "(SELECT count(*) FROM faults WHERE match = id)"


Hand = tuple[Lineup, int, int]
"""A lineup, the league's number of a deal, and a seat."""


class Store(RecordLedger):
    """An open record."""

    @tell_damage
    def facts(self) -> dict[str, str]:
        """The stored facts about the league itself."""
        facts: dict[str, str] = dict(self._rows("SELECT key, value FROM league"))
        check_facts(facts)
        return facts

    @tell_damage
    def terms(self) -> Terms:
        """The terms the league began with, as extended so far."""
        return read_terms(self.facts())

    @tell_damage
    def seeds(self) -> tuple[str, ...]:
        """The seeds of the league; new deals use the last."""
        return read_seeds(self.facts())

    @tell_damage
    def makers(self) -> dict[str, Maker]:
        """The version and author of each bot, by the name it plays under, as far as known."""
        entered = {
            entry.name: Maker(entry.manifest.version, entry.manifest.author)
            for entry in self.submissions()
        }
        return read_makers(self.facts()) | entered

    @tell_damage
    def dates(self) -> tuple[str, str] | None:
        """When the first and the last match were stored, in UTC; None in an empty record."""
        facts = self.facts()
        return (facts[FIRST_AT], facts[LAST_AT]) if LAST_AT in facts else None

    @tell_damage
    def submissions(self) -> list[Submission]:
        """Every submission, in the order of submission."""
        rows = self._rows("SELECT submission FROM submissions ORDER BY rowid")
        return [decode_submission(text) for (text,) in rows]

    @tell_damage
    def field(self) -> Field:
        """Who plays in an open league, by its whole ledger."""
        field = Field(self.terms().rules.players)
        for entry in self.entries():
            field.apply(entry)
        return field

    @tell_damage
    def stored(self) -> dict[tuple[Lineup, int, int], int]:
        """The seed number of every stored match, by lineup, seating and first deal."""
        seeds = range(len(self.seeds()))
        found: dict[tuple[Lineup, int, int], int] = {}
        for seed, *key in self._rows("SELECT seed, lineup, seating, first FROM matches"):
            found[decode_key(tuple(key))] = seed
            if seed not in seeds:
                raise ValueError(f"there is no seed {seed}")
        return found

    @tell_damage
    def played(self, lineup: Lineup | None = None, first: int | None = None) -> Iterator[Played]:
        """What standings need from every match, or those of one run of deals, in a fixed order."""
        rows = self._rows(
            f"SELECT {PLAYED} FROM matches WHERE :lineup IS NULL"
            " OR (lineup = :lineup AND first = :first) ORDER BY lineup, first, seating",
            {"lineup": lineup and encode_json(lineup), "first": first},
        )
        yield from map(decode_played, rows)

    @tell_damage
    def blocks(
        self, terms: Terms | None = None, lineup: Lineup | None = None, first: int | None = None
    ) -> list[Block]:
        """The complete runs of deals, void ones too, or only a lineup's run from a first deal.

        Bots are numbered in order of name, by the terms of the record or those it is to go on with.
        """
        terms = terms or self.terms()
        played = self.played(lineup, first)
        return complete_blocks(played, sorted(terms.bots), terms.seats_of, terms.session or 1)

    @tell_damage
    def voids(self) -> list[VoidMatch]:
        """Void matches in the order they were noted, including those played since."""
        return self._voids("ORDER BY rowid")

    @tell_damage
    def owed(self) -> list[VoidMatch]:
        """Void matches not played since."""
        return self._voids(
            "WHERE NOT EXISTS (SELECT 1 FROM"
            " matches WHERE matches.lineup = voids.lineup AND matches.seating = voids.seating"
            " AND matches.first = voids.first) ORDER BY lineup, first, seating"
        )

    @tell_damage
    def faults(self, after: int = 0, last: int | None = None) -> dict[str, dict[str, int]]:
        """How many faults of each kind each bot has, in matches after one and up to the last."""
        count: dict[str, dict[str, int]] = {}
        rows = self._rows(
            "SELECT bot, kind, count(*) FROM faults"
            " WHERE match > :after AND (:last IS NULL OR match <= :last) GROUP BY bot, kind",
            {"after": after, "last": last},
        )
        for bot, kind, number in rows:
            count.setdefault(decode_text(bot), {})[decode_text(kind)] = number
        return count

    @tell_damage
    def faulty(self, most: int) -> Iterator[tuple[int, str, DealFault]]:
        """The first faults of each bot and kind: the match's number, the bot, the fault."""
        rows = self._rows(
            "SELECT match, bot, fault FROM (SELECT *, rowid AS row, row_number() OVER"
            " (PARTITION BY bot, kind ORDER BY match, rowid) AS place FROM faults)"
            " WHERE place <= ? ORDER BY bot, kind, match, row",
            (most,),
        )
        for match, bot, fault in rows:
            yield match, decode_text(bot), decode_fault(fault)

    @tell_damage
    def faults_by_hand(self, bot: str) -> dict[Hand, dict[str, int]]:
        """How many faults of each kind a bot has in each deal and seat."""
        count: dict[Hand, dict[str, int]] = {}
        rows = self._rows(
            "SELECT lineup, first, fault FROM faults JOIN matches ON match = id WHERE bot = ?",
            (bot,),
        )
        for lineup, first, text in rows:
            found = decode_fault(text)
            hand = decode_names(lineup), first + found.deal, found.fault.seat
            kinds = count.setdefault(hand, {})
            kinds[found.fault.kind] = kinds.get(found.fault.kind, 0) + 1
        return count

    @tell_damage
    def decisions(self) -> int:
        """How many decisions all stored matches took."""
        return int(self._sql.execute("SELECT total(decisions) FROM matches").fetchone()[0])

    @tell_damage
    def isolation(self) -> dict[str, int]:
        """How many stored matches were played at each level of isolation."""
        rows = self._rows(
            "SELECT isolation, count(*) FROM matches GROUP BY isolation ORDER BY isolation"
        )
        return {decode_text(level): number for level, number in rows}

    @tell_damage
    def numbers(self) -> range:
        """The lowest and the highest number of a stored match."""
        query = "SELECT (SELECT min(id) FROM matches), (SELECT max(id) FROM matches)"
        lowest, highest = self._sql.execute(query).fetchone()
        return range(0) if lowest is None else range(lowest, highest + 1)

    @tell_damage
    def outlines(self, after: int = 0, last: int | None = None) -> Iterator[MatchOutline]:
        """Every stored match without its log, by number: those after one, up to the last one."""
        rows = self._rows(
            f"SELECT {OUTLINE}, {_FAULTS} FROM matches"
            " WHERE id > :after AND (:last IS NULL OR id <= :last) ORDER BY id",
            {"after": after, "last": last},
        )
        yield from map(decode_outline, rows)

    @tell_damage
    def numbers_of(self, lineup: Lineup, first: int) -> list[int]:
        """The numbers of the stored matches of a lineup from a deal on, in order of seating."""
        rows = self._rows(
            "SELECT id FROM matches WHERE lineup = ? AND first = ? ORDER BY seating",
            (encode_json(lineup), first),
        )
        return [number for (number,) in rows]

    @tell_damage
    def matches_with(self, deal: int) -> dict[Lineup, list[int]]:
        """The numbers of the matches with a deal of the league, by lineup, in order of seating."""
        rows = self._rows(
            "SELECT lineup, id FROM matches WHERE ? BETWEEN first AND first + deals - 1"
            " ORDER BY lineup, seating",
            (deal,),
        )
        found: dict[Lineup, list[int]] = {}
        for lineup, number in rows:
            found.setdefault(decode_names(lineup), []).append(number)
        return found

    @tell_damage
    def matches(
        self, number: int | None = None, faulty: bool = False
    ) -> Iterator[tuple[int, MatchSpec, MatchRecord]]:
        """Every stored match in full with its number, or only one by number, in a fixed order.

        Matches are numbered as they are stored. `faulty` gives only those in which a bot faulted,
        by number.
        """
        which = "WHERE id = ?" if number is not None else "WHERE ? IS NULL"
        order = "ORDER BY lineup, first, seating"
        if faulty:
            which, order = f"{which} AND id IN (SELECT match FROM faults)", "ORDER BY id"
        rows = self._rows(
            f"SELECT id, {MATCH}, log, stderr FROM matches JOIN logs ON match = id {which} {order}",
            (number,),
        )
        for found, *row in rows:
            yield found, *decode_match(tuple(row), self._faults_of(found))

    @tell_damage
    def logs(self) -> Iterator[tuple[Lineup, bytes]]:
        """The bots by seat and the log of every match."""
        rows = self._rows("SELECT seats, log FROM matches JOIN logs ON match = id")
        for seats, log in rows:
            yield decode_names(seats), decode_log(log)

    def _faults_of(self, match: int) -> tuple[DealFault, ...]:
        rows = self._rows("SELECT fault FROM faults WHERE match = ? ORDER BY rowid", (match,))
        return tuple(decode_fault(text) for (text,) in rows)

    def _voids(self, which: str) -> list[VoidMatch]:
        rows = self._rows(f"SELECT lineup, seating, first, detail FROM voids {which}")
        return list(map(decode_void, rows))
