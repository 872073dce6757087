"""The settings of a league in one type: its file decodes to it, and its record stores it."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta

from arena.base.isolation_levels import IsolationLevel
from arena.base.resources import STANDARD, Resources, Seconds, over
from arena.league.schedule import lineups, seatings
from arena.match.wire import Limits
from arena.stats.figures import RUN, Hypotheses, Lineup
from arena.zole.rules import Rules

DEALS: Final = 100
"""Deals of a lineup by default; with pools as many whole sessions as fit."""

SESSION: Final = 24
"""Deals of a session by default if pools are on: a tournament's round."""

ROUND: Final = 20
"""Sets of each lineup that a league plays between two checks of the widths of its intervals."""

MOST_DEALS: Final = 200_000
"""The most deals of a lineup in one go: replaying a match takes some 30 KB of memory for each."""

ORDER_DEALS: Final = 10
"""Deals of an open league's order if there are no sessions."""

MOST_ROUNDS: Final = 100
"""The most rounds of a tournament."""

START_S: Final = 10.0
LINE_BYTES: Final = 65536

Later = Literal["free", "more", "less", "until_authors"]
"""How a key may change once the league has begun; a key without this may not.

`until_authors`: until a bot has joined that is not one of the arena's own.
"""


def _later(how: Later) -> Meta:
    return Meta(extra={"later": how})


Deals = Annotated[int, Meta(ge=1, le=MOST_DEALS)]
Positive = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Width = Annotated[float, Meta(gt=0, le=1e6)]
Rate = Annotated[float, Meta(gt=0, le=1e6)]
Points = tuple[Annotated[float, Meta(ge=0, le=1000)], ...]
Publish = Literal["at_once", "season"]


Address = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9.:\[\]-]{1,255}:[1-9][0-9]{0,4}\Z")]
"""HOST:PORT."""
Variable = Annotated[str, Meta(pattern=r"\A(?!LD_)[A-Z][A-Z0-9_]{0,99}\Z")]
"""The name of an environment variable; none that the dynamic linker reads."""


class BotEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot's entry: its folder, next to the league's file, and another name if it needs one.

    It may connect to the addresses of `network`, and is given the organiser's variables named in
    `environment`.
    """

    path: str
    name: str | None = None
    network: Annotated[tuple[Address, ...], Meta(max_length=8)] = ()
    environment: Annotated[tuple[Variable, ...], Meta(max_length=8)] = ()


class LeagueLimits(Resources, frozen=True, omit_defaults=True):
    """The `[limits]` of a league.

    `move_s` is None for no limit, `max_faults` for that of the rules' `[conduct]`. With `restart` a
    bot that ended is started again for the next deal, which no rated league does.
    """

    move_s: Seconds | None = None
    start_s: Seconds | None = START_S
    line_bytes: Annotated[int, Meta(ge=256, le=1 << 30)] = LINE_BYTES
    max_faults: Positive | None = None
    restart: bool = False


class SandboxTable(msgspec.Struct, frozen=True):
    """The `[sandbox]` of a league: its level, and further folders that bots may read."""

    level: IsolationLevel | None = None
    read_only: tuple[str, ...] = ()


class LeagueConfig(msgspec.Struct, frozen=True, kw_only=True, tag_field="format"):
    """The settings of a league of any format.

    A `seed` is for practice. `session` is the number of deals of a session if pools are on; a set
    is one session, or else one deal. With `apart = "author"` bots of one author never share a
    table. `bots` are those that the file names; with `bots_from`, the path of another league's file
    next to this one, the bots in that league's field when this one begins play, too.
    """

    noun: ClassVar[str] = "league"
    name: Annotated[str, _later("free")] = ""
    rules: Rules
    limits: LeagueLimits = LeagueLimits()
    sandbox: Annotated[SandboxTable, _later("free")] = SandboxTable()
    seed: Annotated[Annotated[int, Meta(ge=0, le=(1 << 63) - 1)] | None, _later("free")] = None
    session: Deals | None = None
    apart: Literal["author", "nobody"] = "nobody"
    bots: Annotated[tuple[BotEntry, ...], _later("free")] = ()
    bots_from: Annotated[str, _later("free")] = ""

    def public(self) -> Self:
        """The settings without what is the organiser's own: folders, and the seed."""
        return msgspec.structs.replace(
            self, sandbox=SandboxTable(), seed=None, bots=(), bots_from=""
        )

    @property
    def match_limits(self) -> Limits:
        """The limits of a bot's answers."""
        return Limits(self.limits.move_s, self.limits.start_s, self.limits.line_bytes)

    @property
    def max_faults(self) -> int:
        """The faults that disqualify a bot from a match."""
        return self.limits.max_faults or self.rules.conduct.max_faults

    @property
    def resources(self) -> Resources:
        """The resources that each bot may use."""
        return over(STANDARD, self.limits)

    def blocks_after(self, played: int = 0) -> tuple[tuple[int, int], ...]:
        """The runs of deals that follow those `played`: the first deal and the number of each."""
        return ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of bots that a lineup may have: two mirror."""
        return 2, self.rules.players

    def lineups(self, bots: Iterable[str], authors: Mapping[str, str]) -> list[Lineup]:
        """The tables that meet; none if these follow from what is played."""
        return []

    def seats_of(self, lineup: Lineup) -> list[tuple[str, ...]]:
        """The seatings in which a lineup meets."""
        return seatings(lineup, self.rules_at(lineup).players)

    def rules_at(self, lineup: Lineup) -> Rules:
        """The rules at a lineup's table."""
        return self.rules

    def dealt_to(self, lineup: Lineup) -> Lineup:
        """The lineup for which a lineup's deals are made: itself, unless tables share them."""
        return lineup


