"""The review on a replay page."""

from collections.abc import Mapping
from typing import get_args

import msgspec

from arena.match.replay import SeenDeal, SeenMatch
from arena.match.wire import Dealt
from arena.review.solver import payments
from arena.review.verdict import Verdict
from arena.zole.rules import Contract, Rules
from arena.zole.scoring import Pools


class ReviewedDeal(msgspec.Struct, frozen=True):
    """A deal's `verdicts` in order, None if it has not been reviewed.

    `paid` is all that its contract may pay, by seat for each outcome; None if nobody declared one.
    """

    paid: tuple[tuple[int, ...], ...] | None
    verdicts: tuple[Verdict, ...] | None


class PageReview(msgspec.Struct, frozen=True):
    """The review of a page's deals, in their order.

    `command` reviews the match; it is empty where nothing more is to be reviewed. `only` are the
    bots whose answers were reviewed, if not all.
    """

    command: str
    deals: tuple[ReviewedDeal, ...]
    only: tuple[str, ...] = ()


def page_review(
    match: SeenMatch, verdicts: Mapping[int, tuple[Verdict, ...]], command: str = ""
) -> PageReview:
    """The review of a match's deals by the existing verdicts."""
    deals = tuple(
        ReviewedDeal(_paid(match.rules, deal), verdicts.get(deal.deal)) for deal in match.deals
    )
    return PageReview(command, deals, _only(match, verdicts))


def _paid(rules: Rules, deal: SeenDeal) -> tuple[tuple[int, ...], ...] | None:
    board = deal.moments[-1].board if deal.moments else deal.begin
    declarer = board.declarer
    if declarer is None or board.contract not in get_args(Contract):
        return None
    contract = msgspec.convert(board.contract, Contract)
    pools = next((each.pools for each in deal.first if isinstance(each, Dealt)), Pools())
    return payments(rules, deal.active, declarer, contract, pools).paid


# The bots whose answers alone were reviewed; empty if those of all were
def _only(match: SeenMatch, verdicts: Mapping[int, tuple[Verdict, ...]]) -> tuple[str, ...]:
    reviewed = {each.seat for found in verdicts.values() for each in found}
    deals = (deal for deal in match.deals if deal.deal in verdicts)
    played = {each.seat for deal in deals for each in deal.moments if each.ask == "play"}
    return tuple(match.bots[seat] for seat in sorted(reviewed)) if reviewed < played else ()
