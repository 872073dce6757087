"""A league as its file asks for it, with the bots that were submitted: begun, or gone on with."""

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.resources import Resources
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.bots.names import name_key
from arena.engine.builds import Copy, copy_path, take_copies
from arena.league.config import (
    AnyConfig,
    BotEntry,
    ClosedConfig,
    LeagueConfig,
    OpenConfig,
    TournamentConfig,
)
from arena.league.file import read_league
from arena.league.ledger import Committed
from arena.league.schedule import commitment, draw_tables, new_seed
from arena.league.terms import Entrant, Terms, forbidden_changes, remaining
from arena.record.paths import league_path, record_path
from arena.record.rows import first_facts
from arena.record.store import Store
from arena.record.submissions import Submission, playing
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.tasks.league_run import Roster


class LeagueRequest(msgspec.Struct, frozen=True):
    """A league's settings and bots by its file, and the submissions to it.

    `contents` are the hashes of the file's bots. `path` is that of the file or the record; None for
    a record in memory.
    """

    path: Path | None
    config: AnyConfig
    bots: tuple[Bot, ...]
    entries: tuple[Submission, ...]
    contents: dict[str, str]

    @property
    def home(self) -> Path:
        """The folder of the league's own copies of bots."""
        assert self.path is not None
        return self.path.with_suffix(".bots")

    def named(self) -> Iterator[tuple[Bot, BotEntry]]:
        """The bots of a league's file with their entries; none where there is no file."""
        return zip(self.bots, self.config.bots, strict=False)

    def terms(self) -> Terms:
        """The terms of the league if it began now."""
        networks = {bot.name: entry.network for bot, entry in self.named()}
        own = ((bot.name, self.contents[bot.name], bot) for bot in self.bots)
        entered = ((entry.name, entry.digest, entry.manifest) for entry in self.entries)
        return Terms(
            config=self.config,
            blocks=self.config.blocks_after(),
            bots={
                name: Entrant(digest, bot.author, bot.version, networks.get(name, ()))
                for name, digest, bot in (*own, *entered)
            },
            retired=tuple(entry.name for entry in self.entries if entry.state != "playing"),
        )

    def roster(self, terms: Terms, isolation: Isolation) -> Roster:
        """The bots that play. Raises `ArenaError`, also if a submission's copy is gone."""
        roster, allowed = Roster(self.home, isolation), terms.config.resources
        for bot, entry in self.named():
            for name in entry.environment:
                if name not in os.environ:
                    what = f"the bot {bot.name} is to have {name}, which is not set"
                    raise ArenaError(Mistake(what, str(self.path), f"export {name}=…"))
            digest = terms.bots[bot.name].digest
            roster.add(Copy(bot, digest, allowed, entry.network, entry.environment))
        for each in playing(self.entries):
            roster.add(taken_copy(self.home, _named(each), each.digest, allowed))
        return roster


def request_league(path: Path, seed: int | None = None) -> LeagueRequest:
    """Read a league's file and its submissions. Raises `ArenaError` with all mistakes.

    `seed` takes precedence over that of the file.
    """
    path = league_path(path)
    if record_path(path).exists():
        asked = with_entries(path, read_submissions(path))
    else:
        asked = _new_league(path)
    if seed is None:
        return asked
    return msgspec.structs.replace(asked, config=msgspec.structs.replace(asked.config, seed=seed))


def with_entries(path: Path, entries: Sequence[Submission]) -> LeagueRequest:
    """A league of a file with some submissions. Raises `ArenaError` with all mistakes."""
    config, bots = read_league(path, [_named(entry) for entry in playing(entries)])
    return LeagueRequest(path, config, bots, tuple(entries), content_hashes(bots))


def _new_league(path: Path) -> LeagueRequest:
    entries: list[Submission] = []

    def field_of(league: Path) -> list[Bot]:
        entries.extend(_field(league))
        return list(map(_named, entries))

    config, bots = read_league(path, field_of=field_of)
    return LeagueRequest(path, config, bots, tuple(entries), content_hashes(bots))


def _field(league: Path) -> Iterator[Submission]:
    """The submissions in the field of a league that are not benched; a team is one author.

    Raises `ArenaError` if there are none, or a copy is gone.
    """
    record, entries = record_path(league), playing(read_submissions(league))
    if not entries:
        remedy = "name the bots of its file in bots, too"
        raise ArenaError(Mistake("no bot that was submitted to it plays", str(league), remedy))
    with closing(Store.open(record)) as store:
        ledger, allowed = store.fold(), store.terms().config.resources
    team_of = {
        name_key(author): ", ".join(team)[:80]  # as long as an author in a manifest
        for team in reversed(ledger.teams)  # an author in two teams is in the first
        for author in team
    }
    for entry in entries:
        if entry.name not in ledger.benched:
            taken_copy(record.with_suffix(".bots"), _named(entry), entry.digest, allowed)
            author = team_of.get(name_key(entry.manifest.author), entry.manifest.author)
            bot = msgspec.structs.replace(entry.manifest, author=author)
            yield msgspec.structs.replace(entry, manifest=bot)


def content_hashes(bots: Iterable[Bot]) -> dict[str, str]:
    """The hashes of bots by their names."""
    return {bot.name: content_hash(Path(bot.folder)) for bot in bots}


