"""What the web asks the host of guests' tables, line by line over a socket, and what it answers.

A connection begins with one of the questions. `Sit` and `Watch` are answered with lines as long as
the table lasts, all others with one line. The lines of `Sit` are those of the protocol to a bot;
those from the web are the guest's answers, or `LEAVE`. Before them comes a `SeatStanding`, after
`OWN_LINE`.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from arena.match.wire import AnyReply
from arena.site.config import Site

GUEST_ABSENT_S: Final = 300.0
"""A guest who is away for so many seconds has left."""

MOVE_S: Final = 120.0
"""The seconds that a guest has for an answer."""

LEAVE: Final = b"#leave"
"""The line by which a guest leaves."""

OWN_LINE: Final = b"#"
"""How a line begins that is the host's own."""

LONGEST_ASKED: Final = 16_384
"""The most bytes of a line from the web."""

LONGEST_TOLD: Final = 8 << 20
"""The most bytes of a line from the host."""


class GuestAsk(msgspec.Struct, frozen=True, tag_field="ask"):
    """A question of the web."""


class Lounge(GuestAsk, frozen=True, tag="lounge"):
    """Which bots agree to play guests?"""


class OpenTable(GuestAsk, frozen=True, tag="open"):
    """A table, please. `session` and `address` stand for a browser and for where it is."""

    session: str
    address: str
    bots: tuple[str, ...]


class Sit(GuestAsk, frozen=True, tag="sit"):
    """The lines of a guest's seat, by its key."""

    key: str


class Watch(GuestAsk, frozen=True, tag="watch"):
    """The lines for who watches a table, by the watchers' key."""

    key: str


class HintAsked(GuestAsk, frozen=True, tag="hint"):
    """What would a review answer to the open request?"""

    key: str


class ReviewAsked(GuestAsk, frozen=True, tag="review"):
    """What were the guest's answers in a finished deal worth?"""

    key: str
    deal: int


class End(GuestAsk, frozen=True, tag="end"):
    """What was played at a table: its log and its seed, once it is over. For the guest alone."""

    key: str


AnyAsk = Lounge | OpenTable | Sit | Watch | HintAsked | ReviewAsked | End


class GuestTold(msgspec.Struct, frozen=True, tag_field="told"):
    """An answer of the host."""


class TableRefused(GuestTold, frozen=True, tag="refused"):
    """What was asked is not done; the status is that of HTTP."""

    status: int
    error: str
    remedy: str = ""
    wait_s: int | None = None


class GuestBot(msgspec.Struct, frozen=True):
    """A bot that guests may play; `house` for one of the arena's own."""

    name: str
    author: str
    house: bool


class TableChoice(GuestTold, frozen=True, tag="choice"):
    """Who may be played, how many bots sit at a table, its deals, and the tables left."""

    bots: tuple[GuestBot, ...]
    seats: int
    deals: int
    move_s: float
    free: int


class TableOpened(GuestTold, frozen=True, tag="opened"):
    """The keys of a table, and who sits at it by seat; an `old` one is what the session had."""

    seat: str
    watch: str
    players: tuple[str, ...]
    old: bool = False


class Hinted(GuestTold, frozen=True, tag="hinted"):
    """What a review would answer."""

    answer: AnyReply


class DealReviewed(GuestTold, frozen=True, tag="reviewed"):
    """The verdicts on a deal."""

    verdicts: tuple[dict[str, Any], ...]


class TableEnded(GuestTold, frozen=True, tag="ended"):
    """A table that is over: who sat there, the seed of its deals, the log as `replay` reads it.

    `log` is empty where the arena spoilt the match.
    """

    players: tuple[str, ...]
    seed: str
    log: str


class SeatStanding(msgspec.Struct, frozen=True):
    """How a table stands: what is to be known of the lines there are so far, which follow.

    After so many `lines`, whether the last request is still to be answered, and the seconds since
    it was asked. `watch` is the key for watchers, `players` are by seat.
    """

    lines: int
    is_open: bool
    ago_s: float
    watch: str
    players: tuple[str, ...]


def socket_of(site: Site) -> Path:
    """The socket at which the host of a site's tables listens."""
    return site.tables / "host.sock"


ask_in: Final = msgspec.json.Decoder(AnyAsk)
standing_in: Final = msgspec.json.Decoder(SeatStanding)


def line_of(message: GuestAsk | GuestTold) -> bytes:
    """The line of a message, with its newline."""
    return msgspec.json.encode(message) + b"\n"


def standing_line(standing: SeatStanding) -> bytes:
    """The host's own line, with its newline."""
    return OWN_LINE + msgspec.json.encode(standing) + b"\n"
