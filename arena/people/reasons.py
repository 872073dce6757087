"""What speaks for an answer: custom, where none is better, and what holds of it at the table."""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from arena.match.log import YES_NO
from arena.reports.language import SUITS, Phrase
from arena.review.decisions import OFFER_WORD, Decision
from arena.review.worlds import KnownCards, known
from arena.zole.cards import (
    BEATEN_BY,
    INDEX,
    POINTS,
    SUIT_OF,
    TRUMPS,
    Card,
    Cards,
    mask,
    members,
    names,
    points,
    winner,
)
from arena.zole.deal import Seat
from arena.zole.state import State

if TYPE_CHECKING:
    from arena.review.verdict import Valued, Verdict

EVEN: Final = 0.1  # stakes: cards whose values differ by less count as equal
_ABOUT_EVEN: Final = 0.5  # the same for bids and discards, which are compared in few worlds
_MANY_POINTS: Final = 14  # card points that are worth laying aside for themselves
_HIGH: Final = 10  # card points from which a card is led to take the trick, and not given away
_GIVEN: Final = 4  # card points that make a difference to a trick

_SURE: Final = {0: "lost", 100: "won"}  # how all of 100 deals end, by the number that is won

# Reasons that set a card above others: not said if a worse one has them too, or if one that is as
# good lacks them.
_COMPARES: Final = {
    *("why-before-trumped", "why-sets-up", "why-keeps-higher", "why-keeps-at-a-price"),
    *("why-fewest-points", "why-risks-less", "why-no-points", "why-keeps-trumps", "why-harder"),
    *("why-takes-now", "why-does-not-take", "why-weakest", "why-strongest", "why-void"),
    *("why-others-higher", "why-shorter", "why-keeps-winner", "why-keeps-lower"),
}


def by_custom(decision: Decision) -> list[str]:
    """All answers, in the order in which players would give them where none is better.

    One bids and lays aside by rules of thumb, plays on, gives points to tricks that are one's own,
    leads what no card beats, and else keeps what is strong.
    """
    hand = decision.state.hands[decision.seat]
    if decision.kind == "discard":
        return sorted(decision.answers, key=lambda each: _laying(hand, each))
    if decision.kind != "play":
        wanted = _bid(hand) if decision.kind == "bid" else "no"
        usual = wanted if wanted in decision.answers else decision.given
        return sorted(decision.answers, key=lambda each: each != usual)
    seen = known(decision.past, decision.seat)
    custom = _ducking if avoids_tricks(decision.state, decision.seat) else _taking
    return sorted(
        decision.answers,
        key=lambda each: (2,) if each == OFFER_WORD else custom(decision, seen, INDEX[each]),
    )


# What to bid by the rules of thumb.
def _bid(hand: Cards) -> str:
    trumps, queens, aces = _held(hand).values()
    if trumps + min(aces, 2) >= 8:
        return "solo"
    return "ordinary" if queens >= 2 and trumps + min(aces, 1) >= 6 else "pass"


# The place of two cards that may be laid aside: trumps and aces last, first those that leave no
# card of a suit, and those with many points.
def _laying(hand: Cards, answer: str) -> tuple[int, ...]:
    laid = mask(INDEX[card] for card in answer.split("."))
    held = _held(laid)
    return held["trumps"], held["aces"], -len([*_voids(hand, laid)]), -points(laid)


# A card's place where tricks cost: the strongest of those that do not take one, else the weakest,
# and the strongest to a trick that is taken with any.
def _ducking(decision: Decision, _: KnownCards, card: Card) -> tuple[int, ...]:
    trick, strength = decision.state.trick, (BEATEN_BY[card].bit_count(), card)
    takes, last = winner((*trick, card)) == len(trick), len(trick) + 1 == len(decision.state.order)
    return (takes, *strength) if last or not takes else (takes, -strength[0], -card)


