"""The JSON with which a site answers programs: the web process writes it, the client reads it.

All of it lies under `/api/v1` and needs `Authorization: Bearer TOKEN`:

    GET  me                        Me
    POST code                      Code: a link to a session in a browser
    POST bots, or bots?again=1     SiteJob; the body is the archive
    POST jobs                      SiteJob; the body is OwnLogs, ChangeBot or Challenge
    GET  jobs/ID                   SiteJob
    GET  jobs/ID/log               the logs that OwnLogs was answered with

An error has a status from 400 on and is a `Problem`.
"""

import msgspec

from arena.site.registry.bots import Allowed, OwnBot, QuotaName
from arena.site.registry.jobs import SiteJob


class Problem(msgspec.Struct, frozen=True):
    """A refusal: the reason, what one can do about it, and the seconds to wait first."""

    error: str
    remedy: str = ""
    wait_s: int | None = None


class Me(msgspec.Struct, frozen=True):
    """The account of a token, its last jobs without steps, the newest first, and what is left."""

    name: str
    bots: tuple[OwnBot, ...]
    jobs: tuple[SiteJob, ...]
    quotas: dict[QuotaName, Allowed]


class Code(msgspec.Struct, frozen=True):
    """A link that opens a session in a browser; it works once, and not for long."""

    link: str
