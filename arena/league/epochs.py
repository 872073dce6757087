"""The epochs of an open league, as its ledger tells of them."""

import msgspec


class Epoch(msgspec.Struct, frozen=True, kw_only=True):
    """An epoch: its commitment, its beginning and its end.

    `field` is the digest of the bots that played at its start, `orders` counts its tables. The
    `secret` and the `seed`, which follows from the secret and the field, are None until the epoch
    is revealed; moments are in UTC.
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