# A card's place where tricks count.
def _taking(decision: Decision, seen: KnownCards, card: Card) -> tuple[int, ...]:
    laid, trump = _laid(decision, seen, card), TRUMPS >> card & 1
    cheap = POINTS[card] >= _HIGH, trump, POINTS[card], -card
    if not (laid.ours or (_leads_as_declarer(decision) and POINTS[card] == 11 and not trump)):
        return 1, *cheap
    given = POINTS[card] if POINTS[card] >= _GIVEN else 0
    return (0, -given, *cheap) if decision.state.trick else (0, card)


# Whether the declarer of a game in which tricks count is to lead.
def _leads_as_declarer(decision: Decision) -> bool:
    leads = decision.seat == decision.state.declarer and not decision.state.trick
    return leads and not avoids_tricks(decision.state, decision.seat)


# A trick with one more card: whose it is then, whether nobody still takes it, and whether it is the
# seat's or its partner's, whatever comes.
class _Laid(msgspec.Struct, frozen=True):
    takes: bool
    partners: bool
    holds: bool
    ours: bool


# What becomes of the trick by a card.
def _laid(decision: Decision, seen: KnownCards, card: Card) -> _Laid:
    state, laid = decision.state, (*decision.state.trick, card)
    best, later = winner(laid), state.order[len(laid) :]
    takes = best == len(state.trick)
    partners = not takes and state.declarer not in (decision.seat, state.order[best])
    holds, stays = (
        not _may_hold(seen, seats) & BEATEN_BY[laid[best]]
        for seats in (later, {*later} & {*_opponents(decision)})
    )
    return _Laid(takes, partners, holds, stays and (takes or partners))


def reasons(decision: Decision, found: "Verdict", given: str = "") -> tuple[Phrase, ...]:
    """Why the best answer is good: what holds for the one `given` as well is no reason.

    Where none is given, or the best, what sets a card above the decision's own answer comes first,
    or above the next best if that one is no worse.
    """
    equal, hand = alike(found), decision.state.hands[decision.seat]
    worse = [each.answer for each in _ranked(found) if each.answer not in (found.best, *equal)]
    other = given or decision.given
    beside = other if other in worse else next(iter(worse), "")
    said: Iterable[Phrase] = ()
    if decision.kind == "play" and worse:
        others = (beside,) if given == beside else (beside, "")
        said = _of_play(decision, found.best, others, equal, worse)
    elif decision.kind in ("blind", "bid", "talon"):
        said = [Phrase("why-hand", {**_held(hand)})]
    elif decision.kind == "discard":
        best, less = (
            tuple(_of_discard(hand, mask(INDEX[card] for card in answer.split(".") if card)))
            for answer in (found.best, "" if other == found.best else other)
        )
        said = (
            each
            for each in best
            if all(it.message != each.message or _count(it) < _count(each) for it in less)
        )
    return (
        *islice(said, 1 if decision.kind == "play" else 2),
        *_of_values(decision, found, equal, worse, beside),
    )


def avoids_tricks(state: State, seat: Seat) -> bool:
    return state.contract == "table" or (state.contract == "small_solo" and seat == state.declarer)


def alike(found: "Verdict") -> list[str]:
    """The other answers that are as good as the best, the best of them first."""
    [best] = [each.known for each in found.answers if each.answer == found.best]
    others = (each for each in _ranked(found) if each.answer != found.best)
    even = EVEN if found.kind == "play" else _ABOUT_EVEN
    return [each.answer for each in others if best - each.known < even]


# All answers, those of the highest value first.
def _ranked(found: "Verdict") -> "list[Valued]":
    return sorted(found.answers, key=lambda each: -each.known)


