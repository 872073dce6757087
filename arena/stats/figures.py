"""The figures that statistics produce, as plain values: showing them loads nothing that counts.

The web process of a site reads them, so this needs neither NumPy nor a record.
"""

from math import log
from typing import Final, NamedTuple

import msgspec

Lineup = tuple[str, ...]
"""The bots that meet at a table, by name, in the order of their names; two meet in a mirror."""


class DealRun(msgspec.Struct, frozen=True):
    """A lineup's deals from the league's deal `first` on."""

    lineup: Lineup
    first: int
    deals: int


RUN: Final = 10
"""Sets that a match plays, so that processes are not restarted for each deal.

They may hang together, so they are one observation, and the test looks at whole runs only.
"""


class Hypotheses(msgspec.Struct, frozen=True):
    """H0: the gap is 0 or less; H1: it is `delta` stakes per deal or more.

    `alpha` is the risk of "better" under H0, `beta` that of "not better" under H1.
    """

    delta: float = 0.10
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are taken, by Wald 1945."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class Interval(NamedTuple):
    """A 95 % interval by its ends; in JSON it is `[low, high]`."""

    low: float
    high: float


class Gap(msgspec.Struct, frozen=True):
    """The difference of two bots' `stakes_per_deal`.

    `pm` is half the 95 % interval, `los` the likelihood of superiority: how sure it is that
    the gap is above 0. Both are None for fewer than ten sets and where G = T; `los` also where the
    gap is 0 without any spread.
    """

    stakes_per_deal: float
    pm: float | None
    los: float | None

    @property
    def decided(self) -> bool:
        """Whether the 95 % interval leaves out 0, so `los` is above 97.5 % or below 2.5 %."""
        return self.pm is not None and abs(self.stakes_per_deal) > self.pm


class Share(msgspec.Struct, frozen=True):
    """A mean over `of` seats in games, and half its 95 % interval.

    None if there are no such games, or too few for an interval.
    """

    value: float | None
    pm: float | None
    of: int


