"""Messages between the arena and the process that has its Dask client, as MessagePack."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from arena.cluster.connect import Tls

MOST_THREADS: Final = 1024
"""The most matches that a worker may say it can play at a time."""

TaskName = Literal["version", "make_ready", "work"]
"""A task for a worker: to tell its arena's version, or a function of `arena.cluster.worker`."""


class LinkMessage(
    msgspec.Struct, frozen=True, tag=True, array_like=True, forbid_unknown_fields=True
):
    """A message either way."""


class Begin(LinkMessage, frozen=True):
    """Connect to a scheduler, or start one with a number of workers. The first message."""

    where: int | str
    tls: Tls | None


class Call(LinkMessage, frozen=True):
    """Have a worker carry out a task. `bots` goes to it directly, not by way of the scheduler."""

    number: int
    worker: str
    task: TaskName
    said: bytes
    bots: bytes | None = None


class Drop(LinkMessage, frozen=True):
    """Nobody waits for a call any more."""

    number: int


class Connected(LinkMessage, frozen=True):
    """The scheduler answers. `name` is for people; `cores` are those of our own workers, if any."""

    name: str
    cores: tuple[int | None, ...]


class NotConnected(LinkMessage, frozen=True):
    """There is no connection: a mistake of the user, or the machine's. The last message."""

    machine: bool
    what: str
    place: str
    remedy: str


class SeenWorker(msgspec.Struct, frozen=True):
    """A worker as the scheduler describes it.

    `last_seen` is by the scheduler's clock; `name` is a number if the worker is our own; `odd`
    says what is wrong with the description of a worker that cannot be used.
    """

    host: str
    nthreads: Annotated[int, Meta(ge=1, le=MOST_THREADS)]
    last_seen: float
    name: int | None = None
    odd: str | None = None


class Seen(LinkMessage, frozen=True):
    """The present workers, by address."""

    workers: dict[str, SeenWorker]


class WorkerAnswer(LinkMessage, frozen=True):
    """A worker's answer to a call."""

    number: int
    said: bytes


class NoAnswer(LinkMessage, frozen=True):
    """A call has no answer; `why` is None if the worker was lost rather than wrong."""

    number: int
    why: str | None


class SchedulerGone(LinkMessage, frozen=True):
    """The scheduler cannot be used any more. The last message."""

    why: str


ToClient = Begin | Call | Drop
FromClient = Connected | NotConnected | Seen | WorkerAnswer | NoAnswer | SchedulerGone
