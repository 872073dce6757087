"""The intake: uploads are unpacked, built and checked, one at a time, as `arena submit` does it."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.record.paths import record_path
from arena.record.submissions import playing
from arena.record.writer import Writer
from arena.sandbox.leftovers import sweep
from arena.site.config import Site
from arena.site.disk import Disk
from arena.site.house.accounts import account
from arena.site.house.file import House
from arena.site.house.intake import (
    LeaseLost,
    Taken,
    built,
    entered,
    failed,
    give_back,
    keep,
    may_enter,
    step,
    take_back,
    take_upload,
)
from arena.site.house.uploads import UploadStep, spooled
from arena.site.life import Life
from arena.site.refusals import NoRoom, Refusal
from arena.tasks.field import read_submissions
from arena.tasks.submissions import EntryTerms, submit

LOOK_S: Final = 0.2
SWEEP_S: Final = 60.0
SPOOLED_S: Final = 600.0
"""How long an archive stays in the spool that no upload needs."""

_KEEP_S: Final = 15.0
_BUILT_BYTES: Final = 1 << 30
"""The room that there must be before a bot is built."""


class Intake:
    """What takes the uploads of a site."""

    def __init__(self, site: Site, house: House, life: Life) -> None:
        self._site, self._house, self._life = site, house, life
        self._disk = Disk(site)
        self._swept = -SWEEP_S

    def take(self) -> bool:
        """Check the next upload, if one waits and there is room for it."""
        self._sweep()
        try:
            self._disk.refuse_if_full(_BUILT_BYTES)
        except NoRoom as full:
            self._life.beat(full.what)
            return False
        taken = take_upload(self._house)
        if taken is None:
            self._life.beat("waits for uploads")
            return False
        self._life.beat(f"checks upload {taken.number}")
        began = time.monotonic()
        said = self._check(taken)
        spent = time.monotonic() - began
        self._life.say(f"upload {taken.number} of {taken.account.name}: {said} ({spent:.1f} s)")
        return True

    def _check(self, taken: Taken) -> str:
        """Check an upload to its end; what came of it in words."""
        house = self._house
        check = _Check(self._site, house, taken)
        try:
            with self._kept(taken):
                return self._ended(taken, check)
        except LeaseLost:
            if check.entered and account(house, taken.account.name).revoked is not None:
                return check.taken_out()
            return "somebody else has it by now"
        except KeyboardInterrupt:
            give_back(house, taken)
            raise

    def _ended(self, taken: Taken, check: "_Check") -> str:
        try:
            why = check.failure()
            name = check.name()
        except LeaseLost:
            raise
        except ArenaError as error:
            why, name = check.told(error), None
            step(self._house, taken, UploadStep("taken in", False, why))
        if name is not None:
            entered(self._house, taken, name, check.called)
            return f"plays as {name}"
        failed(self._house, taken, why)
        return why.partition("\n")[0]

    @contextmanager
    def _kept(self, taken: Taken) -> Iterator[None]:
        """Keep the lease of an upload while its check goes on."""
        over = threading.Event()

        def go_on() -> None:
            while not over.wait(_KEEP_S):
                try:
                    keep(self._house, taken)
                except LeaseLost:
                    return
                except Refusal:  # the house is busy; the lease lasts for some tries
                    continue
                self._life.beat(f"checks upload {taken.number}")

        keeper = threading.Thread(target=go_on, daemon=True)
        keeper.start()
        try:
            yield
        finally:
            over.set()
            keeper.join()

    def _sweep(self) -> None:
        """Remove archives that nobody needs any more."""
        if time.monotonic() < self._swept + SWEEP_S:
            return
        self._swept = time.monotonic()
        needed, old = spooled(self._house, SPOOLED_S), time.time() - SPOOLED_S
        for path in self._site.spool.iterdir():
            with suppress(OSError):  # a folder, which no web process of ours has made
                if path.name not in needed and path.lstat().st_mtime < old:
                    path.unlink(missing_ok=True)


class _Check:
    """The check of one upload. Its bot is `called` so by its manifest, once that was read.

    `entered` says that it is in the league by this check.
    """

    def __init__(self, site: Site, house: House, taken: Taken) -> None:
        self._site, self._house, self._taken = site, house, taken
        self._source = site.spool / taken.file
        self._digest = ""
        self._builds = False
        self.called = ""
        self.entered = False

    def failure(self) -> str:
        """Carry out the steps, noting each; what the one that failed said, "" if none did.

        Raises `ArenaError` for what cannot be checked at all.
        """
        if self._source.is_symlink() or not self._source.is_file():  # the web could mean the record
            raise ArenaError(Mistake("the archive is gone", "", "send it again"))
        taken, house = self._taken, self._house
        by = EntryTerms(author=taken.account.name, build_s=taken.build_s, admit=self._admit)
        began = time.monotonic()
        try:
            for each in submit(self._source, self._site.league, None, by):
                if each.name == "build" and self._builds:
                    built(house, taken, time.monotonic() - began)
                began = time.monotonic()
                found = UploadStep(**msgspec.structs.asdict(each))
                if each.name == "entered":
                    self.entered = True
                    found = UploadStep("entered", True, f"as {self.name()}")
                step(house, taken, self._without_places(found))
                if each.required and not each.passed:
                    return f"{each.name}: {self._shown(each.said)}"
        except _InAlready:
            pass
        return ""

    def name(self) -> str | None:
        """The name by which this very bot of this author plays; None where it does not."""
        author = self._taken.account.name
        for each in playing(read_submissions(self._site.league)) if self._digest else ():
            if each.digest == self._digest and each.manifest.author == author:
                return each.name
        return None

    def taken_out(self) -> str:
        """Withdraw the bot of an account that was shut out in the moment in which it entered."""
        name = self.name()
        if name is not None:
            with closing(Writer.open(record_path(self._site.league))) as record:
                record.withdraw(name)
        return "its account was shut out meanwhile"

    def told(self, error: ArenaError) -> str:
        """What is wrong, for the author: nothing that only this machine knows."""
        lines = []
        for each in error.mistakes:
            place = self._shown(each.place)
            place = f"{place}: " if place and not place.startswith("/") else ""
            what = f"{place}{self._shown(each.what)}"
            lines.append(f"{what}; {self._shown(each.remedy)}" if each.remedy else what)
            lines += map(self._shown, each.lines)
        return "\n".join(lines)

    def _admit(self, bot: Bot, digest: str) -> None:
        """Keep a place for the bot. Raises `_InAlready` where it was entered before a crash."""
        self.called, self._digest, self._builds = bot.name, digest, bot.build is not None
        if self.name() is not None:
            raise _InAlready
        may_enter(self._house, self._taken, bot.name)

    def _without_places(self, found: UploadStep) -> UploadStep:
        return UploadStep(
            found.name,
            found.passed,
            self._shown(found.said),
            tuple(map(self._shown, found.show)),
            self._shown(found.stderr),
            found.required,
        )

    def _shown(self, text: str) -> str:
        """A text without the folders of this machine, and as UTF-8 can have it."""
        home = self._site.league.with_suffix(".bots")
        for path in (self._source, home / self._digest[:16], home):
            for each in dict.fromkeys((str(path.resolve()), str(path))):
                text = text.replace(f"{each}/", "").replace(each, "the bot's folder")
        return text.encode("utf-8", "backslashreplace").decode()


class _InAlready(Exception):
    """The bot plays, since whoever entered it was killed before it could say so."""


def run(site: Site, life: Life) -> None:
    """Take uploads until this process is told to end."""
    with closing(House.open(site.house, site.quotas)) as house:
        for number in take_back(house):
            life.say(f"upload {number} was left by a process that died")
        sweep()
        intake = Intake(site, house, life)
        looked: object = None
        again = 0.0
        while True:
            version = house.version()
            if version != looked or time.monotonic() > again:
                looked, again = version, time.monotonic() + SWEEP_S / 10
                if intake.take():
                    looked = None
            else:
                time.sleep(LOOK_S)
