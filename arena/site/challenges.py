"""Challenges: tables that authors ask for, on deals of their own; they count for nobody.

After each there is a pause of nine times as long, so that they take a tenth of one core's time.
"""

import time
from contextlib import closing, suppress
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.observer import Observer
from arena.bots.manifest import read_bot
from arena.engine.builds import beside, install
from arena.engine.runner import Interrupted, play_all
from arena.league.schedule import MatchSpec, matches, new_seed
from arena.match.record import MatchRecord
from arena.record.paths import record_path
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from arena.site.api import Challenged
from arena.site.config import Site
from arena.site.house.bots import owner
from arena.site.house.file import House
from arena.site.house.requests import (
    PLAYER,
    Challenge,
    TakenRequest,
    answer,
    decline,
    keep_request,
    take_back_requests,
    take_request,
)
from arena.site.house.stops import paused
from arena.site.lanes import HeardLanes
from arena.site.life import Life
from arena.site.processes import PLAY
from arena.site.refusals import Conflict
from arena.tasks.league_run import job_of

DEALS: Final = 10
SHARE: Final = 10
"""Of how many parts of the time they take one."""

LOOK_S: Final = 0.5
LEASE_S: Final = 1800.0


def run(site: Site, life: Life) -> None:
    """Play challenges until this process is told to end."""
    with closing(House.open(site.house, site.quotas)) as house:
        take_back_requests(house, PLAYER)
        while True:
            life.beat("waits for challenges")
            taken = None
            if paused(house, PLAY) is None:
                taken = take_request(house, PLAYER, LEASE_S)
            if taken is None:
                time.sleep(LOOK_S)
                continue
            life.beat(f"plays challenge {taken.number}")
            began = time.monotonic()
            with suppress(Conflict):  # somebody else has it by now
                _answer(site, house, taken, life)
            life.say(f"challenge {taken.number} took {time.monotonic() - began:.1f} s")
            until = time.monotonic() + (SHARE - 1) * (time.monotonic() - began)
            while time.monotonic() < until:
                life.beat("rests after a challenge")
                time.sleep(LOOK_S)


def _answer(site: Site, house: House, taken: TakenRequest, life: Life) -> None:
    try:
        text = msgspec.json.encode(_played(site, house, taken, life)).decode()
    except ArenaError as error:
        decline(house, taken, "; ".join(each.what for each in error.mistakes))
    else:
        answer(house, taken, text=text)


def _played(site: Site, house: House, taken: TakenRequest, life: Life) -> Challenged:
    """Play a challenge. Raises `ArenaError` where it cannot be played, `Conflict`."""
    assert isinstance(taken.about, Challenge)
    names = taken.about.bots
    with closing(Store.open(record_path(site.league))) as store:
        terms, field, entries = store.terms(), store.field(), store.submissions()
    for name in names:
        if name not in field.contents:
            raise ArenaError(Mistake(f"no bot called {name} plays now"))
    lineup = tuple(sorted(set(names)))
    players = terms.rules.players
    if len(lineup) != len(names) or not (len(names) == players or (len(names), players) == (2, 3)):
        raise ArenaError(Mistake(f"a challenge is for {players} different bots"))
    owners = (owner(house, name) for name in lineup)
    if not any(each is not None and each.number == taken.account for each in owners):
        raise ArenaError(Mistake("one of the bots must be yours"))
    manifests = {entry.name: entry.manifest for entry in entries}
    home = site.league.with_suffix(".bots")
    isolation = choose_isolation(None)
    programs = {}
    for name in lineup:
        digest = terms.bots[name]
        folder = beside(home, digest)
        bot = manifests.get(name) or read_bot(folder, name, (name,))
        bot = msgspec.structs.replace(bot, name=name, folder=str(folder))
        programs[name] = install(bot, digest, home, isolation, terms.resources)
    terms = msgspec.structs.replace(terms, name="challenge")
    seed = new_seed()
    specs = list(matches([lineup], players, 0, terms.session or DEALS))
    run = _Run(house, taken)
    jobs = [(spec, job_of(terms, (seed,), programs, isolation, spec, True)) for spec in specs]
    lanes = HeardLanes(1, life, lambda: f"plays challenge {taken.number}")
    try:
        play_all(jobs, lanes, run)
    except Interrupted:
        raise KeyboardInterrupt from None
    return _summed(lineup, terms.session or DEALS, run.played)


class _Run(Observer[MatchSpec, MatchRecord]):
    """Keeps what is played, and the request as long as matches come."""

    def __init__(self, house: House, taken: TakenRequest) -> None:
        self.played: list[tuple[MatchSpec, MatchRecord]] = []
        self._house, self._taken = house, taken

    def finished(self, spec: MatchSpec, record: MatchRecord, /) -> None:
        keep_request(self._house, self._taken, LEASE_S)
        self.played.append((spec, record))


def _summed(
    lineup: tuple[str, ...], deals: int, played: list[tuple[MatchSpec, MatchRecord]]
) -> Challenged:
    stakes, games, faults, out = (dict.fromkeys(lineup, 0) for _ in range(4))
    for spec, record in played:
        for payments in record.results.payments:
            for bot, paid in zip(spec.seats, payments, strict=True):
                stakes[bot] += paid
                games[bot] += 1
        for fault in record.results.faults:
            faults[spec.seats[fault.fault.seat]] += 1
        for seat in record.results.disqualified:
            out[spec.seats[seat]] += 1
    return Challenged(lineup, deals, len(played), stakes, games, faults, out)
