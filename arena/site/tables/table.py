"""One guest's table: a seat, its watchers, and its match, which a process of its own plays."""

import asyncio
import gzip
import hashlib
import secrets
import socket
import sys
import zlib
from base64 import urlsafe_b64encode
from concurrent.futures import Executor
from contextlib import closing
from math import inf
from pathlib import Path
from time import monotonic, time
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.base.files import write_whole
from arena.base.refusals import Busy, Missing, Refusal
from arena.bots.levels import LEVELS
from arena.bots.names import free_name
from arena.engine.builds import Copy, beside, install
from arena.engine.job import Job, PersonLink
from arena.engine.workers import Worker, play_job
from arena.league.config import LeagueConfig
from arena.league.schedule import league_deals, new_seed, seat_seeds
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.logged import play_again
from arena.match.wire import Limits
from arena.people.seat import PersonSeat
from arena.record.export import LogHeader, whole_log
from arena.record.matches import ReplayedMatch
from arena.site.config import Site
from arena.site.documents import STANDINGS, Standings
from arena.site.published import Published
from arena.tasks.asked_league import ask_league, league_isolation
from arena.tasks.open_field import house_players, outsiders

GUEST: Final = "guest"  # the name of a guest at the table
MOVE_S: Final = 300.0  # the seconds that a guest has for an answer
GUEST_ABSENT_S: Final = 300.0  # seconds after which a guest who is away has left
END_S: Final = 60.0  # seconds that the match may go on once its guest has left

_ARRIVE_S: Final = 60.0  # seconds after which a table that nobody has come to is given up
_LONGEST_S: Final = 2 * 3600.0  # seconds that a table may last

# The seconds and the number for which logs of tables are kept.
_KEPT_S: Final = 30 * 24 * 3600.0
_MOST_KEPT: Final = 1000


