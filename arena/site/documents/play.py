"""The documents of a site about tables and what came of them: orders, matches, deals.

Seats are numbered from 0, `bots`, `stakes` and `payments` are by seat. As in `documents`.
"""

from typing import Literal

import msgspec


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A table under way: its bots, its deals from `first` on, and how many matches are stored."""

    order: int
    bots: tuple[str, ...]
    first: int
    deals: int
    epoch: int
    kind: Literal["table", "final"]
    at: float
    played: int
    matches: int


class MatchLine(msgspec.Struct, frozen=True, kw_only=True):
    """A stored match in short: bots and the sum of their stakes by seat.

    `out` are seats that were disqualified. A match that counts for nothing is `void`; until the
    other seatings of its table are stored it is only `waiting` to count.
    """

    match: int
    order: int
    at: float
    bots: tuple[str, ...]
    stakes: tuple[int, ...]
    first: int
    deals: int
    faults: int = 0
    out: tuple[int, ...] = ()
    counts: Literal["counts", "waiting", "void"]
    shown: bool = False


class TablesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What is played now, the oldest order first, and the last matches, the newest first."""

    at: float
    now: tuple[Order, ...]
    last: tuple[MatchLine, ...]
    orders_an_hour: float | None = None


class MatchesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the newest first; those `older` than a number follow, if there are any."""

    rows: tuple[MatchLine, ...]
    older: int | None = None


class SeatFault(msgspec.Struct, frozen=True, kw_only=True):
    """Who failed in a deal, and how. What exactly was wrong is its author's."""

    seat: int
    kind: str


class DealResult(msgspec.Struct, frozen=True, kw_only=True):
    """A deal of a match: who dealt and declared (seats), what, and the payments by seat."""

    deal: int
    dealer: int
    contract: str | None = None
    declarer: int | None = None
    payments: tuple[int, ...]
    fault: SeatFault | None = None


class MatchDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A match: `line` is what lists say of it; `seatings` are all stored matches of its table.

    Deals are numbered as the league does. `replay` says whether its replay is shown, `later` when
    it will be, in words; `moves` and `seconds` are by seat, of what the log has.
    """

    line: MatchLine
    epoch: int
    isolation: str
    decisions: int
    deals: tuple[DealResult, ...]
    seatings: tuple[int, ...]
    replay: bool
    later: str = ""
    moves: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """A deal in one seating; `number` is the deal's in the match, points and tricks are of sides.

    A `forfeited` deal was ended by its fault.
    """

    match: int
    number: int
    bots: tuple[str, ...]
    contract: str | None = None
    declarer: int | None = None
    discards: tuple[str, ...] = ()
    points: tuple[int, int] | None = None
    tricks: tuple[int, int] | None = None
    level: str | None = None
    payments: tuple[int, ...]
    fault: SeatFault | None = None
    forfeited: bool = False


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's mean stakes with the cards of each seat, and over all games of a deal."""

    bot: str
    by_seat: tuple[float | None, ...]
    mean: float | None


class TravellerDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A deal in all its seatings. Hands are by seat, empty where one sits out.

    Where the deal is not `shown` yet there are no cards, and `later` says when there will be.
    `void` says why it counts for nothing.
    """

    order: int
    deal: int
    first: int
    deals: int
    epoch: int
    bots: tuple[str, ...]
    dealer: int
    active: tuple[int, ...]
    shown: bool
    later: str = ""
    void: str = ""
    hands: tuple[tuple[str, ...], ...] = ()
    talon: tuple[str, ...] = ()
    lines: tuple[Seating, ...]
    made: tuple[Made, ...]
    seatings: int
    pools: bool = False


class ShownDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A deal of a match that is worth watching; `number` is the deal's in the match."""

    match: int
    number: int
    bots: tuple[str, ...]
    why: str = ""


class Television(msgspec.Struct, frozen=True, kw_only=True):
    """Deals to be shown one after the other, the newest first."""

    deals: tuple[ShownDeal, ...]
