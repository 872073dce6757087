"""The public view of an open league's ledger: every line, and the epochs that they tell of."""

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.epochs import Epoch
from arena.league.ledger import Line, chain_flaw
from arena.league.terms import OpenTerms
from arena.record.facts import is_practice
from arena.record.store import Store


class PublicLedger(msgspec.Struct, frozen=True):
    """The whole ledger of an open league, with its epochs; `hash` is that of the last line."""

    league: str
    practice: bool
    hash: str
    epochs: tuple[Epoch, ...]
    lines: tuple[Line, ...]


def public_ledger(store: Store) -> PublicLedger:
    """Return the ledger of an open league. Raises `ArenaError` if it is missing or broken."""
    terms, lines = store.terms(), store.ledger()
    if not isinstance(terms, OpenTerms):
        what = "this league has no epochs: it is not an open one"
        raise ArenaError(Mistake(what, str(store.path), "docs/leagues.md tells of both"))
    flaw = chain_flaw(lines) or (None if lines else "the ledger is empty")
    if flaw is not None:
        raise ArenaError(Mistake(flaw, str(store.path), "arena verify tells all"))
    practice, epochs = is_practice(store.facts()), store.fold().epochs
    return PublicLedger(terms.name, practice, lines[-1].hash, epochs, tuple(lines))
