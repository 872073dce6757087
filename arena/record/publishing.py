"""What of a league may be shown to everybody: which matches, and the ledger of an open one."""

from collections.abc import Callable, Iterable

import msgspec

from arena.league.config import LeagueConfig, OpenConfig
from arena.league.fold import LedgerFold
from arena.league.ledger import Line
from arena.record.store import Store

MayShow = Callable[[Iterable[str]], bool]
"""A test whether others may see how some bots played a match."""


def everything(bots: Iterable[str]) -> bool:
    """Allow all, as an organiser is."""
    return True


def may_show(config: LeagueConfig, ledger: LedgerFold) -> MayShow:
    """Return the test for a league as it stands; of one that is not open, everything may be shown.

    An open league's `publish` sets when others may see how a match was played: at once, or once its
    season is sealed. What house bots play among themselves may be seen at once, for everybody has
    them. Results are never secret.
    """
    if isinstance(config, OpenConfig) and config.publish == "season" and ledger.secret is None:
        return lambda bots: all(ledger.joined[bot].house for bot in bots)
    return everything


class PublicLedger(msgspec.Struct, frozen=True):
    """The whole ledger of an open league; `hash` is that of the last line.

    `commitment` is the SHA-256 of the season's secret; `secret` is None until the season is sealed.
    """

    league: str
    practice: bool
    commitment: str
    secret: str | None
    hash: str
    lines: tuple[Line, ...]


def public_ledger(store: Store) -> PublicLedger:
    """Return the ledger of an open league. Raises `ArenaError` for any other league."""
    config, fold = store.open_config(), store.fold()
    return PublicLedger(
        league=config.name,
        practice=store.facts().practice,
        commitment=fold.commitment,
        secret=fold.secret,
        hash=fold.hash,
        lines=tuple(store.ledger()),
    )
