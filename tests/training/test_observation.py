"""What a seat is shown as numbers: the planes of the vector and the list of actions."""

from functools import reduce

import numpy as np
import pytest

from arena.training.actions import ACTIONS, DISCARD, PLAY, SURRENDER
from arena.training.observation import (
    HISTORY,
    HISTORY_SIZE,
    LARGEST_NUMBERS,
    OBSERVATION_SIZE,
    PLANES,
    UNSEEN,
    WHERE,
)
from arena.zole.cards import INDEX, NAMES
from arena.zole.deal import Deal, from_deck, shuffled
from arena.zole.rules import preset
from arena.zole.state import Illegal
from tests.support.positions import Position, begin, observe, step


def plane(position: Position, seat: int, name: str) -> list[int]:
    """The places of the ones in a plane of a seat's observation."""
    return np.flatnonzero(observe(position, seat)[WHERE[name]]).tolist()


def cards(position: Position, seat: int, name: str) -> str:
    return " ".join(NAMES[card] for card in plane(position, seat, name))


def played(position: Position, *actions: str) -> Position:
    return reduce(step, map(ACTIONS.index, actions), position)


def test_planes_fill_the_vector_without_a_gap_and_each_says_what_it_is() -> None:
    ends = [WHERE[each.name] for each in (*PLANES, *HISTORY)]
    assert [each.start for each in ends] == [0, *(each.stop for each in ends[:-1])]
    assert ends[len(PLANES) - 1].stop == OBSERVATION_SIZE == len(LARGEST_NUMBERS)
    assert ends[-1].stop == OBSERVATION_SIZE + HISTORY_SIZE
    assert all(each.about for each in (*PLANES, *HISTORY, *UNSEEN))
    assert len(WHERE) == len(PLANES) + len(HISTORY)


def test_the_list_of_actions_has_each_card_twice() -> None:
    assert len(set(ACTIONS)) == len(ACTIONS) == 64
    assert ACTIONS[PLAY + INDEX["JD"]] == "play JD"
    assert ACTIONS[DISCARD + INDEX["JD"]] == "discard JD"
    assert ACTIONS[SURRENDER] == "surrender"


def test_a_declarer_sees_the_talon_and_discards_one_card_after_the_other() -> None:
    rules = preset()
    position = played(begin(rules, from_deck(shuffled("1"), rules, 2)), "ordinary")
    hand = cards(position, 0, "hand").split()
    assert len(hand) == 10
    assert {*cards(position, 0, "talon").split()} < {*hand}
    position = played(position, f"discard {hand[3]}")
    assert cards(position, 0, "aside") == hand[3]
    assert hand[3] not in cards(position, 0, "hand").split()
    with pytest.raises(Illegal):
        played(position, f"discard {hand[3]}")
    position = played(position, f"discard {hand[0]}")
    assert {*cards(position, 0, "aside").split()} == {hand[0], hand[3]}
    assert (cards(position, 1, "aside"), cards(position, 1, "talon")) == ("", "")
    assert [plane(position, seat, "declarer") for seat in range(3)] == [[0], [2], [1]]


def test_a_seat_that_did_not_follow_has_no_card_of_that_suit_as_others_see_it() -> None:
    hands = [
        "QC QS QH QD JC JS JH JD",  # seat 0 leads a trump
        "AC TC KC 9C AS TS KS 9S",
        "AD TD KD 9D 8D AH TH KH",
    ]
    deal = Deal(2, tuple(sum(1 << INDEX[c] for c in hand.split()) for hand in hands), (13, 25))
    position = played(begin(preset(), deal), "solo", "play QC", "play AC")
    assert cards(position, 2, "left_may").split()[:3] == ["QS", "QH", "QD"]
    assert not any(INDEX[card] < 14 for card in cards(position, 2, "right_may").split())
    assert not any(INDEX[card] < 14 for card in cards(position, 0, "left_may").split())
    assert cards(position, 2, "taking") == "QC"
    assert cards(position, 2, "trick") == "QC AC"
    assert observe(position, 2)[WHERE["trick_points"]] == 14
    assert plane(position, 2, "taker") == plane(position, 2, "leader") == [1]
