"""The process of a checked bot, spoken to outside any match: its start, its end, unknown lines."""

import json
from collections.abc import Iterator
from time import perf_counter

import msgspec
import trio

from arena.engine.lines import Flooded
from arena.engine.player import Gone, Late
from arena.engine.process import GRACE_S, Process, not_started, running
from arena.engine.program import Program
from arena.engine.seat import BotSeat
from arena.engine.seats import failure, greet
from arena.engine.silence import because
from arena.match.commands import Failed, MatchPlan
from arena.match.log import answer_line
from arena.match.logged import Answered
from arena.match.match import Match
from arena.match.unreadable import quoted
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    Limits,
    Malformed,
    Ready,
    ToBot,
    decode,
    encode,
    reply_to,
)
from arena.sandbox.box import NO_MEANS
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import LINES_SHOWN, CheckFailed


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
    try:
        return trio.run(_time_greeting, program, isolation, plan)
    except OSError as error:  # without a box, the system itself refuses the program
        if error.errno in NO_MEANS:
            raise
        why = not_started(f" {program.run[0]}: {error.strerror}")
        raise CheckFailed(f"exited: {why}", kind="exited") from None


def write_with_more(
    program: Program,
    isolation: Isolation,
    lines: Iterator[tuple[ToBot, Answered]],
    plan: MatchPlan,
) -> tuple[int, Used]:
    """Write the lines of a match with unknown fields, events and messages among them.

    Returns the number of answers and the bot's use of resources. Raises `CheckFailed`.
    """
    return trio.run(_write_with_more, program, isolation, lines, plan)


async def _time_greeting(
    program: Program, isolation: Isolation, plan: MatchPlan
) -> tuple[float, float | None]:
    async with running(program, isolation, plan.limits.line_bytes) as process:
        hello = Match(plan).hellos[0]
        began = perf_counter()
        said = await greet(BotSeat(process), hello, plan.limits, trio.current_time)
        spent = perf_counter() - began
        if isinstance(said, Failed):
            raise _failure(said, (f"> {encode(hello).decode().strip()}",), process)
        began = perf_counter()
        if not await process.leave():
            return spent, None
        left = perf_counter() - began
        try:
            extra = await process.read_line(trio.current_time() + GRACE_S)
        except (Gone, Late):
            return spent, left
        except Flooded as error:
            raise CheckFailed(f"it wrote what nobody asked for: {error}") from None
        raise CheckFailed(f"it wrote a line that nobody asked for: {quoted(extra)}")


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
            said = await _answer(process, line, plan.limits)
            if isinstance(said, Failed):
                raise _failure(said, tuple(shown), process)
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


async def _answer(process: Process, asked: ToBot, limits: Limits) -> Ready | AnyReply | Failed:
    """The answer to the line just posted, within the time for it, or the failure."""
    limit = limits.move_s if isinstance(asked, AnyRequest) else limits.start_s
    deadline = float("inf") if limit is None else trio.current_time() + limit
    try:
        await process.flush(deadline)
        line = await process.read_line(deadline)
        said = decode(line)
        return reply_to(asked, said) if isinstance(asked, AnyRequest) else said
    except Late:
        return because(Failed("timeout", f"no answer within {limit:g} s"), process)
    except Malformed as error:
        return Failed("malformed", f"{error}: {quoted(line)}")
    except (Gone, Flooded) as error:
        return await failure(process, error)


def _failure(failed: Failed, shown: tuple[str, ...], process: Process) -> CheckFailed:
    """A failure outside a match, worded like a fault."""
    why = f"{failed.kind}: {failed.detail}"
    return CheckFailed(why, (*shown, f"! {why}"), process.stderr.text(), failed.kind)
