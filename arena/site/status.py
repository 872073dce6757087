"""What a site does now, for its organiser in a terminal."""

import time
from contextlib import closing
from typing import Final

import msgspec
from rich.text import Text

from arena.base.harmless import harmless
from arena.base.words import count
from arena.reports.table import Column, Table
from arena.reports.terminal import console, show_table
from arena.site.config import Site
from arena.site.disk import DiskRoom, disk_room, shortage
from arena.site.documents import LEAGUE, NUMBERS, LeagueDocument, Numbers
from arena.site.life import ProcessState, holder, lock_path, read_states, silent
from arena.site.processes import PAUSES, WEB, names_of
from arena.site.published import Published
from arena.site.registry.accounts import accounts
from arena.site.registry.file import Registry
from arena.site.registry.stops import paused
from arena.site.registry.uploads import queue


class SiteStatus(msgspec.Struct, frozen=True):
    """What a site does, as its processes last told.

    `running` says whether any of its processes is there. `shortage` tells of a disk that is nearly
    full, `silent` are processes that do not say what they do, `paused` are parts with the reason.
    `league` and `numbers` are None until something was published.
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
    """Return what a site does, by what its processes last told. Raises `Refusal`."""
    names = [name for name in names_of(site, None) if name != WEB]
    states = read_states(site)
    ended = {name for name in names if holder(lock_path(site.state, name)) is None}
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


def _heard(state: ProcessState) -> str:
    return "ended" if state.ended else f"{max(0.0, time.time() - state.at):.0f} s ago"


_PROCESSES: Final[tuple[Column[ProcessState], ...]] = (
    Column("name", "process", wraps=True),
    Column("at", "heard", format=_heard, wraps=True),
    Column("doing", "does", wraps=True),
)


def show_status(status: SiteStatus) -> None:
    """Print what a site does: its league, what waits, its processes."""
    print_line, league, numbers = console().print, status.league, status.numbers
    print_line(Text(f"{status.title}: {status.address}"))
    if league is not None and numbers is not None:
        print_line(
            Text(
                f"season {league.season}, {league.state}: {count(numbers.orders, 'order')},"
                f" {count(numbers.matches, 'match')}, {count(numbers.games, 'game')}"
            )
        )
    waiting = count(status.uploads, "upload")
    print_line(Text(f"{count(status.accounts, 'account')}, {waiting} that wait or are checked"))
    room = status.room
    print_line(
        Text(
            f"disk: {room.free >> 20} of {room.disk >> 20} MiB free"
            f"{f'; {status.shortage}' if status.shortage else ''}"
        )
    )
    for part, why in status.paused.items():
        print_line(Text(f"paused: {part}{f', {why}' if why else ''}"))
    if status.processes:
        show_table(Table(_PROCESSES, status.processes))
    for state in status.processes:
        for address, told in state.workers.items():
            print_line(Text(f"worker {address}, for the {state.name}: {harmless(told)}"))
    if not status.running:
        print_line(Text("the site is not running"))
        return
    for name in status.silent:
        print_line(Text(f"{name} does not run, or hangs: is the site running?"))
