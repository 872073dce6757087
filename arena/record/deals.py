"""Outlines of stored deals, to find one to look at: contract, declarer, stakes, faults."""

import shlex
from collections.abc import Iterable, Iterator

import msgspec

from arena.base.words import deal_number
from arena.match.replay import SeenDeal, SeenMatch
from arena.match.wire import FaultKind
from arena.record.store import Store
from arena.zole.deal import Seat
from arena.zole.state import Game


class DealOutline(msgspec.Struct, frozen=True, kw_only=True):
    """A deal of a match without its log. `bots` and `stakes` are by seat, `deal` counts from 0."""

    match: int | None
    deal: int
    bots: tuple[str, ...]
    contract: Game | None
    declarer: Seat | None
    stakes: tuple[int, ...]
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

    def fits(self, deal: DealOutline) -> bool:
        """Return whether a deal is wanted."""
        declarer = None if deal.declarer is None else deal.bots[deal.declarer]
        return (
            self.bot in (None, declarer)
            and self.contract in (None, deal.contract)
            and (not self.faults or bool(deal.faults))
            and max(map(abs, deal.stakes)) >= (self.swing or 0)
        )


ANY = DealFilter()


def outline_deals(store: Store) -> Iterator[DealOutline]:
    """Yield the deals of all matches by number, as they are stored: nothing is verified."""
    stored = ((number, spec.seats, record.results) for number, spec, record in store.matches())
    for number, bots, results in sorted(stored, key=lambda each: each[0]):
        for deal, (course, stakes) in enumerate(
            zip(results.courses, results.payments, strict=True)
        ):
            yield DealOutline(
                match=number,
                deal=deal,
                bots=bots,
                contract=course.contract,
                declarer=course.declarer,
                stakes=stakes,
                faults=tuple(each.fault.kind for each in results.faults if each.deal == deal),
            )


def outline_seen(match: SeenMatch, deals: Iterable[SeenDeal]) -> Iterator[DealOutline]:
    """Yield the outlines of some finished deals of a match."""
    for deal in deals:
        assert deal.result is not None
        yield DealOutline(
            match=match.match,
            deal=deal.deal,
            bots=match.bots,
            contract=deal.result.contract,
            declarer=deal.result.declarer,
            stakes=deal.result.payments,
            faults=tuple(each.fault.kind for each in deal.moments if each.fault is not None),
        )


def replay_command(league: str, match: int, deal: int, seat: Seat | None = None) -> str:
    """Return the command that replays a deal. `league` is the name by which it is found."""
    words = ["arena", "replay", league, str(match), "--deal", str(deal_number(deal))]
    return shlex.join(words if seat is None else [*words, "--seat", str(seat)])
