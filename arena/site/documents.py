"""The documents of a site: what all may see of its league, as the publisher writes it.

Each is published as JSON under a key. Pages are drawn from them, and the path of a page with
`.json` gives the document itself. Moments are seconds since 1970, stakes are per deal, `interval`
has both ends of a 95 % interval, and cards are written as on the wire; seats are numbered from 0,
and `bots`, `stakes` and `payments` are by seat. What a league does not yet show to others is left
out by the publisher, never by the process that serves it.

    league            LeagueDocument     what every page shows of the league
    numbers           Numbers            what was played so far
    standings         Standings
    crosstable        CrosstableDocument
    now               TablesDocument     what is played now, and what was played last
    bots/NAME         BotDocument
    matches/N         MatchDocument
    replays/N         what `reports/page.py` makes of a match, packed
    deals/ORDER/DEAL  TravellerDocument  a deal in all its seatings, by the league's number of it
    proof             Proof              of the deals: the commitment to the season's secret
    rules             RulesDocument
    about             AboutDocument
    tv                Television

Two are published as lists of rows by number: `matches` of `MatchLine`, `ledger` of `Line`.
"""

import re
from typing import Final, Literal

import msgspec

from arena.league.config import OpenConfig, Publish
from arena.league.ledger import Ordered
from arena.league.played import MatchOutline, SeasonFinal, Traveller
from arena.match.record import Course
from arena.match.wire import FaultShown
from arena.reports.language import Phrase
from arena.site.registry.organiser import Announcement
from arena.stats.figures import Analysis, HandGap, HeadToHead, Role, SeatLine, Standing, Times
from arena.zole.state import Game

LEAGUE: Final = "league"
NUMBERS: Final = "numbers"
STANDINGS: Final = "standings"
CROSSTABLE: Final = "crosstable"
NOW: Final = "now"
PROOF: Final = "proof"
RULES: Final = "rules"
ABOUT: Final = "about"
TELEVISION: Final = "tv"

MATCHES: Final = "matches"
LEDGER: Final = "ledger"


# What the name of a shown league may be: it is part of an address and of a path.
LEAGUE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")


class ShownLeague(msgspec.Struct, frozen=True, kw_only=True):
    """A league that a site shows in addition to its own, with pages at `/leagues/NAME/`.

    Once it is over there are the ranks of the `best` bots, and when it has `ended`.
    """

    name: str
    title: str
    bots: int
    matches: int
    best: dict[str, int] = {}
    ended: float | None = None


class LeagueDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What every page may show of the league; it changes seldom.

    `state` is `closed` while a season's final is played and `sealed` after it. `paused` are the
    organiser's words. Bots that are submitted from `submit_until` on wait for the next season, and
    at `close_at` the final begins, if there are such moments. `waits` is the reason why no table
    can be formed, in English. `announced` is the organiser's last announcement.
    """

    name: str
    practice: bool
    state: Literal["waiting", "playing", "closed", "sealed"]
    paused: str = ""
    season: int = 1
    submit_until: float | None = None
    close_at: float | None = None
    waits: str = ""
    publish: Publish
    announced: Announcement | None = None


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """What was played so far, at a moment; it changes with every match.

    `lines` and `hash` are the number and the hash of the ledger's last line. While no table plays,
    the next one comes `next_at`.
    """

    at: float
    next_at: float | None = None
    lines: int = 0
    hash: str = ""
    orders: int
    matches: int
    games: int
    decisions: int


class StandingLine(Standing, frozen=True, kw_only=True):
    """A bot's line, and what the ledger has of the bot.

    `why` explains its `state`. `team` is its author's, "" for none. `rank_before` is its rank by
    the tables ordered up to a week ago, among the bots that play now; None without any.
    """

    author: str = ""
    team: str = ""
    house: bool = False
    state: Literal["playing", "benched", "left"]
    why: str = ""
    joined: float | None = None
    rank_before: int | None = None


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The live table: the field, best first, and behind it the bots that left.

    `remarks` are messages on the figures, `identical` are bots with the same result in every set.
    """

    at: float
    lines: tuple[StandingLine, ...]
    final: SeasonFinal | None = None
    remarks: tuple[Phrase, ...] = ()
    identical: tuple[tuple[str, str], ...] = ()


