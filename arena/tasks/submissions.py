"""A bot that its author submits to a league: unpacked, checked, entered into the record."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.marks import mark
from arena.base.resources import excesses
from arena.bots.archive import survey, unpack
from arena.bots.manifest import MANIFEST, Bot, content_hash, file_of_bot, read_bot
from arena.engine.builds import beside, install, remove
from arena.engine.program import Program
from arena.league.file import League, read_league
from arena.record.paths import league_path
from arena.record.submissions import playing, refuse_twice
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.tasks.check import CheckStep, Conditions, check
from arena.tasks.field import read_submissions
from arena.tasks.season_terms import open_or_create

_ARCHIVES: Final = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz")
"""How archives are called, which may lie in a bot's folder."""


def submit(source: Path, path: Path, level: IsolationLevel | None) -> Iterator[CheckStep]:
    """Submit a bot to a league, step by step; the first step that fails is the last.

    If a step fails, nothing of the bot stays. Raises `ArenaError` where there is nothing to check.
    """
    path = league_path(path)
    league = read_league(path, None)
    apart = choose_isolation(level or league.sandbox.level, league.sandbox.read_only)
    home = path.with_suffix(".bots")
    with _unpacked(source) as folder:
        survey(folder)
        bot = read_bot(folder)
        _fits(league, bot, path)
        digest = content_hash(folder)
        refuse_twice(read_submissions(path), bot, digest)
        known = beside(home, digest, ".built").exists()
        entered = False
        try:
            for step in _checked(folder, digest, home, league, apart):
                yield step
                if not step.passed:
                    return
            with open_or_create(path, league) as store:
                now = datetime.now(UTC).isoformat(timespec="seconds")
                name = store.submit(bot, digest, now, {other.name for other in league.bots})
            entered = True
            yield CheckStep("entered", True, f"as {name}; the next arena league plays it")
        finally:
            if not entered and not known and not _plays(digest, path):
                remove(home, digest[:16])


def _checked(
    folder: Path, digest: str, home: Path, league: League, apart: Isolation
) -> Iterator[CheckStep]:
    """The steps of a check of the copy that will be played, by the league's rules and clock.

    A slow bot is as good as any that keeps to the clock. One that hangs costs that clock once.
    """

    def copied(bot: Bot, isolation: Isolation) -> Program:
        home.mkdir(exist_ok=True)
        return install(bot, digest, home, isolation, league.resources)

    by = Conditions(league.rules, league.limits, apart, elsewhere=False, prepared=copied)
    return check(folder, by)


def _plays(digest: str, path: Path) -> bool:
    """Whether a bot of this content is in the field: another process may have entered it."""
    return any(entry.digest == digest for entry in playing(read_submissions(path)))


def _fits(league: League, bot: Bot, path: Path) -> None:
    problems = excesses(league.resources, bot.limits)
    mistakes = [
        Mistake(f"the bot asks for too much: {problem}", bot.folder) for problem in problems
    ]
    if bot.name in {other.name for other in league.bots}:
        what = f"{path.name} has a bot {bot.name} of its own"
        mistakes.append(Mistake(what, bot.folder, "choose another name"))
    if mistakes:
        raise ArenaError(*mistakes)


@contextmanager
def _unpacked(source: Path) -> Iterator[Path]:
    """The bot's folder, of an archive a temporary one."""
    if source.is_dir():
        yield source
    elif not source.exists():
        raise ArenaError(Mistake("there is no such folder or archive", str(source)))
    elif (source.parent / MANIFEST).exists() and source.suffix not in _ARCHIVES:
        raise ArenaError(file_of_bot(source))
    else:
        with tempfile.TemporaryDirectory(prefix=mark()) as folder:
            yield unpack(source, Path(folder))
