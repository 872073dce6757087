"""A checked bot alone with the arena: its start, its end, and lines that a match seldom has."""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, Final, Literal, TypeVar

import msgspec
import trio

from arena.engine.pipes import Flooded
from arena.engine.players import Gone, Late
from arena.engine.process import GRACE_S, Process, Program, not_started, running
from arena.engine.seats import failure
from arena.engine.silence import because, is_at_rest, unread
from arena.match.commands import Command, Failed, PlayedDeal, Question, Said, Tell
from arena.match.log import answer_line
from arena.match.match import Match
from arena.match.record import NOT_READY
from arena.match.unreadable import quoted
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    DealEnd,
    FaultKind,
    Hello,
    Limits,
    Malformed,
    Ready,
    Refused,
    Reply,
    ToBot,
    decode,
    decode_ready,
    encode,
    reply_to,
)
from arena.sandbox.box import NO_MEANS
from arena.sandbox.isolation import Isolation
from arena.tasks.check_match import LINES_SHOWN, CheckFailed
from arena.tasks.check_scenes import Script, partner_of

_T = TypeVar("_T")

Manner = Literal["plain", "with more", "in pieces", "refusing"]
"""Lines as in a match; with unknown fields, events and messages; in two pieces each; or answers of
each kind refused once, as if they were not allowed."""

_LOOK_S: Final = 0.002
"""Seconds between two looks at what a bot does."""


class Talked(msgspec.Struct, frozen=True):
    """A bot's answers, the most that it was seen to use, and its processor seconds in all."""

    answers: int
    memory_mib: int
    tasks: int
    cpu_s: float


async def greet_and_leave(
    program: Program, script: Script, isolation: Isolation
) -> tuple[Ready, float, str]:
    """Greet a bot and end its input; return its answer, after how many seconds, and its exit.

    The exit is "" for a bot that stays. Raises `CheckFailed`.
    """
    limits = script.plan.limits
    try:
        async with running(program, isolation, limits.line_bytes) as process:
            bot, began = _Bot(process, limits, "plain"), perf_counter()
            ready = await bot.greet(Match(script.plan).hellos[script.seat])
            return ready, perf_counter() - began, await bot.leave()
    except OSError as error:  # without a box, the system itself refuses the program
        if error.errno in NO_MEANS:
            raise
        why = not_started(f" {program.run[0]}: {error.strerror}")
        raise CheckFailed(f"exited: {why}", kind="exited") from None


async def talk(
    program: Program, script: Script, limits: Limits, isolation: Isolation, manner: Manner
) -> Talked:
    """Play a match in this manner; the bot has `limits`, whatever the plan tells it.

    Raises `CheckFailed` at the bot's first fault.
    """
    async with running(program, isolation, limits.line_bytes) as process:
        bot = _Bot(process, limits, manner)
        await _play(script, bot)
        process.look()
        watch = process.watch
        talked = Talked(bot.answers, watch.memory >> 20, watch.tasks, watch.cpu_s)
        if manner != "refusing":  # an answer that nobody waits for any more may still come
            await bot.leave()
        return talked


async def _play(script: Script, bot: "_Bot") -> None:
    match, seats = Match(script.plan), range(len(script.habits))
    partners = {seat: partner_of(script, seat) for seat in seats if seat != script.seat}
    ready = await bot.greet(match.hellos[script.seat])
    readies = (partners[seat].ready if seat in partners else ready for seat in seats)
    commands: list[Command] = match.greeted(tuple(readies))
    while commands:
        following: list[Command] = []
        for command in commands:
            match command:
                case PlayedDeal():
                    for fault in command.faults:
                        if fault.seat == script.seat and fault.kind == "illegal":
                            raise bot.failed(Failed(fault.kind, fault.detail))
                case Tell(seat, line) if seat == script.seat:
                    await bot.write(line)
                case Question(seat) if seat == script.seat:
                    following = match.hear(0, await bot.answer(command))
                case Question(seat):
                    following = match.hear(0, partners[seat].said(command))
        commands = following


