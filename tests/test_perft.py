"""Counted sequences of legal play: the golden file agrees with a naive count on card names.

That the file is what the rules count today is tested with the other golden files.
"""

import json
from collections.abc import Sequence

import pytest

from arena.zole.cards import NAMES, members
from arena.zole.state import State
from tests.golden import ROOT
from tests.perft import ENDINGS, Ending, count, ending

GOLDEN = json.loads((ROOT / "tests/data/perft.json").read_text())

TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split()


def suit(card: str) -> str:
    return "trump" if card in TRUMPS else card[1]


def takes(trick: Sequence[tuple[int, str]]) -> int:
    """Who takes a trick, by going through the cards as a person would."""
    who, best = trick[0]
    for seat, card in trick[1:]:
        if suit(card) == suit(best):
            order = TRUMPS if suit(card) == "trump" else [rank + card[1] for rank in "ATK9"]
            if order.index(card) < order.index(best):
                who, best = seat, card
        elif suit(card) == "trump":
            who, best = seat, card
    return who


def naive(hands: list[list[str]], seat: int, trick: list[tuple[int, str]]) -> int:
    """How many ways there are to play out hands, on lists of names."""
    if len(trick) == 3:
        return naive(hands, takes(trick), [])
    if not hands[seat]:
        return 1
    follow = [card for card in hands[seat] if trick and suit(card) == suit(trick[0][1])]
    total = 0
    for card in follow or hands[seat]:
        left = [[c for c in hand if c != card] for hand in hands]
        total += naive(left, (seat + 1) % 3, [*trick, (seat, card)])
    return total


def as_names(state: State) -> list[list[str]]:
    return [[NAMES[card] for card in members(hand)] for hand in state.hands]


@pytest.mark.parametrize("name", [name for name in ENDINGS if ENDINGS[name].cards <= 3])
def test_an_ending_has_as_many_sequences_as_a_naive_count_finds(name: str) -> None:
    state = ending(ENDINGS[name])
    assert state.turn is not None
    assert naive(as_names(state), state.turn, []) == GOLDEN["endings"][name]


def test_the_auctions_of_the_default_preset_are_seven() -> None:
    """Three times ordinary or solo at the first offer, and all pass."""
    assert GOLDEN["auctions"]["pagat"] == 7


def test_one_card_each_is_one_sequence() -> None:
    assert count(ending(Ending("solo", 3, 1))) == 1
