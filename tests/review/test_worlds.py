"""Worlds: all deals that fit what a seat knew and no others, each once, whatever lies hidden."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from math import factorial

import pytest

from arena.record.matches import ReplayedMatch
from arena.review.worlds import Worlds, known
from arena.zole import view
from arena.zole.cards import Cards, mask, members
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.state import Illegal, State
from tests.support.alike import Place, alike
from tests.support.pasts import past_by_chance, pasts, told_again

RULESETS = {
    **{name: preset(name) for name in preset_names()},
    "ranked": preset("lzsf", {"auction": {"mode": "ranked"}}),
    "four": preset("pagat", {"players": 4, "table": {"talon": "first_two_tricks"}}),
    "five": preset("lzsf", {"players": 5}),
    "pools": preset("piedalies", {"all_pass": "pool", "pools": {"enabled": True}}),
}
each_ruleset = pytest.mark.parametrize("name", RULESETS)


def viewers(state: State) -> list[Seat]:
    """Who may be asked something: the seat to act and the declarer."""
    asked = [state.turn, state.declarer if state.phase == "play" else None]
    return sorted({seat for seat in asked if seat is not None})


def moments(rules: Rules, deals: int) -> Iterator[tuple[Sequence[State], Seat]]:
    """What had happened at each moment of some deals, and each seat that may be asked."""
    for seed in range(deals):
        for past in pasts(past_by_chance(rules, seed)):
            yield from ((past, seat) for seat in viewers(past[-1]))


@each_ruleset
def test_a_world_is_where_the_same_actions_lead_over_its_deal_and_has_all_that_its_seat_knew(
    name: str,
) -> None:
    for past, seat in moments(RULESETS[name], 4):
        state, seen = past[-1], known(past, seat)
        hidden = view.hidden(state, seat)
        assert seen.hidden == hidden
        assert sum(place.size for place in seen.places) == hidden.bit_count()
        for place in seen.places:
            if isinstance(place.where, int):
                assert not state.hands[place.where] & place.barred
        for world in Worlds(seen).sample(2, "key"):
            assert told_again(past, world.deal, world.discards) == world
            assert view.hand(world, seat) == view.hand(state, seat)
            assert view.talon(world, seat) == view.talon(state, seat)
            assert view.hidden(world, seat) == hidden
            if state.declarer == seat:
                assert world.discards == state.discards


def fitting(past: Sequence[State], seat: Seat) -> set[tuple[tuple[Cards, ...], Cards, Cards]]:
    """By trying all: hands, discards and an untaken talon with which all could have gone so."""
    state = past[-1]
    hidden = view.hidden(state, seat)
    taken = state.contract == "ordinary"
    talon = 0 if taken else mask(state.deal.talon)
    piles = [*state.hands, state.discards, talon]
    found = set()
    for pieces in split(hidden, [(pile & hidden).bit_count() for pile in piles]):
        *hands, discards, rest = (
            pile & ~hidden | piece for pile, piece in zip(piles, pieces, strict=True)
        )
        laid = [dealt & ~held for dealt, held in zip(begun(state), state.hands, strict=True)]
        dealt = [hand | cards for hand, cards in zip(hands, laid, strict=True)]
        first, second = members(rest) if not taken else state.deal.talon
        if taken:
            assert state.declarer is not None
            dealt[state.declarer] |= discards
            first, second = members(dealt[state.declarer])[:2]
            dealt[state.declarer] &= ~mask((first, second))
        elif state.contract == "table" and not hidden & talon:
            first, second = state.deal.talon
        try:
            told_again(past, Deal(state.deal.dealer, tuple(dealt), (first, second)), discards)
        except Illegal:
            continue
        found.add((tuple(hands), discards, rest))
    return found


def begun(state: State) -> list[Cards]:
    """The cards with which each seat began the play."""
    hands = list(state.deal.hands)
    if state.contract == "ordinary" and state.declarer is not None:
        hands[state.declarer] |= mask(state.deal.talon)
        hands[state.declarer] &= ~state.discards
    return hands


def split(cards: Cards, sizes: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """All ways to divide cards into heaps of some sizes."""
    if not sizes:
        yield ()
        return
    for heap in combinations(members(cards), sizes[0]):
        for rest in split(cards & ~mask(heap), sizes[1:]):
            yield mask(heap), *rest


def late(rules: Rules, deals: int, left: int) -> Iterator[tuple[Sequence[State], Seat]]:
    """The moments at which the seats have so many cards left, or one less."""
    for past, seat in moments(rules, deals):
        state = past[-1]
        if state.phase == "play" and state.completed == rules.play.tricks - left:
            yield past, seat


@each_ruleset
def test_all_that_fits_is_a_world_and_nothing_else(name: str) -> None:
    seen = 0
    for past, seat in islice(late(RULESETS[name], 12, 2), 16):
        worlds = Worlds(known(past, seat))
        every = worlds.sample(worlds.placings, "key")
        assert len(every) == worlds.placings
        as_found = {(world.hands, world.discards, untaken(world)) for world in every}
        assert as_found == fitting(past, seat)
        orders = 2 if (past[-1].contract != "ordinary" and None in known(past, seat).talon) else 1
        assert worlds.placings == len(as_found) * orders
        seen += len(as_found)
    assert seen > 100


def untaken(world: State) -> Cards:
    return 0 if world.contract == "ordinary" else mask(world.deal.talon)


def test_to_a_defender_any_hidden_card_may_be_a_discard_or_of_the_talon() -> None:
    """And any card that the declarer began with may have been of the talon."""
    past, seat = next(
        (past, seat)
        for past, seat in late(preset(), 12, 2)
        if past[-1].contract == "ordinary" and past[-1].declarer != seat
    )
    worlds, declarer = Worlds(known(past, seat)), past[-1].declarer
    assert declarer is not None
    every = [world for number in range(30) for world in worlds.sample(60, f"{number}")]
    discards = {card for world in every for card in members(world.discards)}
    talons = {card for world in every for card in world.deal.talon}
    assert mask(discards) == view.hidden(past[-1], seat)
    assert mask(talons) == mask(discards) | begun(past[-1])[declarer] & ~past[-1].hands[declarer]


def test_each_world_is_drawn_as_often_as_any_other() -> None:
    """Chi-square over the placings of one ending, drawn with a fixed key."""
    past, seat = next(
        (past, seat)
        for past, seat in late(preset(), 12, 2)
        if 40 < Worlds(known(past, seat)).placings <= 200
    )
    worlds = Worlds(known(past, seat))
    draws = [
        (world.hands, world.discards, untaken(world) and world.deal.talon)
        for number in range(80)
        for world in worlds.sample(worlds.placings - 1, f"draw {number}")
    ]
    counts = Counter(draws)
    expected = len(draws) / worlds.placings
    assert len(counts) == worlds.placings
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    degrees = worlds.placings - 1
    assert abs(chi_square - degrees) < 3 * (2 * degrees) ** 0.5


def test_before_a_blind_question_is_answered_no_card_is_known() -> None:
    past = past_by_chance(preset("lzsf"), 1)[:1]
    seat = past[0].active[0]
    worlds = Worlds(known(past, seat))
    assert worlds.placings == factorial(26) // factorial(8) ** 3
    assert len({world.hands[seat] for world in worlds.sample(20, "key")}) == 20


@pytest.mark.parametrize("name", ["pagat", "lzsf", "five", "four"])
def test_hidden_cards_dealt_anew_give_the_same_worlds(name: str) -> None:
    compared = 0
    for one, other, seat in indistinguishable(name):
        assert one[-1] != other[-1]
        assert known(one, seat) == known(other, seat)
        worlds = [Worlds(known(past, seat)).sample(3, "key") for past in (one, other)]
        assert worlds[0] == worlds[1]
        compared += 1
    assert compared > 2


def test_a_planted_leak_of_a_hand_changes_the_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = indistinguishable("pagat")
    monkeypatch.setattr(view, "_sees_hand", lambda *_: True)
    assert any(known(one, seat) != known(other, seat) for one, other, seat in pairs)


@cache
def indistinguishable(name: str) -> list[tuple[list[State], list[State], Seat]]:
    """The pasts of two deals that a seat cannot tell apart, and the seat."""
    found = []
    for seed in range(12):
        pair = alike(RULESETS[name], seed)
        if pair is not None and pair.redealt:
            one, other = (past_of(match, pair.place) for match in pair.matches())
            assert isinstance(pair.place.viewer, int)
            found.append((one, other, pair.place.viewer))
    return found


def past_of(match: ReplayedMatch, place: Place) -> list[State]:
    """The states of a match's deal from its start to a place."""
    return list(match.deals[place.deal].states[: place.ply + 1])
