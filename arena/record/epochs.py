"""What an open league shows of its ledger: every line, and what these say of its epochs."""

from collections.abc import Iterator, Sequence

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.ledger import (
    Begun,
    Committed,
    Dated,
    Line,
    Ordered,
    Revealed,
    chain_flaw,
    epoch_seed,
    read_line,
)
from arena.record.damage import reading
from arena.record.facts import is_practice
from arena.record.store import Store


class Epoch(msgspec.Struct, frozen=True, kw_only=True):
    """An epoch: what was committed to and when, and what came of it.

    `field` is the digest of the bots that played at its begin, `orders` counts its tables. The
    secret and the seed that follows from both are None until it is revealed; moments are in UTC.
    """

    epoch: int
    commitment: str
    committed_at: str
    field: str | None = None
    begun_at: str | None = None
    orders: int = 0
    secret: str | None = None
    revealed_at: str | None = None
    seed: str | None = None


class PublicLedger(msgspec.Struct, frozen=True):
    """The whole ledger of an open league, with its epochs; `hash` is that of the last line."""

    league: str
    practice: bool
    hash: str
    epochs: tuple[Epoch, ...]
    lines: tuple[Line, ...]


def public_ledger(store: Store) -> PublicLedger:
    """The ledger of an open league. Raises `ArenaError` where there is none or its chain breaks."""
    terms, lines = store.terms(), store.ledger()
    if terms.open is None:
        what = "this league has no epochs: it is not an open one"
        raise ArenaError(Mistake(what, str(store.path), "docs/leagues.md tells of both"))
    flaw = chain_flaw(lines) or (None if lines else "the ledger is empty")
    if flaw is not None:
        raise ArenaError(Mistake(flaw, str(store.path), "arena verify tells all"))
    with reading(store.path):
        epochs = tuple(_epochs([read_line(line.text) for line in lines]))
    practice = is_practice(store.facts())
    return PublicLedger(terms.name, practice, lines[-1].hash, epochs, tuple(lines))


def _epochs(lines: Sequence[Dated]) -> Iterator[Epoch]:
    """The epochs that were committed to, in order. An entry of none of them is passed over."""
    found: dict[int, Epoch] = {}
    for line in lines:
        note_epoch(found, line)
    yield from found.values()


def note_epoch(found: dict[int, Epoch], line: Dated) -> None:
    """Note what the next line of a ledger says of the epochs found so far."""
    match line.entry:
        case Committed(number, commitment):
            found[number] = Epoch(epoch=number, commitment=commitment, committed_at=line.at)
        case Begun(number, field):
            _note(found, number, field=field, begun_at=line.at)
        case Revealed(number, secret) if number in found:
            mixed = found[number].field
            seed = None if mixed is None else epoch_seed(secret, mixed)
            _note(found, number, secret=secret, revealed_at=line.at, seed=seed)
        case Ordered(epoch=number) if number in found:
            _note(found, number, orders=found[number].orders + 1)


def _note(epochs: dict[int, Epoch], number: int, **more: object) -> None:
    if number in epochs:
        epochs[number] = msgspec.structs.replace(epochs[number], **more)
