"""A league shared out among machines: which matches each plays, and into which record."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.league.file import League, read_league
from arena.league.plans import MatchKey
from arena.league.schedule import MatchSpec
from arena.record.facts import SHARD
from arena.record.lock import lock_share
from arena.record.paths import league_path, record_path
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.writer import Writer
from arena.sandbox.isolation import choose_isolation
from arena.tasks.field import find_copies, install_copies, read_submissions, submitted_bots
from arena.tasks.own_record import entered_names
from arena.tasks.season import Season
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

    def share(self, schedule: Sequence[MatchSpec]) -> list[MatchSpec]:
        """Its matches of a whole schedule; all shares are equal within one match.

        Tables are cut into runs in the order of the hashes of their names. So a share has whole
        sets but at its two ends, one that is lost spoils few sets of the others, and slow bots are
        spread.
        """
        ordered = sorted(schedule, key=_place)
        begin, end = (len(ordered) * number // self.of for number in (self.number - 1, self.number))
        return ordered[begin:end]


def read_shard(text: str) -> Shard:
    """The shard that is written as 3/8. Raises `ArenaError`."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", text)
    if not found or int(found[1]) > int(found[2]):
        what = f"{text} is not a share of a league"
        raise ArenaError(Mistake(what, "--shard", "1/8 is the first of eight, 8/8 the last"))
    return Shard(int(found[1]), int(found[2]))


@contextmanager
def open_shard(
    path: Path, seed: int | None, level: IsolationLevel | None, shard: Shard
) -> Iterator[Season]:
    """Begin or resume a share of a league, in a record of its own. Raises `ArenaError`.

    It goes out from the league's record where that is here, for the secret seed, and leaves out
    what is stored there. Shards of one folder may be played at the same time, the whole may not.
    """
    path = league_path(path)
    whole, record = record_path(path), shard.record(path)
    known = whole if whole.exists() else record
    entries = read_submissions(known)
    league = read_league(path, submitted_bots(entries), entered_names(known))
    given = league.seed if seed is None else seed
    isolation = choose_isolation(level or league.sandbox.level, league.sandbox.read_only)
    if league.format.width is not None:
        what = "a league that is played until intervals have a width has no shards"
        raise ArenaError(Mistake(what, str(path), "whether a round follows, only the whole shows"))
    if not record.exists():
        _create(record, whole, path, shard, league, given)
    with closing(Writer.open(record)) as writer, lock_share(writer.store):
        store = writer.store
        elsewhere = _stored_in(whole, store) if whole.exists() else {}
        terms = resume_terms(path, store, league, entries, given)
        if terms != store.terms():
            if whole.exists() or store.stored():
                what = "the league's file asks for more than its record was begun with"
                remedy = "merge the shards, and extend the whole with --begin"
                raise ArenaError(Mistake(what, str(path), remedy))
            writer.set_facts({"terms": encode_json(terms)})  # with the tables that were drawn
        copies = find_copies(path, league, entries, terms)
        yield Season(
            writer=writer,
            terms=terms,
            seeds=store.seeds(),
            copies=copies,
            programs=install_copies(copies, path, isolation),
            isolation=isolation,
            elsewhere=elsewhere,
            share=shard.share,
        )


def _create(
    record: Path, whole: Path, path: Path, shard: Shard, league: League, given: int | None
) -> None:
    """The record of a shard, with the seed and the submissions of the league's if that is here."""
    mine = {SHARD: str(shard)}
    if whole.exists():
        with closing(Store.open(whole)) as origin:
            facts = {**origin.facts(), **mine}
            Writer.create(record, facts, entries=origin.submissions()).close()
    elif given is not None:
        create_record(record, path, league, given, mine)
    else:
        what = "shards take the secret seed from the league's record, which is not here"
        remedy = "make it once with arena league --begin, and carry it to every machine"
        raise ArenaError(Mistake(what, str(whole), remedy))


def _stored_in(whole: Path, store: Store) -> dict[MatchKey, int]:
    """What the league's own record holds. Raises `ArenaError` where it went on without a shard."""
    with closing(Store.open(whole)) as origin:
        theirs, ours = origin.facts(), store.facts()
        if any(theirs[key] != ours[key] for key in ("terms", "seeds", "practice")):
            what = f"the league in {whole.name} is not, or no longer, what this shard was begun for"
            remedy = f"merge it (arena merge {whole} {store.path}), and move it away"
            raise ArenaError(Mistake(what, str(store.path), remedy))
        return origin.stored()


def _place(spec: MatchSpec) -> tuple[bytes, int]:
    """Where a match stands in the schedule that is cut into shares."""
    run = "\n".join((*spec.lineup, str(spec.first)))
    return hashlib.sha256(run.encode()).digest(), spec.seating
