"""A league as its file asks for it: the file's content, and the bots that were handed in."""

import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.engine.builds import Copy, beside
from arena.league.file import League, read_league
from arena.league.terms import Terms
from arena.record.paths import league_path, record_path
from arena.record.store import Store
from arena.record.submissions import Submission, playing
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.tasks.league_run import Roster


class AskedLeague(msgspec.Struct, frozen=True):
    """A league's file, the submissions to the league, and a seed if it is for practice.

    `contents` are the hashes of the file's bots.
    """

    path: Path
    league: League
    entries: tuple[Submission, ...]
    contents: dict[str, str]
    seed: int | None

    @property
    def home(self) -> Path:
        """The folder of the league's own copies of bots."""
        return self.path.with_suffix(".bots")

    def roster(self, terms: Terms, isolation: Isolation) -> Roster:
        """The bots that play. Raises `ArenaError`, also if a submission's copy is gone."""
        roster, bots = Roster(self.home, isolation), list(self.league.bots)
        for entry in playing(self.entries):
            bots.append(built_copy(self.home, _named(entry), entry.digest))
        for bot in bots:
            roster.add(Copy(bot, terms.bots[bot.name], terms.resources))
        return roster


def ask_league(path: Path, seed: int | None = None) -> AskedLeague:
    """Read a league's file and its submissions. Raises `ArenaError` with all mistakes.

    `seed` takes precedence over that of the file.
    """
    path = league_path(path)
    record = record_path(path)
    entries: list[Submission] = []
    if record.exists():
        with closing(Store.open(record)) as store:
            entries = store.submissions()
    league = read_league(path, submitted_bots(entries))
    given = league.seed if seed is None else seed
    return AskedLeague(path, league, tuple(entries), content_hashes(league), given)


def league_isolation(league: League, level: IsolationLevel | None = None) -> Isolation:
    """The isolation of a league's bots; `level` overrides the file's. Raises `ArenaError`."""
    return choose_isolation(level or league.sandbox.level, league.sandbox.read_only)


def content_hashes(league: League) -> dict[str, str]:
    """The hashes of the bots of a league's file."""
    return {bot.name: content_hash(Path(bot.folder)) for bot in league.bots}


def read_submissions(path: Path) -> list[Submission]:
    """The submissions to a league, whether it has begun or not."""
    record = record_path(path)
    if not record.exists():
        return []
    with closing(Store.open(record)) as store:
        return store.submissions()


def submitted_bots(entries: Sequence[Submission]) -> list[Bot]:
    """The bots of the submissions that are in the field, each under the name it plays by."""
    return [_named(entry) for entry in playing(entries)]


def built_copy(home: Path, bot: Bot, digest: str) -> Bot:
    """A submitted bot in the copy that was taken of it. Raises `ArenaError` if that is gone."""
    folder = beside(home, digest)
    if not folder.is_dir() or not beside(home, digest, ".built").exists():
        remedy = f"{shlex.join(('arena', 'withdraw', bot.name))}, and submit again"
        raise ArenaError(Mistake(f"the copy of {bot.name} is gone", str(folder), remedy))
    return msgspec.structs.replace(bot, folder=str(folder))


def kept_copy(home: Path, name: str, terms: Terms, entries: Sequence[Submission]) -> Copy:
    """The copy by which a bot plays or has played in a league, even if it is entered no more."""
    digest = terms.bots[name]
    folder = beside(home, digest)
    submitted = (entry.manifest for entry in entries if entry.name == name)
    bot = next(submitted, None) or read_bot(folder, name)
    return Copy(
        msgspec.structs.replace(bot, name=name, folder=str(folder)), digest, terms.resources
    )


def _named(entry: Submission) -> Bot:
    return msgspec.structs.replace(entry.manifest, name=entry.name)