class ClosedConfig(LeagueConfig, frozen=True, kw_only=True, tag="closed"):
    """A league in which every table plays as many deals as every other.

    The bots `always` sit at every table. With `mirror` pairs meet: A A B and A B B. `trios` is the
    number of tables drawn, None for all; `seatings` that in which each deal is played, None for
    all. `deals` are those of each table. With a `width`, in stakes per deal from end to end of a
    95 % interval, rounds are played until every interval is that narrow, or each table has played
    `max_deals`.
    """

    always: tuple[str, ...] = ()
    mirror: bool = False
    trios: Annotated[Positive | None, _later("more")] = None
    seatings: Positive | None = None
    deals: Annotated[Deals, _later("more")] = DEALS
    width: Annotated[Width | None, _later("less")] = None
    max_deals: Annotated[Deals | None, _later("free")] = None

    def blocks_after(self, played: int = 0) -> tuple[tuple[int, int], ...]:
        if self.width is not None:  # then `one_more_round` adds the others
            return () if played else ((0, self.round_deals(0)),)
        return ((played, self.deals - played),) if played < self.deals else ()

    def round_deals(self, played: int) -> int:
        """The deals of the next round by width, after those that were `played`."""
        return min(ROUND * (self.session or 1), (self.max_deals or MOST_DEALS) - played)

    def lineups(self, bots: Iterable[str], authors: Mapping[str, str]) -> list[Lineup]:
        apart = authors if self.apart == "author" else None
        return lineups(tuple(bots), self.rules.players, self.always, self.mirror, apart)

    def seats_of(self, lineup: Lineup) -> list[tuple[str, ...]]:
        return seatings(lineup, self.rules.players, self.seatings)


class MatchConfig(ClosedConfig, frozen=True, kw_only=True, tag="match"):
    """A match of some bots, which no league's file has.

    The only seating has the bots by `seats`; without them all are played. The deals may be `given`,
    written as `arena.zole.deal` does. Of the bots, `people` are persons, with limits of their
    own.
    """

    noun: ClassVar[str] = "match"
    seed: Annotated[int | str | None, _later("free")] = None  # type: ignore[assignment]
    deals: Deals = DEALS
    seats: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    people: dict[str, Limits] = {}

    def seats_of(self, lineup: Lineup) -> list[tuple[str, ...]]:
        return [self.seats] if self.seats else super().seats_of(lineup)


