"""The process of a checked bot outside any match: its start and its end."""

from time import perf_counter

import msgspec
import trio

from arena.engine.lines import Flooded
from arena.engine.player import Gone, Late
from arena.engine.process import GRACE_S, Process, not_started, running
from arena.engine.program import Program
from arena.engine.seat import BotSeat
from arena.engine.seats import greet
from arena.match.commands import Failed, MatchPlan
from arena.match.match import Match
from arena.match.unreadable import quoted
from arena.match.wire import Ready, encode
from arena.sandbox.box import NO_MEANS
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import CheckFailed


class Exit(msgspec.Struct, frozen=True):
    """The exit of a bot whose input has ended: after how many seconds, and how unless with 0."""

    seconds: float
    how: str


class Greeted(msgspec.Struct, frozen=True):
    """The first answer of a bot, the seconds until it came, and its exit; None if it stayed."""

    ready: Ready
    seconds: float
    left: Exit | None


def time_greeting(program: Program, isolation: Isolation, plan: MatchPlan) -> Greeted:
    """Greet a bot, and end its input. Raises `CheckFailed`."""
    try:
        return trio.run(_time_greeting, program, isolation, plan)
    except OSError as error:  # without a box, the system itself refuses the program
        if error.errno in NO_MEANS:
            raise
        why = not_started(f" {program.run[0]}: {error.strerror}")
        raise CheckFailed(f"exited: {why}", kind="exited") from None


async def _time_greeting(program: Program, isolation: Isolation, plan: MatchPlan) -> Greeted:
    async with running(program, isolation, plan.limits.line_bytes) as process:
        hello = Match(plan).hellos[0]
        began = perf_counter()
        said = await greet(BotSeat(process), hello, plan.limits, trio.current_time)
        spent = perf_counter() - began
        if isinstance(said, Failed):
            raise failure_of(said, (f"> {encode(hello).decode().strip()}",), process)
        return Greeted(said, spent, await leave(process))


async def leave(process: Process) -> Exit | None:
    """End a bot's input; return its exit, None if it stays. Raises `CheckFailed`."""
    began = perf_counter()
    if not await process.leave():
        return None
    seconds = perf_counter() - began
    how = await process.describe_end("") if await process.exit_code(0) else ""
    try:
        extra = await process.read_line(trio.current_time() + GRACE_S)
    except (Gone, Late):
        return Exit(seconds, how)
    except Flooded as error:
        raise CheckFailed(f"it wrote what nobody asked for: {error}") from None
    raise CheckFailed(f"it wrote a line that nobody asked for: {quoted(extra)}")


def failure_of(failed: Failed, shown: tuple[str, ...], process: Process) -> CheckFailed:
    """A failure outside a match, worded like a fault."""
    why = f"{failed.kind}: {failed.detail}"
    return CheckFailed(why, (*shown, f"! {why}"), process.stderr.text(), failed.kind)