class GuestTerms(msgspec.Struct, frozen=True):
    """What guests' tables take from the league: its settings, and its bots that agree, by name.

    `home` is the folder of the league's copies of bots. Those of the arena's own come first, and
    `levels` has the level of each.
    """

    config: LeagueConfig
    home: Path
    copies: dict[str, Copy]
    levels: dict[str, str]

    def seated(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """The bots at a table: those chosen, then the arena's own. Raises `Refusal`."""
        seats, bots = self.config.rules.players - 1, list(wanted)
        if len(bots) > seats or not {*bots} <= self.copies.keys():
            raise Refusal(f"choose up to {seats} bots that agree to play guests")
        bots += [name for name in self.copies if name not in wanted][: seats - len(bots)]
        if not bots:
            raise Busy("no bot plays guests now", "try again later", 60)
        return tuple(bots + bots[:1] * (seats - len(bots)))  # a table of five, and too few agree


def guest_terms(site: Site) -> GuestTerms:
    """The terms of guests, by the league's file, its submissions and what is published.

    Raises `ArenaError`.
    """
    asked = ask_league(site.league)
    wanted = outsiders(asked, asked.entries)
    house = house_players({}, wanted, LEVELS.values())
    with closing(Published(site.published)) as published:
        found = published.document(STANDINGS)
    lines = () if found is None else msgspec.json.decode(found.data, type=Standings).lines
    benched = {line.bot for line in lines if line.state == "benched"}
    level_of = {bot: level for level, bot in LEVELS.items()}
    copies: dict[str, Copy] = {}
    levels: dict[str, str] = {}
    for name, player in (house | dict(sorted(wanted.items()))).items():
        bot, content = player.bot, player.joined.content
        if name in benched or not (name in house or bot.guests):
            continue
        if name in house:
            levels[name] = level_of[Path(bot.folder).name]
        folder = bot.folder or str(beside(asked.home, content))
        bot = msgspec.structs.replace(bot, folder=folder)
        copies[name] = Copy(bot, content, asked.config.resources)
    return GuestTerms(asked.config, asked.home, copies, levels)


class GuestTable(PersonSeat):
    """A guest's seat; once it has `finished`, `log` is the match's, empty if the arena spoilt it.

    `players` are the guest and the bots by seat. `key` opens the seat and `watch`, which does not
    give it away, the watchers' page. `address` is the guest's; `number` tells the table from others
    of the moment.
    """

    def __init__(
        self, terms: GuestTerms, bots: tuple[str, ...], deals: int, number: int, address: str
    ) -> None:
        ours, theirs = socket.socketpair()
        super().__init__(ours, GUEST_ABSENT_S)
        names = [GUEST]
        for bot in bots:
            names.append(free_name(bot, names))
        self.players = tuple(names)
        self.number, self.address = number, address
        self.key = secrets.token_urlsafe(16)
        self.watch = watch_key(self.key)
        self.log = ""
        self.finished = asyncio.Event()
        self.until = inf  # when the match is broken off
        self._terms, self._bots, self._deals = terms, bots, deals
        self._link = PersonLink(GUEST, theirs)
        self._began = self.present_at

    def leave(self) -> None:
        """Leave the table."""
        super().leave()
        self.until = min(self.until, monotonic() + END_S)

    def look(self, now: float) -> None:
        """Leave if nobody comes or comes back, or it takes too long."""
        super().look(now)
        late = not self.came and now - self._began > _ARRIVE_S
        if not self.over and (late or now - self._began > _LONGEST_S):
            self.leave()

    async def play(self, threads: Executor) -> None:
        """Play the match to its end, however that comes."""
        listening = asyncio.create_task(self.listen())
        try:
            loop = asyncio.get_running_loop()
            self.log = await loop.run_in_executor(threads, self._played)
        except (ArenaError, MatchVoid, OSError) as error:
            print(f"a guest's table was spoilt: {error}", file=sys.stderr, flush=True)
        finally:
            listening.cancel()
            self.leave()
            self.finished.set()

    # Play the match in a process of its own; return its log.
    def _played(self) -> str:
        config, lineup = self._terms.config, tuple(sorted(self.players))
        isolation = league_isolation(config)
        worker = Worker(None, self.number, play_job)
        with self._link.end, closing(worker):
            programs = []
            for name, chosen in zip(self.players[1:], self._bots, strict=True):
                copy = self._terms.copies[chosen]
                bot = msgspec.structs.replace(copy.bot, name=name)
                copy = msgspec.structs.replace(copy, bot=bot)
                programs.append(install(copy, self._terms.home, isolation))
            rules, limits, seed = config.rules, config.match_limits, new_seed()
            session = self._deals if rules.pools.enabled else None
            deals = league_deals(rules, seed, lineup, 0, self._deals, session)
            plan = MatchPlan(
                rules,
                limits,
                config.max_faults,
                tuple(deals),
                seat_seeds(rules, seed, deals),
                session,
                {0: Limits(MOVE_S, GUEST_ABSENT_S, limits.line_bytes)},
            )
            job = Job(plan, (self._link, *programs), isolation)
            record = worker.call(job, wanted=lambda: monotonic() < self.until)
        again = msgspec.structs.astuple(play_again(plan, record.log, record.results))
        match = ReplayedMatch(
            *again, league=None, number=1, bots=self.players, first=0, record=record
        )
        return whole_log(match, private=False)


def keep_log(folder: Path, table: GuestTable) -> None:
    """Keep the log of a table, and remove old ones; where there is no room, it is told."""
    try:
        write_whole(_file(folder, table.watch), gzip.compress(table.log.encode()))
        files = [(file.stat().st_mtime, file) for file in folder.glob("*.gz")]
    except OSError as error:
        what = f"the log of a guest's table cannot be kept: {error.strerror}"
        print(what, file=sys.stderr, flush=True)
        return
    for number, (at, file) in enumerate(sorted(files, reverse=True)):
        if number >= _MOST_KEPT or time() - at > _KEPT_S:
            file.unlink(missing_ok=True)


def kept_log(folder: Path, watch: str) -> tuple[tuple[str, ...], str]:
    """The players and the log of a table with a watchers' key. Raises `Missing`."""
    try:
        log = gzip.decompress(_file(folder, watch).read_bytes()).decode()
        return msgspec.json.decode(log.partition("\n")[0], type=LogHeader).match.bots, log
    except (OSError, EOFError, zlib.error, ValueError):
        raise Missing("there is no such table", "use the address as given") from None


def _file(folder: Path, watch: str) -> Path:  # whose name does not give the key away
    return folder / f"{hashlib.sha256(watch.encode()).hexdigest()}.jsonl.gz"


def watch_key(key: str) -> str:
    """The watchers' key of the table with this seat's key."""
    return urlsafe_b64encode(hashlib.sha256(f"watch {key}".encode()).digest()[:16]).decode()[:22]
