"""All that the contract of a played deal could have paid, by the league's own scoring."""

from typing import get_args

import msgspec

from arena.match.replay import SeenDeal
from arena.match.wire import Dealt
from arena.review.solver import payments
from arena.zole.deal import Deal, Seat
from arena.zole.play import start
from arena.zole.rules import Contract, Rules
from arena.zole.scoring import Pools, settle
from arena.zole.state import Ended, EndedBy


class Outcomes(msgspec.Struct, frozen=True):
    """Payments by seat, pools included, from the declarer's worst outcome to its best.

    `no_tricks` and `all_tricks` are the places of these two outcomes. `levels` are for other
    deals: the least card points of the declarer, and the outcome from there on. The last two
    fields are the payments after the declarer's surrender and after the defenders'.
    """

    paid: tuple[tuple[int, ...], ...]
    no_tricks: int
    all_tricks: int
    levels: tuple[tuple[int, int], ...]
    surrendered: tuple[int, ...]
    accepted: tuple[int, ...]


def outcomes(rules: Rules, deal: SeenDeal) -> Outcomes | None:
    """The outcomes of a deal's contract; None if nobody declared one."""
    board = deal.moments[-1].board if deal.moments else deal.begin
    declarer = board.declarer
    if declarer is None or board.contract not in get_args(Contract):
        return None
    contract = msgspec.convert(board.contract, Contract)
    pools = next((each.pools for each in deal.first if isinstance(each, Dealt)), Pools())
    found = payments(rules, deal.active, declarer, contract, pools)
    levels = tuple(
        (points, level)
        for points, level in enumerate(found.by_points)
        if not points or level != found.by_points[points - 1]
    )

    def ended(by: EndedBy, seat: Seat) -> tuple[int, ...]:
        bare = start(rules, Deal(deal.dealer, (0,) * rules.players, (0, 0)))
        over = msgspec.structs.replace(
            bare, phase="over", declarer=declarer, contract=contract, ended=Ended(by, seat)
        )
        return settle(over, pools).payments

    defender = next(seat for seat in deal.active if seat != declarer)
    surrendered, accepted = ended("surrender", declarer), ended("offer", defender)
    return Outcomes(found.paid, found.no_tricks, found.all_tricks, levels, surrendered, accepted)
