"""Plays the match of one guest's table, in a process that the service starts and that ends with it.

Its input is one line, a `TableAsked`; its output is one line, a `TablePlayed`.
"""

import os
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.base.marks import mark
from arena.bots.names import free_name
from arena.engine.builds import Copy, install
from arena.engine.job import Job, PersonLink
from arena.engine.worker import play_match
from arena.engine.workers import initialize
from arena.league.schedule import league_deals, new_seed, seat_seeds
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.logged import play_again
from arena.match.projection import public
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.record.export import whole_log
from arena.record.matches import ReplayedMatch, seen
from arena.reports.page import Link, replay_page
from arena.sandbox.folders import remove_folder
from arena.sandbox.isolation import Isolation, for_worker
from arena.site.tables.bots import GuestTerms

GUEST: Final = "guest"
"""The name of a guest at the table."""

_TRIES: Final = 3
"""The number of times that the arena itself may spoil the match."""


class TableAsked(msgspec.Struct, frozen=True):
    """A table to play: the bots that sit with the guest, by name, and its limits.

    `site` is the site's title. `number` tells the table from others of the moment; `move_s` and
    `absent_s` are the guest's.
    """

    site: str
    terms: GuestTerms
    bots: tuple[str, ...]
    deals: int
    isolation: Isolation
    number: int
    move_s: float
    absent_s: float


class TablePlayed(msgspec.Struct, frozen=True):
    """The outcome of a table, its log, and the page that replays it.

    If the arena spoilt the table, there is neither, and `why` says why.
    """

    seed: str = ""
    log: str = ""
    page: str = ""
    why: str = ""


def seated_players(bots: Sequence[str]) -> tuple[str, ...]:
    """Return the players by seat, the guest first; a bot with the guest's name is renamed."""
    names = [GUEST]
    for bot in bots:
        names.append(free_name(bot, names))
    return tuple(names)


def play_table(asked: TableAsked, end: socket.socket) -> TablePlayed:
    """Play the table, with the guest at the other end of a socketpair. Raises `ArenaError`."""
    terms, names = asked.terms, seated_players(asked.bots)
    isolation = for_worker(asked.isolation, asked.number)
    home = Path(terms.home)
    programs = []
    for name, chosen in zip(names[1:], asked.bots, strict=True):
        copy = terms.copies[chosen]
        bot = msgspec.structs.replace(copy.bot, name=name)
        programs.append(install(Copy(bot, copy.digest, copy.allowed), home, isolation))
    session = asked.deals if terms.rules.pools.enabled else None
    for _ in range(_TRIES):
        seed = new_seed()
        lineup = tuple(sorted(names))
        deals = league_deals(terms.rules, seed, lineup, 0, asked.deals, session)
        plan = MatchPlan(
            terms.rules,
            terms.limits,
            terms.max_faults,
            tuple(deals),
            seat_seeds(terms.rules, seed, deals),
            session,
            {0: Limits(asked.move_s, asked.absent_s, terms.limits.line_bytes)},
        )
        job = Job(plan, (PersonLink(GUEST, end), *programs), isolation)
        try:
            match = _stored(names, plan, play_match(job))
            return TablePlayed(seed, whole_log(match, private=False), _page(match, asked.site))
        except MatchVoid as void:
            why = str(void)
    return TablePlayed(why=f"the match failed {_TRIES} times: {why}")


def _stored(names: tuple[str, ...], plan: MatchPlan, record: MatchRecord) -> ReplayedMatch:
    again = play_again(plan, record.log, record.results)
    return ReplayedMatch(
        *msgspec.structs.astuple(again),
        league=None,
        number=1,
        bots=names,
        first=0,
        record=record,
    )


def _page(match: ReplayedMatch, site: str) -> str:
    """Return the page that replays the match, without what the bots say to their authors."""
    found = msgspec.structs.replace(public(seen(match)), league=site, match=None)
    return replay_page(found, Link(site, "/"))


def play_guests_table() -> None:
    """Play the table on the first line of input.

    The argument is the descriptor of the guest's link.
    """
    end = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(end.fileno(), False)
    asked = msgspec.json.decode(sys.stdin.buffer.readline(), type=TableAsked)
    scratch = tempfile.mkdtemp(prefix=mark())
    os.chmod(scratch, 0o711)  # bots may run as other users
    initialize(None, scratch)
    try:
        with end:
            played = play_table(asked, end)
    except ArenaError as error:
        played = TablePlayed(why=str(error))
    finally:
        remove_folder(scratch)
    sys.stdout.buffer.write(msgspec.json.encode(played) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    play_guests_table()
