"""The documents of a site about tables: orders, matches, deals.

Seats are numbered from 0; `bots`, `stakes` and `payments` are by seat. Units are as in `league.py`.
"""

from typing import Literal

import msgspec

from arena.league.ledger import Ordered
from arena.league.played import MatchOutline, Traveller
from arena.match.record import Course
from arena.match.wire import FaultShown
from arena.zole.state import Game

HiddenUntil = Literal["season"]
"""The end of which matches wait to be shown to everybody."""


class OrderLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table under way: its order, and the moment at which that was written.

    Of its `matches`, `played` are stored.
    """

    order: Ordered
    at: float
    played: int
    matches: int


class MatchLine(MatchOutline, frozen=True, kw_only=True):
    """A stored match, and what its order says of it.

    A match that counts for nothing is `void`; it is `waiting` until the other seatings of its table
    are stored.
    """

    order: int
    at: float | None
    counts: Literal["counts", "waiting", "void"]
    shown: bool = False


class TablesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The tables played now, the oldest order first, and the last matches, the newest first."""

    at: float
    now: tuple[OrderLine, ...]
    last: tuple[MatchLine, ...]
    orders_an_hour: float | None = None


class MatchesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the newest first; further ones are before the number `older`, unless it is None."""

    rows: tuple[MatchLine, ...]
    older: int | None = None


class DealResult(Course, frozen=True, kw_only=True):
    """A deal of a match, by the league's number of it, and its payments by seat.

    Only the author of a bot is told the details of its fault.
    """

    deal: int
    payments: tuple[int, ...]
    fault: FaultShown | None = None


class MatchDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A match. `line` is its entry in lists; `seatings` are all stored matches of its table.

    Its replay is shown once what `later` names has ended, or at once; `moves` and `seconds` are by
    seat, from the log.
    """

    line: MatchLine
    deals: tuple[DealResult, ...]
    seatings: tuple[int, ...]
    later: HiddenUntil | None = None
    moves: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


class TravellerDocument(Traveller, frozen=True, kw_only=True):
    """A deal in all its seatings, and its order, which has `deals` deals from `first` on.

    There are no cards until what `later` names has ended.
    """

    order: int | None = None
    first: int
    deals: int
    later: HiddenUntil | None = None


class ShownDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A deal that is worth watching; `number` is its number in the match.

    `stakes` are the most that a seat won or lost; `contract` and `declarer`, a bot, say what was
    played, and not how it ended. The larger its `worth`, the sooner it is shown.
    """

    match: int
    number: int
    bots: tuple[str, ...]
    stakes: int
    contract: Game | None = None
    declarer: str | None = None
    worth: float = 0.0


class Television(msgspec.Struct, frozen=True, kw_only=True):
    """Deals to be shown one after another: of the last ones, those most worth watching first."""

    deals: tuple[ShownDeal, ...]


class GuestBot(msgspec.Struct, frozen=True):
    """A bot that guests may play; one of the arena's own has a `level`."""

    name: str
    author: str
    level: str = ""


class TableChoice(msgspec.Struct, frozen=True):
    """The bots that may be played, the bots' seats at a table, its deals, and the tables left.

    `own` is the address of the seat that the guest has already, "" for none.
    """

    bots: tuple[GuestBot, ...]
    seats: int
    deals: int
    move_s: float
    free: int
    own: str = ""
