"""A league together with its record: begun, resumed, extended, and what is left to play."""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena import __version__
from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.bots.manifest import Bot, content_hash
from arena.engine.builds import Copy, beside, install
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.league.draw import draw_tables
from arena.league.file import League, read_league
from arena.league.plans import MatchKey, match_key, match_plan, remaining, scheduled
from arena.league.schedule import MatchSpec, new_seed
from arena.league.terms import Terms, forbidden_changes, one_more_round, widest_interval
from arena.match.commands import untimed
from arena.match.log import Unfaithful
from arena.match.logged import verify
from arena.match.record import MatchRecord
from arena.record.store import Store, Submission, league_path, record_path
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.stats.blocks import Lineup, complete_blocks
from arena.stats.standings import Standing, standings


class Season:
    """A league whose record is open for playing."""

    def __init__(
        self,
        store: Store,
        terms: Terms,
        seeds: tuple[str, ...],
        copies: dict[str, Copy],
        programs: dict[str, Program],
        isolation: Isolation,
        elsewhere: Mapping[MatchKey, int] | None = None,
        share: Callable[[list[MatchSpec]], list[MatchSpec]] | None = None,
    ) -> None:
        self.store = store
        self.terms = terms
        self.copies = copies
        self.programs = programs
        self.isolation = isolation
        self.seeds = seeds
        self._elsewhere = elsewhere or {}
        self._share = share

    def remaining(self) -> list[MatchSpec]:
        """What is scheduled and not stored; of a share its own, and not stored elsewhere either."""
        stored = {**self._elsewhere, **self.store.stored()}
        missing = remaining(stored, self.terms, self.seeds)
        if self._share is None:
            return missing
        own = {match_key(spec) for spec in self._share(scheduled(self.terms))}
        return [spec for spec in missing if match_key(spec) in own]

    def next_round(self) -> list[MatchSpec]:
        """The matches of one more round; none where no more precise standings are asked for.

        Rounds are looked at whole, so that a league that was killed ends like one that was not.
        """
        if not self.grow():
            return []
        self.store.set_facts({"terms": word(self.terms)})
        return self.remaining()

    def grow(self) -> bool:
        """Add a round to the terms, once all others are played, if there is to be one."""
        terms = one_more_round(self.terms, _table(self.store, self.terms))
        self.terms = terms or self.terms
        return terms is not None

    def widest(self) -> float | None:
        """The width of the widest interval of the field; None where a bot has none yet."""
        return widest_interval(self.terms, _table(self.store, self.terms))

    def job(self, spec: MatchSpec, timed: bool = True) -> Job:
        """A match ready to be played."""
        plan = match_plan(self.terms, self.seeds, spec)
        programs = tuple(self.programs[bot] for bot in spec.seats)
        return Job(plan if timed else untimed(plan), programs, self.isolation)


def _table(store: Store, terms: Terms) -> list[Standing]:
    """The standings by the sets that are complete."""
    bots = sorted(terms.bots)
    blocks = complete_blocks(store.played(), bots, terms.seats_of, terms.session or 1)
    return standings(blocks, bots, {})


def _over(store: Store, terms: Terms, seeds: Sequence[str]) -> bool:
    """Whether everything was played, so that the seed was shown."""
    stored = store.stored()
    if not stored or remaining(stored, terms, seeds):
        return False
    return one_more_round(terms, _table(store, terms)) is None


@contextmanager
def open_season(
    path: Path, seed: int | None, level: IsolationLevel | None = None
) -> Iterator[Season]:
    """Begin or resume the league of a file, at a level of isolation that goes before the file's.

    Raises `ArenaError` where they do not fit together.
    """
    path = league_path(path)
    entries = submissions(path)
    league = read_league(path, playing(entries))
    given = league.seed if seed is None else seed
    apart = choose_isolation(level or league.sandbox.level, league.sandbox.read_only)
    with only_one(path), created(path, league, given) as store:
        seeds = read_seeds(store)
        shown = _over(store, read_terms(store), seeds)
        terms = resumed(path, store, league, entries, given)
        copies = copies_of(path, league, entries, terms)
        programs = installed(copies, path, apart)
        season = Season(store, terms, seeds, copies, programs, apart)
        if not season.remaining():
            season.grow()
        if shown and store.facts()["practice"] == "no" and season.remaining():
            season.seeds = (*seeds, new_seed())  # else the new deals could be foreseen
        store.set_facts({"terms": word(season.terms), "seeds": word(season.seeds)})
        yield season


@contextmanager
def created(path: Path, league: League, given: int | None = None) -> Iterator[Store]:
    """The record of a league, begun where there is none. Raises `ArenaError`."""
    record = record_path(path)
    if record.exists():
        store = Store.open(record, writing=True)
    else:
        given = league.seed if given is None else given
        terms = _terms(league, (), ((0, league.format.deals),))
        secret = new_seed() if given is None else str(given)
        store = Store.create(record, _facts(terms, secret, given is not None))
    try:
        yield store
    finally:
        store.close()


@contextmanager
def only_one(path: Path, but_shards: bool = False) -> Iterator[None]:
    """Keep a second run of the same file out while this one plays. Raises `ArenaError`.

    With `but_shards`, others may come that say so too.
    """
    writable = os.access(path, os.W_OK)  # network file systems lock nothing else
    with path.open("r+b" if writable else "rb") as file:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if but_shards else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            what = "this is being played by another arena at this moment"
            raise ArenaError(Mistake(what, str(path), "wait for it, or stop it")) from None
        yield


