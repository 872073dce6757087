"""A league shared out among machines: the matches of each share, and its record."""

import hashlib
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.league.plans import MatchKey, match_key, remaining, scheduled
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.record.facts import SHARD
from arena.record.lock import lock_share
from arena.record.paths import record_path
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.writer import Writer
from arena.tasks.closed_league import ClosedLeague
from arena.tasks.field import AskedLeague, league_isolation
from arena.tasks.league_run import Roster
from arena.tasks.season_terms import create_record, resume_terms


class Shard(msgspec.Struct, frozen=True):
    """One of `of` equal shares of a league, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def record(self, league: Path) -> Path:
        """Its record, beside the league's: the third of eight of spring.db is spring.3of8.db."""
        whole = record_path(league)
        return whole.with_name(f"{whole.stem}.{self.number}of{self.of}.db")

    def known_record(self, league: Path) -> Path:
        """The record that has the submissions: the league's if that is here, else its own."""
        whole = record_path(league)
        return whole if whole.exists() else self.record(league)

    def share(self, schedule: Sequence[MatchSpec]) -> list[MatchSpec]:
        """Its matches of a whole schedule; shares are equal within one match.

        Tables are cut into runs in the order of the hashes of their names. So a share has whole
        sets except at its two ends, one that is lost spoils few sets of the others, and slow bots
        are spread.
        """
        ordered = sorted(schedule, key=_place)
        begin, end = (len(ordered) * number // self.of for number in (self.number - 1, self.number))
        return ordered[begin:end]


def read_shard(text: str) -> Shard:
    """Read a shard such as 3/8. Raises `ArenaError`."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", text)
    if not found or int(found[1]) > int(found[2]):
        what = f"{text} is not a share of a league"
        raise ArenaError(Mistake(what, "--shard", "1/8 is the first of eight, 8/8 the last"))
    return Shard(int(found[1]), int(found[2]))


class SharedLeague(ClosedLeague):
    """A share of a league, in a record of its own.

    `elsewhere` has the matches stored in the league's record, as `Store.stored` gives them.
    """

    def __init__(
        self,
        writer: Writer,
        roster: Roster,
        terms: Terms,
        shard: Shard,
        elsewhere: dict[MatchKey, int],
    ) -> None:
        self._shard = shard
        self._elsewhere = elsewhere
        super().__init__(writer, roster, terms, writer.store.seeds())

    def remaining(self) -> list[MatchSpec]:
        """The matches scheduled in its share, and stored neither here nor elsewhere."""
        stored = {**self._elsewhere, **self.store.stored()}
        own = {match_key(spec) for spec in self._shard.share(scheduled(self.terms))}
        missing = remaining(stored, self.terms, self.seeds)
        return [spec for spec in missing if match_key(spec) in own]


@contextmanager
def resume_shard(
    asked: AskedLeague, shard: Shard, level: IsolationLevel | None = None
) -> Iterator[SharedLeague]:
    """Begin or resume a share of a league. Raises `ArenaError`.

    If the league's record is here, the share takes the secret seed from it, and leaves out the
    matches stored there. Shards of one folder may be played at the same time, the whole may not.
    """
    path, isolation = asked.path, league_isolation(asked.league, level)
    whole, record = record_path(path), shard.record(path)
    if asked.league.format.width is not None:
        what = "a league that is played until its intervals are narrow has no shards"
        raise ArenaError(
            Mistake(what, str(path), "only the whole league shows whether another round follows")
        )
    if not record.exists():
        _create(record, whole, asked, shard)
    with closing(Writer.open(record)) as writer, lock_share(writer.store):
        store = writer.store
        elsewhere = _stored_in(whole, store) if whole.exists() else {}
        terms = resume_terms(asked, store)
        if terms != store.terms():
            if whole.exists() or store.stored():
                what = "the league's file asks for more than its record was begun with"
                remedy = "merge the shards, and extend the whole with --begin"
                raise ArenaError(Mistake(what, str(path), remedy))
            writer.set_facts({"terms": encode_json(terms)})  # with the tables that were drawn
        yield SharedLeague(writer, asked.roster(terms, isolation), terms, shard, elsewhere)


def _create(record: Path, whole: Path, asked: AskedLeague, shard: Shard) -> None:
    """Create a shard's record, with the league's seed and submissions if its record is here."""
    mine = {SHARD: str(shard)}
    if whole.exists():
        with closing(Store.open(whole)) as origin:
            facts = {**origin.facts(), **mine}
            Writer.create(record, facts, entries=origin.submissions()).close()
    elif asked.seed is not None:
        create_record(record, asked.path, asked.league, asked.seed, mine)
    else:
        what = "shards take the secret seed from the league's record, which is not here"
        remedy = "make it once with arena league --begin, and carry it to every machine"
        raise ArenaError(Mistake(what, str(whole), remedy))


def _stored_in(whole: Path, store: Store) -> dict[MatchKey, int]:
    """The matches of the league's own record. Raises `ArenaError` if it went on without a shard."""
    with closing(Store.open(whole)) as origin:
        theirs, ours = origin.facts(), store.facts()
        if any(theirs[key] != ours[key] for key in ("terms", "seeds", "practice")):
            what = f"the league in {whole.name} is not, or is no longer, the one of this shard"
            command = shlex.join(("arena", "merge", str(whole), str(store.path)))
            remedy = f"merge it ({command}), and move it away"
            raise ArenaError(Mistake(what, str(store.path), remedy))
        return origin.stored()


def _place(spec: MatchSpec) -> tuple[bytes, int]:
    """A match's key in the schedule that is cut into shares."""
    run = "\n".join((*spec.lineup, str(spec.first)))
    return hashlib.sha256(run.encode()).digest(), spec.seating
