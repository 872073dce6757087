"""Reviews for workers: one in some is made here as well, for nothing else shows what is true."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from arena import __version__
from arena.cluster.answers import OrderAnswer, Wrong, read_answer
from arena.cluster.kind import WorkKind
from arena.cluster.orders import Demand, Order
from arena.match.commands import MatchVoid
from arena.tasks.review import DealToReview, Reviewed

REVIEW_S: Final = 600.0
"""Seconds that a worker may take for a deal, which needs a few."""

_DEAL_BYTES: Final = 1 << 20


class ReviewOrder(Order, frozen=True):
    """Deals to review."""

    jobs: tuple[DealToReview, ...]


class ReviewWork(WorkKind[DealToReview, Reviewed]):
    """Deals to review. Those that `again` chooses are reviewed here, too, and compared."""

    demand = Demand(__version__, "none")

    def __init__(self, again: Callable[[DealToReview], Reviewed | None]) -> None:
        self._again = again

    @property
    def described(self) -> str:
        """What a worker does of it, in words."""
        return "reviews"

    def order(self, jobs: Sequence[DealToReview], number: int, core: int | None) -> ReviewOrder:
        """An order to review deals."""
        return ReviewOrder(number, core, tuple(jobs))

    def longest_s(self, jobs: Sequence[DealToReview]) -> float:
        """The seconds of some deals."""
        return REVIEW_S * len(jobs)

    def read(self, said: bytes, jobs: Sequence[DealToReview]) -> list[Reviewed | MatchVoid]:
        """The findings of a worker. Raises `Wrong`."""
        found = read_answer(said, jobs, _decoder, _DEAL_BYTES * len(jobs))
        for deal, job in zip(found, jobs, strict=True):
            if isinstance(deal, MatchVoid):
                continue
            if not _is_about(deal, job):
                raise Wrong("a review of other decisions")
            again = self._again(job)
            if again is not None and again != deal:
                raise Wrong("a review that is not what this machine finds")
        return found


def _is_about(found: Reviewed, job: DealToReview) -> bool:
    """Whether findings are about the decisions of a deal, one for each."""
    told = [[(each.deal, each.step, each.given) for each in one.verdicts] for one in found]
    asked = [[(each.deal, each.step, each.given) for each in one.decisions] for one in job.turns]
    return told == asked


_decoder: Final = msgspec.msgpack.Decoder(OrderAnswer[Reviewed])
