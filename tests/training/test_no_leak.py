"""What a seat is shown as numbers stays the same when cards that it may not know are redealt."""

import random
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import numpy as np
import pytest

from arena.training.actions import DISCARD, PLAY, PLAY_ON
from arena.zole import view
from arena.zole.cards import members
from arena.zole.deal import Deal, Seat, from_deck, shuffled
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.state import Illegal, State
from tests.support.alike import redealt
from tests.support.positions import Position, begin, legal_actions, observe, step

RULES = {
    f"{name} {players}": preset(name, {"players": players})
    for name in preset_names()
    for players in (3, 4, 5)
}


class Pair(NamedTuple):
    """Two positions that a seat cannot tell apart, after the same actions as far as it saw them."""

    one: Position
    other: Position
    viewer: Seat

    @property
    def looks_same(self) -> bool:
        """Whether the seat is shown the same, and may do the same."""
        one, other = (
            (
                observe(each, self.viewer, history=True).tobytes(),
                legal_actions(each).tobytes() if each.seat == self.viewer else b"",
            )
            for each in (self.one, self.other)
        )
        return one == other


def pairs(rules: Rules, count: int) -> list[Pair]:
    """Some pairs whose hidden cards differ."""
    return list(islice(filter(None, (pair(rules, seed) for seed in range(4 * count))), count))


def pair(rules: Rules, seed: int) -> Pair | None:
    """A random moment of a deal, and it with hidden cards redealt; None where it cannot be."""
    dice = random.Random(seed)
    deal = from_deck(shuffled(f"train {seed}"), rules, seed % rules.players)
    past, actions = [begin(rules, deal, surrenders=True)], list[int]()
    while past[-1].seat is not None:
        free = np.flatnonzero(legal_actions(past[-1])).tolist()
        actions.append(PLAY_ON if PLAY_ON in free else dice.choice(free))
        past.append(step(past[-1], actions[-1]))
    moment = dice.randrange(len(actions))
    viewer = dice.choice(past[0].state.active)
    deals = redealt if dice.random() < 0.5 else swapped
    other = begin(rules, deals(past[moment].state, viewer, dice), surrenders=True)
    laid = {action - PLAY for action in actions[:moment] if PLAY <= action < DISCARD}
    with suppress(Illegal):
        for position, action in zip(past, actions[:moment], strict=False):
            if (position.seat, position.question) != (other.seat, other.question):
                return None
            unseen = position.question in ("discard", "second") and position.seat != viewer
            other = step(other, unseen_discard(other, laid, action) if unseen else action)
        same = (past[moment].seat, past[moment].question) == (other.seat, other.question)
        return Pair(past[moment], other, viewer) if same and other.state.deal != deal else None
    return None


def swapped(state: State, viewer: int, dice: random.Random) -> Deal:
    """Another deal that looks the same to a viewer: two hidden cards change places."""
    hidden = members(view.hidden(state, viewer))
    if len(hidden) < 2:
        return state.deal
    first, second = dice.sample(hidden, 2)
    both = 1 << first | 1 << second
    hands = (hand ^ both if (hand & both).bit_count() == 1 else hand for hand in state.deal.hands)
    one, other = ({first: second, second: first}.get(card, card) for card in state.deal.talon)
    return Deal(state.deal.dealer, tuple(hands), (one, other))


def unseen_discard(position: Position, laid: set[int], action: int) -> int:
    """The same card laid aside if it can be, or another that the seat does not play later."""
    free = np.flatnonzero(legal_actions(position)).tolist()
    return action if action in free else next(each for each in free if each - DISCARD not in laid)


@pytest.mark.parametrize("name", RULES)
def test_a_seat_is_shown_the_same_whatever_it_may_not_know(name: str) -> None:
    found = pairs(RULES[name], 40)
    assert len(found) == 40
    assert {each.one.state.phase for each in found} >= {"bid", "play"}
    assert any(each.one.state.completed > 2 for each in found)
    assert [each for each in found if not each.looks_same] == []


def test_a_planted_leak_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows by the queen of clubs whether seat 0 was dealt it."""
    hidden, found = view.hidden, pairs(RULES["pagat 3"], 30)
    monkeypatch.setattr(
        view,
        "hidden",
        lambda state, viewer: hidden(state, viewer) & ~(state.deal.hands[0] & 1),
    )
    assert not all(each.looks_same for each in found)
