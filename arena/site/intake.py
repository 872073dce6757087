"""The intake: unpacks, builds and checks uploads, one at a time, as `arena submit` does."""

import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from arena.base.check_step import CheckStep, without_places
from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.submissions import Submission
from arena.sandbox.folders import sweep
from arena.site.config import Site
from arena.site.disk import hindered, refuse_if_low
from arena.site.jobs import JobProcess
from arena.site.life import Life
from arena.site.registry.accounts import account
from arena.site.registry.file import Registry
from arena.site.registry.intake import (
    LATE,
    add_step,
    build_seconds,
    built,
    entered,
    may_enter,
)
from arena.site.registry.jobs import LeaseLost, Taken, decline
from arena.site.registry.uploads import Archive, spool_file, spooled
from arena.tasks.asked_league import read_submissions
from arena.tasks.submissions import EntryTerms, submit

SPOOLED_S: Final = 600.0
"""Seconds to keep an archive that no upload needs."""


class Intake(JobProcess[Archive]):
    """The process that checks the uploads of a site."""

    waits = "waits for uploads"

    def __init__(self, site: Site, registry: Registry, life: Life) -> None:
        super().__init__(site, registry, life, (Archive,))

    def refuse(self) -> None:
        """Raise `NoRoom` if the disk is nearly full: a build may take much."""
        refuse_if_low(self.site)

    def do(self, taken: Taken[Archive]) -> None:
        """Check an upload to its end."""
        self.go_on(taken)
        began = time.monotonic()
        check = _Check(self.site, self.registry, taken)
        try:
            said = self._ended(taken, check)
        except LeaseLost:
            said = "somebody else has it by now"
            if check.entered and account(self.registry, taken.account.name).revoked is not None:
                said = check.taken_out()
        spent = time.monotonic() - began
        self.life.say(f"upload {taken.number} of {taken.account.name}: {said} ({spent:.1f} s)")

    def go_on(self, taken: Taken[Archive]) -> None:
        """Beat while an upload is checked: a build may take minutes."""
        self.life.beat(f"checks upload {taken.number}")

    def sweep(self) -> None:
        """Remove archives that no upload needs any more."""
        needed, old = spooled(self.registry, SPOOLED_S), time.time() - SPOOLED_S
        for path in self.site.spool.iterdir():
            with suppress(OSError):  # a folder, which no web process of ours has made
                if path.name not in needed and path.lstat().st_mtime < old:
                    path.unlink(missing_ok=True)

    def _ended(self, taken: Taken[Archive], check: "_Check") -> str:
        """Check an upload; return the outcome in words. Raises `LeaseLost`."""
        try:
            why = check.failure()
            entry = check.entry()
        except ArenaError as error:
            if hindered(self.site, error):
                raise
            why, entry = check.told(error), None
            add_step(self.registry, taken, CheckStep("taken in", False, why))
        if entry is not None:
            late = entry.state == "next_season"
            entered(self.registry, taken, entry.name, check.called, late)
            return f"is {entry.name}: {LATE}" if late else f"plays as {entry.name}"
        decline(self.registry, taken, why)
        return why.partition("\n")[0]


class _Check:
    """The check of one upload. Its manifest says what its bot is `called`.

    `entered` says that this check has entered it into the league.
    """

    def __init__(self, site: Site, registry: Registry, taken: Taken[Archive]) -> None:
        self._site, self._registry, self._taken = site, registry, taken
        self._source = site.spool / spool_file(taken.account, taken.about.digest)
        self._digest = ""
        self._builds = False
        self.called = ""
        self.entered = False

    def failure(self) -> str:
        """Carry out the steps, noting each; return what a failed one said, "" if none failed.

        Raises `ArenaError` for what cannot be checked at all.
        """
        if self._source.is_symlink() or not self._source.is_file():  # a link may lead anywhere
            raise ArenaError(Mistake("the archive is gone", "", "send it again"))
        taken, registry = self._taken, self._registry
        build_s = build_seconds(registry, taken)
        by = EntryTerms(author=taken.account.name, build_s=build_s, admit=self._admit)
        began = time.monotonic()
        try:
            for each in submit(self._source, self._site.league, None, by):
                if each.name == "build" and self._builds:
                    built(registry, taken, time.monotonic() - began)
                began = time.monotonic()
                found = each
                if each.name == "entered":
                    self.entered = True
                    entry = self.entry()
                    late = entry is not None and entry.state == "next_season"
                    said = f"as {'' if entry is None else entry.name}{f'; {LATE}' if late else ''}"
                    found = CheckStep("entered", True, said)
                add_step(registry, taken, found.without(self._places()))
                if each.failed:
                    return f"{each.name}: {self._shown(each.said)}"
        except _InAlready:
            pass
        return ""

    def entry(self) -> Submission | None:
        """Return the entry of this very bot of this author, if it plays or will; or None."""
        author = self._taken.account.name
        for each in read_submissions(self._site.league) if self._digest else ():
            known = each.digest == self._digest and each.manifest.author == author
            if known and each.state in ("playing", "next_season"):
                return each
        return None

    def taken_out(self) -> str:
        """Withdraw the bot of an account that was shut out just as it entered; say so."""
        entry = self.entry()
        if entry is not None:
            with closing(Store.write(record_path(self._site.league), own=True)) as record:
                record.withdraw(entry.name)
        return "its account was shut out meanwhile"

    def told(self, error: ArenaError) -> str:
        """Return what is wrong, in words for the author, without what is the organiser's alone."""
        lines = []
        for each in error.mistakes:
            place = self._shown(each.place)
            place = "" if place == each.place else f"{place}: "  # only of the bot's own files
            what = f"{place}{self._shown(each.what)}"
            lines.append(f"{what}; {self._shown(each.remedy)}" if each.remedy else what)
            lines += map(self._shown, each.lines)
        return "\n".join(lines)

    def _admit(self, bot: Bot, digest: str) -> None:
        """Keep a place for the bot. Raises `_InAlready` if it was entered before a crash."""
        self.called, self._digest, self._builds = bot.name, digest, bot.build is not None
        if self.entry() is not None:
            raise _InAlready
        may_enter(self._registry, self._taken, bot.name)

    def _shown(self, text: str) -> str:
        return without_places(text, self._places())

    def _places(self) -> tuple[Path, ...]:
        """The folders of this machine that a bot is checked in."""
        home = self._site.league.with_suffix(".bots")
        return self._source, home / self._digest[:16], home


class _InAlready(Exception):
    """The bot plays already: the process that entered it was killed before it could say so."""


def take_uploads(site: Site, life: Life) -> None:
    """Check uploads until this process is told to end."""
    sweep()
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        Intake(site, registry, life).run()
