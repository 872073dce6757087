"""A league together with its record: begun, resumed, extended, and what is left to play."""

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena import __version__
from arena.bots import Bot, content_hash
from arena.copies import install
from arena.errors import ArenaError, Mistake
from arena.league import League, read_league
from arena.logs import Unfaithful
from arena.messages import Limits
from arena.procedure import MatchPlan, untimed
from arena.process import Program
from arena.records import MatchRecord, verify
from arena.resources import Level, Resources
from arena.sandbox.isolation import Isolation, isolation
from arena.schedule import (
    Lineup,
    MatchSpec,
    league_deals,
    lineups,
    matches,
    new_seed,
    seat_seeds,
    seatings,
)
from arena.store import Store, Submission, record_path
from arena.worker import Job
from arena.zole.rules import Rules


class Terms(msgspec.Struct, frozen=True):
    """What a league was begun with, as its record keeps it.

    `session` is the deals of a set where that is a session, `seatings` how many each deal is
    played in where that is not all, `always` who sits at every table of a gauntlet. `blocks` are
    runs of deals, first and number; `bots` are content hashes by name, of all that ever played;
    the `retired` of them meet nobody any more.
    """

    name: str
    rules: Rules
    limits: Limits
    max_faults: int
    resources: Resources
    session: int | None
    seatings: int | None
    always: tuple[str, ...]
    blocks: tuple[tuple[int, int], ...]
    bots: dict[str, str]
    retired: tuple[str, ...] = ()

    @property
    def deals(self) -> int:
        """The deals of each lineup."""
        return sum(deals for _, deals in self.blocks)

    @property
    def lineups(self) -> list[Lineup]:
        """The tables that meet."""
        field = tuple(bot for bot in self.bots if bot not in self.retired)
        return lineups(field, self.rules.players, self.always)

    def seats_of(self, lineup: Lineup) -> list[tuple[str, ...]]:
        """The seatings in which a lineup meets."""
        return seatings(lineup, self.rules.players, self.seatings)


class Season:
    """A league whose record is open for playing."""

    def __init__(
        self,
        store: Store,
        terms: Terms,
        seeds: tuple[str, ...],
        programs: dict[str, Program],
        isolation: Isolation,
    ) -> None:
        self.store = store
        self.terms = terms
        self.programs = programs
        self.isolation = isolation
        self.seeds = seeds

    def remaining(self) -> list[MatchSpec]:
        """Scheduled minus stored; what is begun goes on with its seed, all else has the last."""
        return _remaining(self.store, self.terms, self.seeds)

    def job(self, spec: MatchSpec, timed: bool = True) -> Job:
        """A match ready to be played."""
        plan = match_plan(self.terms, self.seeds, spec)
        programs = tuple(self.programs[bot] for bot in spec.seats)
        return Job(plan if timed else untimed(plan), programs, self.isolation)


def _remaining(store: Store, terms: Terms, seeds: Sequence[str]) -> list[MatchSpec]:
    stored = store.stored()
    begun = {(lineup, first): seed for (lineup, _, first), seed in stored.items()}
    last = len(seeds) - 1
    tables = terms.lineups
    return [
        msgspec.structs.replace(spec, seed=begun.get((spec.lineup, spec.first), last))
        for first, deals in terms.blocks
        for spec in matches(tables, terms.rules.players, first, deals, terms.seatings)
        if (spec.lineup, spec.seating, spec.first) not in stored
    ]


def match_plan(terms: Terms, seeds: Sequence[str], spec: MatchSpec) -> MatchPlan:
    """The plan of a match of a league, which has these seeds."""
    rules, seed = terms.rules, seeds[spec.seed]
    deals = league_deals(rules, seed, spec.lineup, spec.first, spec.deals, terms.session)
    of_seats = seat_seeds(rules, seed, deals)
    return MatchPlan(rules, terms.limits, terms.max_faults, deals, of_seats, terms.session)


@contextmanager
def open_season(path: Path, seed: int | None, level: Level | None = None) -> Iterator[Season]:
    """Begin or resume the league of a file, at a level of isolation that goes before the file's.

    Raises `ArenaError` where they do not fit together.
    """
    path = path.with_suffix(".toml") if path.suffix == ".db" else path
    entries = submissions(path)
    field = [entry for entry in entries if entry.state == "playing"]
    league = read_league(path, [entry.name for entry in field])
    given = league.seed if seed is None else seed
    apart = isolation(level or league.sandbox.level, league.sandbox.read_only)
    with _only_one(path), created(path, league, given) as store:
        seeds = read_seeds(store)
        shown = not _remaining(store, read_terms(store), seeds)
        terms = _resumed(path, store, league, entries, given)
        home = path.with_suffix(".bots")
        home.mkdir(exist_ok=True)
        programs = {
            bot.name: install(bot, terms.bots[bot.name], home, apart, terms.resources)
            for bot in (*league.bots, *(_handed_in(home, entry) for entry in field))
        }
        season = Season(store, terms, seeds, programs, apart)
        if shown and store.facts()["practice"] == "no" and season.remaining():
            season.seeds = (*seeds, new_seed())  # else the new deals could be foreseen
        store.set_facts({"terms": _word(terms), "seeds": _word(season.seeds)})
        yield season


