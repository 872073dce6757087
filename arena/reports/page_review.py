"""The review on a replay page, and the data by which the page reviews a deal itself."""

from base64 import b64encode
from collections.abc import Mapping

import msgspec

from arena.match.replay import SeenMatch
from arena.review.outcomes import Outcomes, outcomes
from arena.review.solver import wasm
from arena.review.verdict import WORLDS, Verdict


class ReviewedDeal(msgspec.Struct, frozen=True):
    """A deal's `verdicts` in order, None if it has not been reviewed.

    There are no `outcomes` if no contract was declared.
    """

    outcomes: Outcomes | None
    verdicts: tuple[Verdict, ...] | None


class PageReview(msgspec.Struct, frozen=True):
    """The review of a page's deals, in their order.

    The random worlds are drawn by `key`, the most of them are `worlds`. `command` reviews the
    match, `solver` is the WebAssembly in base64. Both are empty for a page that shows what was
    found and reviews nothing itself. `only` are the bots whose answers were reviewed, if not all.
    """

    key: str
    worlds: int
    command: str
    solver: str
    deals: tuple[ReviewedDeal, ...]
    only: tuple[str, ...] = ()


def page_review(
    match: SeenMatch,
    verdicts: Mapping[int, tuple[Verdict, ...]],
    key: str,
    command: str = "",
    worlds: int = WORLDS,
) -> PageReview:
    """The review of a match's deals by the existing verdicts.

    With a `command` other deals are left to the page; without one they stay as they are.
    """
    deals = tuple(
        ReviewedDeal(outcomes(match.rules, deal), verdicts.get(deal.deal)) for deal in match.deals
    )
    solver = b64encode(wasm()).decode() if command else ""
    return PageReview(key, worlds, command, solver, deals, _only(match, verdicts))


def _only(match: SeenMatch, verdicts: Mapping[int, tuple[Verdict, ...]]) -> tuple[str, ...]:
    """The bots whose answers alone were reviewed; empty if those of all were."""
    reviewed = {each.seat for found in verdicts.values() for each in found}
    deals = (deal for deal in match.deals if deal.deal in verdicts)
    played = {each.seat for deal in deals for each in deal.moments if each.ask == "play"}
    return tuple(match.bots[seat] for seat in sorted(reviewed)) if reviewed < played else ()
