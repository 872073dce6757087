"""What a site does now, for its organiser in a terminal."""

import time
from contextlib import closing

from arena.base.words import count
from arena.site.config import WEB, Site, names_of
from arena.site.disk import disk_room, shortage
from arena.site.documents import LEAGUE, NUMBERS, LeagueDocument, Numbers
from arena.site.process import holder, lock_path, read_states, silent
from arena.site.published import Published
from arena.site.registry import Registry
from arena.site.registry.accounts import accounts
from arena.site.registry.jobs import queue
from arena.site.registry.organiser import pauses


def site_status(site: Site, registry: Registry) -> tuple[list[str], bool]:
    """Return lines about a site's league, what waits, its processes; and whether it is well."""
    room, short = disk_room(site), shortage(site)
    waiting = f"{count(queue(registry), 'upload')} that wait or are checked"
    lines = [
        f"{site.title}: {site.address}",
        *_played(site),
        f"{count(len(accounts(registry)), 'account')}, {waiting}",
        f"disk: {room.free >> 20} of {room.disk >> 20} MiB free{short and f'; {short}'}",
    ]
    for part, why in pauses(registry, "part").items():
        lines.append(f"paused: {part}{why and f', {why}'}")
    names = [name for name in names_of(site) if name != WEB]
    states = read_states(site)
    for state in (states[name] for name in names if name in states):
        heard = f"process {state.pid}, {max(0.0, time.time() - state.at):.0f} s ago"
        lines += (f"{part:<11} {doing} ({heard})" for part, doing in state.doing.items())
        lines += (f"worker {at}, for {state.name}: {it}" for at, it in state.workers.items())
    ended = {name for name in names if holder(lock_path(site, name)) is None}
    if ended == set(names):
        return [*lines, "the site is not running"], False
    ill = sorted(silent(site, names, 0.0).keys() | ended)
    lines += (f"{name} does not run, or hangs" for name in ill)
    return lines, not (ill or short)


# Return a line about the league, if anything was published of it.
def _played(site: Site) -> list[str]:
    with closing(Published(site.published)) as published:
        league = published.read(LEAGUE, LeagueDocument)
        numbers = published.read(NUMBERS, Numbers)
    if league is None or numbers is None:
        return []
    many = f"{count(numbers.orders, 'order')}, {count(numbers.matches, 'match')}"
    return [f"season {league.season}, {league.state}: {many}"]
