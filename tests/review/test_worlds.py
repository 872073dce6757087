"""Worlds: all deals that fit what a seat knew and no others, each once, whatever lies hidden."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import factorial

import pytest

from arena.review.worlds import Worlds, known
from arena.zole import view
from arena.zole.cards import TRUMPS, Cards, mask, members
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.state import Illegal, State
from tests.support.alike import alike
from tests.support.pasts import past_by_chance, pasts, told_again
from tests.support.present import present

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
        yield from ((mask(heap), *rest) for rest in split(cards & ~mask(heap), sizes[1:]))


def late(rules: Rules) -> Iterator[tuple[Sequence[State], Seat]]:
    """The moments at which the seats have two cards left, or one less."""
    for past, seat in moments(rules, 12):
        if past[-1].phase == "play" and past[-1].completed == rules.play.tricks - 2:
            yield past, seat


@each_ruleset
def test_all_that_fits_is_a_world_and_nothing_else(name: str) -> None:
    seen = 0
    for past, seat in islice(late(RULESETS[name]), 16):
        worlds = Worlds(known(past, seat))
        every = worlds.sample(worlds.placings, "key")
        found = {(world.hands, world.discards, untaken(world)) for world in every}
        assert found == fitting(past, seat)
        orders = 2 if (past[-1].contract != "ordinary" and None in known(past, seat).talon) else 1
        assert len(every) == worlds.placings == len(found) * orders
        seen += len(found)
    assert seen > 100


def test_usually_no_trumps_are_laid_aside_and_all_else_stays_as_likely() -> None:
    narrowed = impossible = 0
    for past, seat in late(preset()):
        if past[-1].contract != "ordinary" or past[-1].declarer == seat:
            continue
        any_two, usual = Worlds(known(past, seat)), Worlds(known(past, seat, usual=True))
        laid = [
            world for world in any_two.sample(any_two.placings, "") if not world.discards & TRUMPS
        ]
        impossible += not laid
        narrowed += 0 < len(laid) < any_two.placings
        assert usual.placings == len(laid)
        found = usual.sample(usual.placings, "") if laid else ()
        assert alike_without_talons(found) == alike_without_talons(laid)
    assert narrowed >= 5
    assert impossible >= 1


def alike_without_talons(worlds: Sequence[State]) -> Counter[tuple[tuple[Cards, ...], Cards]]:
    """How often each placing is there; which of its cards were the talon is drawn."""
    return Counter((world.hands, world.discards) for world in worlds)


def untaken(world: State) -> Cards:
    return 0 if world.contract == "ordinary" else mask(world.deal.talon)


def test_to_a_defender_any_card_that_the_declarer_had_may_have_been_of_the_talon() -> None:
    past, seat = next(
        (past, seat)
        for past, seat in late(preset())
        if past[-1].contract == "ordinary" and past[-1].declarer != seat
    )
    worlds, declarer = Worlds(known(past, seat)), present(past[-1].declarer)
    every = [world for number in range(30) for world in worlds.sample(60, f"{number}")]
    talons = mask({card for world in every for card in world.deal.talon})
    played = begun(past[-1])[declarer] & ~past[-1].hands[declarer]
    assert talons == view.hidden(past[-1], seat) | played


def test_each_world_is_drawn_as_often_as_any_other() -> None:
    """Chi-square over the placings of one ending, drawn with a fixed key."""
    every = (Worlds(known(past, seat)) for past, seat in late(preset()))
    worlds = next(each for each in every if 40 < each.placings <= 200)
    counts = Counter(
        (world.hands, world.discards, untaken(world) and world.deal.talon)
        for number in range(80)
        for world in worlds.sample(worlds.placings - 1, f"draw {number}")
    )
    expected, degrees = counts.total() / worlds.placings, worlds.placings - 1
    assert len(counts) == worlds.placings
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert abs(chi_square - degrees) < 3 * (2 * degrees) ** 0.5


def test_before_a_blind_question_is_answered_no_card_is_known() -> None:
    past = past_by_chance(preset("lzsf"), 1)[:1]
    seat = past[0].active[0]
    worlds = Worlds(known(past, seat))
    assert worlds.placings == factorial(26) // factorial(8) ** 3
    assert len({world.hands[seat] for world in worlds.sample(20, "key")}) == 20


@pytest.mark.parametrize("name", ["pagat", "lzsf", "five", "four"])
def test_hidden_cards_dealt_anew_give_the_same_worlds(name: str) -> None:
    """The pasts of two deals that a seat cannot tell apart."""
    compared = 0
    for pair in (alike(RULESETS[name], seed) for seed in range(12)):
        if pair is None or not pair.redealt:
            continue
        place = pair.place
        assert isinstance(place.viewer, int)
        one, other = (match.deals[place.deal].states[: place.ply + 1] for match in pair.matches())
        assert one[-1] != other[-1]
        seen = [known(past, place.viewer) for past in (one, other)]
        assert seen[0] == seen[1]
        assert Worlds(seen[0]).sample(3, "key") == Worlds(seen[1]).sample(3, "key")
        compared += 1
    assert compared > 2
