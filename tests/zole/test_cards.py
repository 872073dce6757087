"""The 26 cards: their points, which follow which, and who takes a trick."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.zole.cards import (
    DECK,
    INDEX,
    NAMES,
    POINTS,
    SUIT_OF,
    TRUMPS,
    mask,
    members,
    names,
    playable,
    points,
    winner,
)

CARDS = st.integers(0, len(NAMES) - 1)
HANDS = st.sets(CARDS, min_size=1, max_size=10).map(mask)

# pagat, Players and Cards: from the strongest down.
TRUMP_ORDER = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split()
PLAIN_ORDERS = [[rank + suit for rank in "ATK9"] for suit in "CSH"]


def of(text: str) -> int:
    return mask(INDEX[name] for name in text.split())


def test_the_deck_is_all_cards_from_nine_to_ace_with_two_low_diamonds() -> None:
    wanted = {rank + suit for rank in "AKQJT9" for suit in "CSHD"} | {"8D", "7D"}
    assert set(NAMES) == wanted
    assert len(NAMES) == DECK.bit_count() == 26
    assert [INDEX[name] for name in NAMES] == list(range(26))


def test_a_rank_has_its_points_in_every_suit() -> None:
    values = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
    assert dict(zip(NAMES, POINTS, strict=True)) == {name: values[name[0]] for name in NAMES}


def test_queens_jacks_and_diamonds_are_the_trumps() -> None:
    assert names(TRUMPS) == tuple(TRUMP_ORDER)


@pytest.mark.parametrize("order", [TRUMP_ORDER, *PLAIN_ORDERS])
def test_a_higher_card_beats_each_lower_one_of_its_suit_led_or_not(order: list[str]) -> None:
    for pair in combinations([INDEX[name] for name in order], 2):
        assert (winner(pair), winner(pair[::-1])) == (0, 1), pair


@pytest.mark.parametrize(
    ("trick", "taker"),
    [
        ("9C AS AH", 0),  # an ace of another suit never wins
        ("9C TC KC", 1),
        ("AC 7D 9C", 1),  # the lowest trump beats every plain card
        ("AC 7D 8D", 2),
        ("AD JD QD", 2),
        ("JC QD AD", 1),
        ("KH 9H TH", 2),
        ("9S 9H 9C", 0),
        ("9C KC TC AC", 3),  # with the talon as a fourth
        ("9C KC TC AS", 2),
    ],
)
def test_a_trick_is_taken_by(trick: str, taker: int) -> None:
    assert winner(tuple(INDEX[name] for name in trick.split())) == taker


@pytest.mark.parametrize(
    ("hand", "lead", "allowed"),
    [
        ("KS QS 9H", "AS", "KS"),  # the queen of spades is a trump, not a spade
        ("QS JS 9H", "AS", "QS JS 9H"),
        ("AH 9D KC", "JH", "9D"),  # a jack leads trumps
        ("AH KC 9S", "JH", "AH KC 9S"),
        ("QH AC", "7D", "QH"),
        ("9C AC QC", "KC", "9C AC"),  # no duty to overtake
        ("9S AH QC", "KC", "9S AH QC"),  # no duty to trump
    ],
)
def test_a_hand_may_play(hand: str, lead: str, allowed: str) -> None:
    assert playable(of(hand), (INDEX[lead],)) == of(allowed)


@given(HANDS, CARDS)
def test_a_hand_can_always_play_some_of_its_cards(hand: int, lead: int) -> None:
    allowed = playable(hand, (lead,))
    assert allowed
    assert allowed & ~hand == 0
    assert allowed in (hand, hand & SUIT_OF[lead])


@given(st.sets(CARDS))
def test_a_set_of_cards_is_read_as_it_was_written(cards: set[int]) -> None:
    assert members(mask(cards)) == tuple(sorted(cards))
    assert names(mask(cards)) == tuple(NAMES[card] for card in sorted(cards))
    assert points(mask(cards)) == sum(POINTS[card] for card in cards)