class _Bot:
    """The checked bot: what it is told, in which manner, and what it answers."""

    def __init__(self, process: Process, limits: Limits, manner: Manner) -> None:
        self.process = process
        self.answers = 0
        self._limits = limits
        self._manner = manner
        self._shown: list[str] = []
        self._held = b""
        """The second piece of the last line, which comes with the first one of the next."""
        self._refused: dict[type[AnyRequest], int] = {}
        """The kinds of requests to which an answer was refused, and in which deal."""
        self._unanswered: set[int] = set()
        """Requests whose refused answers did not come again; they may still come, too late."""
        self._greeted = False

    async def greet(self, hello: Hello) -> Ready:
        """Say hello. Raises `CheckFailed`."""
        await self.write(hello)
        ready = await self._read_within(self._limits.start_s, decode_ready, "unready", "ready")
        self._greeted = True
        self._show("< ", answer_line(ready))
        return ready

    async def answer(self, question: Question) -> Said | Failed:
        """The answer to a question, or a failure that is not the bot's. Raises `CheckFailed`."""
        request, again = question.request, isinstance(question.line, Refused)
        await self.write(question.line)
        read, move_s = partial(self._to, request), self._limits.move_s
        reply: AnyReply | None = await (
            self._read_unless_at_rest(move_s, read)
            if again
            else self._read_within(move_s, read, "timeout", "answer")
        )
        if reply is None:
            self._unanswered.add(request.id)
            return Failed("timeout", "the answer did not come again")
        self._show("< ", answer_line(reply))
        self.answers += 1
        seen = type(request) in self._refused or request.deal in self._refused.values()
        if self._manner != "refusing" or again or seen:
            return Said(reply, 0)
        self._refused[type(request)] = request.deal
        return Failed("illegal", "refused to see what follows")

    async def write(self, line: ToBot) -> None:
        """Write a line in its manner."""
        text = _with_more(line) if self._manner == "with more" else encode(line)
        self._show("> ", text.decode().rstrip("\n"))
        if self._manner == "with more" and not isinstance(line, Hello):
            text = _UNKNOWN + text
        if self._manner == "in pieces":
            first, text = self._held + text[: len(text) // 2], text[len(text) // 2 :]
            self.process.post(first)
            await self._until_read()
            self._held = text if isinstance(line, DealEnd) else b""
            text = b"" if self._held else text
        self.process.post(text)

    def failed(self, failed: Failed) -> CheckFailed:
        """A failure with the last lines before it, worded like a fault; it ends the bot."""
        self.process.kill()
        why = f"{failed.kind}: {failed.detail}"
        show = (*self._shown, f"! {why}")
        return CheckFailed(why, show, self.process.stderr.text(), failed.kind)

    async def leave(self) -> str:
        """End the bot's input; return its exit, "" if it stays. Raises `CheckFailed`."""
        process, began = self.process, perf_counter()
        if not await process.leave():
            return ""
        told = f"exited after {perf_counter() - began:.2f} s"
        if await process.exit_code(0):
            told = f"{told}, with {await process.describe_end('')}"
        try:
            extra = await process.read_line(trio.current_time() + GRACE_S)
        except (Gone, Late):
            return told
        except Flooded as error:
            raise CheckFailed(f"it wrote what nobody asked for: {error}") from None
        raise CheckFailed(f"it wrote a line that nobody asked for: {quoted(extra)}")

    async def _read_within(
        self, limit_s: float | None, read: Callable[[bytes], _T | None], kind: FaultKind, noun: str
    ) -> _T:
        try:
            return await self._read(read, _deadline(limit_s))
        except Late:
            failed = Failed(kind, f"no {noun} within {limit_s:g} s")
            raise self.failed(because(failed, self.process)) from None

    async def _read_unless_at_rest(
        self, limit_s: float | None, read: Callable[[bytes], _T | None]
    ) -> _T | None:
        """What is read from the next line; None if the bot waits for another line."""
        deadline, rests = _deadline(limit_s), 0
        while rests < 2 and trio.current_time() < deadline:
            try:
                return await self._read(read, trio.current_time() + _LOOK_S)
            except Late:
                rests = rests + 1 if is_at_rest(self.process) else 0
        return None

    async def _read(self, read: Callable[[bytes], _T | None], deadline: float) -> _T:
        """What is read from the next line of which that is not None. Raises `Late`."""
        line = b""
        try:
            await self.process.flush(deadline)
            while True:
                line = await self.process.read_line(deadline)
                if (found := read(line)) is not None:
                    return found
        except Malformed as error:
            what = f"{'' if self._greeted else NOT_READY}{error}: {quoted(line)}"
            raise self.failed(Failed("malformed", what)) from None
        except (Gone, Flooded) as error:
            raise self.failed(await failure(self.process, error)) from None

    def _to(self, request: AnyRequest, line: bytes) -> AnyReply | None:
        """The answer to a request in a line, None if it is one that comes too late."""
        said = decode(line)
        late = isinstance(said, Reply) and said.id in self._unanswered
        return None if late else reply_to(request, said)

    async def _until_read(self) -> None:
        """Wait until the bot has read all that was written, or its time is over."""
        deadline = _deadline(self._limits.move_s)
        while unread(self.process.pipes) and trio.current_time() < deadline:
            await trio.sleep(_LOOK_S)

    def _show(self, mark: str, text: str) -> None:
        self._shown = [*self._shown, mark + text][-LINES_SHOWN:]


_UNKNOWN: Final = '{"type":"weather","id":7,"sky":"dūmakas"}\n'.encode()
"""A message that version 1 does not have, with a letter that is not ASCII."""


_LONG: Final = 700
_RARE: Final = 20
"""Words by which a line is longer than the buffers that authors like to take, 4,096 bytes, and of
how many requests one is: scripts take long to read such lines."""


def _with_more(line: ToBot) -> bytes:
    """A line with fields and events that version 1 does not have."""
    message = _with_fields(msgspec.to_builtins(line))
    if "events" in message:
        unknown = {"event": "weather", "sky": "dūmakas"}
        rare = isinstance(line, AnyRequest) and line.id % _RARE == 1
        last = unknown | {"report": "migla " * _LONG} if rare else unknown
        message["events"] = [unknown, *message["events"], last]
    message["weather"] = {"sun": [1, 2.5, None]}
    return msgspec.json.encode(message) + b"\n"


def _with_fields(value: Any) -> Any:
    """A JSON value with a field more in each of its objects."""
    if isinstance(value, dict):
        return {key: _with_fields(each) for key, each in value.items()} | {"wind": "ziemelis"}
    return [_with_fields(each) for each in value] if isinstance(value, list | tuple) else value


def _deadline(limit: float | None) -> float:
    return float("inf") if limit is None else trio.current_time() + limit
