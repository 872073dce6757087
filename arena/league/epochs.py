"""The epochs of an open league, as its ledger tells of them."""

import msgspec

from arena.league.ledger import Begun, Committed, Dated, Ordered, Revealed, epoch_seed


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
