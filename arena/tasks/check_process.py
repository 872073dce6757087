"""The process of a checked bot, spoken to outside any match: its start, its end, unknown lines."""

import json
from collections.abc import Iterator
from time import perf_counter

import msgspec
import trio

from arena.engine.lines import Flooded
from arena.engine.process import Gone, Late, Process, running
from arena.engine.program import Program
from arena.match.commands import MatchPlan
from arena.match.logged import Answered
from arena.match.match import Match
from arena.match.wire import (
    AnyRequest,
    Malformed,
    ToBot,
    decode,
    decode_ready,
    encode,
    reply_to,
)
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import LINES_SHOWN, CheckFailed, answer_line


class Used(msgspec.Struct, frozen=True):
    """The most that a bot was seen to use at any moment, and its processor seconds in all."""

    memory_mib: int
    tasks: int
    cpu_s: float


def time_greeting(
    program: Program, isolation: Isolation, plan: MatchPlan
) -> tuple[float, float | None]:
    """Seconds from hello to ready, and from the end of input to the exit; None if it stays.

    Raises `CheckFailed`.
    """
    return trio.run(_time_greeting, program, isolation, plan)


def write_with_more(
    program: Program,
    isolation: Isolation,
    lines: Iterator[tuple[ToBot, Answered]],
    plan: MatchPlan,
) -> tuple[int, Used]:
    """Write the lines of a match with unknown fields, events and messages among them.

    Returns how many answers came and what the bot used. Raises `CheckFailed`.
    """
    return trio.run(_write_with_more, program, isolation, lines, plan)


async def _time_greeting(
    program: Program, isolation: Isolation, plan: MatchPlan
) -> tuple[float, float | None]:
    async with running(program, isolation, plan.limits.line_bytes) as process:
        hello = encode(Match(plan).hellos[0])
        process.post(hello)
        try:
            await process.flush(_deadline(plan))
            written = perf_counter()
            decode_ready(await process.read_line(_deadline(plan)))
        except (Late, Gone, Flooded, Malformed) as error:
            raise _failure(error, (f"> {hello.decode().strip()}",), process) from None
        spent = perf_counter() - written
        began = perf_counter()
        if not await process.leave():
            return spent, None
        left = perf_counter() - began
        try:
            extra = await process.read_line(_deadline(plan))
        except (Late, Gone):
            return spent, left
        except Flooded as error:
            raise CheckFailed(f"it wrote what nobody asked for: {error}") from None
        raise CheckFailed(f"it wrote a line that nobody asked for: {extra[:80]!r}")


async def _write_with_more(
    program: Program,
    isolation: Isolation,
    lines: Iterator[tuple[ToBot, Answered]],
    plan: MatchPlan,
) -> tuple[int, Used]:
    count = 0
    shown: list[str] = []
    async with running(program, isolation, plan.limits.line_bytes) as process:
        for line, answer in lines:
            text = _with_more(line)
            shown = [*shown, "> " + text][-LINES_SHOWN:]
            process.post(b'{"type":"weather","sky":"blue"}\n' if count else b"")
            process.post(text.encode() + b"\n")
            if answer is None:
                continue
            try:
                await process.flush(_deadline(plan))
                said = decode(await process.read_line(_deadline(plan)))
                if isinstance(line, AnyRequest):
                    reply_to(line, said)
            except (Late, Gone, Flooded, Malformed) as error:
                raise _failure(error, tuple(shown), process) from None
            shown = [*shown, "< " + answer_line(said)][-LINES_SHOWN:]
            count += 1
        process.look()
        watch = process.watch
        return count, Used(watch.memory >> 20, watch.tasks, watch.cpu_s)


def _with_more(line: ToBot) -> str:
    """A line with a field and an event that version 1 does not have."""
    message = msgspec.to_builtins(line) | {"weather": {"sun": [1, 2.5, None]}}
    if "events" in message:
        message["events"] = [{"event": "weather", "sky": "blue"}, *message["events"]]
    return json.dumps(message, separators=(",", ":"))


def _failure(error: Exception, shown: tuple[str, ...], process: Process) -> CheckFailed:
    """A failure outside a match, in the words of the faults."""
    kinds = {
        Late: "no answer in time",
        Gone: "the program ended",
        Flooded: "flooded",
        Malformed: "malformed",
    }
    if process.crossed is not None:
        return CheckFailed(f"resource: {process.crossed}", shown, process.stderr.text())
    why = ": ".join(filter(None, (kinds[type(error)], str(error))))
    return CheckFailed(why, shown, process.stderr.text())


def _deadline(plan: MatchPlan) -> float:
    return trio.current_time() + (plan.limits.start_s or 10.0)
