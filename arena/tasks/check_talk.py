"""A checked bot alone with the arena: its start, its end, and lines that a match seldom has."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, Final, Literal, cast

import msgspec
import trio

from arena.engine.exchange import Exchange, exchange_with
from arena.engine.pipes import Flooded
from arena.engine.players import Gone, Late
from arena.engine.process import GRACE_S, Process, Program
from arena.engine.questions import NEVER
from arena.engine.seats import BotSeat
from arena.engine.silence import is_at_rest, unread
from arena.match.commands import Command, Failed, Outcome, PlayedDeal, Question, Tell
from arena.match.log import answer_line
from arena.match.match import Match
from arena.match.unreadable import quoted
from arena.match.wire import AnyRequest, DealEnd, Hello, Limits, Ready, Refused, ToBot, encode
from arena.sandbox.isolation import Isolation
from arena.tasks.check_match import LINES_SHOWN, CheckFailed
from arena.tasks.check_scenes import Script, partner_of

Manner = Literal["plain", "with more", "in pieces", "refusing"]
"""Lines as in a match; with unknown fields, events and messages; in two pieces each; or answers of
each kind refused once, as if they were not allowed."""

_LOOK_S: Final = 0.002
"""Seconds between two looks at what a bot does."""


class Talked(msgspec.Struct, frozen=True):
    """The number of a bot's answers, the most that it used, and its processor seconds in all."""

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
    async with _started(program, script.plan.limits, isolation, "plain") as bot:
        began = perf_counter()
        ready = await bot.greet(Match(script.plan).hellos[script.seat])
        return ready, perf_counter() - began, await bot.leave()


async def talk(
    program: Program, script: Script, limits: Limits, isolation: Isolation, manner: Manner
) -> Talked:
    """Play a match in this manner; the bot has `limits`, whatever the plan tells it.

    Raises `CheckFailed` at the bot's first fault.
    """
    async with _started(program, limits, isolation, manner) as bot:
        await _play(script, bot)
        process = bot.process
        process.look()
        watch = process.watch
        talked = Talked(process.answers - 1, watch.memory >> 20, watch.tasks, watch.cpu_s)
        if manner != "refusing":  # an answer that nobody waits for any more may still come
            await bot.leave()
        return talked


@asynccontextmanager
async def _started(
    program: Program, limits: Limits, isolation: Isolation, manner: Manner
) -> AsyncIterator["_Bot"]:
    async with exchange_with([program], isolation, limits) as exchange:
        yield _Bot(exchange, limits, manner)


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
    """The checked bot, the only one of its exchange: each line to it is written in a manner."""

    def __init__(self, exchange: Exchange, limits: Limits, manner: Manner) -> None:
        self._exchange = exchange
        self._limits = limits
        self._manner = manner
        self._shown: list[str] = []
        self._held = b""
        """The second piece of the last line, which comes with the first one of the next."""
        self._refused: dict[type[AnyRequest], int] = {}
        """The kinds of requests to which an answer was refused, and in which deal."""

    @property
    def process(self) -> Process:
        """Its process, which runs once it is greeted."""
        process = self._seat.process
        assert process is not None
        return process

    async def greet(self, hello: Hello) -> Ready:
        """Start it and say hello. Raises `CheckFailed`."""
        line = self._line(hello).removesuffix(b"\n")
        [ready] = await self._exchange.seats.start([cast(Hello, msgspec.Raw(line))])
        if isinstance(ready, Failed):
            raise self.failed(ready)
        self._show("< ", answer_line(ready))
        return ready

    async def answer(self, question: Question) -> Outcome:
        """The answer to a question, or a failure that is not the bot's. Raises `CheckFailed`."""
        request, is_again = question.request, isinstance(question.line, Refused)
        await self.write(question.line)
        pipes = self.process.pipes
        timed = msgspec.structs.replace(question, clock_s=self._limits.move_s)
        self._seat.questions.put(0, timed, pipes.sent + len(pipes.unwritten))
        outcome = await (self._outcome_unless_at_rest() if is_again else self._outcome())
        if isinstance(outcome, Failed):
            if is_again and outcome.kind == "timeout":
                return outcome
            raise self.failed(outcome)
        self._show("< ", answer_line(outcome.reply))
        was_refused = type(request) in self._refused or request.deal in self._refused.values()
        if self._manner != "refusing" or is_again or was_refused:
            return outcome
        self._refused[type(request)] = request.deal
        return Failed("illegal", "refused to see what follows")

    async def write(self, line: ToBot) -> None:
        text, process = self._line(line), self.process
        if self._manner == "with more":
            text = _UNKNOWN + text
        if self._manner == "in pieces":
            first, text = self._held + text[: len(text) // 2], text[len(text) // 2 :]
            process.post(first)
            await self._until_read()
            self._held = text if isinstance(line, DealEnd) else b""
            text = b"" if self._held else text
        process.post(text)

    def failed(self, failed: Failed) -> CheckFailed:
        """A failure with the last lines before it, worded like a fault; it ends the bot."""
        why, stderr = f"{failed.kind}: {failed.detail}", ""
        if self._seat.process is not None:
            self.process.kill()
            stderr = self.process.stderr.text()
        return CheckFailed(why, (*self._shown, f"! {why}"), stderr, failed.kind)

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

    @property
    def _seat(self) -> BotSeat:
        return self._exchange.seats.all[0]

    async def _outcome(self) -> Outcome:
        ((_, outcome),) = await self._exchange.answers()
        return outcome

    async def _outcome_unless_at_rest(self) -> Outcome:
        """The outcome of a question, given up as soon as the bot waits for another line."""
        rests = 0
        while rests < 2:
            with trio.move_on_after(_LOOK_S):
                return await self._outcome()
            rests = rests + 1 if is_at_rest(self.process) else 0
        ((_, failed),) = self._seat.questions.expire(NEVER)
        return failed

    async def _until_read(self) -> None:
        with trio.move_on_after(self._limits.move_s or NEVER):
            while unread(self.process.pipes):
                await trio.sleep(_LOOK_S)

    def _line(self, line: ToBot) -> bytes:
        """The text of a line, with more than version 1 has if that is the manner."""
        text = _with_more(line) if self._manner == "with more" else encode(line)
        self._show("> ", text.decode().rstrip("\n"))
        return text

    def _show(self, mark: str, text: str) -> None:
        self._shown = [*self._shown, mark + text][-LINES_SHOWN:]


_UNKNOWN: Final = '{"type":"weather","id":7,"sky":"dūmakas"}\n'.encode()
"""A message that version 1 does not have, with a letter that is not ASCII."""


_LONG: Final = 700
_RARE: Final = 20
"""Words by which a line is longer than the buffers that authors like to take, 4,096 bytes, and of
how many requests one is: scripts take long to read such lines."""


def _with_more(line: ToBot) -> bytes:
    message = _with_fields(msgspec.to_builtins(line))
    if "events" in message:
        unknown = {"event": "weather", "sky": "dūmakas"}
        rare = isinstance(line, AnyRequest) and line.id % _RARE == 1
        last = unknown | {"report": "migla " * _LONG} if rare else unknown
        message["events"] = [unknown, *message["events"], last]
    message["weather"] = {"sun": [1, 2.5, None]}
    return msgspec.json.encode(message) + b"\n"


def _with_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_fields(each) for key, each in value.items()} | {"wind": "ziemelis"}
    return [_with_fields(each) for each in value] if isinstance(value, list | tuple) else value
