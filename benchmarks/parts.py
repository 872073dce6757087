"""Where the time of a decision and of a match goes: each part by itself, beside whole matches.

Each part runs alone, with its own code in the caches. What a match takes beyond their sum is a row
of its own, so that the table adds up: there each part runs once a decision, after all the others.
"""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, cast

import msgspec
import trio

from arena.engine.job import Job
from arena.engine.seats import Seats, seats_for
from arena.engine.worker import conduct_match, play_match
from arena.match.commands import PlayedDeal, Question, Said, Tell
from arena.match.log import LogWriter
from arena.match.logged import play_again
from arena.match.match import Match
from arena.match.wire import AnyReply, Hello, Ready, decode, encode, reply_to, write
from arena.sandbox.isolation import choose_isolation
from benchmarks.figures import Row, Rows, Run, low
from benchmarks.speed import match_of

HEADS = ("µs a decision", "of a match of 1,000 deals", "of a match of 10 deals")
LONG, SHORT = 1000, 10
SHORTS = 20
"""How many short matches are played for one time."""


class Recorded(NamedTuple):
    """A match that was played, as the parts of a match need it."""

    job: Job
    commands: list[Question | Tell]
    """What its bots were asked and told, in order."""
    answers: list[tuple[Question, Said, bytes]]
    """Questions with their answers, and these as the bots wrote them."""
    games: list[PlayedDeal]

    @property
    def decisions(self) -> int:
        return len(self.answers)


def measure(run: Run) -> Rows:
    """Time each part and whole matches in turn; rows with microseconds and shares."""
    with one_core():
        long, short = (recorded(run.bot, deals) for deals in (LONG, SHORT))
        parts: dict[str, Callable[[], object]] = {
            "lines to JSON": lambda: written(long.commands),
            "answers from JSON": lambda: read(long.answers),
            "referee and rules": lambda: judged(long),
            "log": lambda: logged(long.games),
            "loop": lambda: trio.run(conduct_match, long.job, cast(Seats, FromRecord(long))),
        }
        gc.freeze()  # a worker has no such record to look through at each collection
        spent: dict[str, list[float]] = {}
        wholes: list[float] = []
        shorts: list[float] = []
        for _ in range(run.rounds):
            for name, part in parts.items():
                spent.setdefault(name, []).append(seconds(part))
            raw, exchanged = trio.run(exchanged_with, long)
            spent.setdefault("pipes", []).append(raw)
            spent.setdefault("exchange", []).append(exchanged)
            wholes.append(seconds(lambda: play_match(long.job)))
            played = seconds(lambda: [play_match(short.job) for _ in range(SHORTS)])
            shorts.append(played / SHORTS)
        gc.unfreeze()
    each = {name: 1e6 * low(times) / long.decisions for name, times in spent.items()}
    json = each["lines to JSON"] + each["answers from JSON"]
    alone = {
        "kernel: pipes, and the bots": each["pipes"],
        "exchange: whose turn, clocks, watch": each["exchange"] - each["pipes"] - json,
        "requests and other lines to JSON": each["lines to JSON"],
        "answers from JSON": each["answers from JSON"],
        "referee and rules": each["referee and rules"],
        "log": each["log"],
        "loop between them": each["loop"] - each["referee and rules"] - each["log"],
    }
    yield from table(alone, (low(wholes), long.decisions), (low(shorts), short.decisions))


def table(alone: dict[str, float], long: tuple[float, int], short: tuple[float, int]) -> Rows:
    """The parts, what is beyond them, and start and end, which both matches have in common.

    `alone` has microseconds a decision; the matches have seconds and decisions.
    """
    (long_s, many), (short_s, few) = long, short
    between = 1e6 * (long_s - short_s) / (many - few)
    parts = {**alone, "the same in turn, beyond the sum": between - sum(alone.values())}
    matches = [(1e6 * seconds, count) for seconds, count in (long, short)]

    def row(what: str, us: float, shares: Sequence[float]) -> Row:
        return Row(what, (f"{us:.1f}", *(f"{share:.0%}" for share in shares)))

    for what, us in parts.items():
        yield row(what, us, [us * count / whole for whole, count in matches])
    starts = [1 - between * count / whole for whole, count in matches]
    ends = f"start and end of a match: {matches[0][0] * starts[0] / 1000:.1f} ms"
    yield row(ends, starts[0] * matches[0][0] / many, starts)
    yield row("a decision of a match of 1,000 deals", matches[0][0] / many, [1.0, 1.0])


