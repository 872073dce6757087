"""The player: plays the open league of a site until it is told to end."""

import time
from contextlib import closing
from functools import partial
from typing import Final

import msgspec

from arena.base.refusals import NoRoom
from arena.base.run_events import Interrupted, RunEvent, Stopping, Void
from arena.base.words import stopping
from arena.engine.runner import run
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.config import Site
from arena.site.disk import refuse_if_low
from arena.site.executors import beat_of, executor_of
from arena.site.life import Life
from arena.site.processes import DRAWING_ORDERS
from arena.site.registry.accounts import teams
from arena.site.registry.file import Registry
from arena.site.registry.stops import benched, paused
from arena.tasks.asked_league import ask_league
from arena.tasks.open_field import Ruling
from arena.tasks.open_league import OpenLeague, resume_open

_REST_S: Final = 1.0


def play_ladder(site: Site, life: Life) -> None:
    """Play the league, and its season to the end; then wait to be ended.

    Raises `ArenaError` if its file is not that of an open league.
    """
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        try:
            if not _is_over(site):
                _play(site, registry, life)
            what = "the season is over: arena season next begins another, while the site is stopped"
            life.say(what)
            while True:
                life.beat("the season is over")
                time.sleep(_REST_S)
        except Interrupted:
            raise KeyboardInterrupt from None


def _is_over(site: Site) -> bool:
    record = record_path(site.league)
    if not record.exists():
        return False
    with closing(Store.open(record, own=True)) as store:
        return store.sealed() is not None


def _play(site: Site, registry: Registry, life: Life) -> None:
    """Play until the season is over, if its file says when."""
    with resume_open(ask_league(site.league)) as league:
        league.patient = True
        league.say = life.say
        league.ruling = _Rulings(site, registry)
        life.say(f"plays {site.league.name} with isolation {league.roster.isolation.level}")
        doing = partial(_doing, league)
        league.begin()
        with closing(executor_of(site, league.roster, life)) as executor:
            beat = beat_of(executor, life, doing)
            for jobs in league.runs():
                for event in run(jobs, executor, beat=beat):
                    _take_event(league, event, life)


def _take_event(league: OpenLeague, event: RunEvent[MatchSpec, MatchRecord], life: Life) -> None:
    """Store what happened in a run of the league, and tell of it in the process's log."""
    league.take(event)
    match event:
        case Void():
            life.say(f"a match is void and is played again: {event.why}", True)
        case Stopping():
            life.say(stopping(event.patience_s))


def _doing(league: OpenLeague) -> str:
    return league.waits or "plays"


class _Rulings:
    """Gives before each draw what the organiser has decided, and whether the disk has room."""

    def __init__(self, site: Site, registry: Registry) -> None:
        self._site, self._registry = site, registry
        self._looked: object = None
        self._found = Ruling()

    def __call__(self) -> Ruling:
        version = self._registry.version()
        if version != self._looked:
            why = paused(self._registry, DRAWING_ORDERS)
            waits = "" if why is None else f"paused: {why}" if why else "paused"
            found = Ruling(waits, benched(self._registry), teams(self._registry))
            self._looked, self._found = version, found
        ruling = self._found
        try:
            refuse_if_low(self._site)
        except NoRoom as full:
            return msgspec.structs.replace(ruling, waits=full.what)
        return ruling
