"""Answers to what authors ask of the league: entering, withdrawing, own logs, challenges."""

import gzip
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from typing import Final, assert_never

import msgspec

from arena.base.check_step import CheckStep
from arena.base.errors import ArenaError, Mistake
from arena.base.refusals import Refusal
from arena.bots.names import mistake_in_name
from arena.engine.runner import results_of, run
from arena.engine.workers import Players
from arena.league.schedule import MatchSpec, new_seed
from arena.league.terms import set_matches
from arena.match.record import MatchRecord
from arena.record.export import own_log
from arena.record.matches import stored_matches
from arena.record.paths import record_path
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from arena.site.api import Challenged
from arena.site.disk import hindered, refuse_if_low
from arena.site.process import SitePart
from arena.site.registry.accounts import Account
from arena.site.registry.file import Registry
from arena.site.registry.jobs import Taken, finish, give_back, take
from arena.site.registry.requests import (
    FILE_REQUESTS,
    About,
    Challenge,
    OwnLog,
    Resume,
    Withdraw,
    check_challenge,
    forget_requests,
)
from arena.site.registry.uploads import LATE, add_step, bots, entered, next_checked
from arena.site.work import words_of
from arena.tasks.asked_league import copy_of
from arena.tasks.league_run import Roster, job_of
from arena.tasks.submissions import discard_copy, enter

# Seconds to keep answers, but those to challenges.
KEPT_S: Final = 600.0

CHALLENGE_DEALS: Final = 10

# The answer for matches that do not exist and for those not shown: nobody learns which.
NOT_TO_BE_SHOWN: Final = "there is no such match to be shown"

_LOOK_S: Final = 0.5
_SWEEP_S: Final = 60.0

# Challenges may take 1 / `_SHARE` of the time of one core of the site's machine.
_SHARE: Final = 10


def answer_requests(part: SitePart, ending: threading.Event) -> None:
    """Enter bots that were checked, and answer requests, until told to end."""
    swept = 0.0
    with closing(Registry.open(part.site.registry, part.site.quotas)) as registry:
        while not ending.wait(_LOOK_S):
            part.beat("answers requests")
            while enter_next(part, registry) or answer_next(part, registry, FILE_REQUESTS, ending):
                part.beat("answers requests")
            if time.monotonic() > swept:
                swept = time.monotonic() + _SWEEP_S
                forget_requests(registry, KEPT_S)