def submissions(path: Path) -> list[Submission]:
    """What was handed in to a league, whether it has begun or not."""
    record = record_path(path)
    if not record.exists():
        return []
    store = Store.open(record)
    try:
        return store.submissions()
    finally:
        store.close()


def playing(entries: Sequence[Submission]) -> list[Bot]:
    """The bots of the submissions that are in the field."""
    return [_named(entry) for entry in entries if entry.state == "playing"]


def copies_of(
    path: Path, league: League, entries: Sequence[Submission], terms: Terms
) -> dict[str, Copy]:
    """The field of a league by name. Raises `ArenaError` where a submission's copy is gone."""
    home = path.with_suffix(".bots")
    handed_in = (_handed_in(home, entry) for entry in entries if entry.state == "playing")
    return {
        bot.name: Copy(bot, terms.bots[bot.name], terms.resources)
        for bot in (*league.bots, *handed_in)
    }


def installed(copies: Mapping[str, Copy], path: Path, apart: Isolation) -> dict[str, Program]:
    """The programs of a league's field by name, from its own copies. Raises `ArenaError`."""
    home = path.with_suffix(".bots")
    home.mkdir(exist_ok=True)
    return {
        name: install(copy.bot, copy.digest, home, apart, copy.allowed)
        for name, copy in copies.items()
    }


def _named(entry: Submission) -> Bot:
    """A submission's bot, under the name it plays by."""
    return msgspec.structs.replace(entry.manifest, name=entry.name)


def _handed_in(home: Path, entry: Submission) -> Bot:
    """A submission's bot, in the copy that was taken of it."""
    folder = beside(home, entry.digest)
    if not folder.is_dir() or not beside(home, entry.digest, ".built").exists():
        what = f"the copy of {entry.name} is gone"
        raise ArenaError(
            Mistake(what, str(folder), f"arena withdraw {entry.name}, and submit again")
        )
    return msgspec.structs.replace(_named(entry), folder=str(folder))


def read_seeds(store: Store) -> tuple[str, ...]:
    """The seeds of a league, the one for new deals last."""
    return msgspec.json.decode(store.facts()["seeds"], type=tuple[str, ...])


def read_terms(store: Store) -> Terms:
    """What the league of a record was begun with."""
    return msgspec.json.decode(store.facts()["terms"], type=Terms)


def verify_all(store: Store) -> Iterator[tuple[int, MatchSpec, str | None]]:
    """Replay every stored match; yields each with what is wrong with it, or None."""
    terms, seeds = read_terms(store), read_seeds(store)
    for number, spec, record in store.matches():
        yield number, spec, _unfaithful(terms, seeds, spec, record)


def _unfaithful(
    terms: Terms, seeds: Sequence[str], spec: MatchSpec, record: MatchRecord
) -> str | None:
    try:
        verify(match_plan(terms, seeds, spec), record)
    except Unfaithful as error:
        return str(error)
    return None


def _terms(
    league: League,
    entries: Sequence[Submission],
    blocks: tuple[tuple[int, int], ...],
    trios: tuple[Lineup, ...] = (),
) -> Terms:
    """The terms that a league's file asks for; `trios` are those drawn so far."""
    form = league.format
    hashes = {bot.name: content_hash(Path(bot.folder)) for bot in league.bots}
    hashes |= {entry.name: entry.digest for entry in entries}
    authors = {bot.name: bot.author for bot in league.bots}
    authors |= {entry.name: entry.manifest.author for entry in entries}
    return Terms(
        league.name,
        league.rules,
        league.limits,
        league.max_faults,
        league.resources,
        form.session,
        form.seatings,
        form.always,
        blocks,
        dict(sorted(hashes.items())),
        tuple(entry.name for entry in entries if entry.state != "playing"),
        form.kind == "mirror",
        None if form.trios is None else trios,
        authors if form.apart else None,
        form.width,
        form.max_deals,
    )


def _facts(terms: Terms, seed: str, practice: bool) -> dict[str, str]:
    return {
        "arena": __version__,
        "seeds": word((seed,)),
        "practice": "yes" if practice else "no",
        "terms": word(terms),
    }


def resumed(
    path: Path, store: Store, league: League, entries: Sequence[Submission], given: int | None
) -> Terms:
    """The terms to go on with: those of the record, extended. Raises `ArenaError`."""
    old, form = read_terms(store), league.format
    new = _terms(league, entries, old.blocks, old.trios or ())
    if form.trios is not None:
        drawn = draw_tables(new.all_lineups, form.trios, new.trios or ())
        new = msgspec.structs.replace(new, trios=tuple(drawn))
    changed = forbidden_changes(old, new)
    if form.width is None and old.width is None:
        if old.deals < form.deals:
            blocks = (*old.blocks, (old.deals, form.deals - old.deals))
            new = msgspec.structs.replace(new, blocks=blocks)
        elif old.deals > form.deals:
            changed.append(f"deals is {form.deals}, was {old.deals}")
    *_, seed = read_seeds(store)
    if given is not None and str(given) != seed:
        secret = store.facts()["practice"] == "no"
        changed.append(f"seed is {given}, was {'secret' if secret else seed}")
    if changed:
        remedy = f"undo that, or move {store.path} away to begin anew (more bots or deals may come)"
        what = "the league has changed since its record was begun"
        raise ArenaError(*(Mistake(f"{what}: {it}", str(path), remedy) for it in changed))
    return new


def word(value: object) -> str:
    return msgspec.json.encode(value).decode()
