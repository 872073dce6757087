"""An open league in memory, whose matches nobody plays."""

import hashlib
from typing import Any

from arena.league.config import OpenConfig
from arena.league.ledger import Committed, Entry, Joined, Line, Ordered, lines_after
from arena.league.open_draw import OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.league.schedule import commitment, seatings
from arena.stats.figures import Lineup
from arena.zole.rules import preset
from tests.support.present import present

AT = "2026-01-01T00:00:00+00:00"


class DrawnLeague:
    """A ledger, the outcomes of matches, and a draw that learns of both at once.

    Bots are letters, each by an author of its own or by one of the `authors`; H is the house.
    """

    def __init__(self, bots: str, authors: str = "", secret: str = "7", **settings: Any) -> None:
        self.config = OpenConfig(**{"rules": preset(), **settings})
        self.draw = OpenDraw(self.config)
        self.lines: list[Line] = []
        self.outcomes: list[StoredOutcome] = []
        self.seconds: dict[str, float] = {}
        self.append(Committed(commitment(secret)))
        for bot, author in zip(bots, authors or bots, strict=True):
            self.join(bot, author)

    def append(self, entry: Entry) -> None:
        [line] = lines_after(self.lines[-1] if self.lines else None, AT, [entry])
        self.draw.apply(line)
        self.lines.append(line)

    def join(self, bot: str, author: str = "") -> None:
        content = hashlib.sha256(bot.encode()).hexdigest()
        self.append(Joined(bot, content, author or bot, author == "H"))

    def order(self, table: Lineup | None = None) -> Ordered:
        """Write down an order of the next table, or of this one."""
        order = self.draw.order_of(table or present(self.draw.next_table()))
        self.append(order)
        return order

    def store_match(self, order: Ordered, seating: int, out: str = "") -> None:
        """Store a match of an order; a bot that sits there may be disqualified in it."""
        seats = seatings(order.lineup, 3)[seating]
        lost = (seats.index(out),) if out in seats else ()
        spent = tuple(self.seconds.get(bot, 1.0) for bot in seats)
        number, deals = len(self.outcomes) + 1, 3 if lost else 10
        outcome = StoredOutcome(order.lineup, order.first, deals, number, seats, lost, spent)
        self.outcomes.append(outcome)
        self.draw.stored(outcome)

    def store(self, order: Ordered, out: str = "") -> None:
        """Store an order's matches; in the first of them a bot may be disqualified."""
        for seating in range(6):
            self.store_match(order, seating, "" if seating else out)

    def play(self, orders: int) -> list[Lineup]:
        """Draw and store orders, one after another; their tables."""
        begin = len(self.outcomes)
        for _ in range(orders):
            self.store(self.order())
        return [outcome.lineup for outcome in self.outcomes[begin::6]]
