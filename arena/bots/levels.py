"""The levels of opponents for people, and the sample bot that plays each under people's names."""

from collections.abc import Mapping
from typing import Final

import msgspec


class Level(msgspec.Struct, frozen=True):
    """The sample bot of a level, and the names of those that play it at a table."""

    bot: str
    names: tuple[str, ...]


LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level("careful", ("Anna", "Andris")),
    "club": Level("learned", ("Juris", "Ilze")),
    "strong": Level("sampler", ("Vilma", "Valdis")),
    "master": Level("master", ("Meistars", "Meistare")),
}
"""The levels, the weakest first, as `leagues/reference.toml` ranks their bots.

They differ in how far they see: rules of thumb for the hand held, habits learned from many deals,
thirty ways in which the hidden cards may lie with all hands open, four hundred of them by what
others bid and played.
"""

USUAL: Final = "club"
"""The level of opponents that nobody has chosen."""
