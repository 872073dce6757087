"""A table for guests: who sits there, the match that they play, and its log."""

import asyncio
import gzip
import hashlib
import secrets
import socket
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack, closing, contextmanager
from math import inf
from pathlib import Path
from time import monotonic, time
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.base.files import write_whole
from arena.base.refusals import Busy, Missing, Refusal
from arena.bots.levels import LEVELS, USUAL
from arena.bots.names import NAME_RULE, free_name, mistake_in_name
from arena.engine.builds import Copy, copy_path, install
from arena.engine.job import Job, PersonLink
from arena.engine.workers import Worker, play_job
from arena.league.config import LeagueConfig
from arena.league.schedule import league_deals, new_seed, seat_seeds
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.log import answer_line
from arena.match.logged import play_again
from arena.match.wire import AnyEvent, AnyRequest, DealEnd, Dealt, Hello, Limits, Request, ToBot
from arena.people.advice import answer_for
from arena.people.seat import Ahead, PersonSeat, dealt_hand
from arena.record.export import LogHeader, whole_log
from arena.record.matches import ReplayedMatch
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.days import DayResult, GivenDeal
from arena.site.documents import STANDINGS, Standings
from arena.site.published import Published
from arena.tasks.league_request import league_isolation, request_league
from arena.tasks.open_field import EnteredPlayer, house_players, outsiders
from arena.tasks.same_deal import MadeByLevel, by_levels
from arena.zole.deal import Deal, Seat

GUEST: Final = "guest"  # the name of a guest at the table
MOVE_S: Final = 300.0  # the seconds for an answer where friends wait for it; bots wait longer
GUEST_ABSENT_S: Final = 900.0  # seconds after which a guest who is away has left
STAND_IN_S: Final = 60.0  # seconds after which a bot plays for somebody who is away
END_S: Final = 60.0  # seconds that the match may continue once its guest has left

_ARRIVE_S: Final = 60.0  # seconds after which a table that nobody has come to is given up
_LONGEST_S: Final = 2 * 3600.0  # seconds that a table may last

# The seconds and the number for which logs of tables are kept.
_KEPT_S: Final = 30 * 24 * 3600.0
_MOST_KEPT: Final = 1000


class GuestTerms(msgspec.Struct, frozen=True):
    """What guests' tables take from the league: its settings, and its bots that agree, by name.

    `home` is the folder of the league's copies of bots. Those of the arena's own come first, under
    people's names, and `levels` has the level of each.
    """

    config: LeagueConfig
    home: Path
    copies: dict[str, Copy]
    levels: dict[str, str]

    def of_level(self, level: str) -> list[str]:
        """The bots of a level."""
        return [name for name, its in self.levels.items() if its == level]

    def seated(self, wanted: tuple[str, ...], people: int = 1) -> tuple[str, ...]:
        """The bots at a table: those chosen, then those of the usual level. Raises `Refusal`."""
        seats = self.config.rules.players - people
        bots = list(wanted) if people == 1 else list(wanted)[:seats]
        if len(bots) > seats or not {*bots} <= self.copies.keys():
            raise Refusal(f"choose up to {seats} bots that agree to play guests")
        usual = sorted(self.copies, key=lambda name: self.levels.get(name) != USUAL)
        bots += [name for name in usual if name not in wanted][: seats - len(bots)]
        if not bots and seats > 0:
            raise Busy("no bot plays guests now", "try again later", 60)
        return tuple(bots + bots[:1] * (seats - len(bots)))  # a table of five, and too few agree


