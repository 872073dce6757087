"""The process `work`: it unpacks, builds and checks uploads, one at a time in a child.

It does not open the league's record: an upload that passes its check is entered by `play`.
"""

import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from arena.base.check_step import CheckStep, without_places
from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.engine.workers import Worker
from arena.match.commands import MatchVoid
from arena.sandbox.folders import sweep
from arena.site.config import Site
from arena.site.disk import hindered, rest, shortage, work_on
from arena.site.process import SitePart, SiteProcess
from arena.site.registry import Registry
from arena.site.registry.jobs import (
    Archive,
    SiteJob,
    add_step,
    build_seconds,
    built,
    finish,
    give_back,
    may_enter,
    passed,
    spool_file,
    spooled,
    take,
    take_back,
)
from arena.tasks.submissions import EntryTerms, submit

# Seconds to keep an archive that no upload needs.
SPOOLED_S: Final = 600.0

_LOOK_S: Final = 0.5

# Seconds between searches for archives that no upload needs, also while none is checked.
_SWEEP_S: Final = 60.0

# The longest that a check may take, without its build.
_CHECK_S: Final = 3600.0

Child = Worker[tuple[Site, SiteJob], tuple[str, str]]


def run_work(process: SiteProcess) -> None:
    """Check uploads until asked to stop."""
    sweep()
    with closing(Registry.open(process.site.registry, process.site.quotas)) as registry:
        take_back(registry, (Archive,))
    work_on(SitePart(process, "work"), check_uploads)


def check_uploads(part: SitePart) -> None:
    """Check uploads, and remove archives that nobody needs any more."""
    child = Child(None, 0, check_upload)
    with closing(child), closing(Registry.open(part.site.registry, part.site.quotas)) as registry:
        while True:
            remove_unneeded(part.site, registry)
            sweep_at = time.monotonic() + _SWEEP_S
            while not check_next(part, registry, child) and time.monotonic() < sweep_at:
                time.sleep(_LOOK_S)


def check_next(part: SitePart, registry: Registry, child: Child) -> bool:
    """Check the next upload, if one waits and the disk has room; return whether one did.

    It waits again if this process is asked to stop, if the disk is full or others hold a file for
    too long. If the child dies over it, that counts as a try.
    """
    if short := shortage(part.site):  # a build may take much
        part.beat(short)
        return False
    part.beat("waits for uploads")
    job = take(registry, (Archive,))
    if job is None:
        return False

    def go_on() -> bool:
        part.beat(f"checks upload {job.number}")
        return True

    began = time.monotonic()
    try:
        longest_s = _CHECK_S + build_seconds(registry, job)
        unavailable_reason, said = child.call((part.site, job), longest_s, go_on)
    except MatchVoid as void:
        unavailable_reason, said = "", f"is restarted or given up: {void}"
        take_back(registry, (Archive,))
    except KeyboardInterrupt:
        child.close()
        give_back(registry, job)
        raise
    spent_s = time.monotonic() - began
    part.say(f"upload {job.number} of {job.owner.name}: {said} ({spent_s:.1f} s)")
    if unavailable_reason:
        try:
            rest(part, unavailable_reason)
        finally:
            give_back(registry, job)
    return True


def remove_unneeded(site: Site, registry: Registry) -> None:
    """Remove archives that no upload needs any more."""
    needed, old = spooled(registry, SPOOLED_S), time.time() - SPOOLED_S
    for path in site.spool.iterdir():
        with suppress(OSError):  # a folder, which only a compromised web process makes
            if path.name not in needed and path.lstat().st_mtime < old:
                path.unlink(missing_ok=True)


# --- in the child ---


def check_upload(asked: tuple[Site, SiteJob], number: int) -> tuple[str, str]:
    """Check an upload to its end; return what hinders that for now, and the outcome in words."""
    site, job = asked
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        try:
            why = _failure(site, registry, job)
        except (ArenaError, OSError) as error:
            if unavailable_reason := hindered(site, error):
                return unavailable_reason, f"waits: {unavailable_reason}"
            raise
        if why:
            finish(registry, job, "failed", why)
    return "", why.partition("\n")[0] or "is checked"


# Carry out the steps of a check, noting each; return the finding of a failed one, "" if none
# failed. Raises `ArenaError` if the machine hinders it.
def _failure(site: Site, registry: Registry, job: SiteJob) -> str:
    assert isinstance(job.about, Archive)
    source = site.spool / spool_file(job.owner, job.about.digest)
    home = site.league.with_suffix(".bots")
    places: tuple[Path, ...] = (source, home)
    found: list[tuple[Bot, str]] = []

    def admit(bot: Bot, digest: str) -> None:
        nonlocal places
        places = source, home / digest[:16], home
        found.append((bot, digest))
        may_enter(registry, job, bot.name)

    by = EntryTerms(
        enters=False, author=job.owner.name, build_s=build_seconds(registry, job), admit=admit
    )
    began = time.monotonic()
    try:
        if source.is_symlink() or not source.is_file():  # a link may lead anywhere
            raise ArenaError(Mistake("the archive is gone", "", "send it again"))
        for step in submit(source, site.league, None, by):
            if step.name == "build" and found[0][0].build is not None:
                built(registry, job, time.monotonic() - began)
            began = time.monotonic()
            add_step(registry, job, step.without(places))
            if step.failed:
                return f"{step.name}: {without_places(step.finding, places)}"
    except ArenaError as error:
        if hindered(site, error):
            raise
        why = words_of(error, places)
        add_step(registry, job, CheckStep("taken in", False, why))
        return why
    passed(registry, job, *found[0])
    return ""


def words_of(error: ArenaError, places: tuple[Path, ...]) -> str:
    """Return what is wrong, in words for the author, without what is the organiser's alone."""
    lines = []
    for each in error.mistakes:
        place = without_places(each.place, places)
        place = "" if place == each.place else f"{place}: "  # only of the bot's own files
        what = f"{place}{without_places(each.what, places)}"
        lines.append(f"{what}; {without_places(each.remedy, places)}" if each.remedy else what)
        lines += [without_places(line, places) for line in each.lines]
    return "\n".join(lines)