def read_submissions(path: Path) -> list[Submission]:
    """The submissions to a league, whether it has begun or not."""
    record = record_path(path)
    if not record.exists():
        return []
    with closing(Store.open(record)) as store:
        return store.submissions()


def league_isolation(config: LeagueConfig, level: IsolationLevel | None = None) -> Isolation:
    """The isolation of a league's bots; `level` overrides the file's. Raises `ArenaError`."""
    return choose_isolation(level or config.sandbox.level, config.sandbox.read_only)


@contextmanager
def opened_record(asked: LeagueRequest) -> Iterator[Store]:
    """The record of a league, created if there is none. Raises `ArenaError`."""
    record = None if asked.path is None else record_path(asked.path)
    if record is not None and record.exists():
        opened = Store.write(record)
    else:
        if asked.path is not None and asked.config.bots_from:
            take_copies(
                league_path(asked.path.parent / asked.config.bots_from).with_suffix(".bots"),
                asked.home,
                (entry.digest for entry in asked.entries),
            )
        opened = create_record(record, asked)
    with closing(opened) as store:
        yield store


def create_record(record: Path | None, asked: LeagueRequest, season: int = 1) -> Store:
    """Create the record of a league; one that another process made meanwhile is opened.

    An open league's ledger begins with the commitment to the season's secret; its bots join later.
    """
    terms, seed = asked.terms(), asked.config.seed
    secret = new_seed() if seed is None else str(seed)
    ledger: list[Committed] = []
    if isinstance(terms.config, OpenConfig):
        terms = msgspec.structs.replace(terms, bots={}, retired=())
        ledger.append(Committed(commitment(secret)))
    facts = first_facts(asked.path, terms, secret, seed is not None)
    facts = msgspec.structs.replace(facts, season=season)
    try:
        return Store.create(record, facts, entries=asked.entries, ledger=ledger)
    except ArenaError:
        if record is None or not record.exists():
            raise
        return Store.write(record)  # another process was quicker


@contextmanager
def resumed(asked: LeagueRequest) -> Iterator[tuple[Store, Terms]]:
    """The record of a league, locked for playing, and the terms to continue with, not stored yet.

    The record is created if there is none. Raises `ArenaError` if file and record do not fit.
    """
    with opened_record(asked) as store, store.lock():
        yield store, _resumed_terms(asked, store)


def _resumed_terms(asked: LeagueRequest, store: Store) -> Terms:
    """The terms of the record, extended as the file asks. Raises `ArenaError`."""
    old, new, changed = store.terms(), asked.terms(), list[str]()
    match asked.config:
        case ClosedConfig() as config:
            added = config.blocks_after(old.deals)
            drawn = old.trios
            if config.trios is not None:
                drawn = tuple(draw_tables(new.allowed_lineups, config.trios, drawn))
            new = msgspec.structs.replace(new, blocks=(*old.blocks, *added), trios=drawn)
            changed = forbidden_changes(old, new)
        case OpenConfig():
            named = msgspec.structs.replace(new, bots={**old.bots, **new.bots})
            authors = not all(bot.house for bot in store.fold().joined.values())
            changed = forbidden_changes(old, named, authors)
            new = msgspec.structs.replace(old, config=asked.config)
        case TournamentConfig():
            changed = forbidden_changes(old, new)
            if store.numbers():
                changed += (f"the bot {bot} comes late" for bot in sorted(new.field - old.field))
                changed += (f"the bot {bot} was withdrawn" for bot in sorted(old.field - new.field))
    facts = store.facts()
    known = facts.seeds[-1]
    if asked.config.seed is not None and str(asked.config.seed) != known:
        was = known if facts.practice else "secret"
        changed.append(f"seed is {asked.config.seed}, was {was}")
    if changed:
        noun = asked.config.noun
        what = f"the {noun} has changed since its record was begun"
        remedy = (
            f"undo that, or move {store.path} away to start again (bots and deals may be added)"
        )
        if noun != "league":
            remedy = "name another --record, or none"
            if facts.practice or not remaining(store.stored(), old, store.seeds()):
                remedy += f"; with --seed {known} the deals are the same"
        raise ArenaError(*(Mistake(f"{what}: {it}", str(asked.path), remedy) for it in changed))
    return new


def copy_of(home: Path, name: str, terms: Terms, entries: Iterable[Submission]) -> Copy:
    """The copy of a bot that plays or has played in a league. Raises `ArenaError` if it is gone.

    The manifest is that which was submitted: a build may have written another one.
    """
    digest = terms.bots[name].digest
    submitted = (_named(entry) for entry in entries if entry.name == name)
    bot = next(submitted, None) or read_bot(copy_path(home, digest), name)
    return taken_copy(home, msgspec.structs.replace(bot, name=name), digest, terms.config.resources)


def taken_copy(home: Path, bot: Bot, digest: str, allowed: Resources) -> Copy:
    """The copy that a league has taken of a bot. Raises `ArenaError` if it is gone."""
    folder = copy_path(home, digest)
    if not copy_path(home, digest, ".built").exists():
        remedy = f"{shlex.join(('arena', 'withdraw', bot.name))}, and submit again"
        raise ArenaError(Mistake(f"the copy of {bot.name} is gone", str(folder), remedy))
    return Copy(msgspec.structs.replace(bot, folder=str(folder)), digest, allowed)


def _named(entry: Submission) -> Bot:
    return msgspec.structs.replace(entry.manifest, name=entry.name)