@contextmanager
def created(path: Path, league: League, given: int | None = None) -> Iterator[Store]:
    """The record of a league, begun where there is none. Raises `ArenaError`."""
    record = record_path(path)
    if record.exists():
        store = Store.open(record, writing=True)
    else:
        given = league.seed if given is None else given
        terms = _terms(league, (), ((0, league.deals),))
        secret = new_seed() if given is None else str(given)
        store = Store.create(record, _facts(terms, secret, given is not None))
    try:
        yield store
    finally:
        store.close()


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


def _handed_in(home: Path, entry: Submission) -> Bot:
    """A submission's bot, in the copy that was taken of it."""
    folder = home / entry.digest[:16]
    if not folder.is_dir() or not (home / f"{folder.name}.built").exists():
        what = f"the copy of {entry.name} is gone"
        raise ArenaError(
            Mistake(what, str(folder), f"arena withdraw {entry.name}, and submit again")
        )
    return msgspec.structs.replace(entry.manifest, name=entry.name, folder=str(folder))


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
    league: League, entries: Sequence[Submission], blocks: tuple[tuple[int, int], ...]
) -> Terms:
    hashes = {bot.name: content_hash(Path(bot.folder)) for bot in league.bots}
    hashes |= {entry.name: entry.digest for entry in entries}
    return Terms(
        league.name,
        league.rules,
        league.limits,
        league.max_faults,
        league.resources,
        league.session,
        league.seatings,
        league.always,
        blocks,
        dict(sorted(hashes.items())),
        tuple(entry.name for entry in entries if entry.state != "playing"),
    )


def _facts(terms: Terms, seed: str, practice: bool) -> dict[str, str]:
    return {
        "arena": __version__,
        "seeds": _word((seed,)),
        "practice": "yes" if practice else "no",
        "terms": _word(terms),
    }


def _resumed(
    path: Path, store: Store, league: League, entries: Sequence[Submission], given: int | None
) -> Terms:
    """The terms to go on with: those of the record, extended. Raises `ArenaError`."""
    old = read_terms(store)
    new = _terms(league, entries, old.blocks)
    if new.deals < league.deals:
        blocks = (*old.blocks, (old.deals, league.deals - old.deals))
        new = msgspec.structs.replace(new, blocks=blocks)
    changes = [
        f"{key} is {_word(after)}, was {_word(before)}"
        for key, before, after in _differences(old, new)
    ]
    changes += (f"the bot {bot} is gone" for bot in old.bots if bot not in new.bots)
    changes += (
        f"the bot {bot} has changed; a new version needs a new name"
        for bot, content in new.bots.items()
        if old.bots.get(bot, content) != content
    )
    if league.deals < old.deals:
        changes.append(f"deals is {league.deals}, was {old.deals}")
    *_, seed = read_seeds(store)
    if given is not None and str(given) != seed:
        secret = store.facts()["practice"] == "no"
        changes.append(f"seed is {given}, was {'secret' if secret else seed}")
    if changes:
        remedy = f"undo that, or move {store.path} away to begin anew (more bots or deals may come)"
        what = "the league has changed since its record was begun"
        raise ArenaError(*(Mistake(f"{what}: {it}", str(path), remedy) for it in changes))
    return new


def _differences(old: Terms, new: Terms) -> Iterator[tuple[str, object, object]]:
    """What of rules and limits is not as it was: key, before, after."""
    before, after = _settings(old), _settings(new)
    for key, value in after.items():
        if before.get(key) != value:
            yield key, before.get(key), value


def _settings(terms: Terms) -> dict[str, object]:
    settings: dict[str, object] = {
        "limits.max_faults": terms.max_faults,
        "session": terms.session,
        "seatings": terms.seatings or "all",
        "always": terms.always,
    }
    parts = (("rules", terms.rules), ("limits", terms.limits), ("limits", terms.resources))
    for part, value in parts:
        for key, inner in msgspec.to_builtins(value).items():
            if isinstance(inner, dict):
                settings |= {f"{part}.{key}.{name}": each for name, each in inner.items()}
            else:
                settings[f"{part}.{key}"] = inner
    return settings


def _word(value: object) -> str:
    return msgspec.json.encode(value).decode()


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """Keep a second run of the same league out while this one plays."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            what = "this league is being played by another arena at this moment"
            raise ArenaError(Mistake(what, str(path), "wait for it, or stop it")) from None
        yield
