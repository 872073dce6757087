"""Why a hint is good, in a sentence: by what its seat knows, and by the values of the review."""

from collections.abc import Iterator

from arena.base.words import count
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

_EVEN = 0.05
"""Stakes: answers whose values differ by less are told to be alike."""

_MANY_POINTS = 14
"""Card points that are worth laying aside for themselves."""

_SUITS = {"C": "clubs", "S": "spades", "H": "hearts"}


def reason(decision: Decision, found: Verdict) -> str:
    """Why the best answer is good, in one or two sentences; empty if nothing can be said."""
    seen = known(decision.past, decision.seat)
    said = []
    if decision.kind == "play" and found.best != OFFER_WORD:
        said += list(_of_card(decision, seen, INDEX[found.best]))[:1]
    elif decision.kind == "discard":
        laid = mask(INDEX[card] for card in found.best.split("."))
        said += list(_of_discard(seen.table.hands[decision.seat], laid))[:1]
    return " ".join([*said, *_of_values(found)])


def _of_values(found: Verdict) -> Iterator[str]:
    """The best answer's value, or how far it is ahead."""
    [best] = [each.known for each in found.answers if each.answer == found.best]
    others = [each.known for each in found.answers if each.answer != found.best]
    ahead = best - max(others)
    if found.kind in ("play", "discard"):
        if ahead < _EVEN:
            yield "Others are worth the same." if found.kind == "play" else "Other cards would do."
        else:
            yield f"It is worth {ahead:.1f} stakes more than the next best, on average."
    elif ahead < _EVEN:
        yield f"It is worth {best:+.1f} stakes on average, as are others."
    else:
        yield f"It is worth {best:+.1f} stakes on average, the next best {max(others):+.1f}."


def _of_discard(hand: Cards, laid: Cards) -> Iterator[str]:
    """What laying two cards aside is good for."""
    for letter, suit in _SUITS.items():
        cards = SUIT_OF[INDEX[f"A{letter}"]]
        if hand & cards and not hand & cards & ~laid:
            yield f"Without {suit} you can trump them."
    if points(laid) >= _MANY_POINTS:
        yield f"Their {points(laid)} points are safe."


def _of_card(decision: Decision, seen: KnownCards, card: Card) -> Iterator[str]:
    """What playing a card is good for, the best reason first."""
    state, seat = decision.state, decision.seat
    avoids = state.contract == "table" or (
        state.contract == "small_solo" and seat == state.declarer
    )
    laid = (*state.trick, card)
    takes = winner(laid) == len(state.trick)
    if not state.trick:
        yield from _of_lead(seen, card)
    elif avoids:
        if not takes:
            yield "It does not take the trick."
    elif takes:
        if not _beating(state, seen, card):
            yield f"It takes the trick, {count(points(mask(laid)), 'point')}."
    elif _partner_takes(state, seen, seat):
        if POINTS[card]:
            yield f"Your partner takes the trick, and {count(POINTS[card], 'point')} with it."
    elif POINTS[card] == min(POINTS[each] for each in _legal(decision)):
        nobody = all(winner((*state.trick, each)) < len(state.trick) for each in _legal(decision))
        yield f"{'You cannot take the trick. ' if nobody else ''}It gives away the fewest points."


def _of_lead(seen: KnownCards, card: Card) -> Iterator[str]:
    if not seen.hidden & BEATEN_BY[card]:
        yield "No card that is left beats it."
    elif not seen.hidden & BEATEN_BY[card] & SUIT_OF[card]:
        yield "Only a trump beats it."
    elif not POINTS[card]:
        yield "It has no points to lose."


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
