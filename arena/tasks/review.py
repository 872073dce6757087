"""Reviews of stored matches' deals: workers compute those not kept yet, then all is summed up.

Each deal's review is kept at once, so that nothing is lost if the command is stopped.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from itertools import groupby
from pathlib import Path
from traceback import extract_tb

import msgspec

from arena.base.words import deal_name
from arena.league.played import MatchOutline
from arena.match.commands import MatchVoid
from arena.record.matches import ReplayedMatch, stored_matches
from arena.record.reviews import Reviews, deals_with_keys
from arena.record.store import Store
from arena.review.solver import solver_here
from arena.review.summary import BotReview, CostlyMoment, DealFindings, ReviewSummary
from arena.review.turns import METHOD, Findings, Turns, draw_name, review
from arena.review.values import CachedOpenHands


class ReviewRequest(msgspec.Struct, frozen=True):
    """A review to make in `worlds` worlds: of some matches or all, of one bot's turns or all."""

    matches: tuple[int, ...] | None
    bot: str | None
    worlds: int


class DealToReview(msgspec.Struct, frozen=True):
    """Turns without a kept review, of a deal in its seatings, with their keys and their matches.

    `draw` is the key of their worlds.
    """

    turns: tuple[Turns, ...]
    keys: tuple[bytes, ...]
    matches: tuple[int, ...]
    draw: str
    worlds: int

    @property
    def name(self) -> str:
        """The deal and its matches in words."""
        several = "es" if len(self.matches) > 1 else ""
        numbers = ", ".join(map(str, self.matches))
        return f"{deal_name(self.turns[0].deal)} of match{several} {numbers}"


class ReviewDocument(msgspec.Struct, frozen=True):
    """The findings of a review: figures for each bot, and the costliest mistakes.

    `league` names the matches in commands, `method` numbers the method.
    """

    league: str
    method: int
    worlds: int
    bots: tuple[BotReview, ...]
    worst: tuple[CostlyMoment, ...]


Reviewed = tuple[Findings, ...]
"""The findings of each of a deal's turns."""


def deals_to_review(store: Store, asked: ReviewRequest) -> int:
    """The number of deals to review, reviewed ones included."""
    return sum(each.deals for each in _outlines(store, asked))


def missing(
    store: Store,
    asked: ReviewRequest,
    kept: Reviews,
    skipped: Callable[[int], None] = lambda deals: None,
) -> Iterator[DealToReview]:
    """The deals whose reviews are not all kept; `skipped` is called with the number of others
    passed over.

    Raises `MachineError` if there is no solver to review them.
    """
    tables: dict[str, list[int]] = {}
    for each in _outlines(store, asked):
        tables.setdefault(draw_name(each.bots, each.first), []).append(each.match)
    for draw, numbers in tables.items():
        seatings = [_missing_of(match, asked, kept, skipped) for match in _read(store, numbers)]
        for _, group in groupby(merge(*seatings, key=_deal_of), key=_deal_of):
            solver_here()  # raises here if workers would lack the solver
            turns, keys, matches = zip(*group, strict=True)
            yield DealToReview(turns, keys, tuple(dict.fromkeys(matches)), draw, asked.worlds)


_Missing = tuple[Turns, bytes, int]
"""A seat's turns without a kept review, their key, and the number of their match."""


def _missing_of(
    match: ReplayedMatch, asked: ReviewRequest, kept: Reviews, skipped: Callable[[int], None]
) -> Iterator[_Missing]:
    deals = len(match.record.results.payments)
    for deal in _asked_turns(match, asked):
        found = [(turns, key, match.number) for turns, key in deal if kept.find(key) is None]
        deals -= bool(found)
        yield from found
    skipped(deals)


def _deal_of(found: _Missing) -> int:
    return found[0].deal


def reviewed(store: Store, asked: ReviewRequest, kept: Reviews) -> Iterator[DealFindings]:
    """The deals whose reviews are kept, with their findings."""
    for match in _read(store, (each.match for each in _outlines(store, asked))):
        for deal in _asked_turns(match, asked):
            pairs = [(turns, kept.find(key)) for turns, key in deal]
            found = [(turns, findings) for turns, findings in pairs if findings is not None]
            if found:
                number = found[0][0].deal
                yield DealFindings(
                    match=match.number,
                    deal=number,
                    dealt=match.plan.deals[number],
                    bots=match.bots,
                    payments=match.record.results.payments[number],
                    found=tuple(found),
                )


def _asked_turns(match: ReplayedMatch, asked: ReviewRequest) -> Iterator[list[tuple[Turns, bytes]]]:
    """The turns to review of each deal of a match, with their keys."""
    for deal in deals_with_keys(match, asked.worlds):
        yield [each for each in deal if asked.bot in (None, match.bots[each[0].seat])]


def sum_up(
    store: Store, asked: ReviewRequest, kept: Reviews, league: str, worst: int
) -> ReviewDocument:
    """Figures from all reviews that are kept of those asked for."""
    summary = ReviewSummary(worst)
    for deal in reviewed(store, asked, kept):
        summary.add(deal)
    return ReviewDocument(league, METHOD, asked.worlds, summary.bots(), summary.worst())


def review_deal(job: DealToReview, number: int) -> Reviewed:
    """Review a deal in a worker. Raises `MatchVoid` if it fails."""
    try:
        solver = CachedOpenHands(solver_here())
        return tuple(review(solver, turns, job.draw, job.worlds) for turns in job.turns)
    except Exception as error:  # a mistake of ours in one deal must not cost all others
        *_, place = extract_tb(error.__traceback__)
        where = f"{Path(place.filename).name}:{place.lineno}"
        raise MatchVoid(f"{type(error).__name__} in {where}: {error}") from None


def _read(store: Store, numbers: Iterable[int]) -> Iterator[ReplayedMatch]:
    """The matches, each read by itself: a league that is being played is not held up for long."""
    for number in dict.fromkeys(numbers):
        yield from stored_matches(store, number)


def _outlines(store: Store, asked: ReviewRequest) -> Iterator[MatchOutline]:
    for each in store.outlines():
        of_it = asked.matches is None or each.match in asked.matches
        if of_it and (asked.bot is None or asked.bot in each.bots):
            yield each