class ComparisonConfig(ClosedConfig, frozen=True, kw_only=True, tag="comparison"):
    """The bots `new` and `old` compared by a sequential test, which no league's file has."""

    noun: ClassVar[str] = "comparison"
    new: str
    old: str
    hypotheses: Hypotheses = Hypotheses()

    @property
    def sets_of_run(self) -> int:
        """The sets that a match plays: whole sessions, where a set is a session."""
        return max(1, RUN // (self.session or 1))

    def blocks_after(self, played: int = 0) -> tuple[tuple[int, int], ...]:
        deals = self.sets_of_run * (self.session or 1)
        return tuple((first, deals) for first in range(played, self.deals, deals))


class OpenConfig(LeagueConfig, frozen=True, kw_only=True, tag="open"):
    """A league whose bots come and go, and whose tables the arena draws as it goes.

    Orders come as fast as they are played until every bot's interval is expected to be at most
    `width` wide, in stakes per deal from end to end; then `trickle` an hour. `publish` is when
    others may see how a match was played: at once or after the season. The season's final has the
    best `final` bots, with `final_deals` deals for each of their tables. Authors of one of the
    `teams` never share a table. Bots that are submitted from `submit_until` on wait for the next
    season; at `close_at` the field is frozen, and the final is played. Both are in UTC; people are
    shown them in their `time_zone`.
    """

    apart: Literal["author", "nobody"] = "author"
    width: Annotated[Width, _later("free")] = 0.7
    trickle: Annotated[Rate, _later("free")] = 6.0
    publish: Annotated[Publish, _later("until_authors")] = "at_once"
    final: Annotated[Positive, _later("until_authors")] = 8
    final_deals: Annotated[Positive, _later("until_authors")] = DEALS
    teams: Annotated[tuple[tuple[str, ...], ...], _later("free")] = ()
    time_zone: Annotated[str, _later("free")] = "UTC"
    submit_until: Annotated[datetime | None, _later("free")] = None
    close_at: Annotated[datetime | None, _later("free")] = None

    @property
    def order_deals(self) -> int:
        """The deals of an order: one session if there are any."""
        return self.session or ORDER_DEALS

    @property
    def max_faults(self) -> int:
        """At most faults in a third of an order's deals.

        In a closed league all bots meet a failing one equally often. In an open one they do not, so
        its orders are void, which keeps its opponents' standings from profiting and leads it to the
        bench.
        """
        return min(super().max_faults, max(1, self.order_deals // 3))


class TournamentConfig(LeagueConfig, frozen=True, kw_only=True, tag="tournament"):
    """A tournament: each round is paired by the standing once the one before is over.

    The `rounds` have `deals` each, a table plays them once, and all tables of a round have the
    `same_deals`, or else each its own. Who is best at a table, second and so on gets as many big
    `points`; a bye is worth those of the second. Equal bots share. The `first_round` is
    drawn by lot, or the bots are listed from the strongest to the weakest. Where their number is no
    multiple of three, `fours` sit at tables of four, else some have byes.
    """

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 7
    deals: Deals = SESSION
    points: Points = (6.0, 4.0, 2.0, 0.0)
    first_round: Literal["lot", "listed"] = "lot"
    fours: bool = True
    same_deals: bool = True

    def blocks_after(self, played: int = 0) -> tuple[tuple[int, int], ...]:
        """A run of deals for each round."""
        return tuple((number * self.deals, self.deals) for number in range(self.rounds))

    @property
    def sizes(self) -> tuple[int, ...]:
        return 3, 4

    def rules_at(self, lineup: Lineup) -> Rules:
        return msgspec.structs.replace(self.rules, players=len(lineup))

    def dealt_to(self, lineup: Lineup) -> Lineup:
        return () if self.same_deals else lineup


AnyConfig = ClosedConfig | OpenConfig | TournamentConfig | MatchConfig | ComparisonConfig
"""The settings that a record may hold."""

FORMATS: Final[dict[str, type[AnyConfig]]] = {
    "closed": ClosedConfig,
    "open": OpenConfig,
    "tournament": TournamentConfig,
}
"""The formats of a league's file by name, the default first."""


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of a name such as `Europe/Riga`; None if this machine knows none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def refused_changes(old: LeagueConfig, new: LeagueConfig, authors: bool = True) -> Iterator[str]:
    """What changes and may not, in words: each key with its new and its old value.

    `authors` is whether any bot but the arena's own has joined.
    """
    before, after = old.__struct_config__.tag, new.__struct_config__.tag
    if before != after:
        yield f'format is "{after}", was "{before}"'
        return
    for field in msgspec.structs.fields(type(new)):
        one, other = getattr(old, field.name), getattr(new, field.name)
        if not _may_change(field.type, one, other, authors):
            yield from _differences(field.name, one, other)


def _may_change(kind: Any, old: Any, new: Any, authors: bool) -> bool:
    """Whether a key of this annotated type may change so."""
    extra = [note.extra for note in getattr(kind, "__metadata__", ()) if note.extra]
    match extra[0]["later"] if extra else None:
        case "free":
            return True
        case "until_authors":
            return not authors
        case "more":  # None is without end
            return new is None or (old is not None and new >= old)
        case "less":
            return old is not None and new is not None and new <= old
    return False


def _differences(key: str, old: object, new: object) -> Iterator[str]:
    if isinstance(new, msgspec.Struct):
        for name in new.__struct_fields__:
            yield from _differences(f"{key}.{name}", getattr(old, name), getattr(new, name))
    elif old != new:
        after, before = (
            "not set" if value is None else msgspec.json.encode(value).decode()
            for value in (new, old)
        )
        yield f"{key} is {after}, was {before}"
