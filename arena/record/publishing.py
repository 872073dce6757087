"""Which matches of a league may be shown to others than their bots' authors, and when."""

from collections.abc import Callable

from arena.league.fold import LedgerFold
from arena.league.terms import OpenTerms, Terms

MayShow = Callable[[tuple[str, ...], int], bool]
"""Whether how a match was played may be shown, by its bots, seated or not, and its first deal."""


def everything(bots: tuple[str, ...], first: int) -> bool:
    """What an organiser is shown."""
    return True


def may_show(terms: Terms, ledger: LedgerFold) -> MayShow:
    """What may be shown of a league as it stands: all of it, if the league is not open.

    An open league's `publish` says when others may see how a match was played: at once, once the
    secret of its epoch is revealed, or once its season is sealed. Results are no secret ever.
    """
    if not isinstance(terms, OpenTerms) or ledger.field.sealed:
        return everything
    if terms.open.publish == "at_once":
        return everything
    if terms.open.publish == "season":
        return lambda bots, first: False

    def shown(bots: tuple[str, ...], first: int) -> bool:
        order = ledger.orders.get((tuple(sorted(set(bots))), first))
        return order is not None and order.epoch in ledger.revealed

    return shown
