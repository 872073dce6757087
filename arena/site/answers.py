"""Answers to what authors ask of the league: entering, withdrawing, own logs, challenges."""

import gzip
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Final

import msgspec

from arena.base.check_step import CheckStep
from arena.base.errors import ArenaError, Mistake
from arena.base.refusals import Refusal
from arena.bots.names import mistake_in_name
from arena.engine.runner import results_of, run
from arena.engine.workers import Players
from arena.league.schedule import new_seed
from arena.league.terms import set_matches
from arena.record.export import own_log
from arena.record.matches import stored_matches
from arena.record.paths import record_path
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from arena.site.disk import hindered, refuse_if_low
from arena.site.process import SitePart
from arena.site.published import Published
from arena.site.registry import Registry
from arena.site.registry.bots import bots
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    LATE,
    MOST_LOGS,
    About,
    Challenge,
    Challenged,
    ChangeBot,
    OwnLogs,
    SiteJob,
    add_step,
    check_challenge,
    entered,
    finish,
    forget,
    give_back,
    next_passed,
    take,
)
from arena.site.work import words_of
from arena.tasks.league_request import copy_of
from arena.tasks.league_run import Roster, job_of
from arena.tasks.submissions import discard_copy, enter

# Seconds to keep answers, but those to challenges.
KEPT_S: Final = 600.0

CHALLENGE_DEALS: Final = 10

_LOOK_S: Final = 0.5

# Challenges may take 1 / `_SHARE` of the time of one core of the site's machine.
_SHARE: Final = 10


def answer_requests(part: SitePart, ending: threading.Event) -> None:
    """Enter bots that were checked, and answer requests, until asked to stop."""
    with closing(Registry.open(part.site.registry, part.site.quotas)) as registry:
        while not ending.wait(_LOOK_S):
            part.beat("answers requests")
            while enter_next(part, registry) or answer_next(part, registry, FILE_REQUESTS, ending):
                part.beat("answers requests")
                forget(registry, KEPT_S)


def play_challenges(part: SitePart, ending: threading.Event) -> None:
    """Play challenges until asked to stop, each followed by a rest nine times as long."""
    rests_until = 0.0
    with closing(Registry.open(part.site.registry, part.site.quotas)) as registry:
        while not ending.wait(_LOOK_S):
            if time.monotonic() < rests_until:
                part.beat("rests after a challenge")
                continue
            part.beat("waits for challenges")
            began = time.monotonic()
            if answer_next(part, registry, (Challenge,), ending):
                spent_s = time.monotonic() - began
                part.say(f"a challenge took {spent_s:.1f} s")
                rests_until = began + _SHARE * spent_s


# --- entering bots ---


def enter_next(part: SitePart, registry: Registry) -> bool:
    """Enter the bot of the next upload that was checked; return whether there was one.

    Killed at any moment, it continues with the entry that is there already.
    """
    found = next_passed(registry)
    if found is None:
        return False
    job, passed = found
    league, author = part.site.league, job.owner.name
    bot = msgspec.structs.replace(passed.bot, author=author, folder="")
    try:
        if wrong := mistake_in_name(bot.name):  # the registry may be a compromised web process's
            raise ArenaError(Mistake(wrong))
        entry = enter(league, bot, passed.digest)
    except ArenaError as error:
        if hindered(part.site, error):
            raise
        why = words_of(error, ())
        add_step(registry, job, CheckStep("entered", False, why))
        finish(registry, job, "failed", why)
        discard_copy(league, passed.digest)
        part.say(f"upload {job.number} of {author} is refused: {why}")
        return True
    late = entry.state == "next_season"
    said = f"as {entry.name}{f'; {LATE}' if late else ''}"
    add_step(registry, job, CheckStep("entered", True, said))
    if entered(registry, job, entry.name, bot.name, late):
        part.say(f"upload {job.number} of {author} enters {said}")
    else:
        _change(part, ChangeBot(entry.name, "withdraw"))
        part.say(f"upload {job.number}: its account was shut out meanwhile")
    return True


def _change(part: SitePart, about: ChangeBot) -> None:
    with closing(Store.write(record_path(part.site.league), own=True)) as record:
        if about.to == "withdraw":
            record.withdraw(about.bot)
        else:
            record.resume(about.bot)


# --- requests ---


def answer_next(
    part: SitePart,
    registry: Registry,
    kinds: Sequence[type[About]],
    ending: threading.Event,
) -> bool:
    """Answer the next request of some kinds, if there is one; return whether there was.

    It waits again if this process is asked to stop. Raises the error of a full disk that hinders
    it.
    """
    job = take(registry, kinds)
    if job is None:
        return False
    log = result = None
    try:
        match job.about:
            case ChangeBot():
                _change(part, job.about)
            case Challenge(names):
                result = _played(part, registry, job, names, ending)
            case OwnLogs():
                refuse_if_low(part.site)
                log = gzip.compress(_own_logs(part, registry, job, job.about).encode())
    except _Ending:
        give_back(registry, job)
    except ArenaError as error:
        if hindered(part.site, error):
            with suppress(Refusal):  # what cannot be written now is taken again all the same
                give_back(registry, job)
            raise
        finish(registry, job, "failed", "; ".join(each.what for each in error.mistakes))
    else:
        finish(registry, job, "done", "", log, result)
    return True


class _Ending(Exception):
    """This process is asked to stop."""


def _own_logs(part: SitePart, registry: Registry, job: SiteJob, about: OwnLogs) -> str:
    own = [each.name for each in bots(registry, job.owner)]
    with closing(Published(part.site.published)) as published:
        rows = [published.before(f"own/{bot}", None, about.most) for bot in own]
    numbers = sorted({number for found in rows for number, _ in found if number > about.after})
    with closing(Store.open(record_path(part.site.league), own=True)) as store:
        logs = [
            own_log(match, own)
            for number in numbers[-about.most :][:MOST_LOGS]
            for match in stored_matches(store, number)
            if not set(own).isdisjoint(match.bots)  # what is published may be of another season
        ]
    return "".join(logs)


# Play a challenge. Raises `ArenaError` if it cannot be played.
def _played(
    part: SitePart,
    registry: Registry,
    job: SiteJob,
    names: tuple[str, ...],
    ending: threading.Event,
) -> Challenged:
    league = part.site.league
    with closing(Store.open(record_path(league), own=True)) as store:
        terms, ledger, entries = store.terms(), store.fold(), store.submissions()
    own = {each.name for each in bots(registry, job.owner)}
    check_challenge(names, ledger.playing, terms.config.rules.players, own)  # the field may differ
    lineup = tuple(sorted(names))
    roster = Roster(league.with_suffix(".bots"), choose_isolation(None))
    for name in lineup:
        roster.add(copy_of(roster.home, name, terms, entries))
    seed, deals = new_seed(), terms.config.session or CHALLENGE_DEALS
    matches = [
        (spec, job_of(terms, (seed,), roster, spec))
        for spec in set_matches(terms, lineup, 0, deals)
    ]

    def beat() -> None:
        part.beat(f"plays challenge {job.number}")
        if ending.is_set():
            raise _Ending

    stakes, faults = dict.fromkeys(lineup, 0), dict.fromkeys(lineup, 0)
    with closing(Players(1)) as workers:
        played = dict(results_of(run(matches, workers, beat=beat)))
    for spec, record in played.items():
        for payments in record.results.payments:
            for bot, paid in zip(spec.seats, payments, strict=True):
                stakes[bot] += paid
        for fault, _ in record.results.counted_faults():
            faults[spec.seats[fault.fault.seat]] += 1
    return Challenged(deals, len(played), stakes, faults)
