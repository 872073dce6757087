"""An open league being played: bots come and go, and one order follows another."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.words import NO_TABLE
from arena.engine.builds import Copy
from arena.engine.worker import Job
from arena.league.config import OpenConfig
from arena.league.ledger import Entry, Joined
from arena.league.plans import order_matches, remaining
from arena.league.schedule import MatchSpec
from arena.stats.figures import Lineup
from arena.tasks.asked_league import (
    AskedLeague,
    copy_of,
    league_isolation,
    resumed,
    taken_copy,
)
from arena.tasks.league_run import Jobs, LeagueRun, Roster, job_of
from arena.tasks.open_field import (
    EnteredPlayer,
    Ruling,
    changes,
    entered_words,
    house_players,
    outsiders,
    rulings,
)
from arena.tasks.open_ledger import OpenLedger


class OpenLeague(LeagueRun):
    """An open league whose record is open for playing, and that draws its tables as it goes."""

    def __init__(
        self,
        roster: Roster,
        asked: AskedLeague,
        ledger: OpenLedger,
        orders: int | None = None,
        ends: bool = False,
    ) -> None:
        super().__init__(ledger.store, roster)
        self.ledger = ledger
        self.most_orders = orders
        """The most orders to draw; None without an end."""
        self.ends = ends
        """Whether the season ends now, whatever its calendar says."""
        self.ruling: Callable[[], Ruling] = Ruling
        """Returns the organiser's rulings, before each draw."""
        self.waits = ""
        """The reason why no order is drawn now, in words; empty while orders are drawn."""
        self.played = 0
        """The number of orders stored in full since the league was opened."""
        self.patient = False
        """Whether to wait for bots where none can be submitted: a site's organiser lets some in."""
        self._asked = asked
        self._looked: tuple[int, Ruling] | None = None
        self._unfit: set[str] = set()
        self._drawn = 0
        self._queue: deque[MatchSpec] = deque()

    @property
    def under_way(self) -> int:
        """The number of orders that are not stored in full."""
        return len(self.ledger.draw.under_way.orders)

    def take_up(self) -> None:
        """Queue all matches that orders still lack, while nothing is being played."""
        store, ledger = self.store, self.ledger
        left = remaining(store.stored(), ledger.terms, ledger.seeds, ledger.fold.orders)
        self._queue = deque(left)

    def begin(self) -> None:
        """Take up what earlier runs left, and let bots come and go. Raises `ArenaError`.

        Bots that have left play the orders drawn while they were there.
        """
        self.take_up()
        self.look(patient=False)
        home, terms, entries = self.roster.home, self.ledger.terms, self.store.submissions()
        for name in sorted({bot for spec in self._queue for bot in spec.lineup}):
            if name not in self.roster.programs:
                self.roster.add(copy_of(home, name, terms, entries))

    def runs(self, timed: bool = True, fixed: bool = False) -> Iterator[Jobs]:
        """All orders in one run, then a season's final in another, if the season ends.

        A `fixed` crew plays until a bot has come.
        """
        while not self._enough() or self._queue:
            yield self.jobs(timed, fixed)
        if not self.ends:
            return
        self.say(self.close())
        while self._queue:
            yield self.jobs(timed, fixed)
        self.say(self.ledger.seal())

    def jobs(
        self, timed: bool = True, fixed: bool = False
    ) -> Iterator[tuple[MatchSpec, Job] | None]:
        """The matches to be played, None if there are none for now.

        First come those that orders of an earlier run still lack. An order has no more than its
        share of the matches being played, as long as others can be drawn: else one slow bot might
        fill all lanes. If the bots that can play are `fixed` for the crew, it also ends once a bot
        has come.
        """
        while True:
            known = len(self.roster.programs)
            spec = self._within_share()
            if spec is None and not self._enough() and self._draw():
                continue
            if spec is None and self._queue:
                spec = self._queue[0]
            if spec is not None:
                self._queue.remove(spec)
                ledger = self.ledger
                yield spec, job_of(ledger.terms, ledger.seeds, self.roster, spec, timed)
            elif self._enough() or self.ruling().ends:
                return
            else:
                yield None
            if fixed and len(self.roster.programs) > known:
                return

    def stored(self, spec: MatchSpec) -> None:
        """Count down the match's order, and bench the bots that have failed too often."""
        self.ledger.note_stored()
        if _order(spec) not in self.ledger.draw.under_way.orders:
            self.played += 1
        if self.ledger.draw.to_bench():
            self._looked = None
            self.look()

    def close(self) -> str:
        """Order the season's final if it is not ordered yet, and queue its matches; say so.

        Raises `ArenaError` if there is nobody for it.
        """
        self.look()  # so that no bot is in the final that has withdrawn
        said = self.ledger.close()
        self.take_up()
        return said

    def look(self, patient: bool = True) -> Ruling:
        """Let bots come and go, as submissions, the organiser and failures say; return the ruling.

        If a bot has no copy, a `patient` look tells so and leaves it out; otherwise it raises
        `ArenaError`.
        """
        ruling = self.ruling()
        while (seen := (self.store.version(), ruling)) != self._looked:
            self._looked = seen
            entries, ledger = self.store.submissions(), self.ledger
            wanted = outsiders(self._asked, entries)
            house = house_players(ledger.terms.bots, wanted)
            players = wanted | house
            for name in ledger.fold.bots.keys() & players.keys() - self.roster.programs.keys():
                self._fits(players[name], patient)
            found: list[Entry] = [
                entry
                for entry in changes(ledger.fold, wanted, house, entries)
                if not isinstance(entry, Joined) or self._fits(players[entry.bot], patient)
            ]
            if not found:
                teams, resumed = ledger.config.teams, self.store.facts().resumed
                failing = ledger.draw.to_bench()
                found = rulings(ledger.fold, ruling, teams, resumed, failing)
            if found:
                versions = {name: player.bot.version for name, player in players.items()}
                ledger.change_field(found, versions)
                for entry in found:
                    self.say(entered_words(entry))
                self._looked = None  # house bots may have to come for these
        return ruling

    def _enough(self) -> bool:
        """Whether no more orders are to be drawn: there were enough, or the season ends.

        A season whose moment has come goes on until it has bots for a final, and waits while the
        organiser wants no orders.
        """
        at = self.ledger.config.close_at
        due = at is not None and datetime.now(UTC) >= at
        if due and not self.ends and not self.ruling().waits:
            self.ends = bool(self.ledger.fold.season or self.ledger.best_bots())
        return self.ends or (self.most_orders is not None and self._drawn >= self.most_orders)

    def _within_share(self) -> MatchSpec | None:
        """The next match of an order that has not its share of those being played."""
        waiting, orders = Counter(map(_order, self._queue)), self.ledger.draw.under_way.orders
        running = {each: left.matches - waiting[each] for each, left in orders.items()}
        playing, players = sum(running.values()) + 1, self.ledger.config.rules.players
        share = ceil(playing * players / max(players, len(self.ledger.fold.drawn)))
        return next((spec for spec in self._queue if running[_order(spec)] < share), None)

    def _draw(self) -> bool:
        """Write down the next order, if there is one for now."""
        ruling, ledger = self.look(), self.ledger
        before, self.waits = self.waits, ruling.waits
        if ruling.waits or ruling.ends:
            return False
        trickles = ledger.next_trickle
        if trickles is not None and datetime.now(UTC) < trickles:
            self.waits = f"intervals are narrow enough: the next comes at {trickles:%H:%M:%S} UTC"
            return False
        order = ledger.order()
        if order is None:
            if not self.under_way:
                self._await_bots(before)
            return False
        self._queue += order_matches(ledger.terms, order)
        self._drawn += 1
        return True

    def _await_bots(self, before: str) -> None:
        """Say why the bots in play make no table, unless the league waited for that `before`.

        Raises `ArenaError` if none can come any more, or if it is to play some orders.
        """
        obstacle = self.ledger.draw.obstacle()
        assert obstacle is not None, "bots that are all free make a table"
        until = self.ledger.config.submit_until
        closed = until is not None and datetime.now(UTC) >= until
        if not self.patient and (closed or self.most_orders is not None):
            raise ArenaError(replace(obstacle, place=str(self._asked.path)))
        self.waits = f"{NO_TABLE}: {obstacle}"
        if self.waits != before:
            self.say(f"{self.waits}; waiting for bots")

    def _fits(self, player: EnteredPlayer, patient: bool) -> bool:
        """Whether a bot can play from its copy; else that is told once, or raised."""
        name = player.joined.bot
        if name in self._unfit:
            return False
        try:
            bot, digest = player.bot, player.joined.content
            allowed = self.ledger.config.resources
            copy = Copy(bot, digest, allowed)
            if not bot.folder:
                copy = taken_copy(self.roster.home, bot, digest, allowed)
            self.roster.add(copy)
        except ArenaError as error:
            if not patient:
                raise
            self._unfit.add(name)
            self.say(f"{name} cannot play: {error}")
            return False
        return True


@contextmanager
def resume_open(
    asked: AskedLeague,
    level: IsolationLevel | None = None,
    orders: int | None = None,
    ends: bool = False,
) -> Iterator[OpenLeague]:
    """Begin or resume an open league, to draw at most `orders`, or none if its season `ends`.

    A season that is closed goes on with its final. Raises `ArenaError`.
    """
    config = asked.config
    if not isinstance(config, OpenConfig):
        what = "only open leagues have seasons"
        raise ArenaError(Mistake(what, str(asked.path), 'format = "open" makes it one'))
    isolation = league_isolation(config, level)
    with resumed(asked) as (store, terms):
        store.set_facts(terms=terms)
        ledger = OpenLedger(store, terms, config)
        ends = ends or ledger.fold.season is not None
        yield OpenLeague(Roster(asked.home, isolation), asked, ledger, orders, ends)


def _order(spec: MatchSpec) -> tuple[Lineup, int]:
    return spec.lineup, spec.first