def play_challenges(part: SitePart, ending: threading.Event) -> None:
    """Play challenges until told to end, each followed by a rest nine times as long."""
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

    Killed at any moment, it goes on with the entry that is there already.
    """
    found = next_checked(registry)
    if found is None:
        return False
    league, author = part.site.league, found.author
    bot = msgspec.structs.replace(found.bot, author=author.name, folder="")
    try:
        if wrong := mistake_in_name(bot.name):  # the registry may be a compromised web process's
            raise ArenaError(Mistake(wrong))
        entry = enter(league, bot, found.digest)
    except ArenaError as error:
        if hindered(part.site, error):
            raise
        why = words_of(error, ())
        add_step(registry, found.number, CheckStep("entered", False, why))
        finish(registry, found.number, "failed", why)
        discard_copy(league, found.digest)
        part.say(f"upload {found.number} of {author.name} is refused: {why}")
        return True
    late = entry.state == "next_season"
    said = f"as {entry.name}{f'; {LATE}' if late else ''}"
    add_step(registry, found.number, CheckStep("entered", True, said))
    if entered(registry, found.number, author, entry.name, bot.name, late):
        part.say(f"upload {found.number} of {author.name} enters {said}")
    else:
        _write(part, lambda record: record.withdraw(entry.name))
        part.say(f"upload {found.number}: its account was shut out meanwhile")
    return True


def _write(part: SitePart, do: Callable[[Store], None]) -> None:
    with closing(Store.write(record_path(part.site.league), own=True)) as record:
        do(record)


# --- requests ---


def answer_next(
    part: SitePart,
    registry: Registry,
    kinds: Sequence[type[About]],
    ending: threading.Event,
) -> bool:
    """Answer the next request of some kinds, if there is one; return whether there was.

    It waits again if this process is told to end. Raises the error of a full disk that hinders it.
    """
    taken: Taken[About] | None = take(registry, kinds)
    if taken is None:
        return False
    try:
        text, log = _answer(part, registry, taken, ending)
    except _Ending:
        give_back(registry, taken)
    except ArenaError as error:
        if hindered(part.site, error):
            with suppress(Refusal):  # what cannot be written now is taken again all the same
                give_back(registry, taken)
            raise
        why = "; ".join(each.what for each in error.mistakes)
        finish(registry, taken.number, "failed", why)
    else:
        finish(registry, taken.number, "answered", text, log)
    return True


class _Ending(Exception):
    """This process is told to end."""


# Return the answer to a request in words, and a packed log. Raises `ArenaError`.
def _answer(
    part: SitePart, registry: Registry, taken: Taken[About], ending: threading.Event
) -> tuple[str, bytes | None]:
    match taken.about:
        case Withdraw(bot):
            _write(part, lambda record: record.withdraw(bot))
            return f"{bot} is withdrawn", None
        case Resume(bot):
            _write(part, lambda record: record.resume(bot))
            return f"{bot} plays again as soon as the league looks", None
        case Challenge(names):
            played = _played(part, registry, taken, names, ending)
            return msgspec.json.encode(played).decode(), None
        case OwnLog(number):
            refuse_if_low(part.site)
            return "", gzip.compress(_own_log(part, registry, number, taken.account).encode())
        case _:
            assert_never(taken.about)


def _own_log(part: SitePart, registry: Registry, number: int, owner: Account) -> str:
    with closing(Store.open(record_path(part.site.league), own=True)) as store:
        found = next(stored_matches(store, number), None)
    own = {each.name for each in bots(registry, owner)}
    if found is None or not own & set(found.bots):
        raise ArenaError(Mistake(NOT_TO_BE_SHOWN))
    return own_log(found, own)


# --- challenges ---


# Play a challenge. Raises `ArenaError` if it cannot be played.
def _played(
    part: SitePart,
    registry: Registry,
    taken: Taken[About],
    names: tuple[str, ...],
    ending: threading.Event,
) -> Challenged:
    league = part.site.league
    with closing(Store.open(record_path(league), own=True)) as store:
        terms, ledger, entries = store.terms(), store.fold(), store.submissions()
    players = terms.config.rules.players
    own = {each.name for each in bots(registry, taken.account)}
    check_challenge(names, ledger.playing, players, own)  # the field may have changed since
    lineup = tuple(sorted(names))
    roster = Roster(league.with_suffix(".bots"), choose_isolation(None))
    for name in lineup:
        roster.add(copy_of(roster.home, name, terms, entries))
    seed, deals = new_seed(), terms.config.session or CHALLENGE_DEALS
    jobs = [
        (spec, job_of(terms, (seed,), roster, spec))
        for spec in set_matches(terms, lineup, 0, deals)
    ]

    def beat() -> None:
        part.beat(f"plays challenge {taken.number}")
        if ending.is_set():
            raise _Ending

    with closing(Players(1)) as workers:
        return _summed(lineup, deals, dict(results_of(run(jobs, workers, beat=beat))))


def _summed(
    lineup: tuple[str, ...], deals: int, played: Mapping[MatchSpec, MatchRecord]
) -> Challenged:
    stakes, games, faults, out = (dict.fromkeys(lineup, 0) for _ in range(4))
    for spec, record in played.items():
        for payments in record.results.payments:
            for bot, paid in zip(spec.seats, payments, strict=True):
                stakes[bot] += paid
                games[bot] += 1
        for fault, _ in record.results.counted_faults():
            faults[spec.seats[fault.fault.seat]] += 1
        for seat in record.results.disqualified:
            out[spec.seats[seat]] += 1
    return Challenged(lineup, deals, len(played), stakes, games, faults, out)
