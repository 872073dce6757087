"""The JSON with which a site answers programs: the web process writes it, the client reads it.

All of it lies under `/api/v1` and needs `Authorization: Bearer TOKEN`:

    GET  me                                Me
    POST code                              Code: a link to a session in a browser
    POST bots, or bots?again=1             Sent; the body is the archive,
                                           Idempotency-Key its SHA-256 in hex
    GET  uploads?before=N                  Uploads
    GET  uploads/ID                        UploadSeen
    GET  pull?after=N&most=M               Pulled
    GET  matches/N/log                     the log; 202 and RequestMade until it is ready
    POST bots/NAME/withdraw, /resume       RequestMade
    POST challenges                        RequestMade; the body is ChallengeOf
    GET  requests/ID                       RequestMade

An error has a status from 400 on and is a `Problem`.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.site.registry.uploads import OwnBot, QuotaLeft, Upload


class Problem(msgspec.Struct, frozen=True):
    """A refusal: the reason, what one can do about it, and the seconds to wait first."""

    error: str
    remedy: str = ""
    wait_s: int | None = None


class Me(msgspec.Struct, frozen=True):
    """The account of a token."""

    name: str
    bots: tuple[OwnBot, ...]
    quota: QuotaLeft


class Code(msgspec.Struct, frozen=True):
    """A link that opens a session in a browser; it works once, and not for long."""

    link: str


class Sent(msgspec.Struct, frozen=True):
    """An archive that was taken in. It is `new` unless the same one had been sent before."""

    upload: Upload
    new: bool
    quota: QuotaLeft


class UploadSeen(msgspec.Struct, frozen=True):
    """An upload with its steps so far."""

    upload: Upload
    quota: QuotaLeft


class Uploads(msgspec.Struct, frozen=True):
    """Own uploads without their steps, the newest first."""

    uploads: tuple[Upload, ...]
    quota: QuotaLeft


class OwnMatch(msgspec.Struct, frozen=True):
    """A stored match of own bots: its number, and those of them that sat there."""

    number: int
    bots: tuple[str, ...]


class Pulled(msgspec.Struct, frozen=True):
    """The newest of one's own matches after a number, the oldest of them first.

    `left` counts the older ones after that number, which are left out.
    """

    matches: tuple[OwnMatch, ...]
    left: int
    quota: QuotaLeft


class RequestSeen(msgspec.Struct, frozen=True):
    """A request of an account. `answer` is a sentence, or the result of a challenge as JSON."""

    id: str
    state: Literal["waiting", "answered", "failed"]
    answer: str = ""


class RequestMade(msgspec.Struct, frozen=True):
    """A request with what came of it so far."""

    request: RequestSeen
    quota: QuotaLeft


class ChallengeOf(msgspec.Struct, frozen=True):
    """The bots of a challenge, by seat."""

    bots: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=80)], ...],
        Meta(min_length=2, max_length=5),
    ]


class Challenged(msgspec.Struct, frozen=True):
    """The result of a challenge. `stakes` has by bot the sum over its `games`."""

    bots: tuple[str, ...]
    deals: int
    matches: int
    stakes: dict[str, int]
    games: dict[str, int]
    faults: dict[str, int]
    disqualified: dict[str, int]
