"""The requests to a worker before it plays, as MessagePack."""

import msgspec

from arena.base.isolation_levels import IsolationLevel
from arena.engine.builds import Copy


class Demand(msgspec.Struct, frozen=True):
    """The conditions on a worker: the arena's version, the level of isolation, folders for bots.

    The level is chosen once for a run; a worker that cannot enforce it is not used.
    """

    version: str
    level: IsolationLevel
    read_only: tuple[str, ...] = ()


class Admission(msgspec.Struct, frozen=True):
    """The conditions for a worker to be ready: the demand, and the bots that it must have."""

    demand: Demand
    copies: tuple[Copy, ...]


class Readiness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A worker's answer: the hashes of the bots it still lacks, or why it cannot play."""

    missing: tuple[str, ...] = ()
    refusal: str | None = None