class Proportion(Share, frozen=True):
    """The frequency of something: a mean of ones and zeros, with a 95 % interval within 0 to 1."""

    ci95: Interval | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The line of a `bot`. Numbers are None if there are too few sets for them.

    `rank` counts from 1, and equal bots share it. `ci95` is the interval of `stakes_per_deal`,
    `strength_ci95` that of `strength`, `elo_pm` half that of `elo`; `elo_bound` marks an Elo that
    is only a bound (`<`, `>` or `~`, for both). `games` and `sets` count complete sets, `void_sets`
    the others, and `faults` are counted by kind. `ranks` are the best and the worst rank that the
    sets leave open. `strength`, in stakes per deal, is adjusted for whom the bot met; if the
    schedule is not equal, it makes the order. `part` numbers, from 1, the groups of bots that met,
    each ranked by itself. `disqualified` counts matches.

    In an open league `anytime_ci95`, of the strength, and `anytime_ranks` hold at all looks at the
    table together; a bot that has `left` the field has neither, nor ranks, nor an interval of its
    strength. All strengths are relative to the mean of the field.
    """

    rank: int
    bot: str
    stakes_per_deal: float | None
    ci95: Interval | None = None
    elo: float | None = None
    elo_pm: float | None = None
    elo_bound: str | None = None
    games: int
    sets: int
    void_sets: int = 0
    faults: dict[str, int]
    ranks: tuple[int, int] | None = None
    strength: float | None = None
    strength_ci95: Interval | None = None
    part: int | None = None
    disqualified: int = 0
    anytime_ci95: Interval | None = None
    anytime_ranks: tuple[int, int] | None = None
    left: bool = False


class HeadToHead(msgspec.Struct, frozen=True):
    """A `bot` and an `other`. `met` is the gap in the `sets` both sat in, None if there are none.

    These have `deals` deals.

    `league` is the gap of their estimates by all sets, from the full covariance; None if they
    were never compared, directly or through others. `identical`: they made the same in every set.
    """

    bot: str
    other: str
    sets: int
    deals: int
    met: Gap | None
    league: Gap | None
    identical: bool


def from_other_side(pair: HeadToHead) -> HeadToHead:
    """The same pair with the bots exchanged."""
    return msgspec.structs.replace(
        pair, bot=pair.other, other=pair.bot, met=_turned(pair.met), league=_turned(pair.league)
    )


def _turned(gap: Gap | None) -> Gap | None:
    if gap is None:
        return None
    return Gap(0.0 - gap.stakes_per_deal, gap.pm, None if gap.los is None else 1 - gap.los)


HANDS = ("forehand", "middlehand", "rearhand")


class Role(msgspec.Struct, frozen=True):
    """A bot's roles, or everybody's if `bot` is None.

    `declares` is the share of its hands that it declares, `wins` the share of these that pay it;
    the others are stakes per deal in a role, `solo` those of the solos that it declares.
    `contracts` counts its declared contracts. A hand is a deal in which the bot holds cards.
    """

    bot: str | None
    declares: Proportion
    wins: Proportion
    declarer: Share
    defender: Share
    table: Share
    sitting_out: Share
    contracts: dict[str, int]
    solo: Share = Share(None, None, 0)


class SeatLine(msgspec.Struct, frozen=True):
    """A bot's stakes per deal by its place from the dealer, or everybody's if `bot` is None."""

    bot: str | None
    forehand: Share
    middlehand: Share
    rearhand: Share
    sitting_out: Share


class Company(msgspec.Struct, frozen=True):
    """Two authors whose bots sat at the same tables for some `sets`.

    There the bots of `taker` gained `stakes_per_deal` on those of `giver` beyond what their
    strengths explain, give or take `pm`, which holds at 95 % at all looks (None with few sets).
    `chance` bounds how often any two authors of an honest league would ever be as far apart, if
    what styles add to the gaps of honest pairs is normally distributed.
    """

    giver: str
    taker: str
    sets: int
    stakes_per_deal: float
    pm: float | None
    chance: float

    @property
    def improbable(self) -> bool:
        """Whether luck and style hardly explain it, so that somebody should investigate."""
        return self.chance <= IMPROBABLE


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a league except its standings: bots of a field compared.

    `pairs` has each two of them once, `roles` and `seats` a line for each and then everybody's.
    `company` is what authors gave each other, the least probable first.
    """

    bots: tuple[str, ...]
    pairs: tuple[HeadToHead, ...]
    roles: tuple[Role, ...]
    seats: tuple[SeatLine, ...]
    company: tuple[Company, ...]


class HandSpread(msgspec.Struct, frozen=True):
    """The hand of a deal with which the bots' stakes differed most.

    `deal` is the league's number; `worst` and `best` are bots, the first by name if several made
    the same, and `spread` is the difference of their stakes.
    """

    lineup: Lineup
    deal: int
    seat: int
    worst: str
    worst_stakes: float
    best: str
    best_stakes: float
    spread: float


class HandGap(msgspec.Struct, frozen=True):
    """A bot's stakes with a hand against the mean of the other bots' with the same hand.

    `gap` is the difference. The bot played the hand in `games` games, in `declared` of them as the
    declarer; `other_games` and `others_declared` are the same for the others, together.
    """

    lineup: Lineup
    deal: int
    seat: int
    stakes: float
    others: float
    gap: float
    games: int
    declared: int
    other_games: int
    others_declared: int


class Times(msgspec.Struct, frozen=True):
    """A bot's answer times in seconds; `late` is the 95th percentile."""

    bot: str
    moves: int
    median: float
    late: float
    most: float


IMPROBABLE = 0.01
"""The largest chance with which an honest league ever has a pair that is flagged."""

SIGNIFICANCE = 0.05
"""The largest risk that any of the differences reported by a test is wrong."""
