"""Cards, deals and presets: points and order, from a seed to hands, and what the sources say."""

import hashlib
import json
import re
from itertools import combinations
from pathlib import Path

import msgspec
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
from arena.zole.rules import Settings, merged, preset, preset_names

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


SOURCES = json.loads((Path(__file__).parents[1] / "data/presets.json").read_text())


def settings_of(name: str) -> dict[str, object]:
    """A preset's settings by their dotted names, as the sources have them."""
    found: dict[str, object] = {}
    for section, values in json.loads(msgspec.json.encode(preset(name))).items():
        if isinstance(values, dict):
            found |= {f"{section}.{key}": value for key, value in values.items()}
        else:
            found[section] = values
    return found


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_has_the_values_of_its_source_and_else_those_of_the_default(name: str) -> None:
    source = {key: value for key, value in SOURCES[name].items() if not key.startswith("_")}
    ours, default = settings_of(name), settings_of("pagat")
    assert preset(name).players in source.pop("players")
    # The sources ask for a blind game apart; here it is one of the contracts.
    assert ("blind" in preset(name).auction.contracts) is source.pop("auction.blind")
    assert ours == {**default, "players": ours["players"], **source}


def test_every_source_has_a_preset() -> None:
    assert set(preset_names()) == {name for name in SOURCES if not name.startswith("_")}


def test_changes_are_laid_over_section_by_section() -> None:
    base: dict[str, object] = {"a": {"x": 1, "y": 2}, "b": 3}
    assert merged(base, {"a": {"y": 5}}) == {"a": {"x": 1, "y": 5}, "b": 3}
    assert base == {"a": {"x": 1, "y": 2}, "b": 3}


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_preset_is_valid_at_every_size_of_table(name: str, players: int) -> None:
    assert preset(name, {"players": players}).players == players


POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}

WRONG: list[tuple[Settings, str]] = [
    ({"players": 2}, "players"),
    ({"players": 6}, "players"),
    ({"auction": {"contracts": ["ordinary", "solo", "solo"]}}, "auction.contracts"),
    ({"auction": {"contracts": ["solo"]}}, "auction.contracts"),
    ({"play": {"tricks": 0}}, "play.tricks"),
    ({"play": {"tricks": 9}}, "play.tricks"),
    ({"all_pass": "pool"}, "all_pass"),
    ({"pools": {"enabled": True}}, "pools.enabled"),
    ({"all_pass": "pool", "pools": {"enabled": True}, "play": {"tricks": 7}}, "play.tricks"),
    ({"table": {"stake": 0}}, "table.stake"),
    ({"conduct": {"corrections": -1}}, "conduct.corrections"),
    ({"pools": {"collective_stake": -1}}, "pools.collective_stake"),
    ({"pools": {"personal_stake": -1}}, "pools.personal_stake"),
    ({"pools": {"collective_stake": 1 << 70}}, "pools.collective_stake"),
    ({"pools": {"personal_stake": 32768}}, "pools.personal_stake"),
    ({"conduct": {"max_faults": 0}}, "conduct.max_faults"),
    ({"conduct": {"max_faults": 1 << 70}}, "conduct.max_faults"),
    ({"conduct": {"move_limit_s": 0}}, "conduct.move_limit_s"),
    ({"conduct": {"move_limit_s": -1}}, "conduct.move_limit_s"),
    ({"conduct": {"move_limit_s": float("nan")}}, "conduct.move_limit_s"),
    ({"scoring": {"ordinary": [3, 2, 0, -2, -3, -4]}}, "scoring.ordinary"),
    ({"scoring": {"solo": [6, 5, 4, 0, -6, -7]}}, "scoring.solo"),
    ({"scoring": {"blind": [9, 8, -7, -8, -9, -10]}}, "scoring.blind"),
    ({"scoring": {"small_solo": [6, 7]}}, "scoring.small_solo"),
    ({"conduct": {"corrections": 1001}}, "conduct.corrections"),
    ({"conduct": {"move_limit_s": float("inf")}}, "conduct.move_limit_s"),
    ({"players": 5, "scoring": {"small_solo": [8192, -7]}}, "scoring.small_solo"),
    ({"players": 5, "scoring": {"blind": [9, 8, 7, -8, -9, -8192]}}, "scoring.blind"),
    ({"scoring": {"solo": [1 << 70, 5, 4, -5, -6, -7]}}, "scoring.solo"),
    ({"table": {"stake": 16384}}, "table.stake"),
    ({**POOLS, "pools": {"enabled": True, "collective_stake": 16374}}, "pools.collective_stake"),
    ({**POOLS, "pools": {"enabled": True, "personal_stake": 32748}}, "pools.personal_stake"),
]


@pytest.mark.parametrize(("changes", "key"), WRONG, ids=range(len(WRONG)))
def test_contradictory_settings_are_reported_by_their_key(changes: Settings, key: str) -> None:
    with pytest.raises(ValueError, match=rf"^{key}: [^\n]*$"):
        preset("pagat", changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 5, "scoring": {"small_solo": [8191, -8191]}},
        {
            "players": 5,
            "sitout": {"scoring": "none"},
            "scoring": {"solo": [9, 8, 7, -5, -6, -16383]},
        },
        {"table": {"stake": 16383}},
        {**POOLS, "pools": {"enabled": True, "collective_stake": 16373}},
        {**POOLS, "pools": {"enabled": True, "personal_stake": 32747}},
        {"conduct": {"corrections": 1000}},
    ],
)
def test_the_largest_stakes_that_fit_a_record_are_accepted(changes: Settings) -> None:
    preset("pagat", changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": 3},
        {"auction": {"mode": "loudest"}},
        {"auction": {"contracts": ["grand"]}},
        {"deal": {"packets": "8-2"}},
        {"scoring": {"solo": [1, 2, 3]}},
        {"players": "three"},
        {"conduct": {"patience": 1}},
    ],
)
def test_unknown_settings_are_refused(changes: Settings) -> None:
    with pytest.raises(ValueError, match=r"^(Object|Expected|Invalid) "):
        preset("pagat", changes)


def test_an_unknown_preset_and_all_contradictions_are_reported() -> None:
    with pytest.raises(ValueError, match="unknown preset pagatt; known are pagat, "):
        preset("pagatt")
    with pytest.raises(ValueError, match=r"^players: 7 is out of range; .* 3 to 5\nplay"):
        preset("pagat", {"players": 7, "play": {"tricks": 0}})
