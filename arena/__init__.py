"""Zole Arena: a referee, leagues and standings for bots that play Zole.

`docs/python.md` is a guide to the names below. Each is loaded at its first use.
"""

from typing import Any

__version__ = "1.0.0"

_HOMES = {
    "base.errors": "ArenaError",
    "library.matches": "deals evaluate play",
    "library.players": "Player policy_player",
    "library.record": "Record",
    "library.view": "View view_of",
    "match.commands": "Fault PlayedDeal",
    "match.wire": (
        "AnyEvent AnyRequest AskBid AskBlind AskDiscard AskOffer AskPlay AskSurrender AskTalon "
        "BidMade BlindSaid CardPlayed ContractMade Dealt FaultSeen FaultShown Offered Placed "
        "Result Surrendered TalonChosen Tally TrickTaken"
    ),
    "record.matches": "ReplayedMatch",
    "record.summary": "Summary",
    "stats.figures": "Gap HeadToHead Standing",
    "tasks.match_results": "MatchResult PlayedGame Total Trouble",
    "zole.cards": "INDEX NAMES mask names",
    "zole.deal": "Deal deal_text from_deck read_deal shuffled",
    "zole.play": "apply legal may_offer may_surrender offer start surrender",
    "zole.rules": "Rules preset preset_names",
    "zole.scoring": "Pools Settlement settle",
    "zole.state": "Action Choose Discard Illegal Play Say SayBlind State",
}
"""The module of each public name; `__init__.pyi` has the same for type checkers."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """A public name, loaded with its module. Raises `AttributeError`."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
