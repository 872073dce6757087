"""Finds stored deals to look at: by contract, declarer, stakes and faults."""

import shlex
from collections.abc import Iterator

import msgspec

from arena.base.words import deal_number
from arena.league.played import DealOutline
from arena.match.wire import FaultKind
from arena.record.store import Store
from arena.zole.deal import Seat


class FoundDeal(DealOutline, frozen=True, kw_only=True):
    """A stored deal with the kinds of its faults."""

    faults: tuple[FaultKind, ...]


class DealFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The wanted deals: those of a declarer or a contract, with a fault, or with high stakes.

    `bot` is the declarer; `swing` is the least number of stakes that some seat must have won or
    lost. None and False accept every deal.
    """

    bot: str | None = None
    contract: str | None = None
    faults: bool = False
    swing: int | None = None

    def fits(self, deal: FoundDeal) -> bool:
        """Return whether a deal is wanted."""
        declarer = None if deal.declarer is None else deal.bots[deal.declarer]
        return (
            self.bot in (None, declarer)
            and self.contract in (None, deal.contract)
            and (not self.faults or bool(deal.faults))
            and max(map(abs, deal.payments)) >= (self.swing or 0)
        )


ANY = DealFilter()


def find_deals(store: Store, wanted: DealFilter, number: int | None = None) -> Iterator[FoundDeal]:
    """Yield the wanted deals of all matches by number, or of one: nothing is verified."""
    after = 0 if number is None else number - 1
    for match in store.played(after, number):
        results = match.results
        played = zip(results.courses, results.payments, strict=True)
        for deal, (course, payments) in enumerate(played):
            found = FoundDeal(
                match=match.number,
                deal=deal,
                bots=match.seats,
                contract=course.contract,
                declarer=course.declarer,
                payments=payments,
                faults=tuple(each.fault.kind for each in results.faults if each.deal == deal),
            )
            if wanted.fits(found):
                yield found


def replay_command(league: str, match: int, deal: int, seat: Seat | None = None) -> str:
    """Return the command that replays a deal. `league` is the name by which it is found."""
    words = ["arena", "replay", league, str(match), "--deal", str(deal_number(deal))]
    return shlex.join(words if seat is None else [*words, "--seat", str(seat)])
