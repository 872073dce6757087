"""Recomputes what the ledger of an open league claims: its chain, secrets, field and draws."""

from collections import deque
from collections.abc import Iterator

from arena.league.config import OpenConfig, TournamentConfig
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Ordered,
    Resumed,
    Sealed,
    chain_flaw,
)
from arena.league.open_draw import OpenDraw
from arena.league.schedule import commitment
from arena.league.terms import Terms
from arena.league.tournament import Tournament
from arena.record.store import Store
from arena.record.summary import table_before_final


def ledger_flaws(store: Store) -> Iterator[str]:
    """Yield the first flaw of a record's ledger, or all of a tournament's pairings, in words.

    Every draw and pairing is recomputed from the matches that were stored when it was made. The
    matches themselves are not checked here: `verify_all` replays them.
    """
    terms, lines = store.terms(), store.ledger()
    if isinstance(terms.config, TournamentConfig):
        yield from _pairing_flaws(store, terms)
    if not isinstance(terms.config, OpenConfig):
        if lines:
            yield "the league is not open, but it has a ledger"
        return
    flaw = chain_flaw(lines) or ("the ledger is empty" if not lines else None)
    if flaw is not None:
        yield flaw
        return
    audit = _Audit(store, terms.config)
    try:
        audit.draw.read(lines, store.outcomes(), audit.check)
    except ValueError as error:
        yield f"after line {audit.draw.ledger.read} of the ledger: {error}"
    except LookupError as error:
        yield f"after line {audit.draw.ledger.read} of the ledger: there is no {error} to speak of"


def _pairing_flaws(store: Store, terms: Terms) -> Iterator[str]:
    matches = list(store.outlines())
    tournament = Tournament(terms, store.seeds()[-1], matches)
    paired = {match.match for match in tournament.matches}
    others = {match.first for match in matches if match.match not in paired}
    for number, (first, _) in enumerate(terms.blocks, 1):
        if first in others:
            yield f"the tables of round {number} are not those of its pairing"


class _Audit:
    """What every line of a ledger has to be, by those before it and by the stored matches."""

    def __init__(self, store: Store, config: OpenConfig) -> None:
        self.draw = OpenDraw(config)
        self._store = store
        self._facts = store.facts()
        self._final: deque[Ordered] = deque()
        """The orders that the final still needs, once the season is closed."""

    def check(self, entry: Entry) -> None:
        """Raise `ValueError` for an entry that should not be the next one.

        What the organiser decides, or an author, may come at any time.
        """
        ledger = self.draw.ledger
        if ledger.secret is not None:
            raise ValueError("a line follows the end of the season")
        if not ledger.commitment and entry != Committed(commitment(self._facts.seeds[0])):
            raise ValueError("the season's secret is not the one that was committed to")
        match entry:
            case Ordered():
                self._check_order(entry)
            case Joined():
                known = self._facts.terms.bots.get(entry.bot)
                if known is None or known.digest != entry.content:
                    raise ValueError(f"{entry.bot} is another bot than the league has by that name")
            case Benched(organiser=False):
                if self.draw.to_bench().get(entry.bot) != entry.why:
                    raise ValueError(f"{entry.bot} is benched for nothing that it did")
            case Resumed(organiser=False):
                if not ledger.may_resume(entry.bot):
                    raise ValueError(f"{entry.bot} is resumed though it may not be")
            case Closed():
                self._check_closed(entry)
            case Sealed():
                self._check_played(entry)
                if entry.secret != self._facts.seeds[0]:
                    raise ValueError("the season's secret is not the one that it shows")

    def _check_order(self, order: Ordered) -> None:
        if self.draw.ledger.season is None:
            for bot in self.draw.to_bench():
                raise ValueError(f"{bot} was to be benched before order {order.order}")
            due = self.draw.next_order()
        else:
            due = self._final.popleft() if self._final else None
        if order != due:
            table = ", ".join(order.lineup)
            raise ValueError(f"order {order.order} ({table}) is not the one that was drawn")

    def _check_closed(self, closed: Closed) -> None:
        self._check_played(closed)
        final = self.draw.finalists(table_before_final(self._store, self.draw.ledger))
        if closed != Closed(self._facts.season, final):
            raise ValueError("the final is not between the best by the table before it")
        self._final += self.draw.final_orders(final)

    def _check_played(self, entry: Closed | Sealed) -> None:
        if self._final or self.draw.under_way.orders:
            raise ValueError(f"season {entry.season} ends before its orders were played")
