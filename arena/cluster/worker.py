"""A cluster's worker: it tells whether it can play, takes in bots, and does what it is ordered."""

from collections.abc import Sequence
from functools import cache
from typing import assert_never

import msgspec

from arena import __version__
from arena.base.errors import ArenaError
from arena.cluster.answers import encode_answer, encode_refusal
from arena.cluster.below import do_below
from arena.cluster.checks import CheckOrder
from arena.cluster.matches import MatchOrder
from arena.cluster.orders import Admission, Demand, Readiness
from arena.cluster.reviews import ReviewOrder
from arena.engine.builds import Copy, beside, keep
from arena.engine.builds import cache as cache_of_copies
from arena.engine.transfer import receive
from arena.engine.worker import Job
from arena.engine.workers import play_each
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox.isolation import Isolation, choose_isolation, for_worker
from arena.tasks.check_sent import CheckedBot, check_each
from arena.tasks.review import Reviewed, review_each

AnyOrder = MatchOrder | ReviewOrder | CheckOrder


def make_ready(entry: bytes, packed: bytes | None) -> bytes:
    """Unpack and build a bot that arrived, and return the missing ones as a `Readiness`.

    `entry` is an `Admission`; `packed`, if any, an archive by the hash of its bot.
    """
    return msgspec.msgpack.encode(_readiness(msgspec.msgpack.decode(entry, type=Admission), packed))


def work(said: bytes) -> bytes:
    """Do what an order says until nobody waits for it any more, and return the results.

    `said` is one of `AnyOrder`; `arena.cluster.answers` reads the answer.
    """
    order: AnyOrder = msgspec.msgpack.decode(said, type=AnyOrder)
    try:
        return encode_answer(order.jobs, _done(order))
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


def _done(order: AnyOrder) -> Sequence[MatchRecord | Reviewed | CheckedBot | MatchVoid]:
    number, core = order.number, order.core
    match order:
        case MatchOrder():
            return do_below(play_each, _matches(order), 0, core)
        case ReviewOrder(jobs=deals):
            return do_below(review_each, deals, 0, core)
        case CheckOrder(jobs=bots):
            return do_below(check_each, bots, number, core)
        case _:
            assert_never(order)


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
