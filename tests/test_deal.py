"""From a seed to cards in hands, as `protocol/deals.md` says, recomputed here by other means."""

import hashlib
import re
from pathlib import Path

import pytest

from arena.zole.cards import NAMES, names
from arena.zole.deal import Deal, active_seats, first_dealer, flaw, from_deck, shuffled
from arena.zole.rules import preset

GUIDE = Path(__file__).parents[1] / "protocol/deals.md"


def deck_by_the_book(key: str) -> list[str]:
    """The specification followed word by word, on texts and lists."""
    digest = hashlib.sha256(key.encode("utf-8")).digest()
    numbers = []
    for block in range(60):
        data = hashlib.sha256(digest + bytes(7) + bytes([block])).digest()
        numbers += [int(data[4 * place : 4 * place + 4].hex(), 16) for place in range(8)]
    deck = [
        "QC",
        "QS",
        "QH",
        "QD",
        "JC",
        "JS",
        "JH",
        "JD",
        "AD",
        "TD",
        "KD",
        "9D",
        "8D",
        "7D",
        "AC",
        "TC",
        "KC",
        "9C",
        "AS",
        "TS",
        "KS",
        "9S",
        "AH",
        "TH",
        "KH",
        "9H",
    ]
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


def test_every_place_gets_every_card_about_equally_often() -> None:
    count = [[0] * 26 for _ in range(26)]
    for key in range(2600):
        for place, card in enumerate(shuffled(f"uniform {key}")):
            count[place][card] += 1
    spread = sum((seen - 100) ** 2 / 100 for row in count for seen in row)
    assert 480 < spread < 780  # chi square with 625 degrees, five deviations on either side


@pytest.mark.parametrize(
    ("players", "dealer", "active"),
    [(3, 0, (1, 2, 0)), (4, 1, (2, 3, 0)), (5, 0, (1, 2, 4)), (5, 4, (0, 1, 3))],
)
def test_who_plays(players: int, dealer: int, active: tuple[int, ...]) -> None:
    assert active_seats(players, dealer) == active


def test_the_first_dealer_is_given_random_or_drawn() -> None:
    assert first_dealer(preset(), "any") == 0
    for way in ("random", "high_card"):
        rules = preset("pagat", {"deal": {"first_dealer": way}})
        seen = [first_dealer(rules, f"draw {number}") for number in range(300)]
        assert all(70 < seen.count(seat) < 130 for seat in range(3))


def test_a_deal_made_by_hand_is_checked() -> None:
    good = from_deck(shuffled("1"), preset(), 1)
    assert flaw(good) is None
    first, second, third = good.hands
    assert flaw(Deal(3, good.hands, good.talon)) == "the dealer must be a seat from 0 to 2, not 3"
    assert flaw(Deal(1, (first, second, third & (third - 1)), good.talon)) == (
        "seat 2 must hold 8 cards, not 7"
    )
    assert flaw(Deal(1, good.hands, (good.talon[0], good.talon[0]))) == (
        "each of the 26 cards must be dealt exactly once"
    )
