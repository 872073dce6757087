"""An open league being played: bots come and go, and one order follows another."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import ceil

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.words import NO_TABLE
from arena.engine.builds import Copy
from arena.engine.job import Job
from arena.league.config import OpenConfig
from arena.league.fold import LedgerFold
from arena.league.ledger import Closed, Entry, Joined, Left, Sealed, order_seed
from arena.league.open_draw import OpenDraw
from arena.league.schedule import MatchSpec
from arena.league.terms import Entrant, Terms, order_matches, remaining
from arena.record.store import Store
from arena.record.summary import table_before_final
from arena.stats.figures import Lineup
from arena.tasks.league_request import (
    LeagueRequest,
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


class OpenLeague(LeagueRun):
    """An open league whose record is open for playing, and that draws its tables as it goes.

    `terms` and `config` are the record's: the terms change as bots come and go. `draw` knows every
    entry and every stored match, `ledger` is what the entries add up to, and `seeds` has one of
    each order.
    """

    def __init__(
        self,
        asked: LeagueRequest,
        store: Store,
        terms: Terms,
        config: OpenConfig,
        roster: Roster,
        orders: int | None = None,
        ends: bool = False,
    ) -> None:
        super().__init__(store, roster)
        self.terms: Terms = terms
        self.config: OpenConfig = config
        self.draw: OpenDraw = OpenDraw(config)
        self.ledger: LedgerFold = self.draw.ledger
        with store.reading():
            self.draw.read(store.ledger(), store.outcomes())
        [self._secret] = store.facts().seeds
        self.seeds: list[str] = [*self.ledger.seeds(self._secret)]
        self.most_orders = orders
        """The most orders to draw; None without an end."""
        self.ends: bool = ends or self.ledger.season is not None
        """Whether the season ends now, whatever its calendar."""
        self.ruling: Callable[[], Ruling] = Ruling
        """Returns the organiser's rulings, before each draw."""
        self.waits: str = ""
        """The reason why no order is drawn now, in words; empty while orders are drawn."""
        self.played: int = 0
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
        return len(self.draw.under_way.orders)

    def take_up(self) -> None:
        """Queue all matches that orders still lack, while nothing is being played."""
        stored, orders = self.store.stored(), self.ledger.orders
        self._queue = deque(remaining(stored, self.terms, self.seeds, orders))

    def begin(self) -> None:
        """Take up what earlier runs left, and let bots come and go. Raises `ArenaError`.

        Bots that have left play the orders drawn while they were there.
        """
        self.take_up()
        self.look(patient=False)
        home, entries = self.roster.home, self.store.submissions()
        for name in sorted({bot for spec in self._queue for bot in spec.lineup}):
            if name not in self.roster.programs:
                self.roster.add(copy_of(home, name, self.terms, entries))

    def runs(self, timed: bool = True) -> Iterator[Jobs]:
        """All orders in one run, then a season's final in another, if the season ends."""
        if not self._enough() or self._queue:
            yield self.jobs(timed)
        if not self.ends:
            return
        self.say(self.close())
        while self._queue:
            yield self.jobs(timed)
        self.say(self.seal())

    def jobs(self, timed: bool = True) -> Iterator[tuple[MatchSpec, Job] | None]:
        """The matches to be played, None if there are none for now.

        First come those that orders of an earlier run still lack. An order has no more than its
        share of the matches being played, as long as others can be drawn: else one slow bot might
        fill all workers.
        """
        while True:
            spec = self._within_share()
            if spec is None and not self._enough() and self._draw():
                continue
            if spec is None and self._queue:
                spec = self._queue[0]
            if spec is not None:
                self._queue.remove(spec)
                yield spec, job_of(self.terms, self.seeds, self.roster, spec, timed)
            elif self._enough():
                return
            else:
                yield None

    def stored(self, spec: MatchSpec) -> None:
        """Count down the match's order, and bench the bots that have failed too often."""
        for outcome in self.store.outcomes(after=self.draw.known):
            self.draw.stored(outcome)
        if _order(spec) not in self.draw.under_way.orders:
            self.played += 1
        if self.draw.to_bench():
            self._looked = None
            self.look()

    def close(self) -> str:
        """Close the season and order its final, unless that was done; return a line about it.

        The field is frozen from then on. All orders before the final must be stored. Raises
        `ArenaError` if there is nobody for a final.
        """
        self.look()  # so that no bot is in the final that has withdrawn
        season = self.store.facts().season
        said = f"season {season} is closed; its final continues"
        if self.ledger.season is None:
            final = self.best_bots()
            if not final:
                what = "too few bots, or bots of too few authors, have played for a final table"
                raise ArenaError(Mistake(what, str(self.store.path), "play on with arena league"))
            self._append([Closed(season, final), *self.draw.final_orders(final)])
            said = f"season {season} is closed; its final is between {', '.join(final)}"
        self.take_up()
        return said

    def best_bots(self) -> tuple[str, ...]:
        """Return the bots that a final would have now, the best first; none if they are too few."""
        return self.draw.finalists(table_before_final(self.store, self.ledger))

    def seal(self) -> str:
        """Reveal the secret and end the season, whose orders are stored; return a line about it."""
        season = self.store.facts().season
        self._append([Sealed(season, self._secret)])
        return f"season {season} is over; its record is sealed"

    def look(self, patient: bool = True) -> Ruling:
        """Add and remove bots, by submissions, the organiser and failures; return the ruling.

        If a bot has no copy, this is reported and it is left out if `patient`; otherwise it raises
        `ArenaError`.
        """
        ruling = self.ruling()
        while (seen := (self.store.version(), ruling)) != self._looked:
            self._looked = seen
            entries, ledger = self.store.submissions(), self.ledger
            wanted = outsiders(self._asked, entries)
            house = house_players(self.terms.bots, wanted)
            players = wanted | house
            for name in ledger.bots.keys() & players.keys() - self.roster.programs.keys():
                self._fits(players[name], patient)
            if ledger.season is not None:
                break  # the field is frozen
            found: list[Entry] = [
                entry
                for entry in changes(ledger, wanted, house, entries)
                if not isinstance(entry, Joined) or self._fits(players[entry.bot], patient)
            ]
            if not found:
                resumed, failing = self.store.facts().resumed, self.draw.to_bench()
                found = rulings(ledger, ruling, self.config.teams, resumed, failing)
            if found:
                self._change_field(found, players)
                for entry in found:
                    self.say(entered_words(entry))
                self._looked = None  # house bots may have to come for these
        return ruling

    def _enough(self) -> bool:
        """Whether no more orders are to be drawn: there were enough, or the season ends.

        A season whose end has come continues until it has bots for a final, and waits while the
        organiser wants no orders.
        """
        at = self.config.close_at
        due = at is not None and datetime.now(UTC) >= at
        if due and not self.ends and not self.ruling().waits:
            self.ends = bool(self.best_bots())
        return self.ends or (self.most_orders is not None and self._drawn >= self.most_orders)

    def _within_share(self) -> MatchSpec | None:
        """The next match of an order that has not its share of those being played."""
        waiting, orders = Counter(map(_order, self._queue)), self.draw.under_way.orders
        running = {each: left.matches - waiting[each] for each, left in orders.items()}
        playing, players = sum(running.values()) + 1, self.config.rules.players
        share = ceil(playing * players / max(players, len(self.ledger.drawn)))
        return next((spec for spec in self._queue if running[_order(spec)] < share), None)

    def _draw(self) -> bool:
        ruling = self.look()
        before, self.waits = self.waits, ruling.waits
        if ruling.waits:
            return False
        trickles = self._next_trickle()
        if trickles is not None and datetime.now(UTC) < trickles:
            self.waits = f"intervals are narrow enough: the next comes at {trickles:%H:%M:%S} UTC"
            if self.waits != before:
                self.say(self.waits)
            return False
        order = self.draw.next_order()
        if order is None:
            if not self.under_way:
                self._await_bots(before)
            return False
        self._append([order])
        self._queue += order_matches(self.terms, order)
        self._drawn += 1
        return True

    def _next_trickle(self) -> datetime | None:
        """The moment of the next order in UTC if orders only trickle, else None.

        They do once every bot that is drawn has met enough others for the width that is wanted.
        """
        widths, last = self.draw.half_widths(), self.ledger.last_order_at
        if last is None or not widths or 2 * max(widths.values()) > self.config.width:
            return None
        return datetime.fromtimestamp(last, UTC) + timedelta(hours=1 / self.config.trickle)

    def _await_bots(self, before: str) -> None:
        """Report why the bots in play make no table, unless the league waited for that `before`.

        Raises `ArenaError` if none can come any more, or if it is to play some orders.
        """
        obstacle = self.draw.obstacle()
        assert obstacle is not None, "bots that are all free make a table"
        until = self.config.submit_until
        closed = until is not None and datetime.now(UTC) >= until
        if not self.patient and (closed or self.most_orders is not None):
            raise ArenaError(replace(obstacle, place=str(self._asked.path)))
        self.waits = f"{NO_TABLE}: {obstacle}"
        if self.waits != before:
            self.say(f"{self.waits}; waiting for bots")

    def _fits(self, player: EnteredPlayer, patient: bool) -> bool:
        name, bot = player.joined.bot, player.bot
        if name in self._unfit:
            return False
        digest, allowed = player.joined.content, self.config.resources
        try:
            if bot.folder:
                self.roster.add(Copy(bot, digest, allowed))
            else:
                self.roster.add(taken_copy(self.roster.home, bot, digest, allowed))
        except ArenaError as error:
            if not patient:
                raise
            self._unfit.add(name)
            self.say(f"{name} cannot play: {error}")
            return False
        return True

    def _change_field(self, entries: Sequence[Entry], players: Mapping[str, EnteredPlayer]) -> None:
        joined = {
            each.bot: Entrant(each.content, each.author, players[each.bot].bot.version)
            for each in entries
            if isinstance(each, Joined)
        }
        bots = dict(sorted({**self.terms.bots, **joined}.items()))
        left = {each.bot for each in entries if isinstance(each, Left)}
        field = (self.ledger.bots.keys() - left) | joined.keys()
        retired = tuple(name for name in bots if name not in field)
        self.terms = msgspec.structs.replace(self.terms, bots=bots, retired=retired)
        self._append(entries, terms=self.terms)

    def _append(self, entries: Sequence[Entry], **facts: object) -> None:
        for line in self.store.append(entries, **facts):
            self.draw.apply(line)
        new = self.ledger.order_hashes[len(self.seeds) :]
        self.seeds += (order_seed(self._secret, hashed) for hashed in new)


@contextmanager
def resume_open(
    asked: LeagueRequest,
    level: IsolationLevel | None = None,
    orders: int | None = None,
    ends: bool = False,
) -> Iterator[OpenLeague]:
    """Begin or resume an open league, to draw at most `orders`, or none if its season `ends`.

    A season that is closed continues with its final. Raises `ArenaError`.
    """
    config = asked.config
    if not isinstance(config, OpenConfig):
        what = "only open leagues have seasons and a ledger"
        raise ArenaError(Mistake(what, str(asked.path), 'format = "open" makes it one'))
    isolation = league_isolation(config, level)
    with resumed(asked) as (store, terms):
        store.set_facts(terms=terms)
        yield OpenLeague(asked, store, terms, config, Roster(asked.home, isolation), orders, ends)


def _order(spec: MatchSpec) -> tuple[Lineup, int]:
    return spec.lineup, spec.first
