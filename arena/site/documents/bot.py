"""The document of a bot, from which its page is drawn."""

import msgspec

from arena.site.documents.league import StandingLine
from arena.site.documents.play import MatchLine
from arena.stats.figures import HandGap, HeadToHead, Role, SeatLine, Times


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot, which plays as a bot of its own.

    `was` is its line of the standings, the last one if it has left. `content` is the SHA-256 of its
    folder in hex, `version` what its manifest says.
    """

    bot: str
    version: str
    content: str
    joined: float | None
    left: float | None = None
    why: str = ""
    was: StandingLine | None = None


class BotFault(msgspec.Struct, frozen=True, kw_only=True):
    """One of the bot's faults. `number` is the deal's in the match, `deal` the league's."""

    match: int
    number: int
    order: int
    deal: int
    kind: str
    shown: bool = False


class Hand(HandGap, frozen=True, kw_only=True):
    """A bot's gap with a hand, the order that it was dealt in, and whether that order is shown."""

    order: int
    shown: bool = False


class BotDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's page.

    `versions` are the newest first, this one among them; `against` is the bot's row of the
    crosstable, in the order of the standings. `roles` and `seats` have the bot's line and then
    everybody's, to compare with. Faults and matches are the last ones, the newest first; `best`
    and `worst` the largest gaps.
    """

    at: float
    line: StandingLine
    language: str = ""
    version: str
    content: str
    isolation: str = ""
    versions: tuple[Version, ...]
    against: tuple[HeadToHead, ...] = ()
    roles: tuple[Role, ...] = ()
    seats: tuple[SeatLine, ...] = ()
    times: Times | None = None
    faults: tuple[BotFault, ...] = ()
    best: tuple[Hand, ...] = ()
    worst: tuple[Hand, ...] = ()
    matches: tuple[MatchLine, ...] = ()