# What the best answer is worth beside the others, and beside one of them, where that is a card. Of
# cards only the difference is told: to a defender all answers look good, since nothing is concluded
# from the declarer's bid.
def _of_values(
    decision: Decision, found: "Verdict", equal: Sequence[str], worse: Sequence[str], beside: str
) -> Iterator[Phrase]:
    kind, ranked = decision.kind, _ranked(found)
    worths = {each.answer: each for each in ranked}
    compares = INDEX.keys() >= {found.best, beside}
    if compares:
        yield from _of_outcomes(decision, worths[found.best], worths[beside])
    if kind == "play" and not worse:
        won, pays = round(100 * worths[found.best].won), decision.state.contract == "table"
        end = "pays" if pays else _SURE.get(won, "even")
        yield Phrase("why-no-matter", {"end": end, "count": abs(100 * pays - won)})
    elif kind == "play" and INDEX.keys() >= {*worse} and len(equal) >= 2 * len(worse):
        yield Phrase("why-same-but", {"cards": ".".join(worse)})
    elif equal and kind == "discard":
        yield Phrase("why-same-discards", {"cards": equal[0], "more": YES_NO[len(equal) > 1]})
    elif cards := mask(INDEX[each] for each in equal if each in INDEX):
        yield Phrase("why-same-cards", {"cards": ".".join(names(cards))})
    elif equal and kind == "play":
        yield Phrase("why-same-word", {"word": equal[0]})
    elif kind == "discard" or (kind == "play" and not compares):
        yield Phrase("why-better", {"ahead": ranked[0].known - ranked[1].known})
    elif kind != "play":
        yield Phrase("why-worth")
        yield from (Phrase("why-also", {"word": it.answer, "next": it.known}) for it in ranked)
        if equal:
            yield Phrase("why-too-close")


# In how many of 100 worlds the best card wins, or pays in a table game, and a worse one; and
# whether that one is the lead of the rule of thumb: the highest trump, which nothing beats.
def _of_outcomes(decision: Decision, best: "Valued", less: "Valued") -> Iterator[Phrase]:
    state, seat, pays = decision.state, decision.seat, decision.state.contract == "table"
    won, instead, ahead = round(100 * best.won), round(100 * less.won), best.known - less.known
    ends = "less", _SURE.get(won, "even"), "pays" if pays else "more"
    yield Phrase(
        "why-wins",
        {
            "end": ends[(won > instead - 2) + (won > instead + 1)],
            "won": abs(100 * pays - won),
            "less": abs(100 * pays - instead),
            "ahead": ahead,
            "card": less.answer,
        },
    )
    yield from _holding(
        (
            _leads_as_declarer(decision)
            and ahead >= _ABOUT_EVEN
            and names(state.hands[seat] & TRUMPS)[:1] == (less.answer,)
            and _laid(decision, known(decision.past, seat), INDEX[less.answer]).holds,
            Phrase("why-rule-fails"),
        )
    )


# The cards that some seats may have in hand.
def _may_hold(seen: KnownCards, seats: Container[object]) -> Cards:
    return mask(
        card
        for card in members(seen.hidden)
        if not all(it.barred >> card & 1 for it in seen.places if it.where in seats)
    )


# The seats against which a seat plays.
def _opponents(decision: Decision) -> tuple[Seat | None, ...]:
    declarer = decision.state.declarer
    return decision.state.active if decision.seat == declarer else (declarer,)


# Whether one of some seats is known to have no card of a plain suit, and may have trumps.
def _may_trump(seen: KnownCards, seats: Iterable[Seat | None], suit: Cards) -> bool:
    return any(
        cards & TRUMPS and not cards & suit
        for cards in (_may_hold(seen, (seat,)) for seat in seats)
    )


# What a hand has that decides a bid.
def _held(hand: Cards) -> dict[str, int]:
    queens, aces = (mask(INDEX[rank + suit] for suit in "CSHD") for rank in "QA")
    held = {"trumps": hand & TRUMPS, "queens": hand & queens, "aces": hand & aces & ~TRUMPS}
    return {name: cards.bit_count() for name, cards in held.items()}


# What laying two cards aside is good for.
def _of_discard(hand: Cards, laid: Cards) -> Iterator[Phrase]:
    yield from (Phrase("why-void", {"suit": suit}) for suit in _voids(hand, laid))
    if points(laid) >= _MANY_POINTS:
        yield Phrase("why-safe", {"count": points(laid)})