def guest_terms(site: Site) -> GuestTerms:
    """The terms of guests, by the league's file, its submissions and what is published.

    Raises `ArenaError`.
    """
    asked = request_league(site.league)
    wanted = outsiders(asked, asked.entries)
    level_of = {level.bot: name for name, level in LEVELS.items()}
    with closing(Published(site.published)) as published:
        found = published.read(STANDINGS, Standings)
    benched = {line.bot for line in found.lines if line.state == "benched"} if found else set()
    agreed: list[tuple[str, EnteredPlayer, str]] = []
    for own, player in house_players({}, wanted, level_of).items():
        level = level_of[Path(player.bot.folder).name]
        names = LEVELS[level].names if own not in benched else ()
        agreed += [(free_name(person, wanted), player, level) for person in names]
    for name, player in sorted(wanted.items()):
        if player.bot.guests and name not in benched:
            agreed.append((name, player, ""))
    copies: dict[str, Copy] = {}
    for name, player, _ in agreed:
        folder = player.bot.folder or str(copy_path(asked.home, player.joined.content))
        bot = msgspec.structs.replace(player.bot, name=name, folder=folder)
        copies[name] = Copy(bot, player.joined.content, asked.config.resources)
    levels = {name: level for name, _, level in agreed if level}
    return GuestTerms(asked.config, asked.home, copies, levels)


class GuestSeat(PersonSeat):
    """A person's seat at a table, which its `key` opens; the link belongs to the match.

    While its person is `away` and others stay, a bot answers in this place.
    """

    def __init__(self, name: str, seat: Seat) -> None:
        ours, theirs = socket.socketpair()
        super().__init__(ours, GUEST_ABSENT_S)
        self.name: str = name
        self.seat = seat
        self.key: str = secrets.token_urlsafe(16)
        self.link: PersonLink = PersonLink(name, theirs)
        self.table: GuestTable
        self.away: bool = False
        self.waits: GuestSeat | None = None  # the person's match, while a deal is played here
        self.told: tuple[int, tuple[AnyEvent, ...]] = 0, ()  # the deal, and its events so far
        self._stood_in = False  # a bot gave the last answer
        self._stands_in: asyncio.Task[None] | None = None

    @property
    def again(self) -> str:
        """Where a friend sits at the guest's next table, as an address from here; "" if nowhere."""
        seats = () if self.table.after is None else self.table.after.friends
        return next((f"../{seat.key}/" for seat in seats if seat.name == self.name), "")

    def look(self, now: float) -> None:
        super().look(now)
        missing = self.came and not self.over and now - self.present_at > STAND_IN_S
        if missing and self._has_company:
            self.leave()

    def hear(self, line: bytes, now: float) -> ToBot:
        said = super().hear(line, now)
        match said:
            case Hello():
                self.told = 0, ()
            case Request():
                self.told = said.deal, (*self.told[1], *said.events)
            case DealEnd():
                self.told = said.deal + 1, ()
        self.table.wake_all()
        self._stand_in()
        return said

    @contextmanager
    def page(self, pages: list[asyncio.Event]) -> Iterator[asyncio.Event]:
        """Add a page; a person who was away is back with it."""
        if self.away and pages is self.followers:
            self.away = False
            self.table.wake_all()
        with super().page(pages) as page:
            yield page

    def leave(self) -> None:
        """Leave the table; until its last person does, a bot plays on in the place."""
        if self.over:
            super().leave()
        elif not self._has_company:
            self.table.end()
        elif not self.away:
            self.away = self.came = True
            self._greet()
            self._stand_in()
            self.table.wake_all()

    @property
    def _has_company(self) -> bool:
        others = (seat for seat in self.table.people if seat is not self)
        return any(seat.came and not seat.away for seat in others)

    # Answer what is open in the place of somebody who is away.
    def _stand_in(self) -> None:
        if self.away and self.request is not None:
            self._stands_in = asyncio.create_task(self._answer(self.request))

    async def _answer(self, asked: AnyRequest) -> None:
        reply = await asyncio.to_thread(answer_for, tuple(self.lines))
        if self.away and self.request is asked:
            self.answer(answer_line(reply).encode())
            self._stood_in = True

    def answer(self, body: bytes) -> None:
        super().answer(body)
        self._stood_in = False

    @property
    def ahead(self) -> Ahead | None:
        table = self.table
        if not table.friends or table.plan is None:
            return None
        waited_for = (it.seat for it in table.people if it.request and not it.away)
        away = tuple(it.seat for it in table.people if it.away)
        number, events = max((it.told for it in table.people), key=lambda it: (it[0], len(it[1])))
        deal, known = self.told
        told, hand = events[len(known) :] if deal == number else (), None
        if told and isinstance(told[0], Dealt):  # each seat gets its own
            told = msgspec.structs.replace(told[0], seat=self.seat), *told[1:]
            hand = dealt_hand(table.plan.rules, table.plan.deals[deal], self.seat)
        turn = next(waited_for, None) if self.request is None else None
        return Ahead(told, turn, hand, away, self._stood_in)


