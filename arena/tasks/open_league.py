"""An open league that is being played: bots come and go, and one order follows another."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.toml import TomlFile
from arena.bots.manifest import content_hash, read_bot
from arena.engine.builds import Copy, beside, install
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.league.file import League, read_league
from arena.league.ledger import Benched, Entry, Joined, Resumed
from arena.league.plans import order_matches, remaining
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.record.facts import MAKERS, makers_fact, read_resumed
from arena.record.lock import lock
from arena.record.paths import league_path, record_path
from arena.record.rows import encode_json
from arena.record.writer import Writer
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.stats.figures import Lineup
from arena.tasks.field import built_copy, read_submissions, submitted_bots
from arena.tasks.open_field import (
    Player,
    Ruling,
    changes,
    house_players,
    in_words,
    outsiders,
    rulings,
)
from arena.tasks.open_ledger import OpenLedger
from arena.tasks.own_record import entered_names
from arena.tasks.season import job_of
from arena.tasks.season_terms import open_or_create, resume_terms


class OpenLeague:
    """An open league whose record is open for playing.

    `copies` and `programs` are those of all bots that may play, by name; they grow as bots come.
    """

    def __init__(
        self, path: Path, league: League, writer: Writer, ledger: OpenLedger, isolation: Isolation
    ) -> None:
        self.writer = writer
        self.store = writer.store
        self.ledger = ledger
        self.isolation = isolation
        self.copies: dict[str, Copy] = {}
        self.programs: dict[str, Program] = {}
        self.ruling: Callable[[], Ruling] = Ruling
        """Gives what the organiser has decided, before each draw."""
        self.over = False
        """Whether as many orders as were asked for have been drawn."""
        self.waits = ""
        """Why no order is drawn now, in words; empty while orders are drawn."""
        self._told: list[str] = []
        self._tell = self._told.append
        self._home = path.with_suffix(".bots")
        self._league = league
        self._contents = {bot.name: content_hash(Path(bot.folder)) for bot in league.bots}
        self._looked: int | None = None
        self._unfit: set[str] = set()
        self._drawn = 0
        self._home.mkdir(exist_ok=True)
        self._queue: deque[MatchSpec] = deque()
        self._under_way: dict[tuple[Lineup, int], int] = {}
        self.take_up()
        self.look(patient=False)
        for name in sorted({bot for spec in self._queue for bot in spec.lineup}):
            if name not in self.programs:
                self._add(self._kept(name))

    @property
    def under_way(self) -> int:
        """How many orders are not stored in full."""
        return len(self._under_way)

    def take_up(self) -> None:
        """Take up all that orders still lack, while nothing is being played."""
        store, ledger = self.store, self.ledger
        left = remaining(store.stored(), ledger.terms, ledger.seeds, ledger.orders)
        self._queue = deque(left)
        self._under_way = dict(Counter(map(_order, left)))

    def listen(self, tell: Callable[[str], None]) -> None:
        """Have it told what happens to the field and the epochs, and what already has."""
        for line in self._told:
            tell(line)
        self._tell = tell

    def jobs(
        self, most: int | None = None, timed: bool = True, fixed: bool = False
    ) -> Iterator[tuple[MatchSpec, Job] | None]:
        """The matches to be played, None where there are none for now; it ends after `most` orders.

        First come those that orders of an earlier run still lack. Where the bots that can play are
        `fixed` for the crew, it also ends once a bot has come.
        """
        while True:
            known = len(self.programs)
            if self._queue:
                spec = self._queue.popleft()
                yield spec, self._job(spec, timed)
            elif most is not None and self._drawn >= most:
                self.over = True
                return
            elif not self._draw():
                yield None
            if fixed and len(self.programs) > known:
                return

    def finished(self, spec: MatchSpec, record: MatchRecord) -> bool:
        """Store a match, and bench the bots that have failed too often.

        Whether it was the last of its order.
        """
        self.writer.add(spec, record)
        self.ledger.note_stored()
        self._under_way[_order(spec)] -= 1
        over = not self._under_way[_order(spec)]
        if over:
            del self._under_way[_order(spec)]
        self._bench()
        return over

    def look(self, patient: bool = True) -> None:
        """Let bots come and go as the submissions say.

        A bot without its copy is told and left out by a `patient` look; else it raises
        `ArenaError`.
        """
        version = self.store.version()
        if version == self._looked:
            return
        self._looked = version
        entries, facts, ledger = self.store.submissions(), self.store.facts(), self.ledger
        wanted = outsiders(self._league, entries, self._contents)
        house = house_players(ledger.terms.bots, wanted)
        players = {player.joined.bot: player for player in (*wanted.values(), *house)}
        found: list[Entry] = []
        for entry in changes(ledger.field, wanted, entries, house):
            if not isinstance(entry, Joined) or self._fits(players[entry.bot], patient):
                found.append(entry)
        resumed = (name for name in read_resumed(facts) if ledger.field.may_resume(name))
        found += map(Resumed, resumed)
        for name in ledger.field.bots.keys() & players.keys() - self.programs.keys():
            self._fits(players[name], patient)
        if found:
            makers = {MAKERS: makers_fact(facts, (player.bot for player in players.values()))}
            ledger.change_field(found, makers)
            for entry in found:
                self._tell(in_words(entry))

    def _draw(self) -> bool:
        """Write down the next order, if there is one for now."""
        self.look()
        ruling = self.ruling()
        self._write(rulings(self.ledger.field, ruling.benched))
        self._bench()  # for an arena that was killed before it did, and whom nobody keeps out now
        now, ledger = datetime.now(UTC), self.ledger
        self.waits = ruling.waits
        if self.waits:
            return False
        if ledger.field.epoch and (ledger.spent or now >= ledger.epoch_ends):
            if self._under_way:
                return False
            self._turn()
        if ledger.narrow and now < ledger.next_trickle:
            self.waits = (
                f"intervals are narrow enough: the next comes at {ledger.next_trickle:%H:%M:%S} UTC"
            )
            return False
        lineup = ledger.draw.next_table()
        if lineup is None:
            self.waits = "" if self._under_way else "waiting for bots that can meet"
            return False
        if not ledger.field.epoch:
            self._turn()
            lineup = ledger.draw.next_table() or lineup  # its lines change the chance
        order = ledger.order(lineup)
        specs = order_matches(ledger.terms, order)
        self._queue += specs
        self._under_way[order.lineup, order.first] = len(specs)
        self._drawn += 1
        return True

    def _turn(self) -> None:
        self.ledger.begin_epoch()
        while self.ledger.spent:
            self._tell(
                f"epoch {self.ledger.field.epoch} stays empty: a backup's secret may be known"
            )
            self.ledger.begin_epoch()
        number, ends = self.ledger.field.epoch, self.ledger.epoch_ends
        self._tell(f"epoch {number} begins, until {ends:%Y-%m-%d %H:%M} UTC")

    def _bench(self) -> None:
        """Bench the bots that have failed too often."""
        for bot, why in self.ledger.draw.to_bench().items():
            self._write([Benched(bot, why)])
            self._looked = None

    def _write(self, entries: Sequence[Entry]) -> None:
        """Append entries about bots, and tell of them."""
        if entries:
            self.ledger.append(entries)
            for entry in entries:
                self._tell(in_words(entry))

    def _job(self, spec: MatchSpec, timed: bool) -> Job:
        return job_of(
            self.ledger.terms, self.ledger.seeds, self.programs, self.isolation, spec, timed
        )

    def _fits(self, player: Player, patient: bool) -> bool:
        """Whether a bot can play from its copy; else that is told once, or raised."""
        name = player.joined.bot
        if name in self._unfit:
            return False
        try:
            bot = player.bot
            if not bot.folder:
                bot = built_copy(self._home, bot, player.joined.content)
            self._add(Copy(bot, player.joined.content, self.ledger.terms.resources))
        except ArenaError as error:
            if not patient:
                raise
            self._unfit.add(name)
            self._tell(f"{name} cannot play: {error}")
            return False
        return True

    def _kept(self, name: str) -> Copy:
        """The copy of a bot that has left before its last order was played."""
        terms = self.ledger.terms
        digest = terms.bots[name]
        entered = (entry.manifest for entry in self.store.submissions() if entry.name == name)
        folder = beside(self._home, digest)
        bot = next(entered, None) or read_bot(folder, name, (name,))
        bot = msgspec.structs.replace(bot, name=name, folder=str(folder))
        return Copy(bot, digest, terms.resources)

    def _add(self, copy: Copy) -> None:
        """Make a bot's program from its copy."""
        bot, allowed = copy.bot, copy.allowed
        program = install(bot, copy.digest, self._home, self.isolation, allowed)
        self.copies[bot.name], self.programs[bot.name] = copy, program


