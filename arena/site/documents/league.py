"""The documents of a site: what all may see of its league, as the publisher writes it.

Each is published as JSON under a key. Pages are drawn from them, and the path of a page with
`.json` gives the document itself. Matches and deals are in `play.py`, bots in `bot.py`. Moments are
seconds since 1970, stakes are per deal, `interval` has both ends of a 95 % interval, and cards are
written as on the wire. What a league does not yet show to others is left out by the publisher,
never by the process that serves it.

    league            LeagueDocument     what every page tells of the league
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
from arena.league.played import SeasonFinal
from arena.reports.language import Saying
from arena.site.registry.announcements import Announcement
from arena.stats.figures import Analysis, Standing, Times

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


def bot_key(name: str) -> str:
    """Return the key of a bot's document."""
    return f"bots/{name}"


def match_document_key(number: int) -> str:
    """Return the key of a match's document."""
    return f"matches/{number}"


def replay_key(number: int) -> str:
    """Return the key of what the replay of a match shows, packed by gzip."""
    return f"replays/{number}"


def deal_key(order: int, deal: int) -> str:
    """Return the key of a deal's traveller."""
    return f"deals/{order}/{deal}"


# --- what every page tells ---


LEAGUE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
"""What the name of a shown league may be: it is part of an address and of a path."""


class ShownLeague(msgspec.Struct, frozen=True, kw_only=True):
    """A league that a site shows beside its own, with pages at `/leagues/NAME/`.

    Once it is over there are the ranks of the `best` bots, and when it has `ended`.
    """

    name: str
    title: str
    bots: int
    matches: int
    best: dict[str, int] = {}
    ended: float | None = None


class LeagueDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What every page may tell of the league; it changes seldom.

    `state` is `closed` while a season's final is played and `sealed` after it. `paused` are the
    organiser's words. Bots that are submitted from `submit_until` on wait for the next season, and
    at `close_at` the final begins, if there are such moments. `waits` says why no table can be
    formed, in English. `announced` is what the organiser said last.
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


# --- the standings ---


class StandingLine(Standing, frozen=True, kw_only=True):
    """A bot's line, and what the ledger says of the bot.

    `why` explains its `state`; `needs` says that its interval is still wider than wanted. `team`
    is its author's, "" for none.
    """

    author: str = ""
    team: str = ""
    house: bool = False
    state: Literal["playing", "benched", "left"]
    why: str = ""
    joined: float | None = None
    needs: bool = False


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The live table: the field, best first, and behind it the bots that left.

    `version` is the number of the published version. `remarks` are messages on the figures.
    `identical` are bots with the same result in every set.
    """

    version: int
    at: float
    lines: tuple[StandingLine, ...]
    final: SeasonFinal | None = None
    remarks: tuple[Saying, ...] = ()
    identical: tuple[tuple[str, str], ...] = ()


# --- all bots compared ---


class CrosstableDocument(Analysis, frozen=True, kw_only=True):
    """All bots compared, in the order of the table, with the least probable pairs of authors."""

    at: float
    times: tuple[Times, ...]


# --- the proof of the deals ---


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The commitment to the season's secret; the secret and its moment once the season is over.

    Moments are as in the ledger; `orders` are the season's so far.
    """

    commitment: str
    committed_at: str | None = None
    secret: str | None = None
    sealed_at: str | None = None
    orders: int = 0


# --- what the organiser says ---


class AboutDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the organiser's own, as Markdown, announcements and leagues, the newest first."""

    text: str
    announcements: tuple[Announcement, ...]
    leagues: tuple[ShownLeague, ...] = ()


# --- rules ---


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
