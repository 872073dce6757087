"""Fixed endings and auctions, and how many legal sequences they have."""

from functools import cache

import msgspec

from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, legal, start
from arena.zole.rules import Bid, preset, preset_names
from arena.zole.state import Say, State


class Ending(msgspec.Struct, frozen=True):
    """A deal in which everybody has played the first legal card until `cards` are left."""

    bid: Bid
    deal: int
    cards: int


ENDINGS: dict[str, Ending] = {
    f"{bid} {deal}, {cards} cards": Ending(bid, deal, cards)
    for bid in ("ordinary", "solo", "pass")
    for deal in (1, 2)
    for cards in (1, 2, 3, 4, 5)
}


def ending(which: Ending) -> State:
    """The state at which an ending begins, a trick being led."""
    rules = preset()
    state = start(rules, from_deck(shuffled(f"perft {which.deal}"), rules, 0))
    while state.phase == "bid":
        state = apply(state, Say(which.bid))
    while state.phase != "play" or state.completed < 8 - which.cards:
        state = apply(state, legal(state)[0])
    return state


def count(state: State) -> int:
    """How many legal sequences there are from a state to the end of the deal."""

    @cache  # different orders of play often lead to the same state
    def from_here(state: State) -> int:
        choices = legal(state)
        return sum(from_here(apply(state, action)) for action in choices) if choices else 1

    return from_here(state)


def auctions(name: str) -> int:
    """How many auctions a preset has, up to the first card or discard."""
    rules = preset(name)
    return _auctions(start(rules, from_deck(tuple(range(26)), rules, 0)))


def _auctions(state: State) -> int:
    if state.phase in ("discard", "play", "over"):
        return 1
    return sum(_auctions(apply(state, action)) for action in legal(state))


def counted() -> dict[str, dict[str, int]]:
    """All of it."""
    return {
        "endings": {name: count(ending(which)) for name, which in ENDINGS.items()},
        "auctions": {name: auctions(name) for name in preset_names()},
    }
