"""Merges records of one league: every match is checked, and stored once."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec

from arena.base.errors import MOST_TOLD, ArenaError, Mistake
from arena.league.plans import MatchKey, match_key, match_plan, misfit, remaining
from arena.league.schedule import MatchSpec, commitment
from arena.league.terms import OpenTerms, Terms, TournamentTerms, forbidden_changes
from arena.match.log import Unfaithful
from arena.match.logged import verify
from arena.match.record import MatchRecord
from arena.record.facts import IDENTITY, SHARD, merged_dates, read_seeds, read_terms
from arena.record.lock import lock_share
from arena.record.rows import VoidMatch
from arena.record.store import Store
from arena.record.submissions import Submission
from arena.record.writer import Writer


class Merged(msgspec.Struct, frozen=True):
    """The result of a merge, in matches: `added` to the record, there `before`, still `missing`."""

    record: str
    added: int
    before: int
    missing: int


def merge(out: Path, paths: Sequence[Path], fast: bool = False) -> Merged:
    """Merge some records into the record `out`, which is created if missing.

    Every new match is replayed unless `fast` is set. Raises `ArenaError` with everything that does
    not fit together; then nothing is changed.
    """
    if out.suffix != ".db":
        raise ArenaError(Mistake("a record's name must end in .db", str(out), "OUT.db comes first"))
    with ExitStack() as stack:
        sources = [
            path for path in paths if not (path.exists() and out.exists() and path.samefile(out))
        ]
        stores = [stack.enter_context(closing(Store.open(path))) for path in sources]
        known = [stack.enter_context(closing(Store.open(out)))] if out.exists() else []
        everyone = [*known, *stores]
        for store in everyone:
            _check(store)
        for store in known:
            stack.enter_context(lock_share(store))
        facts = _facts(everyone)
        terms, seeds = read_terms(facts), read_seeds(facts)
        found = _KnownMatches(terms, seeds, fast)
        for store in known:
            found.know(store)
        before = len(found.seen)
        taken = [(store, number) for store in stores for number in found.new(store)]
        entries = _submissions(everyone)
        found.check()
        voids = Counter[VoidMatch]()
        for store in stores:
            voids |= Counter(store.voids())
        for store in known:
            voids -= Counter(store.voids())
        new = (_matches(taken), voids.elements(), entries)
        if known:
            for store in known:
                store.close()  # else the writes would stay in the write-ahead log
            with closing(Writer.open(out, own=True)) as target:
                target.take_over(facts, *new)
        else:
            Writer.create(out, facts, *new).close()
        missing = remaining(dict.fromkeys(found.seen, 0), terms, seeds)
        return Merged(str(out), len(taken), before, len(missing))


class _KnownMatches:
    """The matches seen so far, each with its hash and the place where it lies."""

    def __init__(self, terms: Terms, seeds: Sequence[str], fast: bool) -> None:
        self.seen: dict[MatchKey, tuple[bytes, str]] = {}
        self._terms = terms
        self._seeds = seeds
        self._fast = fast
        self._runs: dict[tuple[tuple[str, ...], int], int] = {}
        self._mistakes: list[Mistake] = []

    def know(self, store: Store) -> None:
        """Note the matches that the target record already holds."""
        for number, spec, record in store.matches():
            self.seen[match_key(spec)] = (_hash(spec, record), f"{store.path}: match {number}")
            self._runs[spec.lineup, spec.first] = spec.seed

    def new(self, store: Store) -> Iterator[int]:
        """Yield the numbers of a record's matches that are not known yet; note mistakes."""
        for number, spec, record in store.matches():
            place, digest = f"{store.path}: match {number}", _hash(spec, record)
            if match_key(spec) in self.seen:
                other, where = self.seen[match_key(spec)]
                if other != digest:
                    what = f"this was played a second time, and differs from {where}"
                    self._wrong(Mistake(what, place, "merge without one of the two"))
                continue
            problem = self._problem(spec, record)
            if problem is not None:
                self._wrong(Mistake(problem, place))
            self.seen[match_key(spec)] = (digest, place)
            yield number

    def check(self) -> None:
        """Raise `ArenaError` if any mistake was noted."""
        if self._mistakes:
            raise ArenaError(*self._mistakes)

    def _wrong(self, mistake: Mistake) -> None:
        self._mistakes.append(mistake)
        if len(self._mistakes) >= MOST_TOLD:
            self.check()

    def _problem(self, spec: MatchSpec, record: MatchRecord) -> str | None:
        """Return why a match is not of the league, or was tampered with; None if neither."""
        wrong = misfit(self._terms, self._seeds, spec)
        if wrong is not None:
            return wrong
        if self._runs.setdefault((spec.lineup, spec.first), spec.seed) != spec.seed:
            return "it was played with another seed than the rest of its sets"
        try:
            if not self._fast:
                verify(match_plan(self._terms, self._seeds, spec), record)
        except Unfaithful as error:
            return f"it is not what was played: {error}"
        return None


