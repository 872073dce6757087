"""The player: the open league of a site, played on until it is told to end."""

from contextlib import closing

from arena.base.refusals import NoRoom
from arena.engine.runner import STOPPING, Interrupted, play_all
from arena.engine.workers import cores
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.site.config import Site
from arena.site.disk import Disk
from arena.site.house.file import House
from arena.site.house.stops import benched, paused
from arena.site.lanes import HeardLanes
from arena.site.life import Life
from arena.site.processes import PLAY
from arena.tasks.open_field import Ruling
from arena.tasks.open_league import open_open_league, refuse_other_formats

_ORDER_BYTES = 1 << 20
"""The room that there must be before an order is drawn."""


def run(site: Site, life: Life) -> None:
    """Play the league. Raises `ArenaError` where its file is none of an open league."""
    refuse_other_formats(site.league)
    with (
        closing(House.open(site.house, site.quotas)) as house,
        open_open_league(site.league, None) as league,
    ):
        league.listen(life.say)
        league.ruling = _Rulings(site, house)
        life.say(f"plays {site.league.name} with isolation {league.isolation.level}")

        def started(spec: MatchSpec) -> None:
            """Nobody is told."""

        def finished(spec: MatchSpec, record: MatchRecord) -> None:
            league.finished(spec, record)

        def void(spec: MatchSpec, why: str) -> None:
            league.writer.add_void(spec, why)
            life.say(f"a match is void and is played again: {why}")

        def stopping() -> None:
            life.say(STOPPING)

        count = site.jobs or max(1, len(cores()) - 1)
        lanes = HeardLanes(count, life, lambda: league.waits or "plays")
        try:
            play_all(league.jobs(), lanes, started, finished, void, stopping=stopping)
        except Interrupted:
            raise KeyboardInterrupt from None


class _Rulings:
    """What the organiser has decided, and what the disk says, as it is before each draw."""

    def __init__(self, site: Site, house: House) -> None:
        self._house = house
        self._disk = Disk(site)
        self._looked: object = None
        self._found = Ruling()

    def __call__(self) -> Ruling:
        version = self._house.version()
        if version != self._looked:
            why = paused(self._house, PLAY)
            waits = "" if why is None else f"paused: {why}" if why else "paused"
            self._looked, self._found = version, Ruling(waits, benched(self._house))
        ruling = self._found
        try:
            self._disk.refuse_if_full(_ORDER_BYTES)
        except NoRoom as full:
            return Ruling(full.what, ruling.benched)
        return ruling
