"""The state of an open league, added up from the lines of its ledger: the one place for that."""

from arena.league.field import Field
from arena.league.ledger import (
    Closed,
    Committed,
    Dated,
    Joined,
    Left,
    Line,
    Ordered,
    Sealed,
    moment,
    order_seed,
)
from arena.stats.figures import Lineup


class LedgerFold:
    """The ledger of a league with `players` at a table, as far as it has been read.

    `read` is the number of the last line read. Moments are in seconds since 1970.
    """

    def __init__(self, players: int) -> None:
        self.field = Field(players)
        self.read = 0
        self.hash = ""
        """The hash of the last line; "" before the first."""
        self.orders: dict[tuple[Lineup, int], Ordered] = {}
        """Orders by lineup and first deal, as they were written."""
        self.committed_at: str | None = None
        self.secret: str | None = None
        """The season's secret, once the season is sealed."""
        self.sealed_at: str | None = None
        self.order_hashes: list[str] = []
        """The hashes of the lines of the orders, the first order's first."""
        self.joined: dict[str, Joined] = {}
        """The last `Joined` of every bot that ever came."""
        self.came: dict[str, float] = {}
        """The moment at which each bot last came."""
        self.left: dict[str, tuple[float, str]] = {}
        """When and why each bot left that has not come again, in the order of leaving."""
        self.final: tuple[str, ...] = ()
        """The bots of the season's final, best first, once it is closed."""
        self._ordered_at: str | None = None

    @property
    def ordered(self) -> float | None:
        """The moment at which the last order was written."""
        return None if self._ordered_at is None else moment(self._ordered_at)

    def seeds(self, secret: str) -> tuple[str, ...]:
        """The seeds of the orders so far, the first order's first."""
        return tuple(order_seed(secret, each) for each in self.order_hashes)

    def apply(self, line: Line, dated: Dated) -> None:
        """Apply a line with its content as `read_line` gives it.

        Raises `ValueError` for a line that cannot follow; then nothing changes.
        """
        entry = dated.entry
        self.field.apply(entry)
        self.read, self.hash = line.number, line.hash
        match entry:
            case Ordered():
                self.orders[entry.lineup, entry.first] = entry
                self._ordered_at = dated.at
                self.order_hashes.append(line.hash)
            case Joined():
                self.joined[entry.bot] = entry
                self.came[entry.bot] = moment(dated.at)
                self.left.pop(entry.bot, None)
            case Left():
                self.left[entry.bot] = moment(dated.at), entry.why
            case Committed():
                self.committed_at = dated.at
            case Sealed():
                self.secret, self.sealed_at = entry.secret, dated.at
            case Closed():
                self.final = entry.final
            case _:  # entries that only the field keeps
                pass
