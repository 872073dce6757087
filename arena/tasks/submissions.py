"""A bot that its author submits to a league: unpacked, checked, entered into the record."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from arena.base.check_step import CheckStep
from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.refusals import Refusal
from arena.base.resources import excesses
from arena.bots.intake import take_in
from arena.bots.manifest import Bot, file_of_bot
from arena.bots.names import equal_name
from arena.bots.tree import MANIFEST
from arena.engine.builds import BUILD_S, beside, install, make_home, remove
from arena.engine.process import Program
from arena.league.config import LeagueConfig, OpenConfig
from arena.league.file import read_league
from arena.record.paths import league_path, record_path
from arena.record.store import Store
from arena.record.submissions import refuse_entry
from arena.sandbox.isolation import Isolation
from arena.sandbox.leftovers import scratch
from arena.tasks.asked_league import (
    AskedLeague,
    content_hashes,
    league_isolation,
    opened_record,
    read_submissions,
)
from arena.tasks.check import Conditions, check
from arena.tasks.open_field import HOUSE

_ARCHIVES: Final = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz")
"""The suffixes of archives, which may lie in a bot's folder."""


class EntryTerms(msgspec.Struct, frozen=True):
    """The terms of taking in a bot: by an `author`, if it is not the manifest that says who.

    `inviter` is the author whose guest that one is, "" if it is nobody's.
    Only `any_author` lets it replace a bot of another author. A build takes `build_s` at most.
    `admit` is told the bot and the hash of its content before any step, and may raise to refuse it.
    """

    any_author: bool = False
    author: str | None = None
    inviter: str = ""
    build_s: float = BUILD_S
    admit: Callable[[Bot, str], None] = lambda bot, digest: None


def submit(
    source: Path, path: Path, level: IsolationLevel | None, by: EntryTerms
) -> Iterator[CheckStep]:
    """Submit a bot to a league, step by step; the first step that fails is the last.

    If a step fails, nothing of the bot stays. Raises `ArenaError` if there is nothing to check.
    """
    path = league_path(path)
    config, own = read_league(path, None)
    apart = league_isolation(config, level)
    home = path.with_suffix(".bots")
    with _taken(source) as (bot, digest):
        folder, bot = Path(bot.folder), _by(by, bot)
        by.admit(bot, digest)
        _fits(config, own, bot, path)
        if record_path(path).exists():
            with closing(Store.open(record_path(path))) as store:
                store.refuse_closed(_is_late(config))
                refuse_entry(store.submissions(), bot, digest, by.any_author)
        known = beside(home, digest, ".built").exists()
        try:
            for step in _checked(bot, digest, home, config, apart, by):
                yield msgspec.structs.replace(
                    step,
                    said=step.said.replace(str(folder), str(source)),
                    show=tuple(line.replace(str(folder), str(source)) for line in step.show),
                )
                if not step.passed:
                    return
            plays = "the next arena league plays it"
            asked = AskedLeague(path, config, own, (), content_hashes(own))
            with opened_record(asked) as store:
                now = datetime.now(UTC).isoformat(timespec="seconds")
                others = {other.name for other in own}
                if isinstance(config, OpenConfig):
                    others |= {*HOUSE, *store.terms().bots}
                    command = shlex.join(("arena", "league", str(path)))
                    plays = f"{command} lets it in, at once if it is running"
                if late := _is_late(config):
                    plays = "it came after the deadline and waits for the next season"
                name = store.submit(bot, digest, now, others, by.any_author, by.inviter, late)
            yield CheckStep("entered", True, f"as {name}; {plays}")
        finally:
            entered = any(entry.digest == digest for entry in read_submissions(path))
            if not entered and not known:
                remove(home, digest[:16])


def _checked(
    bot: Bot, digest: str, home: Path, config: LeagueConfig, apart: Isolation, by: EntryTerms
) -> Iterator[CheckStep]:
    """The steps of a check of the copy that will be played, by the league's rules and clock.

    A slow bot is as good as any that keeps to the clock. One that hangs costs that clock once.
    """
    make_home(home)

    def copied(bot: Bot, isolation: Isolation) -> Program:
        return install(bot, digest, home, isolation, config.resources, by.build_s)

    conditions = Conditions(
        config.rules,
        config.match_limits,
        apart,
        other_rules=False,
        prepared=copied,
        author=by.author,
    )
    return check(Path(bot.folder), conditions)


def _by(by: EntryTerms, bot: Bot) -> Bot:
    """A bot by the author who is known to have sent it."""
    return bot if by.author is None else msgspec.structs.replace(bot, author=by.author)


def _is_late(config: LeagueConfig) -> bool:
    """Whether bots that are submitted now wait for the next season."""
    until = config.submit_until if isinstance(config, OpenConfig) else None
    return until is not None and datetime.now(UTC) >= until


def _fits(config: LeagueConfig, own: Sequence[Bot], bot: Bot, path: Path) -> None:
    problems = excesses(config.resources, bot.limits)
    mistakes = [
        Mistake(f"the bot asks for too much: {problem}", bot.folder) for problem in problems
    ]
    other = equal_name(bot.name, [other.name for other in own])
    if other is not None:
        what = f"{path.name} has a bot {other} of its own"
        mistakes.append(Mistake(what, bot.folder, "choose another name"))
    if mistakes:
        raise ArenaError(*mistakes)


@contextmanager
def _taken(source: Path) -> Iterator[tuple[Bot, str]]:
    """A copy of the bot that nobody else can change, and its hash; mistakes name the source."""
    if not (source.is_dir() or source.is_file()):
        raise ArenaError(Mistake("there is no such folder or archive", str(source)))
    if source.is_file() and source.suffix not in _ARCHIVES and (source.parent / MANIFEST).exists():
        raise ArenaError(file_of_bot(source))
    with scratch(0o700) as place:
        folder = Path(place)
        try:
            bot, digest = take_in(source, folder)
            folder = Path(bot.folder)
            yield bot, digest
        except Refusal:  # of whoever else decides; it names no file of the copy
            raise
        except ArenaError as error:
            told = (_from_source(it, folder, source) for it in error.mistakes)
            raise type(error)(*told) from None


def _from_source(mistake: Mistake, folder: Path, source: Path) -> Mistake:
    """A mistake in the copy, told as one in its source."""
    what, place, remedy = (
        text.replace(str(folder), str(source))
        for text in (mistake.what, mistake.place, mistake.remedy)
    )
    return Mistake(what, place, remedy)