class GuestTable(GuestSeat):
    """A guest's seat; once it has `finished`, `log` is the match's, empty if the arena spoilt it.

    `made` are then the guest's stakes and card points, and `day` is what they are worth in the deal
    of the day. The guest may sit on `after` it with the same friends.

    `players` are the guest, its `friends` and the bots by seat. The friends have keys of their own,
    by which they come. `watch` opens the watchers' page, and does not give the guest's key away.
    `address` is the guest's; `number` distinguishes the table from others of the moment.
    """

    def __init__(
        self,
        terms: GuestTerms,
        people: tuple[str, ...],
        bots: tuple[str, ...],
        deals: int | GivenDeal,
        number: int,
        address: str,
    ) -> None:
        super().__init__(people[0], 0)
        self.players: tuple[str, ...] = players_of(people, bots)
        self.number: int = number
        self.address = address
        self.friends: list[GuestSeat] = [
            GuestSeat(name, seat) for seat, name in enumerate(people[1:], 1)
        ]
        for seat in self.people:
            seat.table = self
        self.plan: MatchPlan | None = None  # once it begins
        self.watch: str = watch_key(self.key)
        self.log: str = ""
        self.made = 0, 0
        self.day: DayResult | None = None
        self.after: GuestTable | None = None
        self.finished: asyncio.Event = asyncio.Event()
        self.until: float = inf  # when the match is broken off
        self.terms: GuestTerms = terms
        self.deals = deals
        self.bots: tuple[tuple[str, str], ...] = tuple(
            zip(self.players[len(people) :], bots, strict=True)
        )
        self._began = self.present_at

    @property
    def people(self) -> tuple[GuestSeat, ...]:
        """The seats of the guest and its friends, in order."""
        return (self, *self.friends)

    @property
    def is_deserted(self) -> bool:
        """Whether nobody has been here for a while."""
        return monotonic() - max(seat.present_at for seat in self.people) > STAND_IN_S

    def wake_all(self) -> None:
        """Tell the pages of all seats that there may be news."""
        for seat in self.people:
            seat.wake()

    def end(self) -> None:
        """End the match: all seats are left."""
        self.until = min(self.until, monotonic() + END_S)
        for seat in self.people:
            PersonSeat.leave(seat)

    def look(self, now: float) -> None:
        super().look(now)
        if self.followers and self.waits is not None and not self.waits.table.friends:
            self.waits.present_at = now
        late = not self.came and now - self._began > _ARRIVE_S
        if not self.over and (late or now - self._began > _LONGEST_S):
            self.end()

    async def play(self, threads: Executor) -> None:
        """Play the match to its end, however that comes."""
        listening = [asyncio.create_task(seat.listen()) for seat in self.people]
        try:
            loop = asyncio.get_running_loop()
            self.log = await loop.run_in_executor(threads, self._played)
        except (ArenaError, MatchVoid, OSError) as error:
            print(f"a guest's table was spoilt: {error}", file=sys.stderr, flush=True)
        finally:
            for task in listening:
                task.cancel()
            self.end()
            self.finished.set()

    def programs(self, isolation: Isolation) -> Iterator[Program]:
        """The bots at the table. Raises `ArenaError`."""
        for name, chosen in self.bots:
            copy = self.terms.copies[chosen]
            named = msgspec.structs.replace(copy, bot=msgspec.structs.replace(copy.bot, name=name))
            yield install(named, self.terms.home, isolation)

    def levels(self, deal: Deal, number: int) -> tuple[MadeByLevel, ...]:
        """What a bot of each level makes of a deal in the guest's seat. Raises `ArenaError`.

        `Missing` is raised where friends sit: no bot plays as they do.
        """
        if self.friends:
            raise Missing("no bot plays in a friend's seat")
        config, isolation = self.terms.config, league_isolation(self.terms.config)
        names = {level: name for name, level in reversed(self.terms.levels.items())}
        ordered = {
            level: install(self.terms.copies[names[level]], self.terms.home, isolation)
            for level in LEVELS
            if level in names
        }
        at = config.rules, config.match_limits, deal, 0
        return tuple(by_levels(*at, [*self.programs(isolation)], ordered, isolation, number))

    # Play the match in its own process; return its log.
    def _played(self) -> str:
        config, lineup = self.terms.config, tuple(sorted(self.players))
        isolation = league_isolation(config)
        worker = Worker(None, self.number, play_job)
        links = [seat.link for seat in self.people]
        with ExitStack() as stack:
            for link in links:
                stack.enter_context(link.end)
            stack.enter_context(closing(worker))
            programs = [*self.programs(isolation)]
            rules, limits, seed = config.rules, config.match_limits, new_seed()
            if isinstance(self.deals, GivenDeal):
                session, deals = None, [self.deals.deal]
            else:
                session = self.deals if rules.pools.enabled else None
                deals = league_deals(rules, seed, lineup, 0, self.deals, session)
            move_s = MOVE_S if self.friends else None
            guests = Limits(move_s, GUEST_ABSENT_S, limits.line_bytes)
            self.plan = plan = MatchPlan(
                rules,
                limits,
                config.max_faults,
                tuple(deals),
                seat_seeds(rules, seed, deals),
                session,
                dict.fromkeys(range(len(links)), guests),
            )
            job = Job(plan, (*links, *programs), isolation)
            record = worker.call(job, wanted=lambda: monotonic() < self.until)
        again = msgspec.structs.astuple(play_again(plan, record.log, record.results))
        match = ReplayedMatch(
            *again, league=None, number=1, bots=self.players, first=0, record=record
        )
        self.made = (
            sum(paid[0] for paid in record.results.payments),
            sum(
                (it.points.declarer if it.declarer == 0 else it.points.defenders) or 0
                for it in (deal.result for deal in match.deals)
            ),
        )
        return whole_log(match, private=False)


def players_of(people: tuple[str, ...], bots: tuple[str, ...]) -> tuple[str, ...]:
    """The names at a table: those of the people, and those of the bots, each once."""
    names: list[str] = []
    for name in (*people, *bots):
        names.append(free_name(name, names))
    return tuple(names)


def people_of(form: Mapping[str, str]) -> tuple[str, ...]:
    """The names of a guest and of the friends who are to sit there, too. Raises `Refusal`."""
    friends = (form[field] for field in ("friend1", "friend2") if form.get(field))
    names = (form.get("name") or GUEST, *friends)
    for name in names:
        if wrong := mistake_in_name(name):
            raise Refusal(wrong, NAME_RULE)
    return names


def keep_log(folder: Path, table: GuestTable) -> None:
    """Keep the log of a table, and remove old ones; without room, this is reported."""
    try:
        write_whole(_file(folder, table.watch), gzip.compress(table.log.encode()))
        files = [(file.stat().st_mtime, file) for file in folder.glob("*.gz")]
    except OSError as error:
        print("the log of a guest's table is lost:", error.strerror, file=sys.stderr, flush=True)
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
