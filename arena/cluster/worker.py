"""A cluster's worker: it tells whether it can play, takes in bots, and plays matches."""

from functools import cache

import msgspec

from arena import __version__
from arena.base.errors import ArenaError
from arena.cluster.answers import encode_answer, encode_refusal
from arena.cluster.below import play_below
from arena.cluster.matches import MatchOrder
from arena.cluster.orders import Admission, Demand, Readiness
from arena.engine.builds import Copy, beside, keep
from arena.engine.builds import cache as cache_of_copies
from arena.engine.job import Job
from arena.engine.transfer import receive
from arena.sandbox.isolation import Isolation, choose_isolation, for_worker


def make_ready(entry: bytes, packed: bytes | None) -> bytes:
    """Unpack and build a bot that arrived, and return the missing ones as a `Readiness`.

    `entry` is an `Admission`; `packed`, if any, an archive by the hash of its bot.
    """
    return msgspec.msgpack.encode(_readiness(msgspec.msgpack.decode(entry, type=Admission), packed))


def work(said: bytes) -> bytes:
    """Play the matches of a `MatchOrder` until nobody waits for them, and return the results.

    `arena.cluster.answers` reads the answer.
    """
    order = msgspec.msgpack.decode(said, type=MatchOrder)
    try:
        return encode_answer(order.jobs, play_below(_matches(order), order.core))
    except ArenaError as error:
        return encode_refusal(_told(error))


def _readiness(entry: Admission, packed: bytes | None) -> Readiness:
    demand = entry.demand
    if demand.version != __version__:
        return Readiness(refusal=f"it has arena {__version__}, this is {demand.version}")
    arrived = {} if packed is None else msgspec.msgpack.decode(packed, type=dict[str, bytes])
    try:
        apart = _apart(demand)
        for copy in entry.copies:
            if copy.digest in arrived:
                receive(copy, arrived[copy.digest], apart)
            elif _is_here(copy):
                keep(copy, apart)
    except ArenaError as error:
        return Readiness(refusal=_told(error))
    return Readiness(tuple(copy.digest for copy in entry.copies if not _is_here(copy)))


def _told(error: ArenaError) -> str:
    return "; ".join(" | ".join((each.what, *each.lines)) for each in error.mistakes)


def _matches(order: MatchOrder) -> list[Job]:
    apart = for_worker(_apart(order.demand), order.number)
    bots = {each for job in order.jobs for each in job.bots}
    programs = {copy: keep(copy, apart) for copy in bots}
    return [Job(job.plan, tuple(programs[bot] for bot in job.bots), apart) for job in order.jobs]


@cache
def _apart(demand: Demand) -> Isolation:
    return choose_isolation(demand.level, demand.read_only)


def _is_here(copy: Copy) -> bool:
    return beside(cache_of_copies(), copy.digest, ".built").exists()
