"""Plays challenges: tables that authors ask for, on deals of their own. They count for nobody.

After each there is a pause nine times as long, so that they take a tenth of one core's time.
"""

import time
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from typing import Final

import msgspec

from arena.base.refusals import Busy
from arena.base.run_events import Interrupted
from arena.engine.runner import results_of, run
from arena.engine.workers import Players
from arena.league.schedule import MatchSpec, new_seed
from arena.league.terms import set_matches
from arena.match.record import MatchRecord
from arena.record.paths import record_path
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from arena.site.api import Challenged
from arena.site.config import Site
from arena.site.jobs import JobProcess
from arena.site.life import Life
from arena.site.registry.bots import bots
from arena.site.registry.file import Registry
from arena.site.registry.jobs import Taken, answer
from arena.site.registry.requests import PLAYER, Challenge, check_challenge
from arena.tasks.asked_league import copy_of
from arena.tasks.league_run import Roster, job_of

CHALLENGE_DEALS: Final = 10
_SHARE: Final = 10
"""Challenges may take 1 / `_SHARE` of the time of the site's own machine."""


class Challenges(JobProcess[Challenge]):
    """The process that plays the challenges of a site."""

    waits = "waits for challenges"

    def __init__(self, site: Site, registry: Registry, life: Life) -> None:
        super().__init__(site, registry, life, PLAYER)
        self._rests_until = 0.0

    def refuse(self) -> None:
        """Raise `Busy` during the rest after a challenge."""
        if time.monotonic() < self._rests_until:
            raise Busy("rests after a challenge")

    def do(self, taken: Taken[Challenge]) -> None:
        """Play a challenge and answer it. Raises `ArenaError` if it cannot be played."""
        began = time.monotonic()
        try:
            played = self._played(taken)
            answer(self.registry, taken, text=msgspec.json.encode(played).decode())
        finally:
            self.life.say(f"challenge {taken.number} took {time.monotonic() - began:.1f} s")

    def _played(self, taken: Taken[Challenge]) -> Challenged:
        """Play a challenge, and return its result. Raises `ArenaError` if it cannot be played."""
        names, league = taken.about.bots, self.site.league
        with closing(Store.open(record_path(league), own=True)) as store:
            terms, ledger, entries = store.terms(), store.fold(), store.submissions()
        players = terms.config.rules.players
        own = {each.name for each in bots(self.registry, taken.account)}
        check_challenge(names, ledger.playing, players, own)  # the field may have changed since
        lineup = tuple(sorted(names))
        roster = Roster(league.with_suffix(".bots"), choose_isolation(None))
        for name in lineup:
            roster.add(copy_of(roster.home, name, terms, entries))
        seed, deals = new_seed(), terms.config.session or CHALLENGE_DEALS
        specs = set_matches(terms, lineup, 0, deals)
        doing = f"plays challenge {taken.number}"
        jobs = [(spec, job_of(terms, (seed,), roster, spec)) for spec in specs]
        began = time.monotonic()
        try:
            with closing(Players(1)) as workers:
                beat = partial(self.life.beat, doing)
                played = dict(results_of(run(jobs, workers, beat=beat)))
        except Interrupted:
            raise KeyboardInterrupt from None
        finally:
            now = time.monotonic()
            self._rests_until = now + (_SHARE - 1) * (now - began)
        return _summed(lineup, deals, played)


def play_challenges(site: Site, life: Life) -> None:
    """Play challenges until this process is told to end."""
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        Challenges(site, registry, life).run()


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
