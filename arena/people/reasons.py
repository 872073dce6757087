"""Why a hint is good: by what its seat knows, and by the values of the review."""

from collections.abc import Iterator
from typing import Final

from arena.reports.language import SUITS, Saying
from arena.review.decisions import OFFER_WORD, Decision
from arena.review.verdict import Verdict
from arena.review.worlds import KnownCards, known
from arena.zole.cards import (
    BEATEN_BY,
    INDEX,
    POINTS,
    SUIT_OF,
    Card,
    Cards,
    mask,
    points,
    winner,
)
from arena.zole.deal import Seat
from arena.zole.state import State

EVEN: Final = 0.05
"""Stakes: answers whose values differ by less are told to be alike."""

_MANY_POINTS = 14
"""Card points that are worth laying aside for themselves."""


def reasons(decision: Decision, found: Verdict) -> tuple[Saying, ...]:
    """Why the best answer is good, in one or two sentences."""
    seen = known(decision.past, decision.seat)
    said: list[Saying] = []
    if decision.kind == "play" and found.best != OFFER_WORD:
        said += _of_card(decision, seen, INDEX[found.best])
    elif decision.kind == "discard":
        laid = mask(INDEX[card] for card in found.best.split("."))
        said += list(_of_discard(seen.table.hands[decision.seat], laid))[:1]
    return (*said, _of_values(found))


def avoids_tricks(state: State, seat: Seat) -> bool:
    """Whether a seat is better off without tricks."""
    return state.contract == "table" or (state.contract == "small_solo" and seat == state.declarer)


def _of_values(found: Verdict) -> Saying:
    """The best answer's value, or how far it is ahead."""
    [best] = [each.known for each in found.answers if each.answer == found.best]
    after = max(each.known for each in found.answers if each.answer != found.best)
    ahead = best - after
    if found.kind in ("play", "discard"):
        if ahead < EVEN:
            return Saying("why-same" if found.kind == "play" else "why-same-cards")
        return Saying("why-ahead", {"ahead": ahead})
    if ahead < EVEN:
        return Saying("why-worth-alike", {"best": best})
    return Saying("why-worth", {"best": best, "next": after})


def _of_discard(hand: Cards, laid: Cards) -> Iterator[Saying]:
    """What laying two cards aside is good for."""
    for letter in "CSH":
        cards = SUIT_OF[INDEX[f"A{letter}"]]
        if hand & cards and not hand & cards & ~laid:
            yield Saying("why-void", {"suit": SUITS[letter]})
    if points(laid) >= _MANY_POINTS:
        yield Saying("why-safe", {"count": points(laid)})


def _of_card(decision: Decision, seen: KnownCards, card: Card) -> Iterator[Saying]:
    """What playing a card is good for, the best reason first."""
    state, seat = decision.state, decision.seat
    avoids = avoids_tricks(state, seat)
    laid = (*state.trick, card)
    takes = winner(laid) == len(state.trick)
    if not state.trick:
        if not avoids:
            yield from _of_lead(seen, card)
    elif avoids:
        if not takes:
            yield Saying("why-does-not-take")
    elif takes:
        if not _beating(state, seen, card):
            yield Saying("why-takes", {"count": points(mask(laid))})
    elif _partner_takes(state, seen, seat):
        if POINTS[card]:
            yield Saying("why-partner-takes", {"count": POINTS[card]})
    elif POINTS[card] == min(POINTS[each] for each in _legal(decision)):
        if all(winner((*state.trick, each)) < len(state.trick) for each in _legal(decision)):
            yield Saying("why-cannot-take")
        yield Saying("why-fewest-points")


def _of_lead(seen: KnownCards, card: Card) -> Iterator[Saying]:
    if not seen.hidden & BEATEN_BY[card]:
        yield Saying("why-unbeatable")
    elif not seen.hidden & BEATEN_BY[card] & SUIT_OF[card]:
        yield Saying("why-only-trump")
    elif not POINTS[card]:
        yield Saying("why-no-points")


def _legal(decision: Decision) -> list[Card]:
    return [INDEX[each] for each in decision.answers if each != OFFER_WORD]


def _partner_takes(state: State, seen: KnownCards, seat: Seat) -> bool:
    """Whether a partner's card takes the trick for certain."""
    best = winner(state.trick)
    ahead = state.order[best]
    partners = state.declarer is not None and state.declarer not in (seat, ahead)
    return partners and ahead is not None and not _beating(state, seen, state.trick[best])


def _beating(state: State, seen: KnownCards, card: Card) -> Cards:
    """The cards by which those who play after this seat may beat a card, as far as it knows."""
    later = state.order[len(state.trick) + 1 :]
    may = 0
    for place in seen.places:
        if place.where in later:
            may |= seen.hidden & ~place.barred
    return may & BEATEN_BY[card]
