"""A league together with its record: begun, resumed, extended, and what is left to play."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena import __version__
from arena.bots import content_hash
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
    commitment,
    league_deals,
    lineups,
    matches,
    new_seed,
    seat_seeds,
    seatings,
)
from arena.standings import Standing, complete_blocks, standings
from arena.store import Store, record_path
from arena.submissions import install
from arena.worker import Job
from arena.zole.rules import Rules


class Terms(msgspec.Struct, frozen=True):
    """What a league was begun with, as its record keeps it.

    `session` is the deals of a set where that is a session, `seatings` how many each deal is
    played in where that is not all, `always` who sits at every table of a gauntlet. `blocks` are
    runs of deals, first and number; `bots` are content hashes by name.
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

    @property
    def deals(self) -> int:
        """The deals of each lineup."""
        return sum(deals for _, deals in self.blocks)

    @property
    def lineups(self) -> list[Lineup]:
        """The tables that meet."""
        return lineups(tuple(self.bots), self.rules.players, self.always)

    def seats_of(self, lineup: Lineup) -> list[tuple[str, ...]]:
        """The seatings in which a lineup meets."""
        return seatings(lineup, self.rules.players, self.seatings)


class Summary(msgspec.Struct, frozen=True):
    """A league's standings and what one must know to read them.

    Sets are counted over all lineups. The seed is shown for practice and once all is played.
    `isolation` counts the stored matches at each level.
    """

    league: str
    complete: bool
    practice: bool
    commitment: str
    seed: str | None
    sets: int
    sets_played: int
    sets_void: int
    decisions: int
    isolation: dict[str, int]
    standings: list[Standing]


class Season:
    """A league whose record is open for playing."""

    def __init__(
        self,
        store: Store,
        terms: Terms,
        seed: str,
        programs: dict[str, Program],
        isolation: Isolation,
    ) -> None:
        self.store = store
        self.terms = terms
        self.programs = programs
        self.isolation = isolation
        self._seed = seed

    def remaining(self) -> list[MatchSpec]:
        """Scheduled minus stored."""
        stored = self.store.stored()
        tables = self.terms.lineups
        return [
            spec
            for first, deals in self.terms.blocks
            for spec in matches(tables, self.terms.rules.players, first, deals, self.terms.seatings)
            if (spec.lineup, spec.seating, spec.first) not in stored
        ]

    def job(self, spec: MatchSpec, timed: bool = True) -> Job:
        """A match ready to be played."""
        plan = match_plan(self.terms, self._seed, spec)
        programs = tuple(self.programs[bot] for bot in spec.seats)
        return Job(plan if timed else untimed(plan), programs, self.isolation)


def match_plan(terms: Terms, seed: str, spec: MatchSpec) -> MatchPlan:
    """The plan of a match of a league."""
    rules = terms.rules
    deals = league_deals(rules, seed, spec.lineup, spec.first, spec.deals, terms.session)
    seeds = seat_seeds(rules, seed, deals)
    return MatchPlan(rules, terms.limits, terms.max_faults, deals, seeds, terms.session)


@contextmanager
def open_season(path: Path, seed: int | None, level: Level | None = None) -> Iterator[Season]:
    """Begin or resume the league of a file, at a level of isolation that goes before the file's.

    Raises `ArenaError` where they do not fit together.
    """
    path = path.with_suffix(".toml") if path.suffix == ".db" else path
    league = read_league(path)
    given = league.seed if seed is None else seed
    hashes = {bot.name: content_hash(Path(bot.folder)) for bot in league.bots}
    apart = isolation(level or league.sandbox.level, league.sandbox.read_only)
    with _only_one(path):
        record = record_path(path)
        if record.exists():
            store = Store.open(record, writing=True)
            terms = _resumed(path, store, league, hashes, given)
        else:
            terms = _terms(league, hashes, ((0, league.deals),))
            secret = new_seed() if given is None else str(given)
            store = Store.create(record, _facts(terms, secret, given is not None))
        try:
            store.set_facts({"terms": msgspec.json.encode(terms).decode()})
            home = path.with_suffix(".bots")
            home.mkdir(exist_ok=True)
            programs = {
                bot.name: install(bot, hashes[bot.name], home, apart, terms.resources)
                for bot in league.bots
            }
            yield Season(store, terms, store.facts()["seed"], programs, apart)
        finally:
            store.close()


def read_terms(store: Store) -> Terms:
    """What the league of a record was begun with."""
    return msgspec.json.decode(store.facts()["terms"], type=Terms)


def summary(store: Store) -> Summary:
    """The standings of a record, from the record alone."""
    facts, terms = store.facts(), read_terms(store)
    bots = sorted(terms.bots)
    session = terms.session or 1
    blocks = complete_blocks(store.played(), bots, terms.seats_of, session)
    sets = len(terms.lineups) * terms.deals // session
    played = sum(block.sets for block in blocks if block.stakes is not None)
    void = sum(block.sets for block in blocks if block.stakes is None)
    over = played + void == sets
    practice = facts["practice"] == "yes"
    return Summary(
        terms.name,
        over,
        practice,
        commitment(facts["seed"]),
        facts["seed"] if practice or over else None,
        sets,
        played,
        void,
        store.decisions(),
        store.isolation(),
        standings(blocks, bots, store.faults()),
    )


def verify_all(store: Store) -> Iterator[tuple[MatchSpec, str | None]]:
    """Replay every stored match; yields each with what is wrong with it, or None."""
    terms, seed = read_terms(store), store.facts()["seed"]
    for spec, record in store.matches():
        yield spec, _unfaithful(terms, seed, spec, record)


def _unfaithful(terms: Terms, seed: str, spec: MatchSpec, record: MatchRecord) -> str | None:
    try:
        verify(match_plan(terms, seed, spec), record)
    except Unfaithful as error:
        return str(error)
    return None


def _terms(league: League, hashes: dict[str, str], blocks: tuple[tuple[int, int], ...]) -> Terms:
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
    )


def _facts(terms: Terms, seed: str, practice: bool) -> dict[str, str]:
    return {
        "arena": __version__,
        "seed": seed,
        "practice": "yes" if practice else "no",
        "terms": msgspec.json.encode(terms).decode(),
    }


def _resumed(
    path: Path, store: Store, league: League, hashes: dict[str, str], given: int | None
) -> Terms:
    """The terms to go on with: those of the record, extended. Raises `ArenaError`."""
    old = read_terms(store)
    new = _terms(league, hashes, old.blocks)
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
    seed = store.facts()["seed"]
    if given is not None and str(given) != seed:
        secret = store.facts()["practice"] == "no"
        changes.append(f"seed is {given}, was {'secret' if secret else seed}")
    if changes:
        remedy = f"undo that, or move {store.path} away to begin anew (more bots or deals may come)"
        store.close()
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
