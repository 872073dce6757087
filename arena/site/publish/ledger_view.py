"""The ledger of a league as its pages need it, read on line by line."""

from typing import Final

import msgspec

from arena.league.fold import LedgerFold
from arena.league.ledger import Line, Ordered, moment
from arena.stats.figures import Lineup

HOUR_S: Final = 3600.0


class OrderView(msgspec.Struct):
    """An order, the moment it was written (seconds since 1970), and what is stored of it."""

    order: Ordered
    at: float
    numbers: list[int] = []
    void: dict[str, int] = {}
    over: bool = False


class LedgerView:
    """The ledger so far, with what is stored of its orders."""

    def __init__(self, players: int) -> None:
        self.ledger = LedgerFold(players)
        self.orders: dict[tuple[Lineup, int], OrderView] = {}
        self.open: dict[int, OrderView] = {}
        """The orders that are not stored in full, by number."""

    def tell(self, line: Line) -> None:
        """Take in the next line."""
        dated = self.ledger.apply(line)
        if isinstance(dated.entry, Ordered):
            order = dated.entry
            view = OrderView(order, moment(dated.at), [], {})
            self.orders[order.lineup, order.first] = view
            self.open[order.order] = view

    def recent(self, now: float) -> int:
        """Return the number of orders that were written in the last hour."""
        count = 0
        for view in reversed(self.orders.values()):
            if view.at < now - HOUR_S:
                break
            count += 1
        return count
