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
from arena.base.refusals import Busy, Refusal
from arena.bots.levels import LEVELS
from arena.bots.names import free_name
from arena.engine.builds import Copy, beside, install
from arena.engine.job import Job, PersonLink
from arena.engine.workers import Worker, limit_s, play_job
from arena.league.schedule import league_deals, new_seed, seat_seeds
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.logged import play_again
from arena.match.wire import Limits, ToBot
from arena.people.seat import FollowedLines, PersonSeat, watched
from arena.record.export import whole_log
from arena.record.matches import ReplayedMatch
from arena.sandbox.isolation import Isolation, for_worker
from arena.site.config import Site
from arena.site.documents import STANDINGS, GuestBot, Standings
from arena.site.published import Published
from arena.tasks.asked_league import ask_league, league_isolation
from arena.tasks.open_field import house_players, outsiders
from arena.zole.rules import Rules


class GuestTerms(msgspec.Struct, frozen=True):
    """The terms of guests' tables: the league's rules and limits, and its bots that agree, by name.

    `home` is the folder of the league's copies of bots; `house` has the levels of the arena's own.
    """

    rules: Rules
    limits: Limits
    max_faults: int
    isolation: Isolation
    home: str
    copies: dict[str, Copy]
    house: dict[str, str]


def guest_terms(site: Site) -> GuestTerms:
    """The terms of guests, by the league's file, its submissions and what is published.

    Raises `ArenaError`.
    """
    asked = ask_league(site.league)
    config = asked.config
    wanted = outsiders(asked, asked.entries)
    house = house_players({}, wanted, LEVELS.values())
    out = _benched(site)
    copies: dict[str, Copy] = {}
    for name, player in (wanted | house).items():
        bot, content = player.bot, player.joined.content
        if (name in house or bot.guests) and name not in out:
            folder = bot.folder or str(beside(asked.home, content))
            bot = msgspec.structs.replace(bot, folder=folder)
            copies[bot.name] = Copy(bot, content, config.resources)
    level_of = {bot: level for level, bot in LEVELS.items()}
    levels = {
        name: level_of[Path(player.bot.folder).name]
        for name, player in house.items()
        if name in copies
    }
    return GuestTerms(
        config.rules,
        config.match_limits,
        config.max_faults,
        league_isolation(config),
        str(asked.home),
        copies,
        levels,
    )


def bots_of(terms: GuestTerms) -> tuple[GuestBot, ...]:
    """The bots that may be played, the arena's own first."""
    house = (GuestBot(name, "house", level) for name, level in terms.house.items())
    others = sorted(terms.copies.keys() - terms.house.keys())
    return (*house, *(GuestBot(name, terms.copies[name].bot.author) for name in others))


