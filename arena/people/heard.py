"""A match as a person at the table has heard it: a value that each event changes."""

from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from arena.match.replay import Layout
from arena.match.wire import (
    AnyEvent,
    BidMade,
    BlindSaid,
    CardPlayed,
    ContractMade,
    DealEnd,
    Dealt,
    DiscardReply,
    FaultSeen,
    Hello,
    Offered,
    Placed,
    Surrendered,
    TalonChosen,
    TrickTaken,
)
from arena.zole.deal import Seat
from arena.zole.rules import Rules

SeatOrTalon = Seat | Literal["talon"]


class Heard(msgspec.Struct, frozen=True):
    """A match as one seat has heard of it. Fields of a deal are empty before the first.

    `board` has the open cards and the counts; of the tricks it has the current one, and `last` the
    one before. `said` are the bids of the auction by seat; `totals` are stakes.
    """

    rules: Rules
    totals: tuple[int, ...]
    seat: Seat | None = None
    deal: int = 0
    active: tuple[Seat, ...] = ()
    board: Layout = Layout((), (), (), "")
    last: tuple[Placed, ...] = ()
    said: tuple[tuple[Seat, str], ...] = ()


def begun(hello: Hello) -> Heard:
    """The value before the first deal."""
    return Heard(hello.rules, (0,) * hello.players)


def ended(heard: Heard, end: DealEnd) -> Heard:
    """The value once a deal is over, whose events have been told already."""
    totals = tuple(map(sum, zip(heard.totals, end.result.payments, strict=True)))
    return replace(heard, totals=totals)


def laid_aside(heard: Heard, reply: DiscardReply) -> Heard:
    """The value after this seat's own discard, which no event tells."""
    return replace(heard, board=replace(heard.board, discards=".".join(reply.cards)))


def happened(heard: Heard, event: AnyEvent) -> Heard:
    """The value after an event."""
    board = heard.board
    match event:
        case Dealt(deal=deal, active=active, seat=seat, totals=totals):
            none = (0,) * heard.rules.players
            return Heard(heard.rules, totals, seat, deal, active, Layout((), none, none, ""))
        case BlindSaid(seat, blind):
            return replace(heard, said=(*heard.said, (seat, "blind"))) if blind else heard
        case BidMade(seat, bid):
            return replace(heard, said=(*heard.said, (seat, bid)))
        case ContractMade(declarer, contract):
            return replace(heard, board=replace(board, declarer=declarer, contract=contract))
        case CardPlayed(seat, card):
            return replace(heard, board=replace(board, trick=(*board.trick, Placed(seat, card))))
        case TrickTaken(_, winner, points):
            return replace(heard, board=_taken(board, winner, points), last=board.trick)
        case TalonChosen() | Surrendered() | Offered() | FaultSeen():
            return heard
        case _:
            assert_never(event)


def _taken(board: Layout, winner: SeatOrTalon, points: int) -> Layout:
    """The board once a trick was taken."""
    if winner == "talon":
        return replace(board, trick=(), talon_points=board.talon_points + points)
    return replace(
        board,
        trick=(),
        tricks=_more(board.tricks, winner, 1),
        points=_more(board.points, winner, points),
    )


def _more(numbers: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    return tuple(each + more * (at == place) for at, each in enumerate(numbers))
