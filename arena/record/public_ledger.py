"""The public view of an open league's ledger: every line, and the secret of a finished season."""

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.config import OpenConfig
from arena.league.ledger import Line
from arena.record.store import Store


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
    config = store.terms().config
    if not isinstance(config, OpenConfig):
        what = "this league has no ledger: it is not an open one"
        raise ArenaError(Mistake(what, str(store.path), "docs/leagues.md explains both"))
    fold = store.fold()
    return PublicLedger(
        league=config.name,
        practice=store.facts().practice,
        commitment=fold.commitment,
        secret=fold.secret,
        hash=fold.hash,
        lines=tuple(store.ledger()),
    )
