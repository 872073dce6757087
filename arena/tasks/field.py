"""The bots of a league: those that were handed in, and the copies of all that it plays."""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.engine.builds import Copy, beside, install
from arena.engine.program import Program
from arena.league.file import League
from arena.league.terms import Terms
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.submissions import Submission, playing
from arena.sandbox.isolation import Isolation


def read_submissions(path: Path) -> list[Submission]:
    """What was handed in to a league, whether it has begun or not."""
    record = record_path(path)
    if not record.exists():
        return []
    with closing(Store.open(record)) as store:
        return store.submissions()


def submitted_bots(entries: Sequence[Submission]) -> list[Bot]:
    """The bots of the submissions that are in the field, each under the name it plays by."""
    return [_named(entry) for entry in playing(entries)]


def find_copies(
    path: Path, league: League, entries: Sequence[Submission], terms: Terms
) -> dict[str, Copy]:
    """The field of a league by name. Raises `ArenaError` where a submission's copy is gone."""
    home = path.with_suffix(".bots")
    submitted = (_copied(home, entry) for entry in playing(entries))
    return {
        bot.name: Copy(bot, terms.bots[bot.name], terms.resources)
        for bot in (*league.bots, *submitted)
    }


def install_copies(
    copies: Mapping[str, Copy], path: Path, isolation: Isolation
) -> dict[str, Program]:
    """The programs of a league's field by name, from its own copies. Raises `ArenaError`."""
    home = path.with_suffix(".bots")
    home.mkdir(exist_ok=True)
    return {
        name: install(copy.bot, copy.digest, home, isolation, copy.allowed)
        for name, copy in copies.items()
    }


def built_copy(home: Path, bot: Bot, digest: str) -> Bot:
    """A submitted bot in the copy that was taken of it. Raises `ArenaError` where that is gone."""
    folder = beside(home, digest)
    if not folder.is_dir() or not beside(home, digest, ".built").exists():
        remedy = f"{shlex.join(('arena', 'withdraw', bot.name))}, and submit again"
        raise ArenaError(Mistake(f"the copy of {bot.name} is gone", str(folder), remedy))
    return msgspec.structs.replace(bot, folder=str(folder))


def _named(entry: Submission) -> Bot:
    return msgspec.structs.replace(entry.manifest, name=entry.name)


def _copied(home: Path, entry: Submission) -> Bot:
    """A submission's bot, in the copy that was taken of it."""
    return built_copy(home, _named(entry), entry.digest)
