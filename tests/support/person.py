"""A match of scripted seats in one process, with a person's place at the table left open."""

import trio

from arena.match.commands import Failed, Outcome, Question, Said, Tell
from arena.match.match import Match
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    Malformed,
    Ready,
    decode,
    decode_ready,
    encode,
    reply_to,
)
from arena.people.advice import NoAdvice
from arena.people.suggestion import Suggestion
from arena.zole.rules import preset
from tests.support.scripted import plan_of
from tests.support.transcripts import Answerer, simple


class AtTable:
    """The conversation of seat 0 with a match whose other seats are scripted."""

    def __init__(self, match: Match, others: Answerer) -> None:
        self._match = match
        self._others = others
        self._down, self._lines = trio.open_memory_channel[bytes](1000)
        self._answers, self._up = trio.open_memory_channel[bytes](1000)
        self._open: AnyRequest | None = None

    async def receive(self) -> bytes | None:
        try:
            return await self._lines.receive()
        except trio.EndOfChannel:
            return None

    async def send(self, line: bytes) -> None:
        await self._answers.send(line)

    async def hint(self) -> Suggestion | NoAdvice:
        hint = None if self._open is None else simple()(self._open)
        return Suggestion(hint) if isinstance(hint, AnyReply) else NoAdvice("nothing is asked")

    async def play(self) -> None:
        """Play the match; the person's lines are sent and read as a bot's are."""
        async with self._down:
            await self._down.send(encode(self._match.hellos[0]))
            ready = decode_ready(await self._up.receive())
            commands = self._match.greeted((ready, *[Ready(1)] * (len(self._match.hellos) - 1)))
            while commands:
                asked, outcome = commands[-1], None
                for command in commands:
                    if isinstance(command, Question):
                        outcome = await self._answer(command)
                    elif isinstance(command, Tell) and command.seat == 0:
                        await self._down.send(encode(command.line))
                commands = []
                if isinstance(asked, Question) and outcome is not None:
                    commands = self._match.hear(asked.request.table, outcome)

    async def _answer(self, question: Question) -> Outcome:
        if question.seat != 0:
            said = self._others(question.request)
            return said if isinstance(said, Failed) else Said(said, 1000)
        self._open = question.request
        await self._down.send(encode(question.line))
        try:
            reply = reply_to(question.request, decode(await self._up.receive()))
        except Malformed as error:
            return Failed("malformed", str(error))
        return Said(reply, 1000)


def table_of(
    rules: str, players: int, deals: int, others: Answerer, kind: type[AtTable] = AtTable
) -> AtTable:
    """A match by a preset, with seat 0 for a person."""
    plan = plan_of(preset(rules, {"players": players}), deals)
    return kind(Match(plan, in_order=True), others)