# The plain suits that a hand has lost once some of its cards are gone.
def _voids(hand: Cards, gone: Cards) -> Iterator[str]:
    return (
        SUITS[letter]
        for letter in "CSH"
        if (cards := SUIT_OF[INDEX[f"A{letter}"]] & hand) and not cards & ~gone
    )


# Why a card is better than others; than none of them means in itself.
def _of_play(
    decision: Decision, best: str, others: Sequence[str], equal: Sequence[str], worse: Sequence[str]
) -> Iterator[Phrase]:
    beside, seen = others[0], known(decision.past, decision.seat)
    shared, elsewhere = (
        [
            {each.message for each in _of_cards(decision, seen, card, beside)}
            for card in cards
            if card in INDEX and card != beside
        ]
        for cards in (equal, worse)
    )
    for other in others:
        for each in _of_cards(decision, seen, best, other):
            if each.message not in _COMPARES or (
                other == beside
                and all(each.message in it for it in shared)
                and not any(each.message in it for it in elsewhere)
            ):
                yield each


# Why a card is better than another.
def _of_cards(decision: Decision, seen: KnownCards, better: str, other: str) -> Iterator[Phrase]:
    state, hidden = decision.state, _may_hold(seen, decision.state.active)
    best, less = (
        tuple(_of_card(decision, seen, INDEX[card])) if card in INDEX else ()
        for card in (better, "" if other == better else other)
    )
    holds_too = {each.message: _count(each) for each in less}
    if holds_too.keys() & {"why-takes", "why-unbeatable", "why-side-takes"}:
        holds_too |= {"why-takes-now": 0, "why-only-trumps": 0}
    if other in INDEX and TRUMPS >> INDEX[other] & 1:
        holds_too["why-draws-trumps"] = 0
        yield from _holding(
            (
                not state.trick
                and any(each.message == "why-only-trumps" for each in best)
                and (hidden & SUIT_OF[INDEX[better]]).bit_count() > 1,
                Phrase("why-before-trumped"),
            )
        )
    for each in best:
        if each not in less and _count(each) >= holds_too.get(each.message, -_GIVEN) + _GIVEN:
            yield each
    if not {better, other} <= INDEX.keys():
        return
    card, beside = INDEX[better], INDEX[other]
    if avoids_tricks(state, decision.seat):
        yield from _holding(
            (BEATEN_BY[beside] >> card & 1, Phrase("why-keeps-lower", {"card": other}))
        )
    else:
        its, instead = (_laid(decision, seen, each) for each in (card, beside))
        between = hidden & BEATEN_BY[beside] & ~BEATEN_BY[card]
        takes = its.takes and instead.takes and not instead.holds
        higher = [hidden & BEATEN_BY[each] & SUIT_OF[each] for each in (card, beside)]
        wins_later = higher[0] and not higher[1] and hidden & SUIT_OF[beside] & ~TRUMPS
        yield from _holding(
            (
                BEATEN_BY[card] >> beside & 1
                and POINTS[card] > POINTS[beside]
                and not (its.ours or instead.ours),
                Phrase(
                    "why-keeps-at-a-price",
                    {"card": other, "count": POINTS[card] - POINTS[beside]},
                ),
            ),
            (BEATEN_BY[card] >> beside & 1, Phrase("why-keeps-higher", {"card": other})),
            (
                between and takes and BEATEN_BY[beside] >> card & 1,
                Phrase("why-harder", {"card": other}),
            ),
            (
                wins_later and not _may_trump(seen, _opponents(decision), SUIT_OF[beside]),
                Phrase("why-keeps-winner", {"card": other}),
            ),
            (
                POINTS[card] < POINTS[beside] and not instead.ours,
                Phrase("why-risks-less", {"card": other}),
            ),
        )


# The points, or the higher cards, that a reason tells of, or 0.
def _count(reason: Phrase) -> int:
    return count if isinstance(count := reason.values.get("count"), int) else 0


