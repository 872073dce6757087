"""The documents of a site: what all may see of its league, as the publisher writes it.

Each is one JSON document under a key of what is published; the pages are drawn from them, and the
path of a page with `.json` gives the document itself. What is played is in `documents_play`, a bot
in `documents_bot`. Moments are seconds since 1970, stakes are per deal, `interval` is a 95 %
interval from end to end, and cards are written as on the wire. What a league does not yet show to
others is left out by whoever writes a document, never by who serves it.

    league            LeagueDocument     what every page tells of the league
    standings         Standings
    crosstable        CrosstableDocument
    now               TablesDocument     what is played now, and what was played last
    bots/NAME         BotDocument
    matches/N         MatchDocument
    deals/ORDER/DEAL  TravellerDocument  a deal in all its seatings, by the league's number of it
    epochs            Epochs
    rules             RulesDocument
    tv                Television

Of lists each row is a document: `matches` of `MatchLine` by number, `ledger` of its `Line`.
"""

from typing import Final, Literal

import msgspec

from arena.league.epochs import Epoch
from arena.league.format import OpenFormat, Publish
from arena.league.played import SeasonFinal
from arena.stats.figures import Circle, HeadToHead, Misfit, Point, Role, SeatLine, Standing, Times

LEAGUE: Final = "league"
STANDINGS: Final = "standings"
CROSSTABLE: Final = "crosstable"
NOW: Final = "now"
EPOCHS: Final = "epochs"
RULES: Final = "rules"
TELEVISION: Final = "tv"

MATCHES: Final = "matches"
LEDGER: Final = "ledger"


def bot_key(name: str) -> str:
    """The key of a bot's document."""
    return f"bots/{name}"


def match_document_key(number: int) -> str:
    """The key of a match's document."""
    return f"matches/{number}"


def deal_key(order: int, deal: int) -> str:
    """The key of a deal's traveller."""
    return f"deals/{order}/{deal}"


# --- what every page tells ---


class LeagueDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The league in a few numbers.

    `state` is `closed` while a season's final is played and `sealed` after it. `paused` are words
    of the organiser. The `hash` is that of the ledger's last line, `lines` its number; an epoch
    ends at `epoch_ends` or a little later, None before the first.
    """

    name: str
    practice: bool
    state: Literal["waiting", "playing", "closed", "sealed"]
    paused: str = ""
    at: float
    season: int = 1
    epoch: int
    epoch_ends: float | None = None
    lines: int
    hash: str
    orders: int
    matches: int
    games: int
    decisions: int
    publish: Publish


# --- the standings ---


class StandingLine(Standing, frozen=True, kw_only=True):
    """A bot's line, and what the ledger says of the bot.

    `why` is that of its state; `needs` says that its interval is not as narrow as wanted.
    """

    author: str = ""
    house: bool = False
    state: Literal["playing", "benched", "left"]
    why: str = ""
    joined: float | None = None
    needs: bool = False


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The live table, those of the field first and best first; those that left come behind.

    `version` counts what was published. `remarks` are sentences on the figures. `identical` are
    bots that made the same in every set.
    """

    version: int
    at: float
    lines: tuple[StandingLine, ...]
    final: SeasonFinal | None = None
    remarks: tuple[str, ...] = ()
    identical: tuple[tuple[str, str], ...] = ()


# --- all bots compared ---


class CrosstableDocument(msgspec.Struct, frozen=True, kw_only=True):
    """All `bots` compared, in the order of the table.

    `pairs` are of those that are compared, each from one side. `roles` and `seats` have a line for
    each bot and then everybody's. `misfit` and `growth`, by the places of the bots, are there where
    all tables are played side by side; a site has neither.
    """

    at: float
    bots: tuple[str, ...]
    pairs: tuple[HeadToHead, ...]
    circles: tuple[Circle, ...]
    roles: tuple[Role, ...]
    seats: tuple[SeatLine, ...]
    times: tuple[Times, ...]
    misfit: Misfit | None = None
    growth: tuple[Point, ...] = ()


# --- epochs ---


class Epochs(msgspec.Struct, frozen=True, kw_only=True):
    """All epochs that were committed to, the newest first."""

    epochs: tuple[Epoch, ...]


# --- rules ---


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A key of the rules, its value in this league, what it is about; whether it was changed."""

    key: str
    value: str
    about: str
    changed: bool = False


class RulesDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What the league is played by: the preset nearest to its rules, and every value.

    `payments` are the stakes to the declarer from each opponent, by level, for each contract in
    the order of `levels`. Limits are what bots may use.
    """

    preset: str
    title: str
    players: int
    session: int | None = None
    rules: tuple[Rule, ...]
    levels: tuple[str, ...]
    payments: dict[str, tuple[int, ...]]
    limits: dict[str, str]
    open: OpenFormat | None
