"""A match line by line with a checked bot, told things that a real match seldom tells."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final, Literal, TypeVar

import msgspec
import trio

from arena.engine.lines import Flooded
from arena.engine.player import Gone, Late
from arena.engine.process import Process, running
from arena.engine.program import Program
from arena.engine.seats import failure
from arena.engine.silence import because, is_at_rest, unread
from arena.match.commands import Command, Failed, MatchVoid, PlayedDeal, Question, Said, Tell
from arena.match.log import answer_line
from arena.match.match import Match
from arena.match.unreadable import quoted
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    DealEnd,
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
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import LINES_SHOWN, CheckFailed
from arena.tasks.check_process import failure_of, leave
from arena.tasks.check_scenes import Script
from arena.zole.deal import Seat

_T = TypeVar("_T")

Manner = Literal["with more", "in pieces", "refusing"]
"""Lines with unknown fields, events and messages; lines that come in two pieces each; or answers
of each kind refused once, as if they were not allowed."""

_LOOK_S: Final = 0.002
"""Seconds between two looks at what a bot does."""


class Talked(msgspec.Struct, frozen=True):
    """A bot's answers, the most that it was seen to use, and its processor seconds in all."""

    answers: int
    memory_mib: int
    tasks: int
    cpu_s: float


def talk(
    programs: Sequence[Program],
    script: Script,
    limits: Limits,
    isolation: Isolation,
    manner: Manner,
) -> Talked:
    """Play a match in this manner; the bot has `limits`, whatever the plan tells it.

    Raises `CheckFailed` at the bot's first fault.
    """
    return trio.run(_talk, programs, script, limits, isolation, manner)


async def _talk(
    programs: Sequence[Program],
    script: Script,
    limits: Limits,
    isolation: Isolation,
    manner: Manner,
) -> Talked:
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(running(program, isolation, limits.line_bytes))
            for program in programs
        ]
        bot = _Bot(processes[script.seat], limits, manner)
        await _play(Match(script.plan), script.seat, bot, processes)
        bot.process.look()
        watch = bot.process.watch
        talked = Talked(bot.answers, watch.memory >> 20, watch.tasks, watch.cpu_s)
        if manner != "refusing":  # an answer that nobody waits for any more may still come
            await leave(bot.process)
        return talked


async def _play(match: Match, seat: Seat, bot: "_Bot", partners: Sequence[Process]) -> None:
    readies: list[Ready | Failed] = []
    for each, hello in enumerate(match.hellos):
        readies.append(await (bot.greet(hello) if each == seat else _greet(partners[each], hello)))
    commands = match.greeted(tuple(readies))
    while commands:
        for played in (each for each in commands if isinstance(each, PlayedDeal)):
            for fault in played.faults:
                if fault.seat == seat and fault.kind == "illegal":
                    raise bot.failed(Failed(fault.kind, fault.detail))
        commands = await _carry_out(match, commands, seat, bot, partners)


async def _carry_out(
    match: Match, commands: list[Command], seat: Seat, bot: "_Bot", partners: Sequence[Process]
) -> list[Command]:
    """Write lines and put the question, if there is one; return what follows from the answer."""
    for command in commands:
        match command:
            case Tell(each, line) if each == seat:
                await bot.write(line)
            case Tell(each, line):
                partners[each].post(encode(line))
            case Question(each) if each == seat:
                return match.hear(0, await bot.answer(command))
            case Question(each, line, request):
                partners[each].post(encode(line))
                return match.hear(
                    0, Said(reply_to(request, decode(await _line(partners[each]))), 0)
                )
    return []


async def _greet(partner: Process, hello: Hello) -> Ready:
    partner.post(encode(hello))
    return decode_ready(await _line(partner))


async def _line(partner: Process) -> bytes:
    try:
        return await partner.read_line(float("inf"))
    except Gone as error:
        raise MatchVoid(f"a partner has ended: {error}") from None


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

    async def greet(self, hello: Hello) -> Ready:
        """Say hello. Raises `CheckFailed`."""
        await self.write(hello)
        try:
            ready = await self._read(decode_ready, _deadline(self._limits.start_s))
        except Late:
            why = f"no ready within {self._limits.start_s:g} s"
            raise self.failed(because(Failed("unready", why), self.process)) from None
        self._show("< ", answer_line(ready))
        return ready

    async def answer(self, question: Question) -> Said | Failed:
        """The answer to a question, or a failure that is not the bot's. Raises `CheckFailed`."""
        request, again = question.request, isinstance(question.line, Refused)
        await self.write(question.line)
        reply = await (self._reply_again(request) if again else self._reply(request))
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
        """A failure with the last lines before it."""
        return failure_of(failed, tuple(self._shown), self.process)

    async def _reply(self, request: AnyRequest) -> AnyReply:
        try:
            return await self._read(partial(self._to, request), _deadline(self._limits.move_s))
        except Late:
            why = f"no answer within {self._limits.move_s:g} s"
            raise self.failed(because(Failed("timeout", why), self.process)) from None

    async def _reply_again(self, request: AnyRequest) -> AnyReply | None:
        """The answer to a request once more; None if the bot waits for another line."""
        deadline = _deadline(self._limits.move_s)
        rests = 0
        while rests < 2 and trio.current_time() < deadline:
            try:
                soon = trio.current_time() + _LOOK_S
                return await self._read(partial(self._to, request), soon)
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
            raise self.failed(Failed("malformed", f"{error}: {quoted(line)}")) from None
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