def _check(store: Store) -> None:
    """Check a record, and read all but its matches. Raises `ArenaError`, also if it is open."""
    store.check()
    terms = store.terms()
    if isinstance(terms, OpenTerms | TournamentTerms):
        kind = "an open league" if isinstance(terms, OpenTerms) else "a tournament"
        what = f"{kind} has one record alone: what it plays next depends on all of it"
        raise ArenaError(Mistake(what, str(store.path), "arena league --cluster plays it on many"))
    for read in (store.submissions, store.voids):
        read()  # raises if it is damaged


def _matches(taken: Sequence[tuple[Store, int]]) -> Iterator[tuple[MatchSpec, MatchRecord]]:
    for store, number in taken:
        for _, spec, record in store.matches(number):
            yield spec, record


def _hash(spec: MatchSpec, record: MatchRecord) -> bytes:
    """Return a hash that all copies of a match have in common."""
    return hashlib.sha256(msgspec.msgpack.encode((spec, record))).digest()


def _facts(stores: Sequence[Store]) -> dict[str, str]:
    """Return the facts of the record extended furthest, which all must agree with.

    A record may have been begun before the league was extended. Raises `ArenaError`.
    """
    last = stores[0]
    for store in stores[1:]:
        if not _between(last, store):
            last = store
    mistakes = [
        Mistake(f"this is not the league of {last.path}: {what}", str(store.path))
        for store in stores
        for what in _between(store, last)
    ]
    if mistakes:
        raise ArenaError(*mistakes)
    facts = last.facts() | merged_dates(store.facts() for store in stores)
    facts.pop(SHARD, None)
    return {**facts, IDENTITY: stores[0].facts()[IDENTITY]}  # the target keeps its own


def _between(older: Store, newer: Store) -> list[str]:
    """Return the reasons, in words, why one record cannot be an earlier state of another."""
    old, new = older.terms(), newer.terms()
    told = forbidden_changes(old, new)
    if old.name != new.name:
        told.append(f"its name is {old.name}, not {new.name}")
    if new.blocks[: len(old.blocks)] != old.blocks:
        told.append(f"it has {old.deals} deals in other runs")
    if (old.width is None) != (new.width is None):
        told.append("only one of them is played by width")
    had, has = older.seeds(), newer.seeds()
    practice = older.facts()["practice"] != newer.facts()["practice"]
    if practice or has[: len(had)] != had:
        told.append(f"its seed is another, of SHA-256 {commitment(had[-1])}")
    return told


def _submissions(stores: Sequence[Store]) -> list[Submission]:
    """Return all submissions, in the order of submission. Raises `ArenaError`."""
    found: dict[str, Submission] = {}
    for store in stores:
        for entry in store.submissions():
            other = found.setdefault(entry.name, entry)
            if (other.digest, other.manifest) != (entry.digest, entry.manifest):
                what = f"another bot was submitted as {entry.name}"
                raise ArenaError(Mistake(what, str(store.path)))
            if entry.state != "playing":
                found[entry.name] = entry
    return sorted(found.values(), key=lambda entry: entry.at)
