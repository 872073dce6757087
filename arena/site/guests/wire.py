"""The messages between the web process and the host of guests' tables: JSON lines over a socket.

A connection begins with a question. `Sit` and `Watch` are answered with lines for as long as the
table lasts, all others with one line. Before those lines comes one of the host's own: `OWN_LINE`
and a `SeatStanding`. The lines of `Sit` are those of the protocol to a bot; the lines from the web
are the guest's answers, or `LEAVE`.
"""

import hashlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Final

import msgspec

from arena.people.suggestion import Suggestion
from arena.review.verdict import Verdict
from arena.site.config import Site

GUEST_ABSENT_S: Final = 300.0
"""Seconds after which a guest who is away has left."""

MOVE_S: Final = 300.0
"""The seconds that a guest has for an answer."""

LEAVE: Final = b"#leave"
"""The line with which a guest leaves."""

OWN_LINE: Final = b"#"
"""The first byte of a line that is the host's own."""

LONGEST_ASKED: Final = 16_384
"""The most bytes that a line from the web may have."""

LONGEST_TOLD: Final = 8 << 20
"""The most bytes that a line from the host may have."""


class GuestAsk(msgspec.Struct, frozen=True, tag_field="ask"):
    """A question of the web."""


class Lounge(GuestAsk, frozen=True, tag="lounge"):
    """Asks for the bots that agree to play guests. `session` stands for a browser."""

    session: str


class OpenTable(GuestAsk, frozen=True, tag="open"):
    """Asks for a table. `session` and `address` stand for a browser and for where it is."""

    session: str
    address: str
    bots: tuple[str, ...]


class Sit(GuestAsk, frozen=True, tag="sit"):
    """Asks for the lines of a guest's seat, by its key."""

    key: str


class Watch(GuestAsk, frozen=True, tag="watch"):
    """Asks for the lines that watchers of a table see, by the watchers' key."""

    key: str


class HintAsked(GuestAsk, frozen=True, tag="hint"):
    """Asks for the answer that a review would give to the open request."""

    key: str


class ReviewAsked(GuestAsk, frozen=True, tag="review"):
    """Asks for the verdicts on the guest's answers in a finished deal."""

    key: str
    deal: int


class End(GuestAsk, frozen=True, tag="end"):
    """Asks for the log and the seed of a table that is over. For the guest alone."""

    key: str


class ReplayAsked(GuestAsk, frozen=True, tag="replay"):
    """Asks for the replay of a table that is over, by the watchers' key."""

    key: str


AnyAsk = Lounge | OpenTable | Sit | Watch | HintAsked | ReviewAsked | End | ReplayAsked


class GuestTold(msgspec.Struct, frozen=True, tag_field="told"):
    """An answer of the host."""


class TableRefused(GuestTold, frozen=True, tag="refused"):
    """A refusal; `status` is that of HTTP."""

    status: int
    error: str
    remedy: str = ""
    wait_s: int | None = None


class GuestBot(msgspec.Struct, frozen=True):
    """A bot that guests may play; one of the arena's own has a `level`."""

    name: str
    author: str
    level: str = ""


class TableChoice(GuestTold, frozen=True, tag="choice"):
    """The bots that may be played, the bots' seats at a table, its deals, and the tables left.

    `own` is the address of the seat that the guest has already, "" for none.
    """

    bots: tuple[GuestBot, ...]
    seats: int
    deals: int
    move_s: float
    free: int
    own: str = ""


class TableOpened(GuestTold, frozen=True, tag="opened"):
    """The keys of a table, and its players by seat; an `old` one is that which the session had."""

    seat: str
    watch: str
    players: tuple[str, ...]
    old: bool = False


class Hinted(GuestTold, frozen=True, tag="hinted"):
    """The answer that a review would give, and why."""

    suggestion: Suggestion


class DealReviewed(GuestTold, frozen=True, tag="reviewed"):
    """The verdicts on a deal."""

    verdicts: tuple[Verdict, ...]


class TableEnded(GuestTold, frozen=True, tag="ended"):
    """A table that is over: players, seed of its deals, log as `arena replay` reads it.

    `log` is empty if the arena spoilt the match.
    """

    players: tuple[str, ...]
    seed: str
    log: str


class TableReplayed(GuestTold, frozen=True, tag="replayed"):
    """The page that replays a table, for whoever has the watchers' key."""

    page: str


class SeatStanding(msgspec.Struct, frozen=True):
    """The state of a table at the moment of the question, before its lines so far.

    There are `lines` of these. `is_open` says whether the last request is still to be answered, and
    `ago_s` the seconds since it was asked. `watch` is the key for watchers, `players` are by seat.
    """

    lines: int
    is_open: bool
    ago_s: float
    watch: str
    players: tuple[str, ...]


def watch_key(seat: str) -> str:
    """Return the watchers' key of the table with this seat's key, which it does not give away."""
    return urlsafe_b64encode(hashlib.sha256(f"watch {seat}".encode()).digest()[:16]).decode()[:22]


def socket_of(site: Site) -> Path:
    """Return the path of the socket at which the host of a site's tables listens."""
    return site.tables / "host.sock"


ask_in: Final = msgspec.json.Decoder(AnyAsk)
standing_in: Final = msgspec.json.Decoder(SeatStanding)


def line_of(message: GuestAsk | GuestTold) -> bytes:
    """Return the line of a message, with its newline."""
    return msgspec.json.encode(message) + b"\n"


def standing_line(standing: SeatStanding) -> bytes:
    """Return the host's own line, with its newline."""
    return OWN_LINE + msgspec.json.encode(standing) + b"\n"