def recorded(bot: str, deals: int) -> Recorded:
    """Play a match and take it apart."""
    job = match_of(Path(bot), deals, choose_isolation())
    record = play_match(job)
    games = list(play_again(job.plan, record.log).deals)
    steps = [step for game in games for step in game.asked]
    commands: list[Question | Tell] = []
    for game in games:
        commands += (step.question for step in game.asked)
        commands += (Tell(seat, line) for seat, line in enumerate(game.ends))
    return Recorded(
        job,
        commands,
        [
            (step.question, step.outcome, as_written(step.outcome.reply))
            for step in steps
            if isinstance(step.outcome, Said)
        ],
        games,
    )


def as_written(reply: AnyReply) -> bytes:
    """An answer as a bot writes it, without what it left out."""
    fields = {key: value for key, value in msgspec.structs.asdict(reply).items() if value}
    kind = reply.__struct_config__.tag
    return msgspec.json.encode({"type": kind, "id": reply.id, **fields}) + b"\n"


def written(commands: Sequence[Question | Tell]) -> None:
    """Every line to a bot."""
    line = bytearray()
    for command in commands:
        write(command.line, line)
        line.clear()


def read(answers: Sequence[tuple[Question, Said, bytes]]) -> None:
    """Every answer of a bot."""
    for question, _, line in answers:
        reply_to(question.request, decode(line))


def judged(match: Recorded) -> None:
    """The match again by its answers, with nobody there."""
    again = Match(match.job.plan)
    again.greeted((Ready(1),) * match.job.plan.rules.players)
    for _, said, _ in match.answers:
        again.hear(0, said)


def logged(games: Sequence[PlayedDeal]) -> None:
    """The log of some deals."""
    log = LogWriter()
    for game in games:
        log.deal(game)
    log.close()


class FromRecord:
    """Seats without bots: their answers come from a record."""

    def __init__(self, match: Recorded) -> None:
        self._coming = (said for _, said, _ in match.answers)

    async def start(self, hellos: Sequence[Hello]) -> tuple[Ready, ...]:
        return (Ready(1),) * len(hellos)

    async def ask(self, questions: Sequence[Question]) -> list[tuple[Question, Said]]:
        return [(question, next(self._coming)) for question in questions]

    def tell(self, command: Tell) -> None:
        pass

    def send(self) -> None:
        pass


async def exchanged_with(match: Recorded) -> tuple[float, float]:
    """Ask the bots all questions: seconds by the bare pipes, and by the arena's seats."""
    job = match.job
    async with seats_for(job.programs, job.isolation, job.plan.limits) as seats:
        await seats.start(Match(job.plan).hellos)
        pipes = [seat.pipes for seat in seats.all]
        fds = [(each.stdin, each.stdout) for each in pipes if each is not None]
        lines = list(together(match.commands))
        began = perf_counter()
        for seat, pending in lines:
            for other, line in pending.items():
                os.write(fds[other][0], line)
            while True:
                os.sched_yield()
                try:
                    os.read(fds[seat][1], 65536)
                except BlockingIOError:
                    continue
                break
        between = perf_counter()
        for command in match.commands:
            if type(command) is Tell:
                seats.tell(command)
            elif type(command) is Question:
                await seats.ask([command])
        return between - began, perf_counter() - between


def together(commands: Sequence[Question | Tell]) -> Iterator[tuple[int, dict[int, bytes]]]:
    """Who is asked each time, and what is written to whom: the question and all lines before it."""
    pending: dict[int, bytes] = {}
    for command in commands:
        pending[command.seat] = pending.get(command.seat, b"") + encode(command.line)
        if isinstance(command, Question):
            yield command.seat, pending
            pending = {}


@contextmanager
def one_core() -> Iterator[None]:
    """Run on one core for a while, with all that is started then."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    began = perf_counter()
    action()
    return perf_counter() - began
