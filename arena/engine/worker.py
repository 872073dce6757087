"""Plays a match for real, the referee on one side, bot processes on the other; a worker does it."""

from time import monotonic

import msgspec
import trio

from arena.engine.job import Job
from arena.engine.seats import Seats, seats_for
from arena.match.commands import Outcome, PlayedDeal, Question, Tell
from arena.match.log import LogWriter
from arena.match.match import Match
from arena.match.record import MatchRecord


def play_match(job: Job) -> MatchRecord:
    """Play a match with fresh processes.

    Raises `MatchVoid` if the arena itself failed, and `FunctionRaised`.
    """
    return trio.run(_play, job)


async def _play(job: Job) -> MatchRecord:
    plan = job.plan
    async with seats_for(job.programs, job.isolation, plan.limits, plan.restart) as seats:
        record = await conduct_match(job, seats)
    return msgspec.structs.replace(record, stderr=seats.stderr())


async def conduct_match(job: Job, seats: Seats) -> MatchRecord:
    """Play the match at as many tables as the bots can; return its record."""
    match, log, began = Match(job.plan), LogWriter(), monotonic()
    took_us = [1] * len(job.programs)  # of nothing, each has an equal part
    greeted = await seats.start(match.hellos)
    log.start(greeted)
    commands = match.greeted(greeted)
    alone = match.tables == 1
    questions: list[Question] = []
    while True:
        outcome: Outcome | None = None
        for command in commands:
            if type(command) is Question:
                if alone:
                    outcome = seats.ask_at_once(command)
                else:
                    questions.append(command)
            elif type(command) is Tell:
                seats.tell(command)
            elif type(command) is PlayedDeal:
                log.deal(command)
                for step in command.steps:
                    took_us[step.seat] += step.outcome.us
                if job.plan.restart and not match.over:
                    await seats.restart(match.hellos)
        if match.over:
            seats.send()
            a_us = (monotonic() - began) / sum(took_us)
            return MatchRecord(
                results=match.results(),
                log=log.close(),
                stderr=(),
                isolation=job.isolation.level,
                held_s=tuple(round(us * a_us, 6) for us in took_us),
            )
        if outcome is not None:
            commands = match.hear(0, outcome)
            continue
        commands = []
        for question, outcome in await seats.ask(questions):
            commands += match.hear(question.request.table, outcome)
        questions.clear()
