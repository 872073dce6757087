"""A deal that a person has played, played again in the same seat by a bot of each level."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

import msgspec

from arena.engine.job import Job
from arena.engine.workers import Worker, limit_s, play_job
from arena.league.schedule import seat_seeds
from arena.match.commands import MatchPlan
from arena.match.record import Course
from arena.match.wire import Limits
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules


class MadeByLevel(msgspec.Struct, frozen=True):
    """What a level's bot made of a deal: how it went, and the bot's stakes."""

    level: str
    course: Course
    stakes: int


def by_levels(
    rules: Rules,
    limits: Limits,
    deal: Deal,
    seat: Seat,
    others: Sequence[Program],
    bots: Mapping[str, Program],
    isolation: Isolation,
    number: int = 0,
) -> Iterator[MadeByLevel]:
    """Play a deal with each level's bot in a seat, against the same `others` in theirs.

    `number` distinguishes the worker from others that run at the same time. Raises `MatchVoid`.
    """
    seeds = seat_seeds(rules, "", [deal])
    plan = MatchPlan(rules, limits, rules.conduct.max_faults, (deal,), seeds)
    with closing(Worker(None, number, play_job)) as worker:
        for level, bot in bots.items():
            seated = (*others[:seat], bot, *others[seat:])
            record = worker.call(Job(plan, seated, isolation), limit_s(limits, 1))
            results = record.results
            yield MadeByLevel(level, results.courses[0], results.payments[0][seat])