def seated(terms: GuestTerms, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The bots at a table: those that were chosen, then the arena's own. Raises `Refusal`."""
    seats, bots = terms.rules.players - 1, list(wanted)
    if len(bots) > seats or not {*bots} <= terms.copies.keys():
        raise Refusal(f"choose up to {seats} bots that agree to play guests")
    bots += [bot.name for bot in bots_of(terms) if bot.name not in wanted][: seats - len(bots)]
    if not bots:
        raise Busy("no bot plays guests now", "try again later", 60)
    return tuple(bots + bots[:1] * (seats - len(bots)))  # a table of five, and too few agree


def _benched(site: Site) -> set[str]:
    with closing(Published(site.published)) as published:
        standings = published.read(STANDINGS, Standings)
    lines = () if standings is None else standings.lines
    return {line.bot for line in lines if line.state == "benched"}


GUEST: Final = "guest"  # the name of a guest at the table
MOVE_S: Final = 300.0  # the seconds that a guest has for an answer
GUEST_ABSENT_S: Final = 300.0  # seconds after which a guest who is away has left
END_S: Final = 60.0  # seconds that the match may go on once its guest has left

_ARRIVE_S: Final = 60.0  # seconds after which a table that nobody has come to is given up
_LONGEST_S: Final = 2 * 3600.0  # seconds that a table may last
_TRIES: Final = 3  # the number of times that the arena itself may spoil the match

# The seconds and the number for which tables that are over are kept.
_KEPT_S: Final = 30 * 24 * 3600.0
_MOST_KEPT: Final = 1000


class TableJob(msgspec.Struct, frozen=True):
    """A table to play: the players by seat, the guest first, and the bots that the others are."""

    terms: GuestTerms
    players: tuple[str, ...]
    bots: tuple[str, ...]
    deals: int
    link: PersonLink


class KeptTable(msgspec.Struct, frozen=True):
    """A table that is over: its players by seat, its seed and its log.

    The log is empty if the arena spoilt the match.
    """

    players: tuple[str, ...]
    seed: str = ""
    log: str = ""


class GuestTable(PersonSeat):
    """A guest's seat, and what others may see of it; once it has `finished`, `kept` is what came.

    `key` opens the seat and `watch`, which does not give it away, the watchers' page. `address` is
    the guest's; `number` tells the table from others of the moment.
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
        self.watched = FollowedLines()
        self.kept = KeptTable(self.players)
        self.finished = asyncio.Event()
        self.until = inf  # when the match is broken off
        self._job = TableJob(terms, self.players, bots, deals, PersonLink(GUEST, theirs))
        self._heard, self._heard_at = 0, self.present_at
        self._began = self.present_at

    def hear(self, line: bytes, now: float) -> ToBot:
        """Take the next line of the referee, without its newline."""
        said = super().hear(line, now)
        if (seen := watched(said)) is not None:
            self.watched.lines.append(seen)
            self.watched.wake()
        return said

    def leave(self) -> None:
        """Leave the table; watchers see no more of it."""
        super().leave()
        self.until = min(self.until, monotonic() + END_S)
        self.watched.over = True
        self.watched.wake()

    def look(self, now: float) -> None:
        """Leave if nobody comes or comes back, or it takes too long; break off what hangs."""
        super().look(now)
        late = not self.came and now - self._began > _ARRIVE_S
        if not self.over and (late or now - self._began > _LONGEST_S):
            self.leave()
        if self.request is not None or len(self.lines) > self._heard:
            self._heard, self._heard_at = len(self.lines), now  # nothing comes before an answer
        elif now - self._heard_at > limit_s(self._job.terms.limits, deals=1):
            self.until = now

    async def play(self, threads: Executor) -> None:
        """Play the match to its end, however that comes."""
        listening = asyncio.create_task(self.listen())
        try:
            loop = asyncio.get_running_loop()
            self.kept = await loop.run_in_executor(threads, self._played)
        except (ArenaError, MatchVoid, OSError) as error:
            print(f"a guest's table was spoilt: {error}", file=sys.stderr, flush=True)
        finally:
            listening.cancel()
            self.leave()
            self.finished.set()

    def _played(self) -> KeptTable:
        worker = Worker(None, self.number, play_table)
        try:
            with self._job.link.end:
                return worker.call(self._job, wanted=lambda: monotonic() < self.until)
        finally:
            worker.close()


class KeptTables:
    """The tables that are over, in files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(0o700, parents=True, exist_ok=True)

    def keep(self, table: GuestTable) -> None:
        """Keep a table, and remove old ones; where there is no room, it is told."""
        try:
            write_whole(self._file(table.watch), gzip.compress(msgspec.json.encode(table.kept)))
            files = [(file.stat().st_mtime, file) for file in self._folder.glob("*.gz")]
        except OSError as error:
            what = f"the log of a guest's table cannot be kept: {error.strerror}"
            print(what, file=sys.stderr, flush=True)
            return
        for number, (at, file) in enumerate(sorted(files, reverse=True)):
            if number >= _MOST_KEPT or time() - at > _KEPT_S:
                file.unlink(missing_ok=True)

    def find(self, watch: str) -> KeptTable | None:
        """Return the table with a watchers' key; None if it is not kept, or its file is damaged."""
        try:
            data = gzip.decompress(self._file(watch).read_bytes())
            return msgspec.json.decode(data, type=KeptTable)
        except (OSError, EOFError, zlib.error, msgspec.DecodeError):
            return None

    def _file(self, watch: str) -> Path:  # whose name does not give the key away
        return self._folder / f"{hashlib.sha256(watch.encode()).hexdigest()}.json.gz"


def watch_key(key: str) -> str:
    """The watchers' key of the table with this seat's key."""
    return urlsafe_b64encode(hashlib.sha256(f"watch {key}".encode()).digest()[:16]).decode()[:22]


def play_table(job: TableJob, number: int) -> KeptTable:
    """Play a table in its process. Raises `ArenaError` and `MatchVoid`."""
    terms = job.terms
    isolation = for_worker(terms.isolation, number)
    programs = []
    for name, chosen in zip(job.players[1:], job.bots, strict=True):
        copy = terms.copies[chosen]
        copy = msgspec.structs.replace(copy, bot=msgspec.structs.replace(copy.bot, name=name))
        programs.append(install(copy, Path(terms.home), isolation))
    session = job.deals if terms.rules.pools.enabled else None
    lineup = tuple(sorted(job.players))
    for _ in range(_TRIES):
        seed = new_seed()
        deals = league_deals(terms.rules, seed, lineup, 0, job.deals, session)
        plan = MatchPlan(
            terms.rules,
            terms.limits,
            terms.max_faults,
            tuple(deals),
            seat_seeds(terms.rules, seed, deals),
            session,
            {0: Limits(MOVE_S, GUEST_ABSENT_S, terms.limits.line_bytes)},
        )
        try:
            record = play_job(Job(plan, (job.link, *programs), terms.isolation), number)
        except MatchVoid as void:
            why = str(void)
            continue
        again = msgspec.structs.astuple(play_again(plan, record.log, record.results))
        match = ReplayedMatch(
            *again, league=None, number=1, bots=job.players, first=0, record=record
        )
        return KeptTable(job.players, seed, whole_log(match, private=False))
    raise MatchVoid(f"the match failed {_TRIES} times: {why}")
