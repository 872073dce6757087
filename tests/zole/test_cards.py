"""The 26 cards: their points, which follow which, and who takes a trick."""

from itertools import combinations, permutations

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
PLAIN_ORDER = "A T K 9".split()


def of(text: str) -> int:
    return mask(INDEX[name] for name in text.split())


def test_the_deck_is_all_cards_from_nine_to_ace_with_two_low_diamonds() -> None:
    wanted = {rank + suit for rank in "AKQJT9" for suit in "CSHD"} | {"8D", "7D"}
    assert set(NAMES) == wanted
    assert len(NAMES) == 26
    assert DECK.bit_count() == 26


def test_there_are_120_points_45_of_them_in_trumps() -> None:
    assert points(DECK) == 120
    assert points(TRUMPS) == 45


@pytest.mark.parametrize(
    ("rank", "value"), [("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2), ("9", 0)]
)
def test_a_rank_has_its_points_in_every_suit(rank: str, value: int) -> None:
    assert [POINTS[INDEX[rank + suit]] for suit in "CSHD"] == [value] * 4


def test_the_two_low_diamonds_are_worth_nothing() -> None:
    assert points(of("8D 7D")) == 0


def test_no_two_cards_are_worth_more_than_22() -> None:
    assert max(points(mask(pair)) for pair in combinations(range(26), 2)) == 22


def test_queens_jacks_and_diamonds_are_the_trumps() -> None:
    assert names(TRUMPS) == tuple(TRUMP_ORDER)


@pytest.mark.parametrize("stronger", range(13))
def test_a_trump_beats_each_trump_below_it(stronger: int) -> None:
    for weaker in range(stronger + 1, 14):
        pair = (INDEX[TRUMP_ORDER[stronger]], INDEX[TRUMP_ORDER[weaker]])
        assert winner(pair) == 0
        assert winner(pair[::-1]) == 1


@pytest.mark.parametrize("suit", "CSH")
def test_in_a_plain_suit_the_ten_stands_between_ace_and_king(suit: str) -> None:
    for high, low in combinations(PLAIN_ORDER, 2):
        pair = (INDEX[high + suit], INDEX[low + suit])
        assert (winner(pair), winner(pair[::-1])) == (0, 1)


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


def test_just_one_card_takes_any_trick_whatever_the_order_of_those_that_follow() -> None:
    for cards in combinations(range(0, 26, 3), 3):
        for lead, second, third in permutations(cards):
            trick = (lead, second, third)
            taken = trick[winner(trick)]
            other = (lead, third, second)
            assert other[winner(other)] == taken
            assert 1 << taken & (SUIT_OF[lead] | TRUMPS)


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


def test_a_name_leads_to_its_card_and_back() -> None:
    assert [INDEX[name] for name in NAMES] == list(range(26))
