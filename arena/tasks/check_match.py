"""A match of the checked bot with partners that follow a script, line by line as a bot gets it."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final, Literal, cast

import msgspec
import trio

from arena.base.words import deal_on_wire
from arena.engine.job import FunctionSeat
from arena.engine.process import Lost, Process
from arena.engine.seats import NEVER, BotSeat, Seats, seats_for
from arena.engine.silence import explain_end, is_at_rest, unread
from arena.match.commands import (
    Command,
    Failed,
    MatchPlan,
    Outcome,
    PlayedDeal,
    Question,
    Tell,
)
from arena.match.log import LogWriter, answer_line, answer_text
from arena.match.match import Match
from arena.match.record import MatchRecord
from arena.match.unreadable import quoted
from arena.match.wire import (
    AnyRequest,
    DealEnd,
    Hello,
    Limits,
    Ready,
    Refused,
    ToBot,
    encode,
)
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.tasks.check_scenes import SEAT, Script, partner_of
from arena.zole.deal import Seat

Manner = Literal["plain", "with more", "in pieces", "refusing"]
"""Lines as in a match; with unknown fields, events and messages; in two pieces each; or answers of
each kind refused once, as if they were not allowed."""

LINES_SHOWN = 6
"""Lines of a transcript shown before a failure."""

_LOOK_S: Final = 0.002
"""Seconds between two polls of a bot."""


Keep = Callable[[MatchPlan, MatchRecord], None]
"""Keeps a match; if the bot failed, it ends with the deal in which that was."""


class CheckFailed(Exception):
    """The bot failed a step: the reason, the last lines before that, and the bot's stderr.

    `question` is the one that it failed, with the outcome, if it failed one. A `remark` does not
    keep it from playing.
    """

    def __init__(
        self,
        why: str,
        show: tuple[str, ...] = (),
        stderr: str = "",
        question: tuple[Question, Failed] | None = None,
        remark: bool = False,
    ) -> None:
        super().__init__(why)
        self.why: str = why
        self.show = show
        self.stderr = stderr
        self.question: tuple[Question, Failed] | None = question
        self.remark = remark


class ScriptedAnswer(msgspec.Struct, frozen=True):
    """An answer of the checked bot in a deal, its word as in a log."""

    deal: int
    kind: str
    word: str
    seconds: float


class ScriptedMatch(msgspec.Struct, frozen=True):
    """A match that the bot survived.

    It was `ready` after `ready_s` seconds. `memory` has the most bytes that it was seen to use by
    the end of each deal, `tasks` are the most tasks, `cpu_s` its processor time. `exit` is how it
    ended after its input, "" if it stayed.
    """

    ready: Ready
    ready_s: float
    answers: tuple[ScriptedAnswer, ...]
    memory: tuple[int, ...]
    tasks: int
    cpu_s: float
    exit: str


def play_script(
    program: Program,
    script: Script,
    isolation: Isolation,
    limits: Limits | None = None,
    manner: Manner = "plain",
    keep: Keep = lambda plan, record: None,
) -> ScriptedMatch:
    """Play a match by its script; without deals the bot is greeted, and its input ends.

    It has one core, as in a league: the last, since workers take the first ones. The bot has
    `limits`, if given, whatever limits its plan has. Raises `CheckFailed` at its first fault.
    """
    actual = limits or script.plan.limits
    match, log = Match(script.plan), LogWriter()

    async def play() -> ScriptedMatch:
        stderr = [""] * len(script.habits)
        try:
            async with seats_for([program], isolation, actual) as seats:
                return await _play(script, match, log, _Bot(seats, script.seat, actual, manner))
        finally:
            results = match.results()
            if results.payments:
                [stderr[script.seat]] = seats.stderr()
                deals = script.plan.deals[: len(results.payments)]
                keep(
                    msgspec.structs.replace(script.plan, deals=deals),
                    MatchRecord(
                        results=results,
                        log=log.close(),
                        stderr=tuple(stderr),
                        isolation=isolation.level,
                    ),
                )

    with on_one_core():
        return trio.run(play)


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process, and the bots it starts, to its last core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


async def _play(script: Script, match: Match, log: LogWriter, bot: "_Bot") -> ScriptedMatch:
    seats = range(len(script.habits))
    partners = {seat: partner_of(script, seat) for seat in seats if seat != script.seat}
    began = perf_counter()
    ready = await bot.greet(match.hellos[script.seat])
    ready_s = perf_counter() - began
    readies = tuple(partners[seat].ready if seat in partners else ready for seat in seats)
    log.start(readies, script.plan.seeds)
    try:
        await _play_deals(match, log, bot, partners, [] if match.over else match.greeted(readies))
    except CheckFailed as failure:
        if failure.question is not None:
            _end_deal(match, log, partners, *failure.question)
        raise
    return await bot.leave(ready, ready_s)


async def _play_deals(
    match: Match,
    log: LogWriter,
    bot: "_Bot",
    partners: Mapping[Seat, FunctionSeat],
    commands: list[Command],
) -> None:
    while commands:
        following = []
        for command in commands:
            if isinstance(command, PlayedDeal):  # before the deal's end is sent, and shown
                log.deal(command)
                bot.end_deal(command)
        for command in commands:
            match command:
                case Tell(seat, line) if seat not in partners:
                    await bot.write(line)
                case Question(seat) if seat not in partners:
                    await bot.ask(command)
                case Question(seat):
                    following += match.hear(
                        command.request.table, partners[seat].answer_to(command)
                    )
        if not following and not match.over:
            for table, outcome in await bot.outcomes():
                following += match.hear(table, outcome)
        commands = following


def _end_deal(
    match: Match,
    log: LogWriter,
    partners: Mapping[Seat, FunctionSeat],
    question: Question,
    failed: Failed,
) -> None:
    """Log the deal in which the bot failed a question: by the rules, which blame it."""
    request = question.request
    commands = match.hear(request.table, failed)
    while isinstance(asked := commands[-1], Question) and asked.request.deal == request.deal:
        partner = partners.get(asked.seat)
        outcome = failed if partner is None else partner.answer_to(asked)
        commands = match.hear(request.table, outcome)
    for command in commands:
        if isinstance(command, PlayedDeal):
            log.deal(command)


class _Bot:
    """The checked bot, the only one that is seated: each line to it is written in a manner."""

    def __init__(self, seats: Seats, place: Seat, limits: Limits, manner: Manner) -> None:
        self._seats = seats
        self._place = place
        self._limits = limits
        self._manner = manner
        self._shown: list[str] = []
        self._asked: dict[int, Question] = {}
        """The open questions by table."""
        self._last: AnyRequest | None = None
        """The last request that was answered, or was not as it should."""
        self._answers: list[ScriptedAnswer] = []
        self._memory: list[int] = []
        self._held = b""
        """The second piece of the last line, which comes with the first one of the next."""
        self._refused: dict[type[AnyRequest], int] = {}
        """The kinds of requests to which an answer was refused, and in which deal."""

    async def greet(self, hello: Hello) -> Ready:
        """Start it and send `hello`. Raises `CheckFailed`."""
        line = self._line(hello).removesuffix(b"\n")
        [ready] = await self._seats.start([cast(Hello, msgspec.Raw(line))])
        if isinstance(ready, Failed):
            raise self._failed(ready)
        self._show("< ", answer_line(ready))
        return ready

    async def ask(self, question: Question) -> None:
        """Put a question; `outcomes` will give its outcome."""
        await self.write(question.line)
        table, pipes = question.request.table, self._process.pipes
        timed = msgspec.structs.replace(question, clock_s=self._limits.move_s)
        self._seat.expect(timed, timed.clock_s, pipes.sent + len(pipes.unwritten))
        self._asked[table] = question

    async def outcomes(self) -> list[tuple[int, Outcome]]:
        """The outcomes of some questions, with their tables. Raises `CheckFailed`."""
        again = any(map(self._is_again, self._asked.values()))
        outcomes = await (self._answers_unless_at_rest() if again else self._seats.ask(()))
        tables = [(question.request.table, outcome) for question, outcome in outcomes]
        return [(table, self._accepted(self._asked.pop(table), said)) for table, said in tables]

    async def write(self, line: ToBot) -> None:
        text, process = self._line(line), self._process
        if self._manner == "with more":
            text = _UNKNOWN + text
        if self._manner == "in pieces":
            first, text = self._held + text[: len(text) // 2], text[len(text) // 2 :]
            process.pipes.unwritten += first
            process.pipes.send()
            with trio.move_on_after(self._limits.move_s or NEVER):
                while unread(process.pipes):
                    await trio.sleep(_LOOK_S)
            self._held = text if isinstance(line, DealEnd) else b""
            text = b"" if self._held else text
        process.pipes.unwritten += text
        process.pipes.send()

    def end_deal(self, deal: PlayedDeal) -> None:
        """Note its memory. Raises `CheckFailed` if an answer of its in the deal was not allowed."""
        self._process.look()
        self._memory.append(self._process.watch.memory)
        for fault in deal.faults:
            if fault.seat == self._place and fault.kind == "illegal":
                raise self._failed(Failed(fault.kind, fault.detail))

    async def leave(self, ready: Ready, ready_s: float) -> ScriptedMatch:
        """End its input; return everything it has done. Raises `CheckFailed` for unasked lines."""
        self._process.look()
        # an answer that nobody waits for any more may still come after a refusal
        left = "" if self._manner == "refusing" else await self._exit()
        watch = self._process.watch
        return ScriptedMatch(
            ready=ready,
            ready_s=ready_s,
            answers=tuple(self._answers),
            memory=(*self._memory, watch.memory),
            tasks=watch.tasks,
            cpu_s=watch.cpu_s,
            exit=left,
        )

    async def _exit(self) -> str:
        process, began = self._process, perf_counter()
        if not await process.leave():
            return ""
        told = f"exited after {perf_counter() - began:.2f} s"
        if await process.exit_code(0):
            told = f"{told}, with {await explain_end(process, '')}"
        try:
            lines = process.pipes.take()
        except Lost as lost:
            if lost.kind == "flooded":
                raise CheckFailed(f"it wrote what nobody asked for: {lost}") from None
            return told
        if lines:
            raise CheckFailed(f"it wrote a line that nobody asked for: {quoted(lines[0])}")
        return told

    @property
    def _seat(self) -> BotSeat:
        return self._seats.all[0]

    @property
    def _process(self) -> Process:
        process = self._seat.process
        assert process is not None
        return process

    def _accepted(self, question: Question, outcome: Outcome) -> Outcome:
        """The outcome of a question, or a failure that is not the bot's. Raises `CheckFailed`."""
        self._last = request = question.request
        if isinstance(outcome, Failed):
            if self._is_again(question) and outcome.kind == "timeout":
                return outcome
            raise self._failed(outcome, question)
        self._show("< ", answer_line(outcome.reply))
        word, seconds = answer_text(outcome.reply), outcome.us / 1e6
        self._answers.append(ScriptedAnswer(request.deal, _kind(request), word, seconds))
        was_refused = type(request) in self._refused or request.deal in self._refused.values()
        if self._manner != "refusing" or self._is_again(question) or was_refused:
            return outcome
        self._refused[type(request)] = request.deal
        return Failed("illegal", "refused to see what follows")

    def _is_again(self, question: Question) -> bool:
        """Whether a question follows a refusal of ours; a bot need not answer such."""
        return self._manner == "refusing" and isinstance(question.line, Refused)

    def _failed(self, failed: Failed, question: Question | None = None) -> CheckFailed:
        last, stderr = self._last, ""
        seat = "" if self._place == SEAT else f" in seat {self._place}"
        asked = "" if last is None else f" in {deal_on_wire(last.deal)}, asked {_kind(last)}"
        if self._seat.process is not None:
            self._process.kill()
            stderr = self._process.stderr.text()
        return CheckFailed(
            f"{failed.kind}{seat}{asked}: {failed.detail}",
            (*self._shown, f"! {failed.kind}: {failed.detail}"),
            stderr,
            None if question is None else (question, failed),
        )

    async def _answers_unless_at_rest(self) -> list[tuple[Question, Outcome]]:
        """The outcome of a question, given up as soon as the bot waits for another line."""
        rests = 0
        while rests < 2:
            with trio.move_on_after(_LOOK_S):
                return await self._seats.ask(())
            rests = rests + 1 if is_at_rest(self._process) else 0
        return self._seat.expire(NEVER)

    def _line(self, line: ToBot) -> bytes:
        text = _with_more(line) if self._manner == "with more" else encode(line)
        self._show("> ", text.decode().rstrip("\n"))
        return text

    def _show(self, mark: str, text: str) -> None:
        self._shown = [*self._shown, mark + text][-LINES_SHOWN:]


_UNKNOWN: Final = '{"type":"weather","id":7,"sky":"dūmakas"}\n'.encode()
"""A message that version 1 does not have, with a letter that is not ASCII."""


_LONG: Final = 700
_RARE: Final = 20
"""The words that make a line longer than the buffers that authors like to use, 4,096 bytes, and
one of how many requests has such a line: scripts take long to read it."""


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


def _kind(request: AnyRequest) -> str:
    return str(request.__struct_config__.tag)
