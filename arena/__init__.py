"""Zole Arena: a referee, leagues and standings for bots that play Zole.

`docs/python.md` explains the names below. Each is loaded at its first use.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.base.errors import ArenaError
    from arena.library.bots import play_bots
    from arena.library.functions import Player, deals, play_functions
    from arena.library.record import Record
    from arena.library.view import View, view_of
    from arena.match.commands import PlayedDeal
    from arena.match.wire import (
        AskBid,
        AskBlind,
        AskDiscard,
        AskOffer,
        AskPlay,
        AskSurrender,
        AskTalon,
    )
    from arena.zole.cards import INDEX, NAMES, mask, names
    from arena.zole.deal import Deal, from_deck, shuffled
    from arena.zole.notation import deal_text, read_deal
    from arena.zole.play import (
        apply,
        legal,
        may_offer,
        may_surrender,
        offer,
        start,
        surrender,
    )
    from arena.zole.rules import Rules, preset, preset_names
    from arena.zole.scoring import Pools, Settlement, settle
    from arena.zole.state import Action, Choose, Discard, Illegal, Play, Say, SayBlind, State

__version__ = "0.1.0"

_HOMES = {
    "base.errors": "ArenaError",
    "library.bots": "play_bots",
    "library.functions": "Player deals play_functions",
    "library.record": "Record",
    "library.view": "View view_of",
    "match.commands": "PlayedDeal",
    "match.wire": "AskBid AskBlind AskDiscard AskOffer AskPlay AskSurrender AskTalon",
    "zole.cards": "INDEX NAMES mask names",
    "zole.deal": "Deal from_deck shuffled",
    "zole.notation": "deal_text read_deal",
    "zole.play": "apply legal may_offer may_surrender offer start surrender",
    "zole.rules": "Rules preset preset_names",
    "zole.scoring": "Pools Settlement settle",
    "zole.state": "Action Choose Discard Illegal Play Say SayBlind State",
}
"""The module of each public name, the same as above for those who check types."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "INDEX",
    "NAMES",
    "Action",
    "ArenaError",
    "AskBid",
    "AskBlind",
    "AskDiscard",
    "AskOffer",
    "AskPlay",
    "AskSurrender",
    "AskTalon",
    "Choose",
    "Deal",
    "Discard",
    "Illegal",
    "Play",
    "PlayedDeal",
    "Player",
    "Pools",
    "Record",
    "Rules",
    "Say",
    "SayBlind",
    "Settlement",
    "State",
    "View",
    "apply",
    "deal_text",
    "deals",
    "from_deck",
    "legal",
    "mask",
    "may_offer",
    "may_surrender",
    "names",
    "offer",
    "play_bots",
    "play_functions",
    "preset",
    "preset_names",
    "read_deal",
    "settle",
    "shuffled",
    "start",
    "surrender",
    "view_of",
]


if not TYPE_CHECKING:  # else a name that is not there would pass for one of any type

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
