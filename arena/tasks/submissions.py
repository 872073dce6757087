"""Bots that authors hand in to a league: checked, entered into its record, replaced, withdrawn."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.marks import mark
from arena.base.resources import excesses
from arena.bots.archive import survey, unpack
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.engine.builds import beside, install, remove
from arena.engine.program import Program
from arena.league.file import League, read_league
from arena.record.store import Store, Submission, record_path
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.tasks.check import CheckStep, check
from arena.tasks.season import created, submissions


def submit(source: Path, path: Path, level: IsolationLevel | None) -> Iterator[CheckStep]:
    """Hand a bot in to a league, step by step; the first that fails is the last.

    Nothing of it stays where a step fails. Raises `ArenaError` where there is nothing to check.
    """
    league = read_league(path, None)
    apart = choose_isolation(level or league.sandbox.level, league.sandbox.read_only)
    home = path.with_suffix(".bots")
    with _unpacked(source) as folder:
        survey(folder)
        bot = read_bot(folder)
        _fits(league, bot, path)
        digest = content_hash(folder)
        _new(bot, digest, path)
        known = beside(home, digest, ".built").exists()
        entered = False
        try:
            for step in _checked(folder, digest, home, league, apart):
                yield step
                if not step.passed:
                    return
            with created(path, league) as store:
                name = store.submit(_entry(store, league, bot, digest))
            entered = True
            yield CheckStep("entered", True, f"as {name}; the next arena league plays it")
        finally:
            if not entered and not known:
                remove(home, digest[:16])


def withdraw(name: str, path: Path) -> None:
    """Take a bot out of a league's field; what it has played stays. Raises `ArenaError`."""
    store = Store.open(record_path(path), writing=True)
    try:
        field = [entry.name for entry in store.submissions() if entry.state == "playing"]
        if name not in field:
            what = f"no bot called {name} was submitted and is playing"
            there = (
                f"there are {', '.join(field)}" if field else "bots of the file are taken out there"
            )
            raise ArenaError(Mistake(what, str(path), there))
        store.withdraw(name)
    finally:
        store.close()


def _checked(
    folder: Path, digest: str, home: Path, league: League, apart: Isolation
) -> Iterator[CheckStep]:
    """The steps of a check, of the copy that will be played."""

    def copied(bot: Bot, isolation: Isolation) -> Program:
        home.mkdir(exist_ok=True)
        return install(bot, digest, home, isolation, league.resources)

    return check(folder, league.limits.move_s, apart, copied, league.rules)


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


def _new(bot: Bot, digest: str, path: Path) -> None:
    """Raises `ArenaError` where the very same bot is in the field already."""
    for entry in submissions(path):
        if entry.digest == digest and entry.state == "playing":
            what = f"this very bot is playing already, as {entry.name}"
            raise ArenaError(Mistake(what, bot.folder))


def _entry(store: Store, league: League, bot: Bot, digest: str) -> Submission:
    """The bot's entry: its name, with a number where that name has been played under before."""
    taken = {entry.name for entry in store.submissions()} | {other.name for other in league.bots}
    name, number = bot.name, 1
    while name in taken:
        number += 1
        name = f"{bot.name}.{number}"
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Submission(name, bot, digest, now, "playing")


@contextmanager
def _unpacked(source: Path) -> Iterator[Path]:
    """The bot's folder, of an archive a temporary one."""
    if source.is_dir():
        yield source
    elif not source.exists():
        raise ArenaError(Mistake("there is no such folder or archive", str(source)))
    else:
        with tempfile.TemporaryDirectory(prefix=mark()) as folder:
            yield unpack(source, Path(folder))