# What playing a card is good for, if any of the hidden cards may still come.
def _of_card(decision: Decision, seen: KnownCards, card: Card) -> Iterator[Phrase]:
    state, seat, opponents = decision.state, decision.seat, _opponents(decision)
    laid, leads = _laid(decision, seen, card), not state.trick
    trump, suit, hidden = TRUMPS >> card & 1, SUIT_OF[card], _may_hold(seen, state.active)
    higher = hidden & BEATEN_BY[card]
    playable = mask(INDEX[each] for each in decision.answers if each in INDEX)
    others, worth = playable & ~(1 << card), [POINTS[each] for each in members(playable)]
    void = next(_voids(state.hands[seat], 1 << card), "") if hidden & suit else ""
    if avoids_tricks(state, seat):
        strongest = all(BEATEN_BY[other] >> card & 1 for other in members(others))
        ways = _holding(
            (not laid.takes, Phrase("why-does-not-take")),
            (not others & ~BEATEN_BY[card], Phrase("why-weakest")),
            (trump and not higher, Phrase("why-in-any-case")),
            (strongest, Phrase("why-strongest")),
        )
        gains = _holding(
            (leads and void, Phrase("why-void-later", {"suit": void})),
            (
                leads and higher & suit,
                Phrase("why-others-higher", {"count": (higher & suit).bit_count()}),
            ),
            (leads and not trump and others & suit and hidden & suit, Phrase("why-shorter")),
        )
    else:
        others_turn = state.order[len(state.trick) + 1 :]
        lasts = not (higher & ~TRUMPS or trump or _may_trump(seen, opponents, suit))
        partners = [it for it in others_turn if state.declarer not in (seat, it)]
        rescued = not (leads or trump) and _may_trump(seen, partners, SUIT_OF[state.trick[0]])
        count, more = points(mask((*state.trick, card))), YES_NO[bool(others_turn)]
        given = "why-partner-takes" if laid.holds else "why-partner-so-far"
        cheapest = POINTS[card] == min(worth) < max(worth) and not any(
            _laid(decision, seen, each).takes for each in members(playable)
        )
        opponents_have = (_may_hold(seen, opponents) & suit).bit_count()
        ways = _holding(
            (
                laid.takes and laid.holds and not leads,
                Phrase("why-takes", {"count": count, "more": more}),
            ),
            (laid.takes and laid.holds, Phrase("why-unbeatable")),
            (laid.takes and laid.ours and not leads, Phrase("why-side-takes", {"count": count})),
            (laid.takes and not leads, Phrase("why-takes-now")),
            (
                laid.takes and trump and hidden & TRUMPS and seat == state.declarer,
                Phrase("why-draws-trumps"),
            ),
            (laid.takes and lasts and POINTS[card] >= _HIGH, Phrase("why-only-trumps")),
            (laid.partners and POINTS[card], Phrase(given, {"count": POINTS[card]})),
            (
                rescued and not laid.takes and not laid.partners and POINTS[card],
                Phrase("why-partner-may-trump", {"count": POINTS[card]}),
            ),
            (
                partners == [*others_turn] and not (laid.takes or laid.holds) and POINTS[card],
                Phrase("why-partner-last", {"count": POINTS[card]}),
            ),
            (cheapest and not laid.ours, Phrase("why-fewest-points")),
        )
        gains = _holding(
            (
                leads
                and seat == state.declarer
                and (higher & suit & ~TRUMPS).bit_count() == 1
                and {0, higher & suit}
                & {hidden & BEATEN_BY[it] & suit for it in members(others & suit)}
                == {higher & suit},
                Phrase("why-sets-up", {"card": ".".join(names(higher & suit & ~TRUMPS))}),
            ),
            (
                void and state.hands[seat] & TRUMPS and opponents_have > 1,
                Phrase("why-void", {"suit": void}),
            ),
            (
                others & TRUMPS and not trump,
                Phrase("why-keeps-trumps", {"count": (others & TRUMPS).bit_count()}),
            ),
            (not POINTS[card], Phrase("why-no-points")),
        )
    yield from (*islice(ways, 1), *gains)


# Of phrases, each after the condition on which it is said, those that are.
def _holding(*told: tuple[object, Phrase]) -> Iterator[Phrase]:
    return (phrase for holds, phrase in told if holds)