class CrosstableDocument(Analysis, frozen=True, kw_only=True):
    """All bots compared, in the order of the table, with the least probable pairs of authors."""

    at: float
    times: tuple[Times, ...]


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The commitment to the season's secret; the secret and its moment once the season is over.

    Moments are as in the ledger; `orders` are the season's so far.
    """

    commitment: str
    committed_at: str | None = None
    secret: str | None = None
    sealed_at: str | None = None
    orders: int = 0


class AboutDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the organiser's own, as Markdown, announcements and leagues, the newest first."""

    text: str
    announcements: tuple[Announcement, ...]
    leagues: tuple[ShownLeague, ...] = ()


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A key of the rules with its value, and whether it differs from the preset."""

    key: str
    value: str
    changed: bool = False


class RulesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of the league: the preset nearest to them, and every value.

    `payments` are the stakes to the declarer from each opponent, by level, for each contract in the
    order of `levels`. `limits` are what bots may use.
    """

    preset: str
    title: str
    players: int
    session: int | None = None
    rules: tuple[Rule, ...]
    levels: tuple[str, ...]
    payments: dict[str, tuple[int, ...]]
    limits: dict[str, str]
    open: OpenConfig | None


# The end of which matches wait to be shown to everybody.
HiddenUntil = Literal["season"]


class OrderLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table under way: its order, and the moment at which that was written.

    Of its `matches`, `played` are stored.
    """

    order: Ordered
    at: float
    played: int
    matches: int


class MatchLine(MatchOutline, frozen=True, kw_only=True):
    """A stored match, and what its order has of it.

    A match that counts for nothing is `void`; it is `waiting` until the other seatings of its table
    are stored.
    """

    order: int
    at: float | None
    counts: Literal["counts", "waiting", "void"]
    shown: bool = False


class TablesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The tables played now, the oldest order first, and the last matches, the newest first."""

    at: float
    now: tuple[OrderLine, ...]
    last: tuple[MatchLine, ...]
    orders_an_hour: float | None = None


class MatchesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, the newest first; further ones are before the number `older`, unless it is None."""

    rows: tuple[MatchLine, ...]
    older: int | None = None


class DealResult(Course, frozen=True, kw_only=True):
    """A deal of a match, by the league's number of it, and its payments by seat.

    Only the author of a bot sees the details of its fault.
    """

    deal: int
    payments: tuple[int, ...]
    fault: FaultShown | None = None


class MatchDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A match. `line` is its entry in lists; `seatings` are all stored matches of its table.

    Its replay is shown once what `later` names has ended, or at once; `moves` and `seconds` are by
    seat, from the log.
    """

    line: MatchLine
    deals: tuple[DealResult, ...]
    seatings: tuple[int, ...]
    later: HiddenUntil | None = None
    moves: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


class TravellerDocument(Traveller, frozen=True, kw_only=True):
    """A deal in all its seatings, and its order, which has `deals` deals from `first` on.

    It is published once its cards may be shown.
    """

    order: int | None = None
    first: int
    deals: int


class ShownDeal(msgspec.Struct, frozen=True, kw_only=True):
    """A deal that is worth watching; `number` is its number in the match.

    `stakes` are the most that a seat won or lost; `contract` and `declarer`, a bot, are what was
    played, and not how it ended. The larger its `worth`, the sooner it is shown.
    """

    match: int
    number: int
    bots: tuple[str, ...]
    stakes: int
    contract: Game | None = None
    declarer: str | None = None
    worth: float = 0.0


class Television(msgspec.Struct, frozen=True, kw_only=True):
    """Deals to be shown one after another: of the last ones, those most worth watching first."""

    deals: tuple[ShownDeal, ...]


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot, which plays as its own bot.

    `was` is its line of the standings, the last one if it has left. `content` is the SHA-256 of its
    folder in hex, `version` as in its manifest.
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
    and `worst` the largest gaps. `best_at` is a match in which it held the best hand, and the
    number of the deal in it, if everybody may watch it. Guests play against it as `at_tables`, ""
    if they may not.
    """

    at: float
    line: StandingLine
    version: str
    content: str
    versions: tuple[Version, ...]
    against: tuple[HeadToHead, ...] = ()
    roles: tuple[Role, ...] = ()
    seats: tuple[SeatLine, ...] = ()
    times: Times | None = None
    faults: tuple[BotFault, ...] = ()
    best: tuple[Hand, ...] = ()
    worst: tuple[Hand, ...] = ()
    best_at: tuple[int, int] | None = None
    at_tables: str = ""
    matches: tuple[MatchLine, ...] = ()
