"""The review on a replay page."""

from collections.abc import Mapping

import msgspec

from arena.match.replay import SeenMatch
from arena.review.outcomes import Outcomes, outcomes
from arena.review.verdict import Verdict


class ReviewedDeal(msgspec.Struct, frozen=True):
    """A deal's `verdicts` in order, None if it has not been reviewed.

    There are no `outcomes` if no contract was declared.
    """

    outcomes: Outcomes | None
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
        ReviewedDeal(outcomes(match.rules, deal), verdicts.get(deal.deal)) for deal in match.deals
    )
    return PageReview(command, deals, _only(match, verdicts))


# The bots whose answers alone were reviewed; empty if those of all were
def _only(match: SeenMatch, verdicts: Mapping[int, tuple[Verdict, ...]]) -> tuple[str, ...]:
    reviewed = {each.seat for found in verdicts.values() for each in found}
    deals = (deal for deal in match.deals if deal.deal in verdicts)
    played = {each.seat for deal in deals for each in deal.moments if each.ask == "play"}
    return tuple(match.bots[seat] for seat in sorted(reviewed)) if reviewed < played else ()
