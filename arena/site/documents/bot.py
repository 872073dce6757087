"""The document of a bot: what its page tells, as the publisher writes it.

Stakes are per deal, `half` is half of a 95 % interval of one look, and `of` counts what a mean is
over. A value is None where there is too little to say anything.
"""

import msgspec

from arena.site.documents.league import Interval, StandingLine
from arena.site.documents.play import MatchLine


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot, each a bot of its own; `was` is its line, or its last one.

    `content` is the SHA-256 of its folder in hex, `version` what its manifest says.
    """

    bot: str
    version: str
    content: str
    joined: float
    left: float | None = None
    why: str = ""
    was: StandingLine | None = None


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """The bot against another, in the sets in which both sat.

    `gap` is how many stakes it made more, `sure` the likelihood that it is better by these sets,
    `sure_by_all` by all sets of the league. `identical`: both made the same in every set.
    """

    other: str
    sets: int
    deals: int
    gap: float | None = None
    half: float | None = None
    sure: float | None = None
    sure_by_all: float | None = None
    identical: bool = False


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean, or a share from 0 to 1; a share has its `interval`, a mean of stakes `half` of it."""

    value: float | None = None
    half: float | None = None
    interval: Interval | None = None
    of: int = 0


class Roles(msgspec.Struct, frozen=True, kw_only=True):
    """How often a bot declares and wins, and its stakes in each role and at each place.

    `declares` is a share of its hands, `wins` of what it declared; `contracts` counts these.
    """

    declares: Mean
    wins: Mean
    declarer: Mean
    defender: Mean
    table: Mean
    forehand: Mean
    middlehand: Mean
    rearhand: Mean
    contracts: dict[str, int] = {}


class AnswerTimes(msgspec.Struct, frozen=True, kw_only=True):
    """Answer times in seconds; 19 of 20 are at most `late`."""

    moves: int
    median: float
    late: float
    most: float


class BotFault(msgspec.Struct, frozen=True, kw_only=True):
    """One of the bot's faults: the deal by its number in the match, and by the league's."""

    match: int
    number: int
    order: int
    deal: int
    kind: str
    shown: bool = False


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand with which the bot made much more, or much less, than others with the same cards."""

    order: int
    deal: int
    seat: int
    bots: tuple[str, ...]
    stakes: float
    others: float
    games: int
    declared: int
    other_games: int
    others_declared: int
    shown: bool = False


class PastMoment(msgspec.Struct, frozen=True, kw_only=True):
    """Where a version stood at a time."""

    at: float
    sets: int
    strength: float
    interval: Interval | None = None


class BotReviewed(msgspec.Struct, frozen=True, kw_only=True):
    """What a review found: losses in stakes a deal and the shares of blunders and clear mistakes.

    `clear` is by phase, `mistakes` counts clear ones by kind.
    """

    decisions: int
    loss: Mean
    blunders: Mean
    clear: dict[str, Mean] = {}
    mistakes: dict[str, int] = {}


class BotDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's page.

    `versions` are the newest first, this one among them; `against` is the bot's row of the
    crosstable, in the order of the standings; `field` are everybody's roles, to compare with.
    Faults and matches are the last ones, the newest first; `best` and `worst` the largest gaps.
    """

    at: float
    line: StandingLine
    language: str = ""
    version: str
    content: str
    isolation: str = ""
    versions: tuple[Version, ...]
    against: tuple[Against, ...] = ()
    roles: Roles | None = None
    field: Roles | None = None
    times: AnswerTimes | None = None
    faults: tuple[BotFault, ...] = ()
    best: tuple[Hand, ...] = ()
    worst: tuple[Hand, ...] = ()
    growth: tuple[PastMoment, ...] = ()
    matches: tuple[MatchLine, ...] = ()
    review: BotReviewed | None = None
