"""The state of an open league, added up from the lines of its ledger: the one place for that."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from arena.league.epochs import Epoch
from arena.league.field import Field
from arena.league.ledger import (
    Begun,
    Closed,
    Committed,
    Dated,
    Joined,
    Left,
    Line,
    Ordered,
    Revealed,
    epoch_seed,
    moment,
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
        self.begun: float | None = None
        """The moment at which the epoch under way began."""
        self.revealed: dict[int, int] = {}
        """The number of the line in which each epoch's secret was revealed."""
        self.joined: dict[str, Joined] = {}
        """The last `Joined` of every bot that ever came."""
        self.came: dict[str, float] = {}
        """The moment at which each bot last came."""
        self.left: dict[str, tuple[float, str]] = {}
        """When and why each bot left that has not come again, in the order of leaving."""
        self.final: tuple[str, ...] = ()
        """The bots of the season's final, best first, once it is closed."""
        self._epochs: dict[int, Epoch] = {}
        self._orders_of: Counter[int] = Counter()
        self._ordered_at: str | None = None

    @property
    def ordered(self) -> float | None:
        """The moment at which the last order was written."""
        return None if self._ordered_at is None else moment(self._ordered_at)

    @property
    def epochs(self) -> tuple[Epoch, ...]:
        """The epochs that were committed to, in order."""
        return tuple(
            msgspec.structs.replace(each, orders=self._orders_of[number])
            for number, each in self._epochs.items()
        )

    def seeds(self, secrets: Mapping[int, str]) -> tuple[str, ...]:
        """The seeds of the epochs begun so far, the first epoch's first.

        `secrets` are those not yet revealed, by epoch. Raises `KeyError` if one is missing.
        """
        return tuple(
            each.seed or epoch_seed(secrets[each.epoch], each.field)
            for each in self._epochs.values()
            if each.field is not None
        )

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
                self._orders_of[entry.epoch] += 1
            case Joined():
                self.joined[entry.bot] = entry
                self.came[entry.bot] = moment(dated.at)
                self.left.pop(entry.bot, None)
            case Left():
                self.left[entry.bot] = moment(dated.at), entry.why
            case Committed():
                self._epochs[entry.epoch] = Epoch(
                    epoch=entry.epoch, commitment=entry.commitment, committed_at=dated.at
                )
            case Begun():
                self.begun = moment(dated.at)
                self._note(entry.epoch, field=entry.field, begun_at=dated.at)
            case Revealed():
                self.revealed[entry.epoch] = line.number
                self._reveal(entry, dated.at)
            case Closed():
                self.final = entry.final
            case _:  # entries that only the field keeps
                pass

    def _reveal(self, entry: Revealed, at: str) -> None:
        field = self._epochs[entry.epoch].field
        seed = None if field is None else epoch_seed(entry.secret, field)
        self._note(entry.epoch, secret=entry.secret, revealed_at=at, seed=seed)

    def _note(self, epoch: int, **more: object) -> None:
        self._epochs[epoch] = msgspec.structs.replace(self._epochs[epoch], **more)
