"""What the ledger of a league says for its pages, read on line by line."""

from typing import Final

import msgspec

from arena.league.epochs import Epoch, note_epoch
from arena.league.field import Field
from arena.league.ledger import (
    Begun,
    Dated,
    Joined,
    Left,
    Line,
    Ordered,
    Revealed,
    moment,
    read_line,
)
from arena.stats.figures import Lineup

HOUR_S: Final = 3600.0


class OrderView(msgspec.Struct):
    """An order, when it was written (seconds since 1970), and what is stored of it."""

    order: Ordered
    at: float
    numbers: list[int] = []
    void: dict[str, int] = {}
    over: bool = False


class LedgerView:
    """The ledger so far: the field, the orders, the epochs, who came and went when."""

    def __init__(self, players: int) -> None:
        self.field = Field(players)
        self.read = 0
        """The number of the last line that was read."""
        self.hash = ""
        self.orders: dict[tuple[Lineup, int], OrderView] = {}
        self.by_epoch: dict[int, list[OrderView]] = {}
        self.open: dict[int, OrderView] = {}
        """Orders that are not stored in full, by number."""
        self.epochs: dict[int, Epoch] = {}
        self.joined: dict[str, Joined] = {}
        """Everybody who ever came, as last."""
        self.came: dict[str, float] = {}
        self.left: dict[str, tuple[float, str]] = {}
        self.begun: float | None = None
        self.revealed: dict[int, int] = {}
        """Epochs whose secrets were revealed, and in which lines."""

    def tell(self, line: Line) -> None:
        """Go on with a line."""
        dated: Dated = read_line(line.text)
        at = moment(dated.at)
        self.field.apply(dated.entry)
        self.read, self.hash = line.number, line.hash
        note_epoch(self.epochs, dated)
        match dated.entry:
            case Ordered() as order:
                view = OrderView(order, at, [], {})
                self.orders[order.lineup, order.first] = view
                self.by_epoch.setdefault(order.epoch, []).append(view)
                self.open[order.order] = view
            case Joined() as joined:
                self.joined[joined.bot] = joined
                self.came[joined.bot] = at
                self.left.pop(joined.bot, None)
            case Left(bot, why):
                self.left[bot] = at, why
            case Begun():
                self.begun = at
            case Revealed(epoch):
                self.revealed[epoch] = line.number
            case _:
                pass

    def recent(self, now: float) -> int:
        """How many orders were written in the last hour."""
        count = 0
        for view in reversed(self.orders.values()):
            if view.at < now - HOUR_S:
                break
            count += 1
        return count
