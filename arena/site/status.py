"""What a site does now, for its organiser in a terminal."""

import time
from contextlib import closing

import msgspec

from arena.base.words import count
from arena.site.config import PAUSES, WEB, Site, names_of
from arena.site.disk import DiskRoom, disk_room, shortage
from arena.site.documents import LEAGUE, NUMBERS, LeagueDocument, Numbers
from arena.site.process import ProcessState, holder, lock_path, read_states, silent
from arena.site.published import Published
from arena.site.registry.accounts import accounts
from arena.site.registry.file import Registry
from arena.site.registry.jobs import paused
from arena.site.registry.uploads import queue


class SiteStatus(msgspec.Struct, frozen=True):
    """What a site does, as its processes last reported.

    `running` says whether any of its processes is there. `shortage` tells of a disk that is nearly
    full, `silent` are processes that do not report what they do, `paused` are parts with the
    reason. `league` and `numbers` are None until something was published.
    """

    title: str
    address: str
    running: bool
    processes: tuple[ProcessState, ...]
    silent: tuple[str, ...]
    paused: dict[str, str]
    accounts: int
    uploads: int
    room: DiskRoom
    shortage: str
    league: LeagueDocument | None
    numbers: Numbers | None

    @property
    def is_well(self) -> bool:
        """Whether all processes do their work and there is room."""
        return not (self.silent or self.shortage)


def site_status(site: Site, registry: Registry) -> SiteStatus:
    """Return what a site does, by what its processes last reported. Raises `Refusal`."""
    names = [name for name in names_of(site) if name != WEB]
    states = read_states(site)
    ended = {name for name in names if holder(lock_path(site, name)) is None}
    with closing(Published(site.published)) as published:
        found, played = published.document(LEAGUE), published.document(NUMBERS)
    why = {part: paused(registry, part) for part in PAUSES}
    return SiteStatus(
        title=site.title,
        address=site.address,
        running=ended != set(names),
        processes=tuple(states[name] for name in names if name in states),
        silent=tuple(sorted(silent(site, names, 0.0).keys() | ended)),
        paused={part: each for part, each in why.items() if each is not None},
        accounts=len(accounts(registry)),
        uploads=queue(registry),
        room=disk_room(site),
        shortage=shortage(site),
        league=None if found is None else msgspec.json.decode(found.data, type=LeagueDocument),
        numbers=None if played is None else msgspec.json.decode(played.data, type=Numbers),
    )


def status_lines(status: SiteStatus) -> list[str]:
    """Return what a site does, in lines: its league, what waits, its processes."""
    lines, room = [f"{status.title}: {status.address}"], status.room
    if (league := status.league) is not None and (numbers := status.numbers) is not None:
        played = f"{count(numbers.orders, 'order')}, {count(numbers.matches, 'match')}"
        lines.append(f"season {league.season}, {league.state}: {played}")
    waiting = count(status.uploads, "upload")
    lines.append(f"{count(status.accounts, 'account')}, {waiting} that wait or are checked")
    short = f"; {status.shortage}" if status.shortage else ""
    lines.append(f"disk: {room.free >> 20} of {room.disk >> 20} MiB free{short}")
    lines += (f"paused: {part}{why and f', {why}'}" for part, why in status.paused.items())
    for state in status.processes:
        heard = f"process {state.pid}, {max(0.0, time.time() - state.at):.0f} s ago"
        lines += (f"{part:<11} {doing} ({heard})" for part, doing in state.doing.items())
        lines += (f"worker {at}, for {state.name}: {it}" for at, it in state.workers.items())
    if not status.running:
        return [*lines, "the site is not running"]
    return [*lines, *(f"{name} does not run, or hangs" for name in status.silent)]
