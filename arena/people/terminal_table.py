"""What a person at the table has been told so far: a value that each message and event changes."""

from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from arena.match.replay import Layout, count_words
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
    Request,
    Result,
    Surrendered,
    TalonChosen,
    ToBot,
    TrickTaken,
)
from arena.zole.deal import Seat
from arena.zole.rules import Rules
from arena.zole.scoring import Pools
from arena.zole.state import Game

Player = Seat | Literal["talon"]


class Table(msgspec.Struct, frozen=True):
    """A match as one seat knows it. What belongs to a deal is empty before the first.

    `said` has what each seat said in the auction; `tricks` and `points` count complete tricks by
    seat; `last` is the trick before this one; `totals` are stakes.
    """

    rules: Rules
    seat: Seat | None = None
    deal: int = 0
    dealer: Seat = 0
    active: tuple[Seat, ...] = ()
    pools: Pools = Pools()
    totals: tuple[int, ...] = ()
    said: tuple[tuple[Seat, str], ...] = ()
    contract: Game | None = None
    declarer: Seat | None = None
    hand: tuple[str, ...] = ()
    talon: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    trick: tuple[Placed, ...] = ()
    last: tuple[Placed, ...] = ()
    tricks: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    talon_points: int = 0
    result: Result | None = None


def begun(hello: Hello) -> Table:
    """The table before the first deal."""
    return Table(hello.rules, totals=(0,) * hello.players)


def told(table: Table, message: ToBot) -> Table:
    """The table after a message whose events have been told already: the hand, or the result."""
    match message:
        case DealEnd(result=result):
            paid = zip(table.totals, result.payments, strict=True)
            totals = tuple(before + more for before, more in paid)
            return replace(table, result=result, totals=totals, pools=result.pools, trick=())
        case Request():
            talon = getattr(message, "talon", table.talon)
            hand = getattr(message, "hand", table.hand)
            return replace(table, hand=hand, talon=talon)
        case _:
            return table


def laid_aside(table: Table, reply: DiscardReply) -> Table:
    """The table after this seat's own discard, which no event tells."""
    hand = tuple(card for card in table.hand if card not in reply.cards)
    return replace(table, hand=hand, discards=reply.cards)


def happened(table: Table, event: AnyEvent) -> Table:
    """The table after an event."""
    match event:
        case Dealt():
            return _dealt(table, event)
        case BlindSaid(seat, blind):
            return replace(table, said=(*table.said, (seat, "blind"))) if blind else table
        case BidMade(seat, bid):
            return replace(table, said=(*table.said, (seat, bid)))
        case ContractMade(declarer, contract):
            return replace(table, declarer=declarer, contract=contract)
        case CardPlayed(seat, card):
            hand = tuple(each for each in table.hand if seat != table.seat or each != card)
            return replace(table, hand=hand, trick=(*table.trick, Placed(seat, card)))
        case TrickTaken():
            return _taken(table, event)
        case TalonChosen() | Surrendered() | Offered() | FaultSeen():
            return table
        case _:
            assert_never(event)


def _dealt(table: Table, event: Dealt) -> Table:
    none = (0,) * table.rules.players
    return Table(
        table.rules,
        event.seat,
        event.deal,
        event.dealer,
        event.active,
        event.pools,
        event.totals,
        tricks=none,
        points=none,
    )


def _taken(table: Table, event: TrickTaken) -> Table:
    winner = event.winner
    table = replace(table, trick=(), last=table.trick)
    if winner == "talon":
        return replace(table, talon_points=table.talon_points + event.points)
    return replace(
        table,
        tricks=_more(table.tricks, winner, 1),
        points=_more(table.points, winner, event.points),
    )


def _more(numbers: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    return tuple(each + more * (at == place) for at, each in enumerate(numbers))


def sides(table: Table) -> str:
    """The count of both sides and what they need; empty where there are none."""
    layout = Layout(
        hands=(),
        points=table.points,
        tricks=table.tricks,
        talon="",
        talon_points=table.talon_points,
        declarer=table.declarer,
        contract=table.contract,
        discards=".".join(table.discards),
    )
    return count_words(table.rules, layout, table.result)
