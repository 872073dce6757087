"""A bot that its author submits to a league: unpacked, checked, entered into the record."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
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
from arena.engine.builds import BUILD_S, Copy, copy_path, install, remove
from arena.league.config import AnyConfig, LeagueConfig, OpenConfig
from arena.league.file import read_league
from arena.record.paths import league_path, record_path
from arena.record.store import Store
from arena.record.submissions import Submission, refuse_entry
from arena.sandbox.box import Program
from arena.sandbox.folders import scratch
from arena.sandbox.isolation import Isolation
from arena.tasks.check import Conditions, check
from arena.tasks.league_request import (
    LeagueRequest,
    content_hashes,
    league_isolation,
    opened_record,
    read_submissions,
    taken_copy,
)
from arena.tasks.open_field import HOUSE

_ARCHIVES: Final = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz")
"""The suffixes of archives, which may lie in a bot's folder."""


class EntryTerms(msgspec.Struct, frozen=True):
    """The terms of taking in a bot: by an `author`, if not the manifest's.

    Only `any_author` lets it replace a bot of another author. A build takes `build_s` at most.
    `admit` is called with the bot and the hash of its content before any step, and may raise to
    refuse it. Unless the bot `enters`, it is only checked, and the record is not opened.
    """

    any_author: bool = False
    author: str | None = None
    build_s: float = BUILD_S
    admit: Callable[[Bot, str], None] = lambda bot, digest: None
    enters: bool = True


def submit(
    source: Path, path: Path, level: IsolationLevel | None, by: EntryTerms
) -> Iterator[CheckStep]:
    """Submit a bot to a league, step by step; the first step that fails is the last.

    If a step fails, nothing of the bot stays. Steps and mistakes name the source, not the copy that
    is checked. Raises `ArenaError` if there is nothing to check.
    """
    if not (source.is_dir() or source.is_file()):
        raise ArenaError(Mistake("there is no such folder or archive", str(source)))
    if source.is_file() and source.suffix not in _ARCHIVES and (source.parent / MANIFEST).exists():
        raise ArenaError(file_of_bot(source))
    with scratch(0o700) as folder:

        def renamed(text: str) -> str:
            return text.replace(folder, str(source))

        try:
            for step in _submitted(source, Path(folder), league_path(path), level, by):
                show = tuple(map(renamed, step.show))
                yield msgspec.structs.replace(step, finding=renamed(step.finding), show=show)
        except Refusal:  # it names no file
            raise
        except ArenaError as error:
            mistakes = (
                replace(
                    each,
                    what=renamed(each.what),
                    place=renamed(each.place),
                    remedy=renamed(each.remedy),
                )
                for each in error.mistakes
            )
            raise type(error)(*mistakes) from None


def _submitted(
    source: Path, folder: Path, path: Path, level: IsolationLevel | None, by: EntryTerms
) -> Iterator[CheckStep]:
    """Submit a bot by way of a copy in a folder, which nobody else can change.

    The bot is checked by the league's rules and clock: a slow bot is as good as any that keeps to
    the clock. One that hangs costs that clock once.
    """
    config, own = read_league(path, None)
    if config.bots_from:
        what = f"the bots of this league are those of {config.bots_from}"
        raise ArenaError(Mistake(what, str(path), "submit the bot to that one"))
    apart, home = league_isolation(config, level), path.with_suffix(".bots")
    bot, digest = take_in(source, folder)
    bot = msgspec.structs.replace(bot, author=by.author or bot.author)
    by.admit(bot, digest)
    _fits(config, own, bot, path)
    if by.enters and record_path(path).exists():
        with closing(Store.open(record_path(path))) as store:
            store.refuse_closed(_is_late(config))
            refuse_entry(store.submissions(), bot, digest, by.any_author)

    def installed(bot: Bot, isolation: Isolation) -> Program:
        return install(Copy(bot, digest, config.resources), home, isolation, by.build_s)

    conditions = Conditions(
        config.rules,
        config.match_limits,
        apart,
        other_rules=False,
        prepared=installed,
        author=by.author,
    )
    kept = copy_path(home, digest, ".built").exists()
    try:
        for step in check(Path(bot.folder), conditions):
            yield step
            if step.failed:
                return
        if by.enters:
            yield _entered(_asked(path, config, own), bot, digest, by)
        kept = True
    finally:
        if not kept and by.enters:
            discard_copy(path, digest)
        elif not kept:
            remove(home, digest[:16])


def enter(path: Path, bot: Bot, digest: str) -> Submission:
    """Enter a bot whose check has passed into a league's record; return its entry.

    A bot of this content that its author has in the field already is not entered again. Raises
    `ArenaError`.
    """
    config, own = read_league(path, None)
    if _entry(path, bot, digest) is None:
        _fits(config, own, bot, path)
        taken_copy(path.with_suffix(".bots"), bot, digest, config.resources)
        _entered(_asked(path, config, own), bot, digest, EntryTerms())
    entry = _entry(path, bot, digest)
    assert entry is not None
    return entry


def discard_copy(path: Path, digest: str) -> None:
    """Remove the copy of a bot that was checked, unless a bot of this content was submitted."""
    if not any(entry.digest == digest for entry in read_submissions(path)):
        remove(path.with_suffix(".bots"), digest[:16])


def _entry(path: Path, bot: Bot, digest: str) -> Submission | None:
    """The entry of a bot of this content and author that plays, or will in the next season."""
    for each in read_submissions(path):
        known = each.digest == digest and each.manifest.author == bot.author
        if known and each.state in ("playing", "next_season"):
            return each
    return None


def _asked(path: Path, config: AnyConfig, own: Sequence[Bot]) -> LeagueRequest:
    return LeagueRequest(path, config, tuple(own), (), content_hashes(own))


def _entered(asked: LeagueRequest, bot: Bot, digest: str, by: EntryTerms) -> CheckStep:
    plays, late = "the next arena league plays it", _is_late(asked.config)
    others = {other.name for other in asked.bots}
    with opened_record(asked) as store:
        if isinstance(asked.config, OpenConfig):
            others |= {*HOUSE, *store.terms().bots}
            command = shlex.join(("arena", "league", str(asked.path)))
            plays = f"{command} lets it in, at once if it is running"
        if late:
            plays = "it came after the deadline and waits for the next season"
        now = datetime.now(UTC).isoformat(timespec="seconds")
        name = store.submit(bot, digest, now, others, by.any_author, late)
    return CheckStep("entered", True, f"as {name}; {plays}")


def _is_late(config: AnyConfig) -> bool:
    until = config.submit_until if isinstance(config, OpenConfig) else None
    return until is not None and datetime.now(UTC) >= until


def _fits(config: LeagueConfig, own: Sequence[Bot], bot: Bot, path: Path) -> None:
    """Raise `ArenaError` with everything that keeps a bot out of a league however it plays."""
    mistakes = [
        Mistake(f"the bot asks for too much: {problem}", bot.folder)
        for problem in excesses(config.resources, bot.limits)
    ]
    other = equal_name(bot.name, [other.name for other in own])
    if other is not None:
        what = f"{path.name} has its own bot called {other}"
        mistakes.append(Mistake(what, bot.folder, "choose another name"))
    if mistakes:
        raise ArenaError(*mistakes)
