"""The documents of a site about tables and what came of them: orders, matches, deals.

Seats are numbered from 0, `bots`, `stakes` and `payments` are by seat. As in `documents`.
"""

from typing import Literal

import msgspec

from arena.league.ledger import Ordered
from arena.league.played import MatchOutline, Traveller
from arena.match.record import Course
from arena.match.wire import FaultShown


class OrderLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table under way: its order, when that was written, and how many matches are stored."""

    order: Ordered
    at: float
    played: int
    matches: int


class MatchLine(MatchOutline, frozen=True, kw_only=True):
    """A stored match, and what its order says of it.

    A match that counts for nothing is `void`; until the other seatings of its table are stored it
    is only `waiting` to count.
    """

    order: int
    at: float | None
    counts: Literal["counts", "waiting", "void"]
    shown: bool = False


class TablesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What is played now, the oldest order first, and the last matches, the newest first."""

    at: float
    now: tuple[OrderLine, ...]
    last: tuple[MatchLine, ...]
    orders_an_hour: float | None = None


class MatchesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the newest first; those `older` than a number follow, if there are any."""

    rows: tuple[MatchLine, ...]
    older: int | None = None


class DealResult(Course, frozen=True, kw_only=True):
    """A deal of a match, by the league's number of it, and its payments by seat.

    What exactly was wrong in a fault is its author's.
    """

    deal: int
    payments: tuple[int, ...]
    fault: FaultShown | None = None


class MatchDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A match: `line` is what lists say of it; `seatings` are all stored matches of its table.

    `later` says in words when its replay will be shown, where it is not; `moves` and `seconds` are
    by seat, of what the log has.
    """

    line: MatchLine
    epoch: int
    deals: tuple[DealResult, ...]
    seatings: tuple[int, ...]
    later: str = ""
    moves: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


class TravellerDocument(Traveller, frozen=True, kw_only=True):
    """A deal in all its seatings, and its order, which has `deals` from `first` on.

    Where the deal is not shown yet there are no cards, and `later` says when there will be.
    """

    order: int | None = None
    first: int
    deals: int
    epoch: int | None = None
    later: str = ""


class ShownDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A deal of a match that is worth watching; `number` is the deal's in the match."""

    match: int
    number: int
    bots: tuple[str, ...]
    why: str = ""


class Television(msgspec.Struct, frozen=True, kw_only=True):
    """Deals to be shown one after the other, the newest first."""

    deals: tuple[ShownDeal, ...]