def is_open(path: Path) -> bool:
    """Whether a league's file asks for an open league. Raises `ArenaError`."""
    return TomlFile(league_path(path)).data.get("format") == "open"


def refuse_other_formats(path: Path) -> None:
    """Raise `ArenaError` unless a league's file asks for an open league."""
    if not is_open(path):
        what = "only open leagues have seasons"
        raise ArenaError(Mistake(what, str(path), 'format = "open" makes it one'))


@contextmanager
def open_open_league(
    path: Path, seed: int | None, level: IsolationLevel | None = None, ending: bool = False
) -> Iterator[OpenLeague]:
    """Begin or resume the open league of a file. Raises `ArenaError`.

    A season that is closed is only opened for its `ending`.
    """
    path = league_path(path)
    entries = read_submissions(path)
    league = read_league(path, submitted_bots(entries), entered_names(record_path(path)))
    given = league.seed if seed is None else seed
    isolation = choose_isolation(level or league.sandbox.level, league.sandbox.read_only)
    with open_or_create(path, league, given) as writer, lock(writer.store):
        store = writer.store
        if not ending and (season := store.closed()) is not None:
            what, remedy = f"season {season} is closed", "arena season close goes on with its final"
            raise ArenaError(Mistake(what, str(path), remedy))
        old = store.terms()
        asked = resume_terms(path, store, league, entries, given)
        terms = msgspec.structs.replace(asked, bots=old.bots, retired=old.retired)
        writer.set_facts({"terms": encode_json(terms)})
        yield OpenLeague(path, league, writer, OpenLedger(writer, terms), isolation)


def _order(spec: MatchSpec) -> tuple[Lineup, int]:
    return spec.lineup, spec.first
