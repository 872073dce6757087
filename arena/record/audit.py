"""Recomputes what the ledger of an open league claims: its chain, secrets, field and draws."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from arena.league.config import OpenConfig, TournamentConfig
from arena.league.final import final_orders, finalists
from arena.league.fold import LedgerFold
from arena.league.ledger import (
    Benched,
    Closed,
    Entry,
    Line,
    Ordered,
    chain_flaw,
    read_line,
)
from arena.league.open_draw import OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.league.plans import order_matches
from arena.league.schedule import commitment, too_many
from arena.league.terms import Terms
from arena.record.facts import Facts
from arena.record.store import Store
from arena.record.summary import table_before_final
from arena.record.tournament import pairing_flaws
from arena.stats.figures import Standing

_MOST_BOTS: Final = 2000
"""The largest field whose draws are recomputed: their cost grows as its square."""


def ledger_flaws(store: Store) -> Iterator[str]:
    """Yield the flaws of a record's ledger, or of a tournament's pairings, in words.

    Every draw and pairing is recomputed from the matches that were stored when it was made. The
    matches themselves are not checked here: `verify_all` replays them.
    """
    terms, lines = store.terms(), store.ledger()
    if isinstance(terms.config, TournamentConfig):
        yield from pairing_flaws(store, terms)
    if not isinstance(terms.config, OpenConfig):
        if lines:
            yield "the league is not open, but it has a ledger"
        return
    flaw = chain_flaw(lines) or ("the ledger is empty" if not lines else None)
    if flaw is not None:
        yield flaw
        return
    season, table = store.facts().season, partial(table_before_final, store)
    audit = _Audit(terms, terms.config, season, store.outcomes(), table)
    yield from audit.flaws(lines)
    if audit.ledger.read == len(lines):
        yield from _secret_flaws(store.facts(), audit.ledger)
    for entry in audit.ledger.joined.values():
        known = terms.bots.get(entry.bot)
        if known is None or known.digest != entry.content:
            yield f"{entry.bot} joined as another bot than the league has by that name"


class _Audit:
    """A ledger read from its beginning; its draw is told of a match when that was first known."""

    def __init__(
        self,
        terms: Terms,
        config: OpenConfig,
        season: int,
        outcomes: Iterator[StoredOutcome],
        table: Callable[[LedgerFold], Sequence[Standing]],
    ) -> None:
        self._terms = terms
        self._config = config
        self._season = season
        self._table = table
        self._waiting = deque(outcomes)
        self._draw = OpenDraw(config)
        self.ledger = self._draw.ledger
        self._left: Counter[tuple[object, int]] = Counter()
        self._final: deque[Ordered] = deque()

    def flaws(self, lines: Sequence[Line]) -> Iterator[str]:
        """Yield the flaws, up to the first line that cannot follow those before it."""
        told = [read_line(line.text) for line in lines]
        known = _known_next([dated.entry for dated in told])
        for line, dated, most in zip(lines, told, known, strict=True):
            entry = dated.entry
            try:
                if isinstance(entry, Ordered):
                    self._tell(most)
                    yield from self._order_flaws(line.number, entry)
                elif isinstance(entry, Benched) and not entry.organiser:
                    yield from self._bench_flaws(line.number, entry, most)
                self._draw.apply(line, dated)
            except (ValueError, LookupError) as error:
                yield f"line {line.number} of the ledger: {error}"
                return
            if len(self._draw.field.bots) > _MOST_BOTS:
                yield f"line {line.number} of the ledger: more than {_MOST_BOTS} bots play at once"
                return
            if isinstance(entry, Ordered):
                self._left[entry.lineup, entry.first] += len(order_matches(self._terms, entry))
            elif isinstance(entry, Closed):
                yield from self._close(line.number, entry, len(lines))
        try:
            self._tell(None)
        except (ValueError, LookupError) as error:
            yield str(error)
            return
        sealed = self._draw.field.sealed
        if sealed and self._left.total():
            yield "the season is sealed before its orders were played"
        if self._final and sealed:
            yield "the season is sealed before its final was ordered"

    def _tell(self, most: int | None) -> None:
        """Tell the draw of matches up to number `most`, or of all. Raises `ValueError`."""
        while self._waiting and (most is None or self._waiting[0].number <= most):
            match = self._waiting.popleft()
            self._draw.stored(match)
            self._left[match.lineup, match.first] -= 1
            self._left += Counter()  # drops counts of 0

    def _close(self, number: int, entry: Closed, most: int) -> Iterator[str]:
        """Yield the flaws of a season's end; note at most `most` orders that its final needs."""
        if entry.season != self._season:
            yield f"line {number}: season {entry.season} is closed, not {self._season}"
        players = self._config.rules.players
        bots = len(entry.final)
        if bots > self._config.final + players or too_many(bots, players):
            yield f"line {number}: a final of {bots} bots"
            return
        field = self._draw.field
        if entry.final != finalists(self._config, field, self._table(self.ledger)):
            yield f"line {number}: the final is not between the best by the table before it"
        orders = final_orders(self._config, field, entry.final, 0)
        self._final.extend(islice(orders, most))

    def _order_flaws(self, number: int, order: Ordered) -> Iterator[str]:
        """Yield the differences between an order and the one that had to be drawn."""
        if order.known > self._draw.known:
            yield f"line {number}: order {order.order} knows of matches that are not there"
        if order.kind == "final":
            due = self._final.popleft() if self._final else None
            if due is None or msgspec.structs.replace(due, known=order.known) != order:
                yield f"line {number}: order {order.order} is not the next one of the final"
            return
        if order.deals != self._config.order_deals:
            yield f"line {number}: order {order.order} has {order.deals} deals"
        unruly = self._draw.to_bench().keys()
        if unruly:
            yield f"line {number}: {min(unruly)} was to be benched before order {order.order}"
        elif order.lineup != self._draw.next_table():
            table = ", ".join(order.lineup)
            yield f"line {number}: order {order.order} ({table}) is not the table that was drawn"

    def _bench_flaws(self, number: int, entry: Benched, most: int | None) -> Iterator[str]:
        """Yield a flaw if no match that was known before the next order made the bot unruly."""
        while self._draw.to_bench().get(entry.bot) != entry.why:
            following = self._waiting[0].number if self._waiting else None
            if following is None or (most is not None and following > most):
                yield f"line {number}: {entry.bot} is benched for nothing that it did"
                return
            self._tell(following)


def _known_next(entries: Sequence[Entry]) -> list[int | None]:
    """Return for each entry the last match known to the next order, or to it if it is one.

    None stands for the entries behind the last order.
    """
    known: int | None = None
    found: list[int | None] = []
    for entry in reversed(entries):
        known = entry.known if isinstance(entry, Ordered) else known
        found.append(known)
    return found[::-1]


def _secret_flaws(facts: Facts, ledger: LedgerFold) -> Iterator[str]:
    """Yield the flaw of a secret that is not the one in the ledger."""
    [secret, *more] = facts.seeds
    if more or commitment(secret) != ledger.field.commitment:
        yield "the season's secret is not the one that was committed to"
    if facts.practice and not secret.isdecimal():
        yield "the season's secret is not the seed for practice"
