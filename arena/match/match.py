"""A match without input or output: whatever plays or replays a match drives this.

    Match(plan) --hellos--> every seat is greeted --greeted(readies)--> commands
                                                                           |
        +------------------------------------------------------------------+
        v
    a Question is put to its seat        hear(its table, its outcome) --> more commands
    a Tell is written to its seat
    a PlayedDeal is logged
        ... until `over`

Carry out commands in the order in which they come. Each table of the match has one deal in play
and therefore one open question; a question waits for its outcome while other tables
go on. Real processes, scripted seats and stored logs drive the very same object, so the code that
wrote a log also replays it. Seconds and crashes come in as values.
"""

import itertools
from collections.abc import Callable, Iterator

from arena import __version__
from arena.match.board import Board
from arena.match.commands import (
    Command,
    Failed,
    MatchPlan,
    MatchVoid,
    Outcome,
    PlayedDeal,
    Question,
    Tell,
)
from arena.match.record import Course, DealFault, Results
from arena.match.referee import Conduct, conduct
from arena.match.wire import PROTOCOL, Ask, Bye, Hello, Ready
from arena.zole.deal import Seat
from arena.zole.scoring import Pools

MOST_AT_ONCE = 64
"""The most tables at which a process is asked to play at once."""


def play_through(
    match: "Match", readies: tuple[Ready | Failed, ...], answer: Callable[[Question], Outcome]
) -> Iterator[Command]:
    """Play a match in order, its questions answered by a function; yield each command.

    Raises `MatchVoid`, and whatever the function raises.
    """
    commands = match.greeted(readies)
    while commands:
        yield from commands
        last = commands[-1]
        if not isinstance(last, Question):
            break
        commands = match.hear(last.request.table, answer(last))


class _InPlay:
    def __init__(self, board: Board, conduct: Conduct, coming: Iterator[int]) -> None:
        self.board, self.conduct, self.coming = board, conduct, coming


class Match:
    """A match from its first line to its last.

    Several deals are in play at once, as many as every bot declared it can play. Table t plays the
    sessions t, t + tables, t + 2 tables and so on (each deal is a session if the plan has none),
    so that totals and pools follow from the deals alone. With `in_order` the same deals are played
    at the same tables, but one after another, as logged, and keep their questions.
    """

    def __init__(self, plan: MatchPlan, in_order: bool = False) -> None:
        players = plan.rules.players
        self.plan = plan
        self.disqualified: tuple[Seat, ...] = ()
        self.tables: int = 1
        self.over: bool = not plan.deals
        """Whether all deals are played or a seat is disqualified."""
        self._in_order = in_order
        self._asks: tuple[tuple[Ask, ...], ...] = ()
        self._ids = [itertools.count() for _ in range(players)]
        self._session = plan.session or (len(plan.deals) if plan.rules.pools.enabled else 1)
        self._pools: list[Pools] = []
        self._totals: list[tuple[int, ...]] = []
        self._in_play: dict[int, _InPlay] = {}
        self._early: dict[int, PlayedDeal] = {}
        self._payments: list[tuple[int, ...]] = []
        self._courses: list[Course] = []
        self._faults: list[DealFault] = []
        self._decisions = 0

    @property
    def hellos(self) -> tuple[Hello, ...]:
        """The first line to each seat."""
        plan, players = self.plan, self.plan.rules.players
        return tuple(
            Hello(PROTOCOL, __version__, plan.rules, plan.limits_of(seat), players, seed)
            for seat, seed in enumerate(plan.seeds)
        )

    def greeted(self, readies: tuple[Ready | Failed, ...]) -> list[Command]:
        """The first commands, once every seat is ready or has failed. Raises `MatchVoid`."""
        for ready in readies:
            if isinstance(ready, Failed) and ready.kind == "internal":
                raise MatchVoid(ready.detail)
        self._asks = tuple(ready.asks if isinstance(ready, Ready) else () for ready in readies)
        deals = len(self.plan.deals)
        sessions = -(-deals // max(1, self._session))
        can = [ready.tables for ready in readies if isinstance(ready, Ready)]
        self.tables = max(1, min(MOST_AT_ONCE, sessions, *can)) if can else 1
        if self.plan.restart:  # else a new process could be asked in the middle of a deal
            self.tables = 1
        self._pools = [Pools()] * self.tables
        self._totals = [(0,) * len(readies)] * self.tables
        if self.over:
            return self._byes()
        runs = (
            [iter(range(deals))]
            if self._in_order
            else [self._numbers_at(table) for table in range(self.tables)]
        )
        return [command for coming in runs for command in self._begin_next(coming)]

    def hear(self, table: int, outcome: Outcome) -> list[Command]:
        """The commands that follow the outcome of a table's open question. Raises `MatchVoid`."""
        if self.over:
            return []
        in_play = self._in_play[table]
        try:
            return [in_play.conduct.send(outcome)]
        except StopIteration as end:
            return self._finish(in_play, end.value)

    def bye(self, seat: Seat) -> Bye:
        """The last line to a seat, once the match is over."""
        return Bye("disqualified" if seat in self.disqualified else "the match is over")

    def results(self) -> Results:
        """The results of the deals played so far."""
        return Results(
            payments=tuple(self._payments),
            courses=tuple(self._courses),
            faults=tuple(self._faults),
            disqualified=self.disqualified,
            decisions=self._decisions,
        )

    def _begin_next(self, coming: Iterator[int]) -> list[Command]:
        number = next(coming, None)
        if number is None:
            return []
        table = number // self._session % self.tables
        if self.plan.session is not None and number % self._session == 0:
            self._pools[table], self._totals[table] = Pools(), (0,) * len(self._asks)
        pools, totals = self._pools[table], self._totals[table]
        board = Board(self.plan, number, table, self._ids, pools, totals, self._in_order)
        in_play = self._in_play[table] = _InPlay(board, conduct(board, self._asks), coming)
        return [next(in_play.conduct)]

    def _finish(self, in_play: _InPlay, played: PlayedDeal) -> list[Command]:
        table, result = in_play.board.table, played.result
        self._pools[table] = result.pools
        paid = zip(self._totals[table], result.payments, strict=True)
        self._totals[table] = tuple(map(sum, paid))
        self._early[played.number] = played
        commands: list[Command] = [Tell(seat, line) for seat, line in enumerate(played.ends)]
        while (counted := self._early.pop(len(self._payments), None)) is not None:
            self._count(counted)
            commands.append(counted)
            if self.over:
                return commands + self._byes()
        return commands + self._begin_next(in_play.coming)

    def _count(self, played: PlayedDeal) -> None:
        """Add a deal to the results; disqualify seats with too many faults so far."""
        result = played.result
        self._payments.append(result.payments)
        self._courses.append(Course(played.deal.dealer, result.contract, result.declarer))
        self._faults += (DealFault(played.number, fault) for fault in played.faults)
        self._decisions += len(played.steps)
        if played.faults:
            counts = [0] * len(self._asks)
            for each in self._faults:
                counts[each.fault.seat] += 1
            most = self.plan.max_faults
            self.disqualified = tuple(seat for seat, count in enumerate(counts) if count >= most)
        self.over = bool(self.disqualified) or len(self._payments) == len(self.plan.deals)

    def _byes(self) -> list[Command]:
        return [Tell(seat, self.bye(seat)) for seat in range(len(self._asks))]

    def _numbers_at(self, table: int) -> Iterator[int]:
        deals, session = len(self.plan.deals), self._session
        for first in range(table * session, deals, self.tables * session):
            yield from range(first, min(first + session, deals))
