"""Counted sequences of legal play: the golden file agrees with a naive count on card names.

That the file is what the rules count today is tested with the other golden files.
"""

import json
from collections.abc import Sequence

import pytest

from arena.zole.cards import NAMES, members
from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, start
from arena.zole.rules import preset, preset_names
from arena.zole.state import Say, State
from tests.support.perft import ENDINGS, auctions, count, ending
from tools.golden import ROOT

GOLDEN = json.loads((ROOT / "tests/data/perft.json").read_text())

TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split()


def suit(card: str) -> str:
    return "trump" if card in TRUMPS else card[1]


def takes(trick: Sequence[tuple[int, str]]) -> int:
    """The seat that takes a trick, found card by card as a person would."""
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


OFFERS = {
    "pagat": ["ordinary", "solo"],
    "piedalies": ["ordinary", "solo", "small_solo"],
    "zole_net": ["ordinary", "solo"],
    "gamerules": ["ordinary"],
    "lzsf": ["blind", "small_solo", "ordinary and take", "ordinary and give"],
}


@pytest.mark.parametrize("name", preset_names())
def test_an_auction_is_up_to_two_passes_and_an_offer_or_three_passes(name: str) -> None:
    """piedalies: the next speaks only if those before have passed."""
    assert auctions(name) == GOLDEN["auctions"][name] == 3 * len(OFFERS[name]) + 1


def naive_table(hands: list[list[str]], talon: list[str], tricks: int, leader: int | None) -> int:
    """How many ways there are to play the first tricks of a table game with the talon in it.

    lzsf: in trick 1 the talon plays last; it leads to trick 2 if it took trick 1.
    """
    if not tricks:
        return 1
    order = [((leader or 0) + place) % 3 for place in range(3)]
    lead = talon[0] if leader is None else None
    total = 0
    for first in allowed(hands[order[0]], lead):
        for second in allowed(hands[order[1]], lead or first):
            for third in allowed(hands[order[2]], lead or first):
                laid = list(zip(order, [first, second, third], strict=True))
                trick = [(9, talon[0]), *laid] if leader is None else [*laid, (9, talon[0])]
                taker = takes(trick)
                left = [[c for c in hand if c not in (first, second, third)] for hand in hands]
                total += naive_table(left, talon[1:], tricks - 1, None if taker == 9 else taker)
    return total


def allowed(hand: list[str], lead: str | None) -> list[str]:
    return [card for card in hand if lead and suit(card) == suit(lead)] or hand


@pytest.mark.parametrize(("tricks", "deals"), [(1, 20), (2, 2)])
def test_the_talon_at_the_table_leaves_as_many_ways_as_a_naive_count(
    tricks: int, deals: int
) -> None:
    changes = {"table": {"talon": "first_two_tricks"}, "play": {"tricks": tricks}}
    rules = preset("pagat", dict(changes))
    for number in range(deals):
        state = start(rules, from_deck(shuffled(f"table {number}"), rules, 2))
        for _ in range(3):
            state = apply(state, Say("pass"))
        talon = [NAMES[card] for card in state.deal.talon]
        assert count(state) == naive_table(as_names(state), talon, tricks, 0)
