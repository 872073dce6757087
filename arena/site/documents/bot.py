"""The document of a bot: what its page tells, as the publisher writes it."""

import msgspec

from arena.site.documents.league import StandingLine
from arena.site.documents.play import MatchLine
from arena.stats.figures import HandGap, HeadToHead, Role, SeatLine, Share, Times


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot, each a bot of its own; `was` is its line, or its last one.

    `content` is the SHA-256 of its folder in hex, `version` what its manifest says.
    """

    bot: str
    version: str
    content: str
    joined: float | None
    left: float | None = None
    why: str = ""
    was: StandingLine | None = None


class BotFault(msgspec.Struct, frozen=True, kw_only=True):
    """One of the bot's faults: the deal by its number in the match, and by the league's."""

    match: int
    number: int
    order: int
    deal: int
    kind: str
    shown: bool = False


class Hand(HandGap, frozen=True, kw_only=True):
    """A bot's gap with a hand, the order in which it was dealt, and whether that is shown."""

    order: int
    shown: bool = False


class PastMoment(msgspec.Struct, frozen=True, kw_only=True):
    """Where a version stood at a time."""

    at: float
    sets: int
    strength: float
    interval: tuple[float, float] | None = None


class BotReviewed(msgspec.Struct, frozen=True, kw_only=True):
    """What a review found: losses in stakes a deal and the shares of blunders and clear mistakes.

    `clear` is by phase, `mistakes` counts clear ones by kind.
    """

    decisions: int
    loss: Share
    blunders: Share
    clear: dict[str, Share] = {}
    mistakes: dict[str, int] = {}


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
    growth: tuple[PastMoment, ...] = ()
    matches: tuple[MatchLine, ...] = ()
    review: BotReviewed | None = None
