"""From a seed to cards in hands, as `protocol/deals.md` says, recomputed here independently."""

import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.zole.cards import DECK, INDEX, NAMES, mask, names
from arena.zole.deal import (
    Deal,
    active_seats,
    below,
    first_dealer,
    flaw,
    from_deck,
    high_card,
    shuffled,
)
from arena.zole.rules import preset

GUIDE = Path(__file__).parents[2] / "protocol/deals.md"


def deck_by_the_book(key: str) -> list[str]:
    """The specification followed word by word, on texts and lists."""
    digest = hashlib.sha256(key.encode("utf-8")).digest()
    numbers = []
    for block in range(60):
        data = hashlib.sha256(digest + bytes(7) + bytes([block])).digest()
        numbers += [int(data[4 * place : 4 * place + 4].hex(), 16) for place in range(8)]
    deck = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H".split()
    for last in range(25, 0, -1):
        bound = last + 1
        while numbers[0] >= bound * (2**32 // bound):
            del numbers[0]
        other = numbers.pop(0) % bound
        deck[last], deck[other] = deck[other], deck[last]
    return deck


@pytest.mark.parametrize("key", ["", "7", "zole deal 1\n7\nA\nB\nC\n0", "ķekars ♣"])
def test_the_shuffle_is_the_specified_one(key: str) -> None:
    assert [NAMES[card] for card in shuffled(key)] == deck_by_the_book(key)


def test_the_example_of_the_specification_is_right() -> None:
    text = GUIDE.read_text()
    example = text[text.index("## An example") :]
    deck = shuffled("zole deal 1\n7\nA\nB\nC\n0")
    assert " ".join(NAMES[card] for card in deck) in example
    deal = from_deck(deck, preset(), 0)
    for seat, hand in re.findall(r"seat (\d): (.*)", example):
        assert " ".join(names(deal.hands[int(seat)])) == hand
    talon = " ".join(NAMES[card] for card in deal.talon)
    assert f"talon:  {talon}" in example


@pytest.mark.parametrize(
    ("players", "dealer", "active"),
    [(3, 0, (1, 2, 0)), (4, 1, (2, 3, 0)), (5, 0, (1, 2, 4)), (5, 4, (0, 1, 3))],
)
def test_those_after_the_dealer_play(players: int, dealer: int, active: tuple[int, ...]) -> None:
    assert active_seats(players, dealer) == active


def test_the_first_dealer_is_given_random_or_drawn() -> None:
    assert first_dealer(preset(), "any") == 0
    for way in ("random", "high_card"):
        rules = preset("pagat", {"deal": {"first_dealer": way}})
        seen = [first_dealer(rules, f"draw {number}") for number in range(300)]
        assert all(70 < seen.count(seat) < 130 for seat in range(3))


def test_a_deal_made_by_hand_is_checked() -> None:
    good = from_deck(shuffled("1"), preset(), 1)
    first, second, third = good.hands
    wrong = {
        "the dealer must be a seat from 0 to 2, not 3": Deal(3, good.hands, good.talon),
        "seat 2 must hold 8 cards, not 7": Deal(1, (first, second, third & third - 1), good.talon),
        "each of the 26 cards must be dealt exactly once": Deal(1, good.hands, good.talon[:1] * 2),
    }
    assert flaw(good) is None
    assert [flaw(deal) for deal in wrong.values()] == list(wrong)


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 25, 26])
def test_words_that_would_favour_small_numbers_are_dropped(bound: int) -> None:
    """About one word in a hundred million: no deck of a test would ever meet one."""
    limit = 2**32 - 2**32 % bound
    assert below(bound, iter([limit - 1])) == bound - 1
    for word in range(limit, 2**32):
        assert below(bound, iter([word, word, bound + 1])) == 1


@pytest.mark.parametrize(
    ("packets", "hands", "talon"),
    [
        ("4-2-4", ((0, 1, 2, 3, 14, 15, 16, 17), (4, 5, 6, 7, 18, 19, 20, 21)), (12, 13)),
        ("4-4-2", ((0, 1, 2, 3, 12, 13, 14, 15), (4, 5, 6, 7, 16, 17, 18, 19)), (24, 25)),
    ],
)
def test_packets_go_round_from_forehand(
    packets: str, hands: tuple[tuple[int, ...], ...], talon: tuple[int, int]
) -> None:
    deal = from_deck(tuple(range(26)), preset("pagat", {"deal": {"packets": packets}}), 2)
    assert deal.hands[:2] == tuple(map(mask, hands))
    assert deal.talon == talon


@given(
    st.sampled_from(["4-2-4", "4-4-2"]),
    st.sampled_from([3, 4, 5]),
    st.integers(0, 4),
    st.permutations(range(26)),
)
def test_a_dealt_deck_has_no_flaw_and_every_card(
    packets: str, players: int, dealer: int, deck: list[int]
) -> None:
    rules = preset("pagat", {"players": players, "deal": {"packets": packets}})
    deal = from_deck(tuple(deck), rules, dealer % players)
    assert flaw(deal) is None
    held = [*deal.hands, mask(deal.talon)]
    assert sum(held) == DECK
    assert sum(cards.bit_count() for cards in held) == 26
    active = active_seats(players, deal.dealer)
    assert [seat for seat, hand in enumerate(deal.hands) if hand] == sorted(active)
    assert (deal.dealer in active) is (players == 3)


@pytest.mark.parametrize(
    ("draws", "place"),
    [
        ("7D AC AS", 0),  # lzsf: the lowest trump is above every plain card
        ("AC AS 9H", None),  # the plain suits are equal
        ("AC AS 7D", 2),
        ("9H KC TS", 2),
        ("9C 9S KH", 2),
        ("9C KS KH", None),
        ("QC QS QH", 0),
        ("AC TC AS", None),
    ],
)
def test_the_strongest_card_drawn_deals(draws: str, place: int | None) -> None:
    assert high_card(tuple(INDEX[name] for name in draws.split())) == place
