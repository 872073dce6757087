"""The process `play`: the league, the publisher, and answers to what authors ask.

The league is played in the main thread, the rest in a thread each. None knows another but through
the record and the registry. Matches are played by worker processes.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.base.refusals import NoRoom
from arena.base.run_events import Interrupted, Stopping, Void
from arena.base.words import stopping
from arena.cluster.executor import DaskExecutor
from arena.cluster.scheduler import read_address
from arena.engine.job import Job
from arena.engine.runner import Executor, run
from arena.engine.workers import Players, cores
from arena.match.record import MatchRecord
from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.answers import answer_requests, play_challenges
from arena.site.config import DRAWING_ORDERS, Site
from arena.site.disk import refuse_if_low, work_on
from arena.site.process import SitePart, SiteProcess
from arena.site.publish.publisher import LeaguePublisher
from arena.site.registry import Registry
from arena.site.registry.accounts import teams
from arena.site.registry.jobs import FILE_REQUESTS, Challenge, take_back
from arena.site.registry.organiser import pauses
from arena.tasks.league_request import request_league
from arena.tasks.league_run import Roster
from arena.tasks.open_field import Ruling
from arena.tasks.open_league import resume_open

_LOOK_S: Final = 1.0

_THREADS: Final[dict[str, Callable[[SitePart, threading.Event], None]]] = {
    "publisher": lambda part, ending: publish(part, ending),
    "requests": answer_requests,
    "challenges": play_challenges,
}


def run_play(process: SiteProcess) -> None:
    """Play, answer and publish until asked to stop."""
    with closing(Registry.open(process.site.registry, process.site.quotas)) as registry:
        take_back(registry, (*FILE_REQUESTS, Challenge))
    ending = threading.Event()
    threading.excepthook = _end_process

    def begin(name: str, do: Callable[[SitePart, threading.Event], None]) -> threading.Thread:
        part = SitePart(process, name)
        thread = threading.Thread(
            target=work_on, args=(part, lambda part: do(part, ending)), name=name
        )
        thread.start()
        return thread

    threads = [begin(name, do) for name, do in _THREADS.items()]
    try:
        work_on(SitePart(process, "league"), play_ladder)
    except Interrupted:
        pass
    finally:
        ending.set()
        for thread in threads:
            thread.join()


# End this process by the error of a thread; its parent starts it again.
def _end_process(failed: threading.ExceptHookArgs) -> None:
    if isinstance(failed.exc_value, ArenaError):
        print(failed.exc_value, file=sys.stderr)
    else:
        threading.__excepthook__(failed)
    os._exit(getattr(failed.exc_value, "exit_code", 1))


# --- the league ---


def play_ladder(part: SitePart) -> None:
    """Play the league, and its season to the end; then wait to be ended.

    Raises `ArenaError` if its file is not that of an open league.
    """
    if not _is_over(part.site):
        with closing(Registry.open(part.site.registry, part.site.quotas)) as registry:
            _play_season(part, registry)
    part.say("the season is over: stop the site, and begin another with arena season next")
    while True:
        part.beat("the season is over")
        time.sleep(_LOOK_S)


def _is_over(site: Site) -> bool:
    record = record_path(site.league)
    if not record.exists():
        return False
    with closing(Store.open(record, own=True)) as store:
        return store.sealed() is not None


# Play until the season is over, if its file sets an end.
def _play_season(part: SitePart, registry: Registry) -> None:
    site = part.site
    with resume_open(request_league(site.league)) as league:
        league.patient = True
        league.say = part.say
        league.ruling = _Rulings(site, registry)
        part.say(f"plays {site.league.name} with isolation {league.roster.isolation.level}")
        league.begin()
        with closing(_executor(part, league.roster)) as executor:

            def beat() -> None:
                if isinstance(executor, DaskExecutor):
                    part.process.workers = executor.known()
                part.beat(league.waits or "plays")

            for jobs in league.runs():
                for event in run(jobs, executor, beat=beat):
                    league.take(event)
                    if isinstance(event, Void):
                        part.say(f"a match is void and is played again: {event.why}")
                    elif isinstance(event, Stopping):
                        part.say(stopping(event.patience_s))


# Return what plays matches: the scheduler's workers, else those of this machine.
def _executor(part: SitePart, roster: Roster) -> Executor[Job, MatchRecord]:
    if part.site.cluster:
        return DaskExecutor(read_address(part.site.cluster), roster, part.say, patient=True)
    return Players(part.site.jobs or max(1, len(cores()) - 1))


# Gives before each draw what the organiser has decided, and whether the disk has room.
class _Rulings:
    def __init__(self, site: Site, registry: Registry) -> None:
        self._site, self._registry = site, registry
        self._looked: object = None
        self._found = Ruling()

    def __call__(self) -> Ruling:
        if (version := self._registry.version()) != self._looked:
            why = pauses(self._registry, "part").get(DRAWING_ORDERS)
            waits = "" if why is None else f"paused: {why}" if why else "paused"
            self._looked = version
            self._found = Ruling(waits, pauses(self._registry, "bot"), teams(self._registry))
        try:
            refuse_if_low(self._site)
        except NoRoom as full:
            return msgspec.structs.replace(self._found, waits=full.what)
        return self._found


# --- the publisher ---


def publish(part: SitePart, ending: threading.Event) -> None:
    """Publish the record until asked to stop."""
    record = record_path(part.site.league)
    while not record.exists():
        part.beat("waits for the league")
        if ending.wait(_LOOK_S):
            return
    with (
        closing(Registry.open(part.site.registry, part.site.quotas)) as registry,
        closing(Store.open(record, own=True)) as store,
        closing(LeaguePublisher(part.site, store, registry, part)) as publisher,
    ):
        while not ending.is_set():
            part.beat("publishes")
            if not publisher.look():
                ending.wait(_LOOK_S)
